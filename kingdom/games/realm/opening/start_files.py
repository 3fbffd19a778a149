"""What the files of a start hold, part by part, or what is wrong with them beyond their shape, and where.

map.yaml gives the hexes of the world: where grid and hexes both name a hex, hexes has the say. `armies` of kingdoms/ID.yaml
gives the armies that a kingdom starts with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kingdom.engine.problems import Problem, problem
from kingdom.games.realm.armies import full_hp, without_room
from kingdom.games.realm.files import MapCity, MapFile, MapHex, Town
from kingdom.games.realm.hexmap import label_of
from kingdom.games.realm.order_types import GmAddStartArmies
from kingdom.games.realm.rules.building_tables import UnrestOncePerSettlement
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, Building, District, FreeCity, Hex, Kingdom, Settlement, replace
from kingdom.games.realm.steps.towns.grid import border_at
from kingdom.games.realm.steps.towns.lots import NoRoom, lay_out
from kingdom.orders.yaml_text import Node

# --- what is wrong ----------------------------------------------------------------------------------------------------


MESSAGES: dict[str, str] = {
    # map.yaml
    "map_grid_text": "The grid must be a text, one letter a hex, a row a line. Write `grid: |` and the rows below it, indented.",
    "map_letter": "`{letter}` is no letter of a terrain (hex {hex}). The letters are {letters}, and a dot for no hex.",
    "map_empty_row": "Row {row} of the grid is empty. Write a dot for each place without a hex, or take the line out.",
    "map_too_many": "The grid has {size} {what}; a map has at most {most}.",
    "map_no_terrain": "{hex} has no terrain, and the grid has no letter for it. Write `terrain: plains`, or whatever it is.",
    "map_hidden_feature": "`{name}` is hidden until the rules reveal it, so it is no feature that is seen. Write `{name}: true` instead.",
    "map_empty": "The map has no hex. Write `hexes`, `grid` or both.",
    "map_city_on_water": "The free city {name} stands on water ({hex}). Put it into a hex of land.",
    # kingdoms/ID.yaml
    "start_hex_unknown": "{hex} is not on the map. Name a hex of map.yaml, or put this one there.",
    "start_hex_held": "{hex} is held by {other} as well ({where}). A hex has one holder: take it out of one of the two.",
    "start_improvement_twice": "`{name}` stands twice in {hex}. Name it once.",
    "start_improvements": (
        "`{one}` and `{other}` can't share {hex} (ruling improvements_sharing). Keep one; "
        "what shares a hex with anything is {sharing}."
    ),
    "start_upgraded": "`{one}` in {hex} is what `{other}` was made of. Keep `{other}` alone.",
    "start_improvement_in_settlement": (
        "`{one}` can't share {hex} with the settlement {name} (ruling improvements_sharing). Take it out; "
        "what shares a hex with anything is {sharing}."
    ),
    "start_prepared": "{hex} is prepared for a settlement, so `{one}` can't stand there (ruling prepare). Keep one.",
    "start_settlement_not_held": "{name} stands in {hex}, which this kingdom does not hold. Put {hex} under `hexes`, or move {name}.",
    "start_settlement_on_water": "{name} stands on water ({hex}). Put it into a hex of land.",
    "start_settlements_in_hex": "{name} and {other} stand in one hex, {hex}. A hex holds one settlement: move one of them.",
    "start_city_in_hex": "{name} stands in {hex}, where the free city {other} is (map.yaml). A hex holds one settlement: move one.",
    "start_name_twice": "There are two settlements called {name}; the other is {where}. Name one of them otherwise.",
    "start_capital": "The capital {name} is none of the settlements.{cure}",
    "start_no_capital": "Settlements stand here and none is the capital. Write `capital: {name}`.",
    "start_no_district": "{name} has no district {number}: it has {count}. Name a border of a district that it has.",
    "start_army_twice": "There are two armies called {name}; the other is {where}. Name one of them otherwise.",
    "start_army_nowhere": "{name} stands nowhere: no hex is named, and there is no capital. Write `hex`, where it stands.",
    "start_army_resource": "{name} has {resource} twice, and has no use for the second. Name it once.",
    "start_army_reserve": (
        "{name} is in reserve, and {hex} has no room for one more army that is {size} (ruling reserves). Take `reserve` out, "
        "or let it stand in a settlement of this kingdom with room."
    ),
    "start_no_room": "{name}: {sentence}",
    "start_not_legal": "{name}: {sentence} It stands there all the same, since it was there at the start.",
}


class Findings:
    """What is wrong with the files, and what is doubtful, as it is found. `where` is that of a Setup (kingdom/engine/game.py)."""

    def __init__(self, where: Callable[[str, str], str]):
        self.where = where
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def note(self, code: str, file: str, path: str, hint: str = "", **facts: object) -> None:
        """A problem at a path inside a file."""
        self.problems.append(self._problem(code, file, path, hint, **facts))

    def warn(self, file: str, path: str, **facts: object) -> None:
        """A building that stands where it could not be built."""
        self.warnings.append(self._problem("start_not_legal", file, path, "", **facts))

    def at(self, code: str, file: str, line: int, column: int, path: str, **facts: object) -> None:
        """A problem at a line and column, in the file in which `path` stands."""
        name = self.where(file, path).rsplit(":", 2)[0]
        self.problems.append(problem(code, name, line, column, path, "", MESSAGES, **facts))

    def _problem(self, code: str, file: str, path: str, hint: str, **facts: object) -> Problem:
        name, line, column = self.where(file, path).rsplit(":", 2)
        return problem(code, name, int(line), int(column), path, hint, MESSAGES, **facts)


# --- map.yaml ---------------------------------------------------------------------------------------------------------


FILE = "map.yaml"
NO_HEX = "."
MOST = 99  # columns or rows: a label has two digits for each


def hexes_of(content: MapFile, found: Findings, rules: Rules) -> dict[str, Hex]:
    """Label -> hex, in the order of the labels. What is wrong goes to `found`."""
    grid = content.get("grid")
    terrain = terrain_of_grid(grid, found, rules) if grid else {}
    hexes = {label: Hex(name) for label, name in terrain.items()}
    for label, given in content.get("hexes", {}).items():
        name = given.get("terrain") or terrain.get(label)
        if name is None:
            found.note("map_no_terrain", FILE, f"hexes.{label}", hex=label)
            name = next(iter(rules.terrain))  # so that nobody is also told that the hex is not on the map
        hexes[label] = _hex(label, name, given, found, rules)
    if not hexes and not grid:
        found.note("map_empty", FILE, "")
    return dict(sorted(hexes.items()))


def _hex(label: str, terrain: str, given: MapHex, found: Findings, rules: Rules) -> Hex:
    city = given.get("free_city")
    for index, name in enumerate(given.get("features", ())):
        if rules.features[name].hidden:
            found.note("map_hidden_feature", FILE, f"hexes.{label}.features[{index}]", name=name)
    if city and rules.terrain[terrain].water:
        found.note("map_city_on_water", FILE, f"hexes.{label}.free_city", name=city["name"], hex=label)
    return Hex(
        terrain=terrain,
        features=tuple(dict.fromkeys(given.get("features", ()))),
        resource=given.get("resource", False),
        lair=given.get("lair", False),
        ruin=given.get("ruin", ""),
        building=given.get("building", ""),
        free_city=_free_city(label, city, found, rules) if city else None,
        hazard=given.get("hazard", ""),
        secret=given.get("secret", ""),
        monsters=given.get("monsters", {}).get("acr", 0),
    )


def _free_city(label: str, city: MapCity, found: Findings, rules: Rules) -> FreeCity:
    return FreeCity(
        city["name"], settlement_of(city["name"], label, city, FILE, f"hexes.{label}.free_city", found, rules)
    )


def settlement_of(
    name: str, label: str, given: Town, file: str, path: str, found: Findings, rules: Rules
) -> Settlement:
    """A settlement as a file has it, laid out. Each building that can't stand legally is a warning."""
    districts = _districts(name, given, file, path, found)
    buildings: tuple[Building, ...] = ()
    try:
        buildings, warnings = lay_out(districts, given.get("buildings", ()), rules)
        for sentence in warnings:
            found.warn(file, f"{path}.buildings", name=name, sentence=sentence)
    except NoRoom as reason:
        found.note("start_no_room", file, f"{path}.buildings", name=name, sentence=str(reason))
    return Settlement(label, districts, buildings, once=_counted(buildings, rules))


