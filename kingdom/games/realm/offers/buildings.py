"""What may be ordered in settlements: buildings and the lots for them, districts, repairs, upgrades, demolitions. Edict step 4.

Of each building the form gets every place that is legal now but for the neighbours that it needs, and what it needs to count
those as others are chosen beside it: who is there to serve, who may not be near whom, and the price of the first, the second...
of its kind (ruling building_price). An order always names its lot, so that what the form counted with is what is built.

Long: what there is to build, as an offer, in the form and in a report, and the places and prices that the form counts with.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from kingdom.engine.ledger import summed
from kingdom.engine.offer import Offer
from kingdom.engine.refusal import Refusal
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.kit.memo import Grounds, remember
from kingdom.games.realm.offers.form_model import (
    Counter,
    FormOffer,
    Ground,
    Town,
    offer,
    slot,
    water_borders,
)
from kingdom.games.realm.offers.turn_preview import Course, made
from kingdom.games.realm.orders.kind import KEPT, PIERS, in_points, paid, whole
from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.rules.building_tables import (
    AlwaysFree,
    BuildingKind,
    FirstIsFree,
    MoreSpecialEdicts,
    UnrestOncePerSettlement,
    WantsGate,
)
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.rules.types import SECONDARY, in_force
from kingdom.games.realm.state import Building, HalfPrice, Kingdom, Settlement, World, replace
from kingdom.games.realm.steps.land.ground import barring, danger
from kingdom.games.realm.steps.towns.buildings import RUIN, half_prices, price_of
from kingdom.games.realm.steps.towns.construction import (
    CREDIT,
    LIMIT,
    NO_UNREST,
    Site,
    Work,
    credit_left,
    on_credit,
    unrest_counted,
    work_of,
)
from kingdom.games.realm.steps.towns.grid import Grid, footprint, lot_name
from kingdom.games.realm.steps.towns.lots import NEIGHBOURLY, find, not_in_settlement, refusal_of
from kingdom.games.realm.steps.towns.plan import Plan, lots_under
from kingdom.games.realm.types import Order

if TYPE_CHECKING:
    from kingdom.games.realm.orders.works import Build, BuildBuild, BuildDemolish, BuildUpgrade


# --- what there is to order, whatever else is asked of it


def is_open(label: str, kingdom: Kingdom, world: World, rules: Rules) -> bool:
    """Whether anything can be built in the settlement there: no danger in the hex, no event that bars it."""
    return not danger(label, kingdom, world.hexes) and not barring(label, kingdom, rules)


def kinds_in(plan: Plan) -> Iterator[str]:
    """The kinds of buildings that the settlement does not rule out, whatever lot they find."""
    return (kind for kind in plan.rules.buildings if not not_in_settlement(plan, kind))


def damaged(site: Site) -> Iterator[Building]:
    """The damaged buildings, each of which may be ordered once more at its lot, in the order in which they were damaged."""
    for lot in site.kingdom.damaged.get(site.name, ()):
        building = next((building for building in site.settlement.buildings if building.lot == lot), None)
        if building is not None:
            yield building


def place_word(place: str) -> str:
    """The word by which an order says where a building of that place stands: on a border or on a lot."""
    return "border" if place in ("border", "wall") else "lot"


# --- as offers


def works(
    now: Course, towns: Iterable[str] | None = None, thinks_of: Callable[[str], bool] = lambda kind: True
) -> Iterator[Offer]:
    """What may be built, upgraded, torn down, repaired and laid out in each settlement; without a place where any will do.

    towns: the settlements that are looked at, None for all; thinks_of: whether a kind of building is looked at.
    """
    for town in sorted(now.kingdom("settle").settlements) if towns is None else towns:
        site = now.site(town)
        if site is not None:
            yield from _buildings(site, site.plan(), thinks_of)
            yield from _of_what_stands(site)
            eats = {"consumption": site.rules.consumption.per_district}
            yield from _work(site, {"in": town, "build": "district"}, f"A further district of {town}", eats)


def _buildings(site: Site, plan: Plan, thinks_of: Callable[[str], bool]) -> Iterator[Offer]:
    """New buildings, and repairs of those that are damaged."""
    for building in damaged(site):
        text = f"Repair the {site.rules.buildings[building.id].name} in {site.name} at {building.lot}"
        order: Build = {"in": site.name, "build": building.id, "lot": building.lot}
        yield from _work(site, order, text, _of_building(site.rules.buildings[building.id], {}))
    for kind in filter(thinks_of, kinds_in(plan)):
        record = site.rules.buildings[kind]
        text = f"{record.name} in {site.name}{_again(site, kind)}"
        if plan.lacks(kind):
            continue
        order = {"in": site.name, "build": kind}
        effect = _of_building(record, {})
        work = work_of(site, order)
        if isinstance(work, Work):
            yield _offered(site, order, work, text, effect)
            continue
        lots = (place.lot for place in _places_that_may_do(site, kind, work, plan) if not place.lot.isdigit())
        named = (cast("Build", {**order, place_word(record.place): lot}) for lot in lots)
        yield from _first(site, named, text, effect)


def _again(site: Site, kind: str) -> str:
    """What is said beside a building whose Unrest counts once a settlement, where it has been counted."""
    record = site.rules.buildings[kind]
    return f" ({NO_UNREST})" if record.unrest and unrest_counted(site.settlement, kind, site.rules) else ""


def _places_that_may_do(site: Site, kind: str, refusal: Refusal, plan: Plan) -> list[Building]:
    """The places where it may be built though the first one is refused: there is a wall behind that, or rubble makes another cheaper."""
    rubble = {each.lot for each in site.settlement.rubble}
    if refusal.code == "build_unaffordable" and rubble:
        return [place for place in plan.places(kind) if not rubble.isdisjoint(lots_under(place, site.rules))]
    return list(plan.places(kind)) if refusal.code == "wall_wants_gate" else []


def _of_what_stands(site: Site) -> Iterator[Offer]:
    """Upgrades and demolitions, of each kind the first that may be meant, and of those with another place by that."""
    rules = site.rules
    for kind in dict.fromkeys(building.id for building in site.settlement.buildings):
        record = rules.buildings[kind]
        gone = {account: -by for account, by in _of_building(record, {}).items()}
        yield from _work(site, {"in": site.name, "demolish": kind}, f"Demolish the {record.name} in {site.name}", gone)
        for new in record.upgrades_to:
            text = f"{record.name} in {site.name} becomes {rules.buildings[new].name}"
            order: Build = {"in": site.name, "upgrade": kind, "to": new}
            effect = _of_building(rules.buildings[new], gone)
            lots = (building.lot for building in site.settlement.buildings if building.id == kind)
            named = (cast("Build", {**order, place_word(record.place): lot}) for lot in lots)
            yield from _first(site, (order, *named), text, effect)


def _first(site: Site, orders: Iterable[Build], text: str, effect: Mapping[str, int]) -> list[Offer]:
    """An offer of the first of these orders that is carried out."""
    return next((offers for order in orders if (offers := list(_work(site, order, text, effect)))), [])


def _work(site: Site, order: Build, text: str, effect: Mapping[str, int]) -> Iterator[Offer]:
    work = work_of(site, order)
    if isinstance(work, Work):
        yield _offered(site, order, work, text, effect)


def _offered(site: Site, order: Build, work: Work, text: str, effect: Mapping[str, int]) -> Offer:
    unrest = max(work.unrest, -site.kingdom.unrest)
    text += ", on credit (ruling debt)" if work.cost > max(0, site.kingdom.treasury) else ""
    moved = {**effect, "unrest": unrest, "treasury": max(0, -work.cost)}
    points = {account: by for account, by in moved.items() if by}
    uses = {work.limit: 1} if work.limit else {}
    return made("build", order, text, costs=paid(max(0, work.cost)), uses=uses, effect=points)


def does(record: BuildingKind) -> str:
    """What a building of that kind gives its kingdom, in words; with the Unrest that it brings or takes when it is built."""
    return in_points({**_of_building(record, {}), "unrest": record.unrest})


def _of_building(record: BuildingKind, gone: Mapping[str, int]) -> dict[str, int]:
    """The points that a building of that kind gives, with what goes for it."""
    rows: list[tuple[str, int]] = [(account, getattr(record.kingdom, account)) for account in ATTRIBUTES]
    rows += [(account, getattr(record.settlement, word)) for word, account in SECONDARY.items()]
    return {account: by for account, by in summed((*gone.items(), *rows)).items() if by}


def given(record: BuildingKind) -> dict[str, int]:
    """What a building of that kind adds to the figures."""
    points = {name: getattr(record.kingdom, name) for name in ATTRIBUTES} | {"unrest": record.unrest}
    return {name: by for name, by in points.items() if by}


def spared(settlement: Settlement, rules: Rules) -> dict[str, int]:
    """Kind -> how many more of it there neither bring nor take Unrest."""
    razed = {kind: len(turns) for kind, turns in settlement.razed.items() if rules.buildings[kind].unrest < 0}
    once = {*settlement.once, *(building.id for building in settlement.buildings)}
    return razed | {
        kind: ORDINALS for kind in once if unrest_counted(settlement, kind, rules) and rules.buildings[kind].unrest
    }


# --- places

LIFTED = ("", *NEIGHBOURLY)  # objections, "" for none, in spite of which a place is offered


def places_in(site: Site, plan: Plan) -> dict[str, dict[str, str]]:
    """Each kind that may be built there -> lot, border or district -> shape. Kinds that are alike share one record."""
    standing = {building.id for building in plan.buildings}
    crossing = _crossing(site.rules, standing)
    known: dict[Hashable, dict[str, str]] = {}
    found = {}
    for kind in kinds_in(plan):
        crossed = kind in crossing
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
        # what lies under a district is ordered by the first lot of that
        lot = lot_name((int(place.lot) - 1) * plan.grid.size, plan.grid) if place.lot.isdigit() else place.lot
        yield lot, shape_of(record, place)


def _crossing(rules: Rules, standing: set[str]) -> set[str]:
    """The kinds where water and a wall may meet that are built beside what stands: there must be a gate then."""
    gates = {kind: walls for kind, record in rules.buildings.items() if (walls := _gates(record))}
    walled = {wall for other in standing & gates.keys() for wall in gates[other]}
    return walled | {kind for kind, walls in gates.items() if not standing.isdisjoint(walls)}


def _gates(record: BuildingKind) -> list[str]:
    """The walls in which a building of water wants a gate where the two meet."""
    return [effect.wall for effect in record.effects if isinstance(effect, WantsGate)]


# --- prices

ORDINALS = 5  # how many of a kind the form offers in one settlement and turn
Prices = Sequence[tuple[int, int]]  # the price, that with a half price; of the first, the second... of a kind


def prices(site: Site, kind: str, places: Iterable[Building], old: str = "") -> dict[str, Prices]:
    """Lot, "" for any other -> its prices. old: what it is made of."""
    town, rules = site.settlement, site.rules
    found = {"": _without_rubble(town, kind, old, rules)}
    rubble = {each.lot for each in town.rubble}
    for place in places if rubble else ():
        lots = lots_under(place, rules)
        if not rubble.isdisjoint(lots):
            found[place.lot] = _ordinals(town, kind, lots, old, rules)
    return found


def _behind_prices(town: Settlement, kind: str, old: str, rules: Rules) -> Grounds:
    count = [building.id for building in town.buildings].count(kind)
    return (rules,), (kind, old, count, HalfPrice(RUIN, kind) in town.half_prices_used)


@remember(_behind_prices)
def _without_rubble(town: Settlement, kind: str, old: str, rules: Rules) -> Prices:
    """The prices on lots without rubble. They hang on little, so settlements share them."""
    return _ordinals(town, kind, (), old, rules)


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


# --- in the form

SHAPES = (("1", 1, False), ("2", 2, False), ("2t", 2, True), ("4", 4, False))


def town_offers(name: str, ground: Ground) -> Town:
    """The settlement's name, what may be ordered in it, and its ground as the form counts with it."""
    rules, settlement = ground.rules, ground.kingdom.settlements[name]
    site = Site(ground.kingdom, ground.world.hexes, rules, name, settlement)
    plan, with_means, made = site.plan(), rich(site), list[FormOffer]()
    if is_open(settlement.hex, ground.kingdom, ground.world, rules):
        made = [*_building_forms(site, plan), *_upgrades(with_means), *_repairs(with_means), *_district(site)]
    count = collections.Counter(building.id for building in plan.buildings)
    return {
        "name": name,
        "hex": settlement.hex,
        "open": bool(plan.unserved()),  # who lacks a neighbour now would get a new one first
        "standing": [{"kind": each.id, "lots": list(lots_under(each, rules))} for each in plan.free_to_serve()],
        "left": {
            kind: record.per_settlement - count[kind] if record.per_settlement else 1
            for kind, record in rules.buildings.items()
            if record.per_settlement or record.per_district
        },
        "half": {
            kind: len(half) for kind in rules.buildings if (half := [*half_prices(settlement, kind, rules, site.ruin)])
        },
        "spared": spared(settlement, rules),
        "offers": [*made, *_demolitions(with_means)],
    }


