"""What stands in a settlement, how a building goes, by order or destroyed, and where a wall across water lacks its gate.

Rulings: upgrade_unrest, building_price, free_buildings.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kingdom.games.realm.rules.building_tables import WantsGate
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Building, Kingdom, Rubble, Settlement, replace
from kingdom.games.realm.steps.shared import with_unrest
from kingdom.games.realm.steps.towns.grid import border_at, border_name, grid_of, lot_name, lot_number
from kingdom.games.realm.steps.towns.plan import Plan, covered_by, lots_under


def standing_at(settlement: Settlement, named: str, rules: Rules) -> list[Building]:
    """The buildings on a lot, border or district of that name, in the order of building."""
    border, grid = border_at(named), grid_of(rules.lots.columns, rules.lots.rows)
    number = lot_number(named, grid)
    place = border_name(*border) if border else named if number is None else lot_name(number, grid)
    return [each for each in settlement.buildings if each.lot == place or place in lots_under(each, rules)]


def in_order(buildings: Iterable[Building], rules: Rules) -> list[Building]:
    """Buildings in the order of their places: rows first, first district first."""
    grid = grid_of(rules.lots.columns, rules.lots.rows)
    return sorted(buildings, key=lambda building: (lot_number(building.lot, grid) or 0, building.lot))


def without(settlement: Settlement, building: Building, rules: Rules) -> Settlement:
    """The settlement without one building; the half prices that it gave, used or not, go with it."""
    halves = rules.buildings[building.id].halves
    used = tuple(half for half in settlement.half_prices_used if half.lot != building.lot or half.kind not in halves)
    rest = tuple(each for each in settlement.buildings if each is not building)
    return replace(settlement, buildings=rest, half_prices_used=used)


def torn_down(settlement: Settlement, building: Building, rules: Rules) -> Settlement:
    """The settlement where a building was: rubble on its lots, and gone too what can't stand without it."""
    lots = lots_under(building, rules)
    rubble = tuple(Rubble(building.id, lot) for lot in lots) if rules.buildings[building.id].place == "lot" else ()
    left = without(settlement, building, rules)
    plan = Plan(left.districts, left.buildings, rules)
    for each in left.buildings:
        place = rules.buildings[each.id].place
        homeless = place == "shared" and each.lot in lots and not plan.has_host(each)
        if homeless or (place == "wall" and each.lot == building.lot and not plan.has_wall(each)):
            left = without(left, each, rules)
    return replace(left, rubble=left.rubble + rubble)


def destroy_building(kingdom: Kingdom, name: str, building: Building, turn_number: int, rules: Rules) -> Kingdom:
    """The kingdom after a building of that settlement is destroyed: rubble, and Unrest for each lot. Not booked."""
    settlement = kingdom.settlements[name]
    lots = len(lots_under(building, rules)) if rules.buildings[building.id].place == "lot" else 0
    settlements = {**kingdom.settlements, name: torn_down(settlement, building, rules)}
    unrest = lots * rules.upgrade_unrest.lot_destroyed
    damaged = still_damaged(kingdom, name, settlements[name])
    return with_unrest(replace(kingdom, settlements=settlements, damaged=damaged), unrest, turn_number, rules)


def still_damaged(kingdom: Kingdom, name: str, after: Settlement, repaired: str = "") -> dict[str, tuple[str, ...]]:
    """The damaged lots of the kingdom when that settlement is as `after`: without those whose building is gone, is another
    now, or was repaired."""
    stood = set(kingdom.settlements[name].buildings)
    same = {each.lot for each in after.buildings if each in stood}
    lots = tuple(lot for lot in kingdom.damaged.get(name, ()) if lot in same and lot != repaired)
    rest = {other: each for other, each in kingdom.damaged.items() if other != name}
    return {**rest, name: lots} if lots else rest


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