def _districts(name: str, given: Town, file: str, path: str, found: Findings) -> tuple[District, ...]:
    water: list[list[str]] = [[] for _ in range(given.get("districts", 1))]
    for index, text in enumerate(given.get("water", ())):
        number, border = border_at(text) or (0, text)
        if number >= len(water):
            found.note(
                "start_no_district", file, f"{path}.water[{index}]", name=name, number=number + 1, count=len(water)
            )
        elif border not in water[number]:
            water[number].append(border)
    return tuple(District(tuple(borders)) for borders in water)


def _counted(buildings: tuple[Building, ...], rules: Rules) -> tuple[str, ...]:
    """The buildings whose one-off Unrest counts once a settlement: what stands at the start has been counted."""
    kinds = dict.fromkeys(building.id for building in buildings)
    return tuple(
        kind for kind in kinds if any(isinstance(e, UnrestOncePerSettlement) for e in rules.buildings[kind].effects)
    )


# --- the grid


def terrain_of_grid(grid: Node, found: Findings, rules: Rules) -> dict[str, str]:
    """Label -> terrain, of a text with one letter a hex and a row a line."""
    if not isinstance(grid.value, str):
        found.at("map_grid_text", FILE, grid.line, grid.column, "grid")
        return {}
    letters = letters_of(rules)
    rows = grid.value.rstrip().split("\n")
    terrain: dict[str, str] = {}
    for row, text in enumerate(rows, start=1):
        line, first = (grid.line + row, grid.indent) if grid.indent else (grid.line, grid.column)
        if row == MOST + 1:
            found.at("map_too_many", FILE, line, first, "grid", size=len(rows), what="rows", most=MOST)
            break
        text = text.rstrip()
        if not text:
            found.at("map_empty_row", FILE, line, first, "grid", row=row)
        if len(text) > MOST:
            found.at("map_too_many", FILE, line, first + MOST, "grid", size=len(text), what="columns", most=MOST)
        for column, letter in enumerate(text[:MOST], start=1):
            label, name = label_of(column, row), letters.get(letter, letters.get(letter.lower()))
            if name:
                terrain[label] = name
            elif letter != NO_HEX:
                place = first + column - 1 if grid.indent else first
                known = ", ".join(f"{one} {of}" for one, of in letters.items())
                found.at("map_letter", FILE, line, place, "grid", letter=letter, hex=label, letters=known)
    return terrain