@remember(lambda rules: ((rules,), ()))
def kinds(rules: Rules) -> dict[str, dict[str, Any]]:
    """What each kind of building gives, and is to others. names: what it counts as; avoids: what may not be near; serves: who may be beside it."""
    made, traits = dict[str, dict[str, Any]](), Plan((), (), rules).traits
    for kind, record in rules.buildings.items():
        row = {
            "does": does(record),
            "adds": given(record),
            "once": record.has(UnrestOncePerSettlement),
            "names": sorted(traits[kind].names),
            "avoids": list(record.not_beside),
            "count": record.beside.count if record.beside else 0,
            "of": list(record.beside.any_of) if record.beside else [],
            "halves": list(record.halves),
            "walls": sorted(traits[kind].walls),
            "gate": record.has(WantsGate),
            "walled": record.place == "border",
        }
        said = {"name": record.name} | {name: what for name, what in row.items() if what}
        made[kind] = said
    return made


@lru_cache
def shapes(grid: Grid) -> dict[str, dict[str, list[list[str]]]]:
    """Shape -> top left lot -> [the lots that are covered, those beside], in the first district."""
    found: dict[str, dict[str, list[list[str]]]] = {}
    for shape, lots, tall in SHAPES:
        rows = ((number, footprint(grid, lots, tall, number)) for number in range(grid.size))
        found[shape] = {
            grid.names[number]: [[grid.names[lot] for lot in covered.lots], [grid.names[lot] for lot in covered.beside]]
            for number, covered in rows
            if covered
        }
    return found


