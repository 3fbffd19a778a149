"""Where in a settlement the form lets a building stand, every place that is legal now but for the neighbours that it needs, and what the
first, the second... of a kind costs there. Ruling: building_price."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from kingdom.games.realm.offers import candidates
from kingdom.games.realm.rules.building_tables import BuildingKind, WantsGate
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Building, HalfPrice, Settlement, replace
from kingdom.games.realm.steps.towns.buildings import RUIN, half_prices, price_of
from kingdom.games.realm.steps.towns.construction import Site, Work, work_of
from kingdom.games.realm.steps.towns.grid import lot_name
from kingdom.games.realm.steps.towns.lots import NEIGHBOURLY, refusal_of
from kingdom.games.realm.steps.towns.plan import Plan, lots_under
from kingdom.games.shared.memo import Memo

if TYPE_CHECKING:
    from kingdom.games.realm.order_types import BuildBuild

# --- places

LIFTED = ("", *NEIGHBOURLY)  # objections, "" for none, in spite of which a place is offered


def places_in(site: Site, plan: Plan) -> dict[str, dict[str, str]]:
    """Each kind that may be built there -> lot, border or district -> shape. Kinds that are alike share one record."""
    standing = {building.id for building in plan.buildings}
    walls = {wall for other in standing for wall in _gates(site.rules.buildings[other])}
    known: dict[Hashable, dict[str, str]] = {}
    found = {}
    for kind in candidates.kinds(plan):
        # there must be a gate then
        crossed = kind in walls or not standing.isdisjoint(_gates(site.rules.buildings[kind]))
        alike = kind if crossed else _alike(plan, kind, standing)
        if alike not in known:
            known[alike] = dict(_places(site, plan, kind, crossed))
        found[kind] = known[alike]
    return found


def rich(site: Site) -> Site:
    """The site of a kingdom that nothing is too dear for."""
    return replace(site, kingdom=replace(site.kingdom, treasury=10**6, used={}))


def shape_of(record: BuildingKind, place: Building) -> str:
    """The shape of the lots that are covered, "" for what takes none."""
    if record.place not in ("lot", "shared"):
        return ""
    return "2t" if place.tall else str(max(1, record.lots))


def _alike(plan: Plan, kind: str, standing: set[str]) -> Hashable:
    """What decides where that kind may stand: kinds of which it is the same may stand in the same places."""
    record = plan.rules.buildings[kind]
    if record.place != "lot" or record.per_district:
        return kind
    shunned = tuple([other for other in standing if plan.shuns(kind, other)])
    return record.lots, record.beside_water, shunned, tuple([other for other in standing if plan.shares(kind, other)])


def _places(site: Site, plan: Plan, kind: str, crossed: bool) -> Iterator[tuple[str, str]]:
    """(lot, border or district; shape) of each place, the first way of standing where a lot allows two.

    crossed: water and a wall may meet there.
    """
    record, named = site.rules.buildings[kind], set()
    if plan.lacks(kind) and not record.beside:
        return
    what = "border" if record.place == "border" else "lot"
    for place in plan.places(kind):
        if place.lot in named or refusal_of(plan, place) not in LIFTED:
            continue
        order = cast("BuildBuild", {"in": site.name, "build": kind, what: place.lot})
        if crossed and not isinstance(work_of(rich(site), order), Work):
            continue
        named.add(place.lot)
        yield _ordered_as(place, plan), shape_of(record, place)


def _gates(record: BuildingKind) -> list[str]:
    """The walls in which a building of water wants a gate where the two meet."""
    return [effect.wall for effect in record.effects if isinstance(effect, WantsGate)]


def _ordered_as(place: Building, plan: Plan) -> str:
    """The place as an order names it: what lies under a district by the first lot of that."""
    if not place.lot.isdigit():
        return place.lot
    return lot_name((int(place.lot) - 1) * plan.grid.size, plan.grid)


# --- prices

ORDINALS = 5  # how many of a kind the form offers in one settlement and turn
Prices = Sequence[tuple[int, int]]  # the price, that with a half price; of the first, the second... of a kind

_known: Memo[Prices] = Memo()


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
