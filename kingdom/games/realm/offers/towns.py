"""What the form offers in settlements: buildings and the lots for them, districts, repairs, upgrades, demolitions. Edict step 4.

Of each building the form gets every place that is legal now but for the neighbours that it needs, and what it needs to count
those as others are chosen beside it: who is there to serve, who may not be near whom, and the price of the first, the second...
of its kind. An order always names its lot, so that what the form counted with is what is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from kingdom.games.realm.offers import candidates
from kingdom.games.realm.offers.form_model import (
    KEPT,
    PIERS,
    FormOffer,
    Ground,
    KindShape,
    Stands,
    Town,
    Works,
    field,
    offer,
    options,
    slot,
    whole,
)
from kingdom.games.realm.offers.town_places import Prices, places_in, prices, rich, shape_of
from kingdom.games.realm.orders import BORDERS
from kingdom.games.realm.rules.building_tables import (
    AlwaysFree,
    BuildingKind,
    FirstIsFree,
    MoreSpecialEdicts,
    WantsGate,
)
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Building
from kingdom.games.realm.steps.towns.buildings import half_prices
from kingdom.games.realm.steps.towns.construction import LIMIT, Site, Work, work_of
from kingdom.games.realm.steps.towns.grid import Grid, footprint, grid_of
from kingdom.games.realm.steps.towns.plan import Plan, Traits, lots_under
from kingdom.games.realm.types import Order
from kingdom.games.shared.memo import Memo

if TYPE_CHECKING:
    from kingdom.games.realm.order_types import BuildBuild, BuildDemolish, BuildUpgrade

SHAPES = (("1", 1, False), ("2", 2, False), ("2t", 2, True), ("4", 4, False))

_kinds: Memo[dict[str, KindShape]] = Memo()


def town_offers(ground: Ground) -> list[Town]:
    """For each settlement its name, what may be ordered in it, and its ground as the form counts with it."""
    return [_town(name, ground) for name in sorted(ground.kingdom.settlements)]


def _town(name: str, ground: Ground) -> Town:
    site = Site(ground.kingdom, ground.world.hexes, ground.rules, name, ground.kingdom.settlements[name])
    plan, label = site.plan(), site.settlement.hex
    is_open = candidates.is_open(label, ground.kingdom, ground.world, ground.rules)
    made = (
        []
        if not is_open
        else [*_buildings(site, plan), *_upgrades(rich(site)), *_repairs(rich(site)), *_district(site)]
    )
    return {
        "name": name,
        "hex": label,
        "open": bool(plan.unserved()),  # who lacks a neighbour now would get a new one first
        "standing": [_stands(building, plan) for building in plan.free_to_serve()],
        "left": {kind: count for kind in ground.rules.buildings if (count := _left(plan, kind)) is not None},
        "half": {kind: count for kind in ground.rules.buildings if (count := _halves(site, kind))},
        "offers": [*made, *_demolitions(rich(site))],
    }


def kinds(rules: Rules) -> dict[str, KindShape]:
    """What each kind of building is to others. names: what it counts as; avoids: what may not be near; serves: who may be beside it."""
    known: dict[str, KindShape] | None = _kinds.get(id(rules))
    if known is None:
        traits = Plan((), (), rules).traits
        known = {kind: _said(record, traits[kind]) for kind, record in rules.buildings.items()}
        _kinds.put(id(rules), rules, known)
    return known


def _said(record: BuildingKind, traits: Traits) -> KindShape:
    row = {
        "names": sorted(traits.names),
        "avoids": list(record.not_beside),
        "count": record.beside.count if record.beside else 0,
        "of": list(record.beside.any_of) if record.beside else [],
        "halves": list(record.halves),
        "walls": sorted(traits.walls),
        "gate": any(isinstance(effect, WantsGate) for effect in record.effects),
        "walled": record.place == "border",
    }
    said = {"name": record.name} | {name: what for name, what in row.items() if what}
    return cast(KindShape, said)  # the keys are those of `row`


def shapes(rules: Rules) -> dict[str, dict[str, list[list[str]]]]:
    """Shape -> top left lot -> [the lots that are covered, those beside], in the first district."""
    return _shapes(grid_of(rules.lots.columns, rules.lots.rows))


@lru_cache
def _shapes(grid: Grid) -> dict[str, dict[str, list[list[str]]]]:
    found: dict[str, dict[str, list[list[str]]]] = {}
    for shape, lots, tall in SHAPES:
        rows = ((number, footprint(grid, lots, tall, number)) for number in range(grid.size))
        found[shape] = {
            grid.names[number]: [[grid.names[lot] for lot in covered.lots], [grid.names[lot] for lot in covered.beside]]
            for number, covered in rows
            if covered
        }
    return found


def _left(plan: Plan, kind: str) -> int | None:
    """How many more of a kind the form offers in a settlement where the table limits them, None where it does not."""
    record = plan.rules.buildings[kind]
    if record.per_settlement:
        return record.per_settlement - sum(each.id == kind for each in plan.buildings)
    return 1 if record.per_district else None


def _stands(building: Building, plan: Plan) -> Stands:
    return {"kind": building.id, "lots": list(lots_under(building, plan.rules))}


# --- buildings


def _buildings(site: Site, plan: Plan) -> Iterator[FormOffer]:
    for kind, places in places_in(site, plan).items():
        record = site.rules.buildings[kind]
        costs = prices(site, kind, (Building(kind, lot, shape == "2t") for lot, shape in places.items() if shape))
        if costs[""][0][1] > max(0, site.kingdom.treasury) or not (places or record.place == "wall"):
            continue
        what = candidates.place_word(record.place)
        value = {"in": site.name, "build": kind, what: slot("place")}
        yield _work(f"build {site.name} {kind}", "build", value, record.name, site, kind, what, places, costs)


def _work(
    id: str, rank: str, value: Order, text: str, site: Site, kind: str, what: str, places: dict[str, str],
    bp: dict[str, Prices], takes: list[str] | None = None, ends: list[str] | None = None,
) -> FormOffer:  # fmt: skip
    """An offer of a building in a settlement. `work` is what the form counts with."""
    work: Works = {
        "town": site.name,
        "kind": kind,
        "places": places,
        "prices": bp,
        "caps": _caps(kind, site.rules),
        "word": what,
    }
    return offer(id, rank, "build", value, text, work=work, needs=_here(site), takes=takes or [], ends=ends or [])


def _caps(kind: str, rules: Rules) -> list[str]:
    """The limits that it counts against, the first with room; none for what is always free. Ruling: free_buildings."""
    effects = rules.buildings[kind].effects
    if any(isinstance(effect, AlwaysFree) for effect in effects):
        return []
    return [f"first_{kind}", LIMIT] if any(isinstance(effect, FirstIsFree) for effect in effects) else [LIMIT]


def firsts(rules: Rules) -> list[str]:
    """The buildings of which the first of a turn is outside the limit."""
    return [
        kind
        for kind, record in rules.buildings.items()
        if any(isinstance(effect, FirstIsFree) for effect in record.effects)
    ]


def _halves(site: Site, kind: str) -> int:
    return len(list(half_prices(site.settlement, kind, site.rules, site.ruin)))


# --- what else is done in a settlement


def _district(site: Site) -> Iterator[FormOffer]:
    work = work_of(rich(site), {"in": site.name, "build": "district"})
    if isinstance(work, Work) and work.cost <= max(0, site.kingdom.treasury):
        fields = []
        if isinstance(work_of(rich(site), {"in": site.name, "build": "district", "water": [*BORDERS]}), Work):
            fields = [
                field("water", "Borders that are water", "many", options=options((each, each) for each in BORDERS))
            ]
        yield offer(f"district {site.name}", "build", "build", {"in": site.name, "build": "district", "water": slot("water")}, "A further district",
                    fields=fields, costs={"treasury": work.cost, LIMIT: 1}, needs=_here(site), takes=[f"district {site.name}"])  # fmt: skip


def _repairs(site: Site) -> Iterator[FormOffer]:
    for building in candidates.damaged(site):
        lot = building.lot
        order: BuildBuild = {"in": site.name, "build": building.id, "lot": lot}
        work = work_of(site, order)
        if isinstance(work, Work) and work.repaired:
            yield offer(f"repair {site.name} {lot}", "build", "build", order, f"Repair the {site.name_of(building.id)} at {lot}", needs=_here(site),
                        costs={"treasury": work.cost, LIMIT: 1}, takes=[f"stands {site.name} {building.id} {lot}"])  # fmt: skip


def _upgrades(site: Site) -> Iterator[FormOffer]:
    """Each building that may become another now. Alone in its settlement, unless both kinds are nobody's neighbour by need."""
    for building in site.settlement.buildings:
        if any(isinstance(effect, MoreSpecialEdicts) for effect in site.rules.buildings[building.id].effects):
            continue
        for new in site.rules.buildings[building.id].upgrades_to:
            order = cast(
                "BuildUpgrade", {"in": site.name, "upgrade": building.id, "to": new, **_at(building, site.rules)}
            )
            work = work_of(site, order)
            if isinstance(work, Work) and work.built:
                yield _upgrade(site, building, new, order, work.built)