def _building_forms(site: Site, plan: Plan) -> Iterator[FormOffer]:
    for kind, places in places_in(site, plan).items():
        record = site.rules.buildings[kind]
        costs = prices(site, kind, (Building(kind, lot, shape == "2t") for lot, shape in places.items() if shape))
        too_dear = costs[""][0][1] > max(0, site.kingdom.treasury) and not on_credit(site, Building(kind, ""))
        if too_dear or not (places or record.place == "wall"):
            continue
        what = place_word(record.place)
        value = {"in": site.name, "build": kind, what: slot("place")}
        yield _building_form(
            f"build {site.name} {kind}",
            "build",
            value,
            f"{record.name}{_again(site, kind)}",
            site,
            kind,
            what,
            places,
            costs,
        )


def _building_form(
    id: str, rank: str, value: Order, text: str, site: Site, kind: str, what: str, places: dict[str, str],
    bp: dict[str, Prices], takes: list[str] | None = None, ends: list[str] | None = None,
) -> FormOffer:  # fmt: skip
    """An offer of a building in a settlement. `work` is what the form counts with."""
    record = site.rules.buildings[kind]
    # the limits that it counts against, the first with room; none for what is always free (ruling free_buildings)
    caps = [] if record.has(AlwaysFree) else [f"first_{kind}", LIMIT] if record.has(FirstIsFree) else [LIMIT]
    work: dict[str, Any] = {"town": site.name, "kind": kind, "places": places, "prices": bp, "caps": caps, "word": what}
    if credit_left(site.kingdom, site.rules) and on_credit(site, Building(kind, "")):
        work["credit"] = _credit(site, kind)
    return offer(id, rank, "build", value, text, work=work, needs=_here(site), takes=takes or [], ends=ends or [])


