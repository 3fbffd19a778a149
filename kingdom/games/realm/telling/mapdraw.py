"""The map as text for a terminal: flat-top hexes, the even columns half a hex lower, and below it what the marks mean.

     ____
    /0303\\        column and row
   / p r  \\____   terrain; armies; what can be seen there; what is hidden there, as far as the reader knows it
   \\ E*  =/0403\\  who holds it; a settlement; what is built there; a road
    \\____/
"""

from __future__ import annotations

from typing import Container, Iterable, Mapping, NamedTuple, Sequence

from kingdom.games.realm.war.armies import called
from kingdom.games.realm.land.claims import finds
from kingdom.games.realm.hexmap import place_of
from kingdom.games.realm.sight.known import known, others
from kingdom.games.realm.land.losing import settlement_in
from kingdom.games.realm.rules import Rules
from kingdom.games.realm.sight.sight import sees
from kingdom.games.realm.state import Hex, Kingdom, World, owners, replace
from kingdom.plaintext import COLUMNS, clean, width, wrap

WIDE, HIGH = 6, 4  # columns and lines from one hex to the next
MARKS = 4  # beside the letter of the terrain
CAPITAL, SETTLEMENT, FREE_CITY, MORE = "*", "o", "@", "+"
OWN_ARMY, FOREIGN_ARMY, REMEMBERED = ">", "<", "."
HIDDEN_MARKS = {"resource": "$", "lair": "&", "ruin": "^", "building": "%", "hazard": "!", "secret": "?", "monsters": "M"}
ROADS = "=#:;"  # in the order of the table of improvements


class Sheet(NamedTuple):
    """What is drawn: the world as the reader knows it, who holds what, and the marks that stand for things.

    remembered: the hexes that the reader knows but does not see now. armies: label -> (mark, what is to be told of it) each.
    """

    world: World
    rules: Rules
    owners: Mapping[str, str]
    kingdoms: Mapping[str, str]  # seat -> mark, and so on
    features: Mapping[str, str]
    improvements: Mapping[str, str]
    roads: Mapping[str, str]
    remembered: Container[str]
    armies: Mapping[str, list[tuple[str, str]]]


