"""The map as text for a terminal: flat-top hexes, the even columns half a hex lower, and below it what the marks mean.

  ____
 /0303\\        column and row
/ p r  \\____   terrain; armies; what can be seen there; what is hidden there, as far as the reader knows it; trade
\\ E*  =/0403\\  who holds it; a settlement; what is built there; a road
 \\____/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kingdom.games.realm.hexmap import place_of
from kingdom.games.realm.report.maps.atlas import (  # fmt: skip
    CAPITAL,
    FREE_CITY,
    HIDDEN,
    MORE,
    SETTLEMENT,
    Atlas,
    heading,
    remarks,
    sized,
)
from kingdom.games.realm.report.maps.atlas import atlas as atlas_of
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World
from kingdom.render.plain_text import COLUMNS, clean, width, wrap

WIDE, HIGH = 6, 4  # columns and lines from one hex to the next
MARKS = 4  # beside the letter of the terrain
TOWNS = {CAPITAL: "*", SETTLEMENT: "o", FREE_CITY: "@"}
OWN_ARMY, FOREIGN_ARMY, REMEMBERED, ROUTE = ">", "<", ".", "-"
HIDDEN_MARKS = dict(zip(HIDDEN, "$&^%!?M", strict=True))


def draw(world: World, seat: str | None, rules: Rules) -> str:
    """The map as the seat knows it, everything for the GM (None). At most 78 columns; a wider map is folded into strips."""
    return drawn(atlas_of(world, seat, rules))


def drawn(atlas: Atlas, titled: bool = True, legend_alone: bool = False) -> str:
    """The map as text, of an atlas; legend_alone: without the land, which is drawn elsewhere."""
    head = wrap(clean(heading(atlas))) if titled else ""
    if not atlas.world.hexes:
        return f"{head}\n\nNothing of the map is known.\n"
    marks = {label: (_seen_there(label, atlas), _held_there(label, atlas)) for label in atlas.world.hexes}
    parts = [
        head,
        *(_strips(atlas, marks) if not legend_alone else ()),
        _legend(atlas, marks),
        _gazetteer(atlas, marks),
        _routes(atlas),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def around(atlas: Atlas, centre: str, most: int) -> tuple[list[str], bool]:
    """The hexes at most so many columns and rows from one, as lines without what they mean, and whether those are all that are known."""
    column, row = place_of(centre)
    places = {label: place_of(label) for label in atlas.world.hexes}
    near = {label: at for label, at in places.items() if abs(at[0] - column) <= most and abs(at[1] - row) <= most}
    marks = {label: (_seen_there(label, atlas), _held_there(label, atlas)) for label in near}
    return _strip(near, marks, column - most, column + most).splitlines(), len(near) == len(places)


# --- drawing


def _strips(atlas: Atlas, marks: Mapping[str, tuple[str, str]]) -> list[str]:
    """The drawing, folded into as many strips of columns as it needs, about equally wide."""
    places = {label: place_of(label) for label in marks}
    first, last = min(column for column, _ in places.values()), max(column for column, _ in places.values())
    count = -(-(last - first + 1) // ((COLUMNS - 2) // WIDE))
    width = -(-(last - first + 1) // count)
    drawn = []
    for left in range(first, last + 1, width):
        right = min(left + width - 1, last)
        strip = _strip(places, marks, left, right)
        if strip:
            drawn.append(strip if count == 1 else f"Columns {left:02d} to {right:02d}\n\n{strip}")
    return drawn


def _strip(places: Mapping[str, tuple[int, int]], marks: Mapping[str, tuple[str, str]], left: int, right: int) -> str:
    """The columns of hexes from left to right. places: the column and row of each hex; the even columns are half a hex lower."""
    corners = {
        label: ((column - left) * WIDE, row * HIGH + (HIGH // 2 if column % 2 == 0 else 0))
        for label, (column, row) in places.items()
        if left <= column <= right
    }
    if not corners:
        return ""
    top, bottom = min(y for _, y in corners.values()), max(y for _, y in corners.values())
    lines = [[" "] * ((right - left + 1) * WIDE + 2) for _ in range(top, bottom + HIGH + 1)]
    for label, (x, y) in corners.items():
        seen, held = marks[label]
        # the lines of a hex, each with the column in which it begins
        outline = (2, "____"), (1, f"/{label}\\"), (0, f"/{seen:<6}\\"), (0, f"\\{held:<6}/"), (1, "\\____/")
        for line, (across, text) in zip(lines[y - top :], outline, strict=False):
            line[x + across : x + across + len(text)] = text
    return "\n".join("".join(line).rstrip() for line in lines)


def _seen_there(label: str, atlas: Atlas) -> str:
    """Whether it is only remembered, terrain, armies, features, hidden things and trade routes, in 6 letters."""
    hex = atlas.world.hexes[label]
    marks = "".join(dict.fromkeys([OWN_ARMY if force.own else FOREIGN_ARMY for force in atlas.forces.get(label, ())]))
    marks += "".join(atlas.features[name] for name in atlas.lies[label] if name in atlas.features)
    marks += "".join(HIDDEN_MARKS[name] for name in atlas.hidden[label])
    marks += ROUTE if atlas.lanes and any(label in lane.path for lane in atlas.lanes) else ""
    marks = marks if len(marks) <= MARKS else marks[: MARKS - 1] + MORE
    space = " " if len(marks) < MARKS else ""
    when = REMEMBERED if label in atlas.remembered else " "
    return f"{when}{atlas.rules.terrain[hex.terrain].letter}{space}{marks}"


def _held_there(label: str, atlas: Atlas) -> str:
    """Holder, settlement, improvements and road, in 6 letters. What nobody holds any more is in small letters."""
    holder, town = atlas.owners.get(label), atlas.towns.get(label)
    built = atlas.built[label]
    works = [atlas.improvements[name] for name in built if name in atlas.improvements]
    work = "" if not works else (works[0] if len(works) == 1 else works[0][0] + MORE)
    road = next((atlas.roads[name] for name in built if name in atlas.roads), "")
    mark = atlas.kingdoms[holder] if holder else ""
    return f"{mark:>2}{TOWNS[town.kind] if town else ' '}{work if holder else work.lower():<2}{road}"


# --- what stands below the map


def _legend(atlas: Atlas, marks: Mapping[str, tuple[str, str]]) -> str:
    """What the marks that were drawn mean."""
    hexes, rules = atlas.world.hexes.values(), atlas.rules
    built = {name for kingdom in atlas.world.kingdoms.values() for names in kingdom.hexes.values() for name in names}
    built.update(name for hex in hexes for name in hex.left)
    features = {name for hex in hexes for name in hex.features} | {rules.improvements[name].feature for name in built}
    terrain, hidden = {hex.terrain for hex in hexes}, {name for names in atlas.hidden.values() for name in names}
    drawn = {force.own for label, there in atlas.forces.items() if label in atlas.world.hexes for force in there}
    armies = {True: f"{OWN_ARMY} own" if False in drawn else f"{OWN_ARMY} army", False: f"{FOREIGN_ARMY} foreign"}
    remembered = any(label in atlas.remembered for label in marks)
    kinds, routed = {town.kind for town in atlas.towns.values()}, {label for lane in atlas.lanes for label in lane.path}
    rows = {
        "Terrain": [f"{each.letter} {each.name.lower()}" for name, each in rules.terrain.items() if name in terrain],
        "Seen": [f"{REMEMBERED} not in sight, as it last was"] if remembered else [],
        "Features": [
            f"{mark} {rules.features[name].name.lower()}" for name, mark in atlas.features.items() if name in features
        ],
        "Hidden": [f"{mark} {name}" for name, mark in HIDDEN_MARKS.items() if name in hidden],
        "Kingdoms": [f"{mark} {sized(seat, atlas)}" for seat, mark in atlas.kingdoms.items()],
        "Towns": [f"{mark} {kind}" for kind, mark in TOWNS.items() if kind in kinds],
        "Armies": [name for own, name in armies.items() if own in drawn],
        "Trade": [f"{ROUTE} trade route, told below"] if routed.intersection(marks) else [],
        "Built": [
            f"{mark} {rules.improvements[name].name.lower()}"
            for name, mark in (*atlas.improvements.items(), *atlas.roads.items())
            if name in built
        ],
    }
    if any(hex.left for hex in hexes):
        rows["Built"].append("small letters: left in the wild")
    if any(MORE in text for both in marks.values() for text in both):
        rows["Built"].append(f"{MORE} more, told below")
    return "\n".join(_row(name, items) for name, items in rows.items() if items)


def _row(name: str, items: Sequence[str]) -> str:
    """The items behind the name, an item never broken at the end of a line but where it is longer than one."""
    lines = [f"{name:<10}{items[0]}"]
    for item in items[1:]:
        if width(f"{lines[-1]}, {item},") <= COLUMNS:
            lines[-1] += f", {item}"
        else:
            lines[-1] += ","
            lines.append(" " * 10 + item)
    return "\n".join(line if width(line) <= COLUMNS else wrap(line[10:], 10, first=line[:10]) for line in lines)


def _gazetteer(atlas: Atlas, marks: Mapping[str, tuple[str, str]]) -> str:
    """A line for each hex of which more is to be told: its settlement, what it hides, what its marks had no room for."""
    lines = []
    for label, (seen, held) in sorted(marks.items()):
        said = remarks(label, atlas)
        if MORE in seen:
            said += [atlas.rules.features[name].name.lower() for name in atlas.lies[label] if name in atlas.features]
        if MORE in held:
            said += [atlas.rules.improvements[name].name.lower() for name in atlas.built[label]]
        if said:
            lines.append(wrap(clean("; ".join(said)), 6, first=f"{label}  "))
    return "\n".join(lines)


def _routes(atlas: Atlas) -> str:
    """A line for each trade route: whose it is and where it leads, as far as the reader knows."""
    lines = [f"{lane.text[0].upper()}{lane.text[1:]}: {' '.join(lane.path)}" for lane in atlas.lanes]
    return "\n".join(wrap(clean(line)) for line in lines)