def _credit(site: Site, kind: str) -> dict[str, Any]:
    """What the form asks before it lets the building be had on credit."""
    ruling = in_force(site.rules.debt)
    return {
        "above": -ruling.credit,
        "least": {CREDIT: 1, "unrest": ruling.unrest},
        "first": kind not in ruling.on_credit,
    }


def credit_counters(kingdom: Kingdom, rules: Rules) -> list[Counter]:
    """What the form counts where a building may be had on credit: one a turn. Ruling: debt."""
    return (
        [{"id": CREDIT, "name": "Buildings on credit", "left": 1, "level": True}] if credit_left(kingdom, rules) else []
    )


def firsts(rules: Rules) -> list[str]:
    """The buildings of which the first of a turn is outside the limit."""
    return [kind for kind, record in rules.buildings.items() if record.has(FirstIsFree)]


def _district(site: Site) -> Iterator[FormOffer]:
    work = work_of(rich(site), {"in": site.name, "build": "district"})
    if isinstance(work, Work) and work.cost <= max(0, site.kingdom.treasury):
        fields = []
        if isinstance(work_of(rich(site), {"in": site.name, "build": "district", "water": [*BORDERS]}), Work):
            fields = [water_borders()]
        yield offer(f"district {site.name}", "build", "build", {"in": site.name, "build": "district", "water": slot("water")}, "A further district",
                    fields=fields, costs={"treasury": work.cost, LIMIT: 1}, needs=_here(site), takes=[f"district {site.name}"])  # fmt: skip


