"""The start of a campaign: map.yaml and kingdoms/ID.yaml -> the world after turn 0, or all mistakes in these files.

map.yaml gives the hexes of the world: if grid and hexes both name a hex, hexes decides. steps/joining.py makes the kingdoms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kingdom.engine.game import Setup
from kingdom.engine.problems import Faults, Problem
from kingdom.games.realm.files import MapCity, MapHex, Start
from kingdom.games.realm.hexmap import label_of
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import FreeCity, Hex, World
from kingdom.games.realm.steps.joining import Findings, file_of, kingdom_of, settlement_of
from kingdom.orders.yaml_text import Node


def start(setup: Setup, rules: Rules) -> World:
    """The world after turn 0: kingdoms in order of id, hexes in order of label.

    Each kingdom has found what is hidden in its own hexes. Raises Faults with all mistakes in the files.
    """
    world, found = _read(setup, rules)
    if found.problems:
        raise Faults(sorted(found.problems))
    return world


def warnings(setup: Setup, rules: Rules) -> list[Problem]:
    """Warnings about starting buildings that could not be built where they stand, each with its place in the files. Ruling:
    lots."""
    return sorted(_read(setup, rules)[1].warnings)


def _read(setup: Setup, rules: Rules) -> tuple[World, Findings]:
    found = Findings(setup.where)
    content = setup.files["map.yaml"]
    grid = content.get("grid")
    terrain = _terrain_of_grid(grid, found, rules) if grid else {}
    hexes = {label: Hex(name) for label, name in terrain.items()}
    for label, given in content.get("hexes", {}).items():
        name = given.get("terrain") or terrain.get(label)
        if name is None:
            found.note("map_no_terrain", FILE, f"hexes.{label}", hex=label)
            name = next(iter(rules.terrain))  # a stand-in, so that the hex is not also reported as off the map
        hexes[label] = _hex(label, name, given, found, rules)
    if not hexes and not grid:
        found.note("map_empty", FILE, "")
    hexes = dict(sorted(hexes.items()))
    seats = sorted(setup.seats)
    files: dict[str, Start] = {seat: setup.files[file_of(seat)] for seat in seats}
    kingdoms = {seat: kingdom_of(seat, files[seat], hexes, found, rules) for seat in seats}
    _check_holders(files, found)
    _check_names(files, hexes, found)
    return World(0, hexes, kingdoms), found


def _check_holders(files: Mapping[str, Start], found: Findings) -> None:
    """Report hexes with two holders, at the second kingdom's file, with the place in the first one's."""
    holder: dict[str, str] = {}
    for seat, given in files.items():
        for label in given["hexes"]:
            if label in holder:
                where = found.where(file_of(holder[label]), f"hexes.{label}")
                found.note(
                    "start_hex_held", file_of(seat), f"hexes.{label}", hex=label, other=holder[label], where=where
                )
            else:
                holder[label] = seat


def _check_names(files: Mapping[str, Start], hexes: Mapping[str, Hex], found: Findings) -> None:
    """Report equal names of settlements of one kingdom, and of a free city and any settlement, as a free city may join any
    kingdom.

    Settlements of two kingdoms may share a name, since players found theirs without knowing of each other.
    """
    cities: dict[str, tuple[str, str]] = {}
    for label, hex in hexes.items():
        if hex.free_city:
            _check_name(hex.free_city.name, "map.yaml", f"hexes.{label}.free_city.name", cities, found)
    for seat, given in files.items():
        taken = dict(cities)
        for name in given.get("settlements", {}):
            _check_name(name, file_of(seat), f"settlements.{name}", taken, found)


def _check_name(name: str, file: str, path: str, taken: dict[str, tuple[str, str]], found: Findings) -> None:
    """Report a name that is taken; capitals make no difference."""
    if name.casefold() in taken:
        found.note("start_name_twice", file, path, name=name, where=found.where(*taken[name.casefold()]))
    else:
        taken[name.casefold()] = (file, path)


# --- map.yaml ---------------------------------------------------------------------------------------------------------


FILE = "map.yaml"
NO_HEX = "."
READ = ("terrain", "features", "free_city", "monsters")  # keys of a hex that are no fields of its record as they stand
MOST = 99  # the most columns or rows, as a label has two digits for each


def _hex(label: str, terrain: str, given: MapHex, found: Findings, rules: Rules) -> Hex:
    city = given.get("free_city")
    for index, name in enumerate(given.get("features", ())):
        if rules.features[name].hidden:
            found.note("map_hidden_feature", FILE, f"hexes.{label}.features[{index}]", name=name)
    if city and rules.terrain[terrain].water:
        found.note("map_city_on_water", FILE, f"hexes.{label}.free_city", name=city["name"], hex=label)
    as_given: dict[str, Any] = {key: value for key, value in given.items() if key not in READ}
    return Hex(
        terrain=terrain,
        features=tuple(dict.fromkeys(given.get("features", ()))),
        free_city=_free_city(label, city, found, rules) if city else None,
        monsters=given.get("monsters", {}).get("acr", 0),
        **as_given,
    )


def _free_city(label: str, city: MapCity, found: Findings, rules: Rules) -> FreeCity:
    return FreeCity(
        city["name"], settlement_of(city["name"], label, city, FILE, f"hexes.{label}.free_city", found, rules)
    )


# --- the grid


def _terrain_of_grid(grid: Node, found: Findings, rules: Rules) -> dict[str, str]:
    """Label -> terrain, from a text with a letter for each hex and a line for each row."""
    if not isinstance(grid.value, str):
        found.at("map_grid_text", FILE, grid.line, grid.column, "grid")
        return {}
    # letter -> the terrain that it stands for in a grid
    letters = {terrain.letter: name for name, terrain in rules.terrain.items() if not terrain.unseen}
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
