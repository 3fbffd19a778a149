"""What the form says that the first, the second... building of a kind costs in a settlement. Ruling: building_price."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Building, HalfPrice, Settlement, replace
from kingdom.games.realm.steps.towns.construction import Site
from kingdom.games.realm.steps.towns.plan import lots_under
from kingdom.games.realm.steps.towns.prices import RUIN, half_prices, price_of
from kingdom.games.shared.memo import Memo

ORDINALS = 5  # how many of a kind the form offers in one settlement and turn
Prices = Sequence[tuple[int, int]]  # the price, that with a half price; of the first, the second... of a kind

_known = Memo()


def prices(site: Site, kind: str, places: Iterable[Building], old: str = "") -> dict[str, Prices]:
    """Lot, "" for any other -> its prices. old: what it is made of."""
    found = {"": _bare(site.settlement, kind, old, site.rules)}
    if not site.settlement.rubble:
        return found
    rubble = {each.lot for each in site.settlement.rubble}
    for place in places:
        lots = lots_under(place, site.rules)
        if not rubble.isdisjoint(lots):
            found[place.lot] = _ordinals(site.settlement, kind, lots, old, site.rules)
    return found


def _bare(settlement: Settlement, kind: str, old: str, rules: Rules) -> Prices:
    """The prices on lots without rubble. They hang on little, so settlements share them."""
    count = [building.id for building in settlement.buildings].count(kind)
    key = (id(rules), kind, old, count, HalfPrice(RUIN, kind) in settlement.half_prices_used)
    known: Prices | None = _known.get(key)
    if known is None:
        known = _ordinals(settlement, kind, (), old, rules)
        _known.put(key, rules, known)
    return known


def _ordinals(settlement: Settlement, kind: str, lots: tuple[str, ...], old: str, rules: Rules) -> Prices:
    rows = []
    for count in range(ORDINALS):
        more = replace(settlement, buildings=(*settlement.buildings, *[Building(kind, "")] * count))
        used = replace(more, half_prices_used=(*more.half_prices_used, *half_prices(more, kind, rules)))
        full, half = price_of(used, kind, rules, lots, old), price_of(used, kind, rules, lots, old, ruin=kind)
        rows.append((full.bp, half.bp))
        if count == 0 and kind in rules.building_price.exempt_from_crowding:
            return tuple(rows * ORDINALS)
    return tuple(rows)
