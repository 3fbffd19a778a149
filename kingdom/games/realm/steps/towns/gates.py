"""Where a waterway meets a wall there must be a gate for the water, built in the same turn. Table buildings."""

from __future__ import annotations

from typing import NamedTuple

from kingdom.games.realm.rules.rules import Rules, WantsGate
from kingdom.games.realm.state import Settlement
from kingdom.games.realm.steps.towns.grid import border_name, grid_of
from kingdom.games.realm.steps.towns.plan import covered_by


class Crossing(NamedTuple):
    """A border where water meets a wall: the border, and the kinds of the water's building, of the wall and of the gate."""

    border: str
    water: str
    wall: str
    gate: str


def without_gate(settlement: Settlement, rules: Rules) -> set[Crossing]:
    """The crossings of a settlement that have no gate."""
    grid = grid_of(rules.lots.columns, rules.lots.rows)
    standing = {(building.id, building.lot) for building in settlement.buildings}
    found = set()
    for building in settlement.buildings:
        wants = next((effect for effect in rules.buildings[building.id].effects if isinstance(effect, WantsGate)), None)
        covered = covered_by(building, rules) if wants else None
        if wants is None or covered is None:
            continue
        district = covered.lots[0] // grid.size
        for border, edge in grid.edges:
            name = border_name(district, border)
            along = any(lot % grid.size in edge for lot in covered.lots)
            if along and (wants.wall, name) in standing and (wants.gate, name) not in standing:
                found.add(Crossing(name, building.id, wants.wall, wants.gate))
    return found
