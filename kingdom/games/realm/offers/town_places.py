"""Where in a settlement the form lets a building stand: every place that is legal now but for the neighbours that it needs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from kingdom.games.realm.rules.building_tables import BuildingKind, WantsGate
from kingdom.games.realm.state import Building, replace
from kingdom.games.realm.steps.towns.construction import Site, Work, work_of
from kingdom.games.realm.steps.towns.grid import lot_name
from kingdom.games.realm.steps.towns.lots import NEIGHBOURLY, not_in_settlement, refusal_of
from kingdom.games.realm.steps.towns.plan import Plan

LIFTED = ("", *NEIGHBOURLY)  # objections, "" for none, in spite of which a place is offered


def places_in(site: Site, plan: Plan) -> dict[str, dict[str, str]]:
    """Each kind that may be built there -> lot, border or district -> shape. Kinds that are alike share one record."""
    standing = {building.id for building in plan.buildings}
    walls = {wall for other in standing for wall in _gates(site.rules.buildings[other])}
    known: dict[Hashable, dict[str, str]] = {}
    found = {}
    for kind in site.rules.buildings:
        if not not_in_settlement(plan, kind):
            crossed = kind in walls or not standing.isdisjoint(
                _gates(site.rules.buildings[kind])
            )  # there must be a gate then
            alike = kind if crossed else _alike(plan, kind, standing)
            if alike not in known:
                known[alike] = dict(_places(site, plan, kind, crossed))
            found[kind] = known[alike]
    return found


def rich(site: Site) -> Site:
    """The site of a kingdom that nothing is too dear for."""
    return site._replace(kingdom=replace(site.kingdom, treasury=10**6, used={}))


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
        if crossed and not isinstance(work_of(rich(site), {"in": site.name, "build": kind, what: place.lot}), Work):
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