def letters_of(rules: Rules) -> dict[str, str]:
    """Letter -> the terrain that it stands for in a grid."""
    return {terrain.letter: name for name, terrain in rules.terrain.items() if not terrain.unseen}


# --- armies -----------------------------------------------------------------------------------------------------------


def with_armies(
    kingdom: Kingdom,
    given: Sequence[GmAddStartArmies],
    file: str,
    hexes: Mapping[str, Hex],
    found: Findings,
    rules: Rules,
) -> Kingdom:
    """The kingdom with the armies of its file, whole and at rest where they stand. What is wrong goes to `found`."""
    places: dict[str, int] = {}
    armies: dict[str, Army] = {}
    for index, each in enumerate(given):
        name, path = each["name"], f"armies[{index}]"
        _check_name(name, places, file, path, found)
        label = each.get("hex") or _capital(kingdom)
        _check_hex(name, label, file, path, hexes, found)
        armies[name], places[name] = _army(each, label, file, path, found, rules), index
    kingdom = replace(kingdom, armies=armies)
    for name in without_room(kingdom, rules) if armies else ():
        facts = {"name": name, "size": armies[name].size, "hex": armies[name].hex}
        found.note("start_army_reserve", file, f"armies[{places[name]}]", **facts)
    return kingdom


def _army(given: GmAddStartArmies, label: str, file: str, path: str, found: Findings, rules: Rules) -> Army:
    army = Army(given["unit"], given["size"], label, 0, reserve=given.get("reserve", False))
    army = replace(army, resources=_resources(given, file, path, found, rules), tactics=_tactics(given, rules))
    return replace(army, hp=full_hp(army, rules))


def _capital(kingdom: Kingdom) -> str:
    capital = kingdom.settlements.get(kingdom.capital)
    return capital.hex if capital else ""


def _check_name(name: str, taken: Mapping[str, int], file: str, path: str, found: Findings) -> None:
    """Names that differ in capitals alone are one name."""
    for other, index in taken.items():
        if other.casefold() == name.casefold():
            where = found.where(file, f"armies[{index}]")
            found.note("start_army_twice", file, f"{path}.name", name=name, where=where)


def _check_hex(name: str, label: str, file: str, path: str, hexes: Mapping[str, Hex], found: Findings) -> None:
    if not label:
        found.note("start_army_nowhere", file, path, name=name)
    elif hexes and label not in hexes:  # of a map that could not be read nobody is told that each hex is not on it
        found.note("start_hex_unknown", file, f"{path}.hex", hex=label)


def _resources(given: GmAddStartArmies, file: str, path: str, found: Findings, rules: Rules) -> dict[str, int]:
    """Resource -> how many: more than one only of those that are the same for every size."""
    counts: dict[str, int] = {}
    for index, resource in enumerate(given.get("resources", ())):
        row = rules.army_resources[resource]
        if resource in counts and not row.one_size:
            found.note("start_army_resource", file, f"{path}.resources[{index}]", name=given["name"], resource=row.name)
        else:
            counts[resource] = counts.get(resource, 0) + 1
    return counts


def _tactics(given: GmAddStartArmies, rules: Rules) -> tuple[str, ...]:
    """Those that are named, but for what every army or its unit knows anyway."""
    own = rules.units[given["unit"]].tactics
    return tuple(
        word for word in dict.fromkeys(given.get("tactics", ())) if not rules.tactics[word].default and word not in own
    )