def draw(world: World, seat: str | None, rules: Rules) -> str:
    """The map as the seat knows it, everything for the GM (None). At most 78 columns; a wider map is folded into strips."""
    seen = known(world, seat, rules) if seat else world
    hexes = {label: hex for label, hex in seen.hexes.items() if not rules.terrain[hex.terrain].unseen}
    seen = World(world.turn, hexes, _with_memories(seen.kingdoms, seat))
    whose = f"as {clean(world.kingdoms[seat].name)} knows it" if seat else "everything, for the GM"
    head = f"The map after turn {world.turn}, {whose}"
    if not hexes:
        return f"{head}\n\nNothing of the map is known.\n"
    remembered = set(hexes) - sees(world, seat, rules) if seat else set()
    sheet = _sheet(seen, seat, remembered, rules)
    parts = [head, *_strips(sheet), _legend(sheet, _sizes(world, seat, rules)), _gazetteer(sheet)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _with_memories(kingdoms: Mapping[str, Kingdom], seat: str | None) -> dict[str, Kingdom]:
    """The kingdoms with the hexes that the seat remembers in their hands."""
    found = dict(kingdoms)
    for label, sighting in kingdoms[seat].memory.items() if seat else ():
        holder = found.get(sighting.holder)
        if holder and sighting.holder != seat:
            found[sighting.holder] = replace(holder, hexes={**holder.hexes, label: sighting.built})
    return found


def _armies(world: World, seat: str | None, rules: Rules) -> dict[str, list[tuple[str, str]]]:
    """Label -> (mark, what is told of it) of each army and each party of adventurers there; to the GM all are the same."""
    found: dict[str, list[tuple[str, str]]] = {}
    for other, kingdom in world.kingdoms.items():
        mark = OWN_ARMY if seat in (None, other) else FOREIGN_ARMY
        for name, army in kingdom.armies.items():
            name = f"{name} ({called(army, rules)})" if mark == OWN_ARMY else f"army ({called(army, rules)})"
            found.setdefault(army.hex, []).append((mark, f"{name}, of {kingdom.name}"))
        for party in kingdom.parties.values():
            found.setdefault(party.hex, []).append((mark, f"adventurers, of {kingdom.name}"))
    return found


def _sheet(world: World, seat: str | None, remembered: Container[str], rules: Rules) -> Sheet:
    held = owners(world)
    built = [name for name, each in rules.improvements.items() if not each.is_road and not each.feature]
    roads = [name for name, each in rules.improvements.items() if each.is_road]
    return Sheet(
        world,
        rules,
        held,
        kingdoms=_kingdom_marks([seat for seat in world.kingdoms if world.kingdoms[seat].hexes]),
        features=_letters((name for name, feature in rules.features.items() if not feature.hidden), 1),
        improvements={name: mark.capitalize() for name, mark in _letters(built, 2).items()},
        roads={name: ROADS[min(index, len(ROADS) - 1)] for index, name in enumerate(roads)},
        remembered=remembered,
        armies=_armies(world, seat, rules),
    )


def _sizes(world: World, seat: str | None, rules: Rules) -> dict[str, int | None]:
    """Seat -> size, of the kingdoms whose size the reader knows."""
    sizes = {other: len(kingdom.hexes) for other, kingdom in world.kingdoms.items() if seat in (None, other)}
    return sizes if seat is None else sizes | {other.seat: other.size for other in others(world, seat, rules).values()}


# --- marks


def _letters(words: Iterable[str], count: int) -> dict[str, str]:
    """Word -> so many of its letters, the first and the next one that nobody has yet."""
    marks: dict[str, str] = {}
    for word in words:
        tries = [word[0] + letter for letter in word[1:]] if count == 2 else list(word)
        free = [mark for mark in (*tries, *"abcdefghijklmnopqrstuvwxyz") if mark not in marks.values()]
        marks[word] = free[0] if free else MORE
    return marks


def _kingdom_marks(seats: Sequence[str]) -> dict[str, str]:
    """Seat -> a capital letter of its id, any one where those are taken; from the 27th kingdom on two."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    pairs = (first + second for first in letters for second in letters + "0123456789")
    free = dict.fromkeys(letters)
    marks = {}
    for seat in seats:
        mark = next((letter for letter in (*seat.upper(), *free) if letter in free), "") or next(pairs, "??")
        free.pop(mark, None)
        marks[seat] = mark
    return marks


# --- drawing


def _strips(sheet: Sheet) -> list[str]:
    """The drawing, folded into as many strips of columns as it needs, about equally wide."""
    places = [place_of(label) for label in sheet.world.hexes]
    first, last = min(column for column, _ in places), max(column for column, _ in places)
    count = -(-(last - first + 1) // ((COLUMNS - 2) // WIDE))
    width = -(-(last - first + 1) // count)
    drawn = []
    for left in range(first, last + 1, width):
        right = min(left + width - 1, last)
        strip = _strip(sheet, range(left, right + 1))
        if strip:
            drawn.append(strip if count == 1 else f"Columns {left:02d} to {right:02d}\n\n{strip}")
    return drawn


def _strip(sheet: Sheet, columns: range) -> str:
    inside = {label: hex for label, hex in sheet.world.hexes.items() if place_of(label)[0] in columns}
    top = min(place_of(label)[1] for label in sheet.world.hexes)
    ink: dict[tuple[int, int], str] = {}
    for label, hex in inside.items():
        column, row = place_of(label)
        x, y = (column - columns[0]) * WIDE, (row - top) * HIGH + (HIGH // 2 if column % 2 == 0 else 0)
        for down, (across, text) in enumerate(_outline(label, _seen_there(label, hex, sheet), _held_there(label, hex, sheet))):
            ink.update({(x + across + index, y + down): letter for index, letter in enumerate(text)})
    if not ink:
        return ""
    lines = range(min(y for _, y in ink), max(y for _, y in ink) + 1)
    return "\n".join(_line(y, ink) for y in lines)


def _line(y: int, ink: Mapping[tuple[int, int], str]) -> str:
    width = max((x for x, line in ink if line == y), default=-1) + 1
    return "".join(ink.get((x, y), " ") for x in range(width)).rstrip()


def _outline(label: str, seen: str, held: str) -> list[tuple[int, str]]:
    """The lines of a hex, each with the column in which it begins."""
    return [(2, "____"), (1, f"/{label}\\"), (0, f"/{seen:<6}\\"), (0, f"\\{held:<6}/"), (1, "\\____/")]


def _features(label: str, hex: Hex, sheet: Sheet) -> list[str]:
    """What can be seen there, and what stands there that counts as such."""
    built = _built(label, hex, sheet)
    return list(dict.fromkeys([*hex.features, *(sheet.rules.improvements[name].feature or name for name in built)]))


def _built(label: str, hex: Hex, sheet: Sheet) -> tuple[str, ...]:
    holder = sheet.owners.get(label)
    return sheet.world.kingdoms[holder].hexes[label] if holder else hex.left


def _seen_there(label: str, hex: Hex, sheet: Sheet) -> str:
    """Whether it is only remembered, terrain, armies, features and hidden things, in 6 letters."""
    marks = "".join(dict.fromkeys(mark for mark, _ in sheet.armies.get(label, ())))
    marks += "".join(sheet.features[name] for name in _features(label, hex, sheet) if name in sheet.features)
    marks += "".join(mark for name, mark in HIDDEN_MARKS.items() if getattr(hex, name))
    marks = marks if len(marks) <= MARKS else marks[: MARKS - 1] + MORE
    space = " " if len(marks) < MARKS else ""
    when = REMEMBERED if label in sheet.remembered else " "
    return f"{when}{sheet.rules.terrain[hex.terrain].letter}{space}{marks}"


def _held_there(label: str, hex: Hex, sheet: Sheet) -> str:
    """Holder, settlement, improvements and road, in 6 letters. What nobody holds any more is in small letters."""
    holder = sheet.owners.get(label)
    built = _built(label, hex, sheet)
    works = [sheet.improvements[name] for name in built if name in sheet.improvements]
    work = "" if not works else (works[0] if len(works) == 1 else works[0][0] + MORE)
    road = next((sheet.roads[name] for name in built if name in sheet.roads), "")
    mark = sheet.kingdoms[holder] if holder else ""
    town = _town(label, hex, sheet.world.kingdoms[holder] if holder else None)
    return f"{mark:>2}{town or ' '}{work if holder else work.lower():<2}{road}"


def _town(label: str, hex: Hex, kingdom: Kingdom | None) -> str:
    name = settlement_in(kingdom, label) if kingdom else ""
    if kingdom and name:
        return CAPITAL if name == kingdom.capital else SETTLEMENT
    return FREE_CITY if hex.free_city else ""


# --- what stands below the map


def _legend(sheet: Sheet, sizes: Mapping[str, int | None]) -> str:
    """What the marks that were drawn mean."""
    hexes, rules = sheet.world.hexes.values(), sheet.rules
    built = {name for kingdom in sheet.world.kingdoms.values() for names in kingdom.hexes.values() for name in names}
    built.update(name for hex in hexes for name in hex.left)
    features = {name for hex in hexes for name in hex.features} | {rules.improvements[name].feature for name in built}
    terrain = {hex.terrain for hex in hexes}
    rows = {
        "Terrain": [f"{each.letter} {each.name.lower()}" for name, each in rules.terrain.items() if name in terrain],
        "Seen": [f"{REMEMBERED} not in sight, as it last was"] if any(label in sheet.remembered for label in sheet.world.hexes) else [],
        "Features": [f"{mark} {rules.features[name].name.lower()}" for name, mark in sheet.features.items() if name in features],
        "Hidden": [f"{mark} {name}" for name, mark in HIDDEN_MARKS.items() if any(getattr(hex, name) for hex in hexes)],
        "Kingdoms": [_kingdom(mark, seat, sheet, sizes) for seat, mark in sheet.kingdoms.items()],
        "Towns": _town_marks(sheet),
        "Armies": _army_marks(sheet),
        "Built": [
            f"{mark} {rules.improvements[name].name.lower()}"
            for name, mark in (*sheet.improvements.items(), *sheet.roads.items())
            if name in built
        ],
    }
    if any(hex.left for hex in hexes):
        rows["Built"].append("small letters: left in the wild")
    if any(MORE in _seen_there(label, hex, sheet) + _held_there(label, hex, sheet) for label, hex in sheet.world.hexes.items()):
        rows["Built"].append(f"{MORE} more, told below")
    return "\n".join(_row(name, items) for name, items in rows.items() if items)


def _kingdom(mark: str, seat: str, sheet: Sheet, sizes: Mapping[str, int | None]) -> str:
    size = sizes.get(seat)
    return f"{mark} {clean(sheet.world.kingdoms[seat].name)}{f' (size {size})' if size is not None else ''}"


def _row(name: str, items: Sequence[str]) -> str:
    """The items behind the name, an item never broken at the end of a line."""
    lines = [f"{name:<10}{items[0]}"]
    for item in items[1:]:
        if width(f"{lines[-1]}, {item},") <= COLUMNS:
            lines[-1] += f", {item}"
        else:
            lines[-1] += ","
            lines.append(" " * 10 + item)
    return "\n".join(lines)


def _town_marks(sheet: Sheet) -> list[str]:
    names = {CAPITAL: "capital", SETTLEMENT: "settlement", FREE_CITY: "free city"}
    drawn = {_town(label, hex, sheet.world.kingdoms.get(sheet.owners.get(label, ""))) for label, hex in sheet.world.hexes.items()}
    return [f"{mark} {name}" for mark, name in names.items() if mark in drawn]


def _army_marks(sheet: Sheet) -> list[str]:
    drawn = {mark for label, there in sheet.armies.items() if label in sheet.world.hexes for mark, _ in there}
    names = {OWN_ARMY: "own" if FOREIGN_ARMY in drawn else "army", FOREIGN_ARMY: "foreign"}
    return [f"{mark} {name}" for mark, name in names.items() if mark in drawn]


def _gazetteer(sheet: Sheet) -> str:
    """A line for each hex of which more is to be told: its settlement, what it hides, what its marks had no room for."""
    lines = []
    for label, hex in sorted(sheet.world.hexes.items()):
        kingdom = sheet.world.kingdoms.get(sheet.owners.get(label, ""))
        said = [_settlement(kingdom, label)] if kingdom and settlement_in(kingdom, label) else []
        if hex.free_city:
            said.append(f"{hex.free_city.name}, a free city")
        said += [text for _, text in sheet.armies.get(label, ())]
        said += finds(hex, sheet.rules)
        if MORE in _seen_there(label, hex, sheet):
            said += [sheet.rules.features[name].name.lower() for name in _features(label, hex, sheet) if name in sheet.features]
        if MORE in _held_there(label, hex, sheet):
            said += [sheet.rules.improvements[name].name.lower() for name in _built(label, hex, sheet)]
        if said:
            lines.append(wrap(clean("; ".join(said)), 6, first=f"{label}  "))
    return "\n".join(lines)


def _settlement(kingdom: Kingdom, label: str) -> str:
    name = settlement_in(kingdom, label)
    return f"{name}, capital of {kingdom.name}" if name == kingdom.capital else f"{name}, of {kingdom.name}"