def _upgrade(site: Site, building: Building, new: str, order: Order, place: Building) -> FormOffer:
    rules = site.rules
    old, kind = rules.buildings[building.id], rules.buildings[new]
    freely = not (old.beside or kind.beside) and Plan((), (), rules).traits[new].names >= Plan((), (), rules).traits[
        building.id
    ].names | {new}
    freely = (
        freely
        and not old.halves
        and set(lots_under(place, rules)) == set(lots_under(building, rules))
        and building.id not in _wanted(rules)
    )
    made = _work(f"upgrade {site.name} {building.lot} {new}", "upgrade", order, f"{old.name} at {building.lot} becomes {kind.name}", site, new,
                 "", {place.lot: shape_of(kind, place)}, prices(site, new, [place], building.id),
                 takes=[f"stands {site.name} {building.id} {building.lot}"], ends=_ended(building.id, site))  # fmt: skip
    made["work"] |= {"over": list(lots_under(building, rules)), "old": building.id}
    if not freely:
        made["work"]["alone"] = True
    return made


def _ended(kind: str, site: Site) -> list[str]:
    """The facts that end with a building of that kind: what it is to armies at home, to ships, and to those who keep watch."""
    rules = site.rules
    arms = {each for row in rules.army_resources.values() for each in row.needs} | set(
        rules.reserves.holds if rules.reserves else ()
    )
    return (
        [KEPT]
        + ([whole(site.settlement.hex)] if kind in arms else [])
        + ([PIERS] if kind in rules.water_hexes.buildings else [])
    )


