"""Campaign files as texts -> the Setup that a start is made from."""

from __future__ import annotations

from kingdom.engine.game import Setup
from kingdom.engine.problems import Faults
from kingdom.games.realm.files import FILES
from kingdom.games.realm.orders.declaration import names as names_of
from kingdom.games.realm.rules.rules import Rules
from kingdom.orders.reading import read as read_shape
from kingdom.orders.yaml_text import find, read
from tests.games.realm.kit import rules_of

MAP = """\
hexes:
  "0303": {terrain: plains, features: [river]}
  "0304": {terrain: hills, resource: true, secret: "owlbear lair", monsters: {acr: 3}}
  "0305": {terrain: marsh, ruin: temple, free_city: {name: Oldwick, districts: 1, buildings: [house, inn]}}
grid: |
  pphhm
  ppffm
"""
EXAMPLIA = """\
name: Examplia
alignment: LG
government: autocracy
attributes: {economy: 4, loyalty: 2, stability: 2}
treasury: 50
unrest: 0
capital: Oakhold
leadership: [economy]
edicts: {holiday: very_long, promotion: none, taxation: minimalist}
hexes: {"0303": [road], "0304": [farm, road]}
settlements:
  Oakhold: {hex: "0303", districts: 1, buildings: [house, house, inn]}
armies: []
"""


def setup_of(map: str = MAP, rules: Rules | None = None, **kingdoms: str) -> Setup:
    """The Setup of these texts; without a kingdom examplia's. Raises Faults where one has not the shape that it must have."""
    kingdoms = kingdoms or {"examplia": EXAMPLIA}
    texts = {"map.yaml": map, **{f"kingdoms/{seat}.yaml": text for seat, text in kingdoms.items()}}
    names = names_of(rules or rules_of())
    nodes, values, problems = {}, {}, []
    for file, text in texts.items():
        nodes[file], wrong = read(text.encode(), file)
        if not wrong:
            shape = FILES["map.yaml" if file == "map.yaml" else "kingdoms/*.yaml"]
            values[file], wrong = read_shape(shape, nodes[file], names, file)
        problems += wrong
    if problems:
        raise Faults(problems)

    def where(file: str, path: str) -> str:
        node = find(nodes[file], path)
        return f"{file}:{node.line}:{node.column}"

    return Setup(tuple(kingdoms), values, where)