def _repairs(site: Site) -> Iterator[FormOffer]:
    for building in damaged(site):
        lot = building.lot
        order: BuildBuild = {"in": site.name, "build": building.id, "lot": lot}
        work = work_of(site, order)
        if isinstance(work, Work) and work.repaired:
            yield offer(f"repair {site.name} {lot}", "build", "build", order, f"Repair the {site.name_of(building.id)} at {lot}", needs=_here(site),
                        more=does(site.rules.buildings[building.id]),
                        costs={"treasury": work.cost, LIMIT: 1}, takes=[f"stands {site.name} {building.id} {lot}"])  # fmt: skip


def _upgrades(site: Site) -> Iterator[FormOffer]:
    """Each building that may become another now. Alone in its settlement, unless both kinds are nobody's neighbour by need."""
    for building in site.settlement.buildings:
        record, named = site.rules.buildings[building.id], _place_of(building, site.rules)
        for new in () if record.has(MoreSpecialEdicts) else record.upgrades_to:
            order = cast("BuildUpgrade", {"in": site.name, "upgrade": building.id, "to": new, **named})
            work = work_of(site, order)
            if isinstance(work, Work) and work.built:
                yield _upgrade(site, building, new, order, work.built)


def _upgrade(site: Site, building: Building, new: str, order: Order, place: Building) -> FormOffer:
    rules = site.rules
    old, kind = rules.buildings[building.id], rules.buildings[new]
    traits = Plan((), (), rules).traits
    wanted = {name for record in rules.buildings.values() if record.beside for name in record.beside.any_of}
    freely = (
        not (old.beside or kind.beside or old.halves)
        and traits[new].names >= traits[building.id].names | {new}
        and set(lots_under(place, rules)) == set(lots_under(building, rules))
        and building.id not in wanted
    )
    made = _building_form(f"upgrade {site.name} {building.lot} {new}", "upgrade", order, f"{old.name} at {building.lot} becomes {kind.name}", site, new,
                 "", {place.lot: shape_of(kind, place)}, prices(site, new, [place], building.id),
                 takes=[f"stands {site.name} {building.id} {building.lot}"], ends=_ended(building.id, site))  # fmt: skip
    gone = {account: -by for account, by in _of_building(old, {}).items()}
    made["more"] = in_points({**_of_building(kind, gone), "unrest": kind.unrest}) or "no change"
    made["work"] |= {"over": list(lots_under(building, rules)), "old": building.id}
    if not freely:
        made["work"]["alone"] = True
    return made


