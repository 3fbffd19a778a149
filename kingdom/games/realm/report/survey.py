"""A kingdom as tables: what stands where, hex by hex and lot by lot; and the numbers of its sheet, before and after a turn and source
by source."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.engine.ledger import Entry
from kingdom.engine.regex import regex
from kingdom.engine.step import Facts
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.armies import rating
from kingdom.games.realm.forecast.words import name_of
from kingdom.games.realm.hexmap import finds
from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import DERIVED, accounts, control_dc, districts, limits, sources
from kingdom.games.realm.state import Building, Hex, Kingdom, Settlement, World
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.towns.grid import Grid, border_name, district_at, footprint, grid_of, lot_number
from kingdom.games.realm.steps.war.conquest import is_home, last_safe_turn, walls
from kingdom.games.realm.steps.war.militia import militia_of
from kingdom.games.realm.types import Result

FREE: Facts = {"text": "", "part": "free"}


def land(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> list[Facts]:
    """The hexes that are held, by what stands there, then by what lies there that is more than its ground; the map shows the ground.
    cut_off: since how many turns they are cut off."""
    alike: dict[tuple[str, int], list[str]] = {}
    lying: dict[tuple[str, int], list[str]] = {}
    for label, built in sorted(kingdom.hexes.items()):
        standing = filter(None, [settlement_in(kingdom, label), *(rules.improvements[name].name for name in built)])
        alike.setdefault((", ".join(standing) or "Nothing", kingdom.cut_off.get(label, 0)), []).append(label)
        for name in finds(hexes[label], rules):
            lying.setdefault((f"{name[:1].upper()}{name[1:]}", 0), []).append(label)
    return [{"what": what, "hexes": some, "cut_off": cut} for (what, cut), some in (*alike.items(), *lying.items())]


def settlements(kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> list[Facts]:
    """Each settlement with its districts drawn lot by lot, by name. turn: the next one.

    count: of its buildings; amiss: what is damaged, and where nothing can be built.
    """
    return [
        {
            "name": name,
            "hex": settlement.hex,
            "capital": name == kingdom.capital,
            "count": len(settlement.buildings),
            "districts": _districts(settlement, rules),
            "amiss": _amiss(name, kingdom, rules),
            "defended": _defended(name, kingdom, hexes, turn, rules),
        }
        for name, settlement in sorted(kingdom.settlements.items())
    ]


def _defended(name: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> str:
    """How strong its militia and its fortifications are; "" where the rules have no militia."""
    people = militia_of(kingdom, name, hexes, rules)
    if people is None:
        return ""
    defense = sum(walls(kingdom, kingdom.settlements[name].hex, hexes, rules).values())
    last = last_safe_turn(kingdom, rules)
    home = is_home(kingdom, kingdom.settlements[name].hex, rules)
    safe = f"; no siege begins before turn {last + 1}" if home and turn <= last else ""
    strength = f"ACR {rating(people.acr, rules)}, {people.hp} of {people.full_hp} hit points"
    return f"Its militia: {strength}; Defense {defense}{safe}"


def _amiss(name: str, kingdom: Kingdom, rules: Rules) -> list[str]:
    """What is damaged in a settlement or not in service yet, and the lots on which nothing can be built."""
    damaged, settlement = kingdom.damaged.get(name, ()), kingdom.settlements[name]
    there = [each for each in settlement.buildings if each.lot in damaged]
    names = [f"{rules.buildings[each.id].name} at {each.lot}" for each in there]
    rows = [f"{name} is damaged and gives nothing (ruling damaged_buildings)" for name in names]
    if settlement.waiting:
        waiting = ", ".join(f"{rules.buildings[each.id].name} at {each.lot}" for each in settlement.waiting)
        count, most = len(settlement.waiting), limits(kingdom, rules).buildings
        rows.append(f"{count} not in service yet, {most} a turn to come (ruling joined_buildings): {waiting}")
    return rows + [f"squatters on {lot}" for lot in kingdom.blocked.get(name, ())]


def _districts(settlement: Settlement, rules: Rules) -> list[Facts]:
    grid = grid_of(rules.lots.columns, rules.lots.rows)
    cells = _cells(settlement, grid, rules)
    columns = [chr(ord("A") + column) for column in range(grid.columns)]
    rows: list[Facts] = []
    for number, district in enumerate(settlement.districts):
        first = number * grid.size
        drawn = [cells[first + row * grid.columns : first + (row + 1) * grid.columns] for row in range(grid.rows)]
        borders: list[Facts] = []
        for border in BORDERS:
            place = border_name(number, border)
            built = [rules.buildings[building.id].name for building in settlement.buildings if building.lot == place]
            what = "water" if border in district.water else "land"
            borders.append({"name": border, "what": ", ".join([what, *built])})
        rows.append(
            {
                "number": number + 1,
                "columns": columns,
                "rows": [{"name": str(index + 1), "lots": lots} for index, lots in enumerate(drawn)],
                "borders": borders,
                "under": [
                    rules.buildings[each.id].name
                    for each in settlement.buildings
                    if rules.buildings[each.id].place == "district" and district_at(each.lot, grid) == number
                ],
            }
        )
    return rows


def _cells(settlement: Settlement, grid: Grid, rules: Rules) -> list[Facts]:
    """One cell a lot. part: `first` lot of a building, `more` of the same one, `rubble`, or `free`."""
    cells = [FREE] * (grid.size * len(settlement.districts))
    for what, left in ((settlement.rubble, True), (settlement.buildings, False)):
        for building in what:
            kind = rules.buildings[building.id]
            number = lot_number(building.lot, grid) if kind.place in ("lot", "shared") else None
            lots, tall = (kind.lots, building.tall) if isinstance(building, Building) else (1, False)
            covered = footprint(grid, lots, tall, number) if number is not None else None
            for index, lot in enumerate(covered.lots if covered else ()):
                old = cells[lot]
                if not left and old["part"] in ("first", "more"):
                    cells[lot] = {**old, "text": f"{old['text']} + {kind.name}"}
                else:
                    cells[lot] = {"text": kind.name, "part": "rubble" if left else "more" if index else "first"}
    return cells


# --- the numbers


class NumberRow(TypedDict):
    """A number of the sheet before and after the turn."""

    key: str
    name: str
    before: int
    after: int
    change: int


_PLACED = regex(r"(?:, .* [A-Z]?\d+\b| in \d{4})(?= \(|$)")  # where it stands: "Inn, Oakhold B1", "Mine in 0203"
FIGURES = ("treasury", "unrest", "size", "districts", "control_dc", *DERIVED)


def figures(world: World, seat: str, rules: Rules) -> dict[str, int]:
    """Every number of the sheet by its key."""
    kingdom = world.kingdoms[seat]
    more = {"districts": districts(kingdom), "control_dc": control_dc(kingdom, rules)}
    return {**accounts(kingdom, world.hexes, rules), **more}


def compared(result: Result, seat: str, entries: Iterable[Entry], rules: Rules) -> list[NumberRow]:
    """The numbers of the sheet before and after the turn, as the seat's entries explain the difference.

    So a change of the rules between two turns is in it too. Stores only where there are or were any.
    """
    after = figures(result.after, seat, rules)
    was = result.before.kingdoms[seat]
    before = {**after, "districts": districts(was), "control_dc": control_dc(was, rules)}
    for entry in entries:
        before[entry.account] -= entry.delta
    keys = FIGURES + (("stores",) if before["stores"] or after["stores"] else ())
    rows = ((key, before[key], after[key]) for key in keys)
    return [
        {"key": key, "name": name_of(key), "before": old, "after": new, "change": new - old} for key, old, new in rows
    ]


def made_of(world: World, seat: str, rules: Rules) -> dict[str, list[tuple[int, str]]]:
    """Each number that is made of others -> (by, what) of every term; they sum to the number. Rulings: consumption, control_dc."""
    kingdom, ruling = world.kingdoms[seat], rules.control_dc
    towns = [(name, len(settlement.districts)) for name, settlement in kingdom.settlements.items()]
    made: dict[str, list[tuple[int, str]]] = {account: [] for account in DERIVED}
    for source in sources(kingdom, world.hexes, rules):
        made[source.account].append((source.by, source.what))
    made["size"] = [(1, label) for label in sorted(kingdom.hexes)]
    made["districts"] = [(count, name) for name, count in towns]
    made["control_dc"] = [
        (ruling.base, "the base (ruling control_dc)"),
        (ruling.per_size * len(kingdom.hexes), f"size {len(kingdom.hexes)}"),
    ]
    made["control_dc"] += [(ruling.per_district * count, f"districts of {name}") for name, count in towns]
    return made


def explained(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> list[Facts]:
    """Each derived number with its value and its sources, those of one kind together; the sources sum to the value."""
    rows: dict[str, dict[str, list[int]]] = {account: {} for account in DERIVED}
    for source in sources(kingdom, hexes, rules):
        kind = _PLACED.sub("", source.what)
        rows[source.account].setdefault(kind, []).append(source.by)
    return [
        {
            "name": name_of(account),
            "value": sum(map(sum, kinds.values())),
            "rows": [
                {"by": sum(by), "what": f"{kind} ({len(by)})" if len(by) > 1 else kind} for kind, by in kinds.items()
            ],
        }
        for account, kinds in rows.items()
    ]