def _wanted(rules: Rules) -> set[str]:
    """The kinds that some building needs beside it."""
    return {name for record in rules.buildings.values() if record.beside for name in record.beside.any_of}


def _demolitions(site: Site) -> Iterator[FormOffer]:
    for building in site.settlement.buildings:
        record = site.rules.buildings[building.id]
        if any(isinstance(effect, MoreSpecialEdicts) for effect in record.effects):
            continue
        order = cast("BuildDemolish", {"in": site.name, "demolish": building.id, **_at(building, site.rules)})
        work = work_of(site, order)
        if isinstance(work, Work):
            gone = [each for each in site.settlement.buildings if each not in work.settlement.buildings]
            yield offer(f"demolish {site.name} {building.id} {building.lot}", "demolish", "build", order, f"Demolish the {record.name} at {building.lot}",
                        costs={"treasury": work.cost, LIMIT: 1}, needs=_here(site), ends=_ended(building.id, site),
                        takes=[f"stands {site.name} {each.id} {each.lot}" for each in gone] or [f"stands {site.name} {building.id} {building.lot}"])  # fmt: skip


def _at(building: Building, rules: Rules) -> dict[str, str]:
    """The place of a building that stands, as an order names it; nothing for what lies under a district."""
    place = rules.buildings[building.id].place
    return {} if place == "district" else {candidates.place_word(place): building.lot}


def _here(site: Site) -> list[list[str]]:
    return [[f"held {site.settlement.hex}"]]
