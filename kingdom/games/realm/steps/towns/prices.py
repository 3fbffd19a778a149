"""What a building costs. Rulings: building_price, district."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import HalfPrice, Settlement

RUIN = "ruin"  # stands for the granter where a ruin in the settlement's hex gives the half price


class Price(NamedTuple):
    """A price in BP, what it comes from ("2 x 48 - 8", "half of 10, by the Market at C1"), the half price it uses."""

    bp: int
    why: str
    half: HalfPrice | None = None


def price_of(
    settlement: Settlement, kind: str, rules: Rules, lots: Iterable[str] = (), old: str = "", ruin: str = ""
) -> Price:
    """What that kind costs in this settlement now.

    lots: the lots that it would cover, for the discount of rebuilding. old: what it is upgraded from.
    ruin: the building of which a ruin lies in the hex.
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
    """By what the list price is multiplied: such buildings that stand, and one; always 1 for what is exempt."""
    if kind in rules.building_price.exempt_from_crowding:
        return 1
    return 1 + [building.id for building in settlement.buildings].count(kind)


def half_prices(settlement: Settlement, kind: str, rules: Rules, ruin: str = "") -> Iterator[HalfPrice]:
    """The half prices for that kind that nobody has used yet, that of the oldest granter first."""
    granters = [RUIN] if ruin == kind else []
    granters += [building.lot for building in settlement.buildings if kind in rules.buildings[building.id].halves]
    used = list(settlement.half_prices_used) if granters else []
    for lot in granters:
        half = HalfPrice(lot, kind)
        if half in used:
            used.remove(half)
        else:
            yield half


def rebuilding(settlement: Settlement, kind: str, price: int, lots: tuple[str, ...], rules: Rules) -> int:
    """The discount in BP for building on lots where something was destroyed or demolished.

    On lots of its own kind alone half the price; else of the list price of what stood there a quarter, at least 1, of
    which each lot carries an equal share.
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
    """The price divided, rounded up."""
    return -(-price // divisor)


def _granter(settlement: Settlement, half: HalfPrice, rules: Rules) -> str:
    if half.lot == RUIN:
        return "the ruin in its hex"
    there = (rules.buildings[building.id] for building in settlement.buildings if building.lot == half.lot)
    return f"the {next(kind.name for kind in there if half.kind in kind.halves)} at {half.lot}"
