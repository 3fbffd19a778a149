"""map.yaml -> the hexes of the world, or what is wrong with it. Where grid and hexes both name a hex, hexes has the say."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.hexmap import label_of
from kingdom.games.realm.opening.start_problems import Findings
from kingdom.games.realm.rules.building_tables import UnrestOncePerSettlement
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Building, District, FreeCity, Hex, Settlement
from kingdom.games.realm.steps.towns.grid import border_at
from kingdom.games.realm.steps.towns.lots import NoRoom, lay_out
from kingdom.orders.yaml_text import Node

FILE = "map.yaml"
NO_HEX = "."
MOST = 99  # columns or rows: a label has two digits for each


def hexes_of(content: dict[str, Any], found: Findings, rules: Rules) -> dict[str, Hex]:
    """Label -> hex, in the order of the labels. What is wrong goes to `found`."""
    grid = content.get("grid")
    terrain = terrain_of_grid(grid, found, rules) if grid else {}
    hexes = {label: Hex(name) for label, name in terrain.items()}
    for label, given in content.get("hexes", {}).items():
        name = given.get("terrain") or terrain.get(label)
        if name is None:
            found.note("map_no_terrain", FILE, f"hexes.{label}", hex=label)
            name = next(iter(rules.terrain))  # so that nobody is told besides that the hex is not on the map
        hexes[label] = _hex(label, name, given, found, rules)
    if not hexes and not grid:
        found.note("map_empty", FILE, "")
    return dict(sorted(hexes.items()))


def _hex(label: str, terrain: str, given: dict[str, Any], found: Findings, rules: Rules) -> Hex:
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


def _free_city(label: str, city: dict[str, Any], found: Findings, rules: Rules) -> FreeCity:
    return FreeCity(
        city["name"], settlement_of(city["name"], label, city, FILE, f"hexes.{label}.free_city", found, rules)
    )


def settlement_of(
    name: str, label: str, given: dict[str, Any], file: str, path: str, found: Findings, rules: Rules
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


def _districts(name: str, given: dict[str, Any], file: str, path: str, found: Findings) -> tuple[District, ...]:
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