def _ended(kind: str, site: Site) -> list[str]:
    """The facts that end with a building of that kind: what it is to armies at home, to ships, and to those who keep watch."""
    rules = site.rules
    arms = {each for row in rules.army_resources.values() for each in row.needs}
    arms |= set(rules.reserves.holds if rules.reserves else ())
    ships = [PIERS] if kind in rules.water_hexes.buildings else []
    return [KEPT, *([whole(site.settlement.hex)] if kind in arms else []), *ships]


def _demolitions(site: Site) -> Iterator[FormOffer]:
    for building in site.settlement.buildings:
        record = site.rules.buildings[building.id]
        if record.has(MoreSpecialEdicts):
            continue
        order = cast("BuildDemolish", {"in": site.name, "demolish": building.id, **_place_of(building, site.rules)})
        work = work_of(site, order)
        if isinstance(work, Work):
            gone = [each for each in site.settlement.buildings if each not in work.settlement.buildings]
            yield offer(f"demolish {site.name} {building.id} {building.lot}", "demolish", "build", order, f"Demolish the {record.name} at {building.lot}",
                        costs={**paid(max(0, work.cost)), LIMIT: 1}, needs=_here(site), ends=_ended(building.id, site),
                        more=in_points({**{account: -by for account, by in _of_building(record, {}).items()}, "treasury": max(0, -work.cost)}),
                        takes=[f"stands {site.name} {each.id} {each.lot}" for each in gone] or [f"stands {site.name} {building.id} {building.lot}"])  # fmt: skip


def _place_of(building: Building, rules: Rules) -> dict[str, str]:
    """The place of a building that stands, as an order names it; nothing for what lies under a district."""
    place = rules.buildings[building.id].place
    return {} if place == "district" else {place_word(place): building.lot}


def _here(site: Site) -> list[list[str]]:
    return [[f"held {site.settlement.hex}"]]


# --- in a report


class Affordable(TypedDict):
    """A building that may be built: its price in BP, its name, its word in orders."""

    price: int
    name: str
    order: str


class TownRow(TypedDict):
    """A settlement: what may be built in it but not in all, the cheapest first."""

    name: str
    buildings: list[Affordable]


def affordable_in(name: str, kingdom: Kingdom, world: World, rules: Rules) -> set[tuple[int, str, str]]:
    """(price, name, order) of the buildings that the treasury can pay and that find a place in the settlement as it stands.

    A price is that of an order which names no lot, what was torn down on the lot that it would get included.
    """
    settlement = kingdom.settlements[name]
    if not is_open(settlement.hex, kingdom, world, rules):
        return set()
    site = Site(kingdom, world.hexes, rules, name, settlement)
    plan, ruin, found, places = site.plan(), site.ruin, set(), dict[Hashable, bool]()
    standing = {building.id for building in plan.buildings}
    crossing = _crossing(rules, standing)
    for kind in kinds_in(plan):
        if plan.lacks(kind):
            continue
        lots = settlement.rubble and (place := find(plan, kind)[0]) and lots_under(place, rules) or ()
        price = price_of(settlement, kind, rules, lots, ruin=ruin)
        if kind in crossing and not any(_places(site, plan, kind, crossed=True)):
            continue
        if (price.bp <= kingdom.treasury or on_credit(site, Building(kind, ""))) and _finds(
            plan, kind, standing, places
        ):
            found.add((price.bp, rules.buildings[kind].name, kind))
    return found


def listed(affordable: Iterable[tuple[int, str, str]]) -> list[Affordable]:
    """Return those that affordable_in found, the cheapest first."""
    return [{"price": price, "name": name, "order": order} for price, name, order in sorted(affordable)]


def _finds(plan: Plan, kind: str, standing: set[str], known: dict[Hashable, bool]) -> bool:
    """Whether that kind finds a place. known: what was found out of kinds that stand in the same places beside the same neighbours."""
    beside = plan.rules.buildings[kind].beside
    alike = _alike(plan, kind, standing), beside and (beside.count, beside.any_of)
    if alike not in known:
        known[alike] = find(plan, kind)[0] is not None
    return known[alike]
