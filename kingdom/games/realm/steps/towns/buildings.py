"""Standing buildings: how they are torn down or destroyed, where a wall across water lacks its gate, and the prices of new
ones.

Rulings: upgrade_unrest, building_price, district, free_buildings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from kingdom.engine.named_tuple import NamedTuple
from kingdom.games.kit.memo import remember
from kingdom.games.realm.rules.building_tables import WantsGate
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Building, HalfPrice, Kingdom, Rubble, Settlement, in_service, replace
from kingdom.games.realm.steps.shared import with_unrest
from kingdom.games.realm.steps.towns.grid import border_at, border_name, grid_of, lot_name, lot_number
from kingdom.games.realm.steps.towns.plan import Plan, covered_by, lots_under


def place_of(building: Building) -> str:
    """The building with its place, as a settlement's `raised` names it; the kind is needed because a border may have
    several."""
    return f"{building.id} {building.lot}"


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
    """The settlement without one building; the half prices that the building gave, used or not, go with it."""
    halves = rules.buildings[building.id].halves
    used = tuple(half for half in settlement.half_prices_used if half.lot != building.lot or half.kind not in halves)
    rest = tuple(each for each in settlement.buildings if each is not building)
    waiting = tuple(each for each in settlement.waiting if each != building)
    return replace(settlement, buildings=rest, half_prices_used=used, waiting=waiting)


def torn_down(settlement: Settlement, building: Building, rules: Rules) -> Settlement:
    """The settlement after tearing down a building: its lots are rubble, and buildings that can't stand without it are gone."""
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
    """The kingdom's damaged lots once that settlement is as `after`: without lots whose building is gone, replaced or
    repaired."""
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


@remember(lambda rules: ((rules,), ()))
def wanted_gates(rules: Rules) -> dict[str, WantsGate]:
    """Each building of water -> the gate that it wants where it meets a wall."""
    effects = ((kind, effect) for kind, record in rules.buildings.items() for effect in record.effects)
    return {kind: effect for kind, effect in effects if isinstance(effect, WantsGate)}


def without_gate(settlement: Settlement, rules: Rules) -> set[Crossing]:
    """The crossings of a settlement that have no gate."""
    grid = grid_of(rules.lots.columns, rules.lots.rows)
    standing = {(building.id, building.lot) for building in settlement.buildings}
    found, gates = set(), wanted_gates(rules)
    for building in settlement.buildings:
        wants = gates.get(building.id)
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


# --- what a building costs --------------------------------------------------------------------------------------------


RUIN = "ruin"  # the granter's place if a ruin in the settlement's hex gives the half price


class Price(Struct, frozen=True):
    """A price in BP, how it was worked out ("2 x 48 - 8", "half of 10, by the Market at C1"), the half price that it uses."""

    bp: int
    why: str
    half: HalfPrice | None = None


def price_of(
    settlement: Settlement, kind: str, rules: Rules, lots: Iterable[str] = (), old: str = "", ruin: str = ""
) -> Price:
    """The price of that kind in this settlement now.

    lots: the lots that it would cover, for the rebuilding discount. old: the kind it is upgraded from. ruin: the kind of
    building that lies in ruins in the hex.
    """
    record = rules.buildings[kind]
    count = crowding(settlement, kind, rules)
    terms = f"{count} x {record.cost}" if count > 1 else str(record.cost)
    full = count * record.cost
    if old:
        full = max(0, full - rules.buildings[old].cost)
        terms += f" - {rules.buildings[old].cost}"
    rebuilt = rebuilding(settlement, kind, full, tuple(lots), rules) if lots else 0
    half = next(half_prices(settlement, kind, rules, ruin), None)
    halved = full - _part(full, rules.building_price.half) if half else 0
    if half and halved > rebuilt:
        return Price(full - halved, f"half of {terms}, by {_granter(settlement, half, rules)}", half)
    if rebuilt:
        return Price(full - rebuilt, f"{terms} - {rebuilt} for rebuilding")
    return Price(full, terms)


def crowding(settlement: Settlement, kind: str, rules: Rules) -> int:
    """The factor of the list price: one more than the buildings of that kind that stand; always 1 for an exempt kind."""
    if kind in rules.building_price.exempt_from_crowding:
        return 1
    return 1 + [building.id for building in settlement.buildings].count(kind)


def half_prices(settlement: Settlement, kind: str, rules: Rules, ruin: str = "") -> Iterator[HalfPrice]:
    """The unused half prices for that kind, the oldest granter's first."""
    granters = [RUIN] if ruin == kind else []
    granters += [building.lot for building in in_service(settlement) if kind in rules.buildings[building.id].halves]
    used = list(settlement.half_prices_used) if granters else []
    for lot in granters:
        half = HalfPrice(lot, kind)
        if half in used:
            used.remove(half)
        else:
            yield half


def rebuilding(settlement: Settlement, kind: str, price: int, lots: tuple[str, ...], rules: Rules) -> int:
    """The discount in BP for building on lots where something was destroyed or demolished.

    If only rubble of the same kind lies on the lots, half the price. Else a quarter of the list price of each building that
    stood there, at least 1, shared equally among that building's lots.
    """
    ruling = rules.building_price
    rubble = [each.id for each in settlement.rubble if each.lot in lots]
    if lots and rubble.count(kind) >= len(lots):
        return price - _part(price, ruling.rebuild_same)
    discount = 0
    for stood in dict.fromkeys(rubble):
        whole = max(ruling.rebuild_least, rules.buildings[stood].cost // ruling.rebuild_other)
        lots_of_it = max(1, rules.buildings[stood].lots)
        discount += whole * min(rubble.count(stood), lots_of_it) // lots_of_it
    return min(price, discount)


def _part(price: int, divisor: int) -> int:
    """The price divided by the divisor, rounded up."""
    return -(-price // divisor)


def _granter(settlement: Settlement, half: HalfPrice, rules: Rules) -> str:
    if half.lot == RUIN:
        return "the ruin in its hex"
    there = (rules.buildings[building.id] for building in settlement.buildings if building.lot == half.lot)
    return f"the {next(kind.name for kind in there if half.kind in kind.halves)} at {half.lot}"
