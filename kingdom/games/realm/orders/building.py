"""The orders `build`: what is built, upgraded, torn down, repaired and laid out in settlements. Edict step 4.

What an order comes to, or why it is refused: steps/towns/construction.py. Rulings: step_4, lots, building_price, free_buildings,
district, damaged_buildings, debt, affordable, caps_at_start.

Of each building the page gets every place that is legal now but for the neighbours that it needs, and the prices of the first,
the second... of its kind; an order of the page always names its lot, so that what the page counted with is what is built.

Long: what there is to build, as an offer, on the page and in a report, and the places and prices that the page counts with.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import groupby, islice
from typing import Any

from kingdom.engine.ledger import summed
from kingdom.engine.refusal import Refusal
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.kit.memo import Grounds, remember
from kingdom.games.realm.orders.kind import KEPT, PIERS, Each, Now, held, in_points, paid, whole
from kingdom.games.realm.orders.settle import WATER_BORDERS
from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.orders.works import BUILD, Build
from kingdom.games.realm.rules.building_tables import (
    AlwaysFree,
    BuildingKind,
    FirstIsFree,
    MoreSpecialEdicts,
)
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.rules.types import SECONDARY
from kingdom.games.realm.state import Building, HalfPrice, Kingdom, Settlement, World, replace, with_kingdoms
from kingdom.games.realm.steps.land.ground import barring, danger
from kingdom.games.realm.steps.shared import book
from kingdom.games.realm.steps.towns.buildings import RUIN, half_prices, price_of, wanted_gates
from kingdom.games.realm.steps.towns.construction import (
    CREDIT,
    LIMIT,
    NO_UNREST,
    Site,
    Work,
    carried_out,
    credit_left,
    is_beyond,
    not_water,
    on_credit,
    site_of,
    unrest_counted,
    work_of,
)
from kingdom.games.realm.steps.towns.grid import lot_name
from kingdom.games.realm.steps.towns.lots import NEIGHBOURLY, find, not_in_settlement, refusal_of
from kingdom.games.realm.steps.towns.plan import Plan, lots_under
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap
from kingdom.orders.kit.pages import slot
from kingdom.orders.schema import ListOf, OneOf
from kingdom.orders.short_forms import in_words

LIFTED = ("", *NEIGHBOURLY)  # objections, "" for none, in spite of which the page has a place
ORDINALS = 5  # how many of a kind the page offers in one settlement and turn
Prices = Sequence[tuple[int, int]]  # the price, that with a half price; of the first, the second... of a kind
Done = list[tuple[str, Building]]  # the settlement, and a building that an order of this turn completed there


class BuildingRow(TypedDict):
    """A building that may be built: the settlement, its price in BP, its name, its word in orders."""

    town: str
    price: int
    name: str
    order: str


class Construct(Each[Build]):
    """`build: house in Oakhold at A1, upgrade tenement to house in Oakhold, demolish inn in Oakhold`."""

    key, name, section = "build", "buildings", "towns"
    step = "bring_into_service"  # the one before its own: what is filed is carried out again behind it
    once = again = True
    often = 85
    shape = ListOf(
        "what to build in settlements", OneOf("a building, an upgrade or a demolition", BUILD), short="commas"
    )
    causes = {
        "build": "a building completed",
        "upgrade": "a building made another",
        "demolish": "a building torn down",
        "repair": "a damaged building repaired",
        "district": "a district laid out",
    }

    def say(self, order: Build) -> str:
        return in_words(self.shape.of, order)

    def ranked(self, order: Any) -> str:
        return next((word for word in ("upgrade", "demolish") if word in order), self.key)

    def objection(self, now: Now, order: Build) -> kit.Objection:
        """Return why it can't be carried out as the only order."""
        work = work_ordered(now, order)
        return work if isinstance(work, Refusal) else None

    def carry_out(self, now: Now, order: Build, turn: Turn) -> World:
        return with_kingdoms(now.state, {now.seat: self.behind(now, [("", order)], turn)[0]})

    def play(self, now: Now, turn: Turn) -> World:
        return with_kingdoms(now.state, {now.seat: self.behind(now, self.ordered(now, turn), turn)[0]})

    def behind(self, now: Now, filed: Sequence[tuple[str, Build]], turn: Turn) -> tuple[Kingdom, Done]:
        """Return (the kingdom behind these orders, what they completed). Each finds what those before it completed, and those
        behind it, for one of them may be the gate that a wall wants."""
        kingdom, done = now.state.kingdoms[now.seat], Done()
        for number, (path, order) in enumerate(filed, 1):
            moment = now._replace(state=with_kingdoms(now.state, {now.seat: kingdom}))
            work = work_ordered(moment, order, done, [later for _, later in filed[number:]])
            if isinstance(work, Refusal):
                turn.refuse_with(now.seat, path, work)
                continue
            kingdom = worked(moment, work, turn)
            done += [(work.name, work.built)] if work.built else []
        return kingdom, done

    def candidates(self, now: Now) -> Iterator[Candidate]:
        return self.of(now)

    def of(
        self, now: Now, towns: Iterable[str] | None = None, thinks_of: Callable[[str], bool] = lambda kind: True, parts: Iterable[Part] = (),
    ) -> Iterator[Candidate]:  # fmt: skip
        """Yield what may be ordered behind what is filed; without a place where any will do.

        towns: the settlements that are looked at, None for all; thinks_of: whether a kind of building is looked at; parts: of what
        may be ordered, () for all.
        """
        trial = kit.Trial[World, Rules](now.rules, number=now.state.turn + 1)
        kingdom, done = self.behind(now, self.filed(now.orders), trial)
        for town in sorted(kingdom.settlements) if towns is None else towns:
            site = site_of(kingdom, now.state.hexes, now.rules, town, done)
            if isinstance(site, Site):
                for meant in (
                    meant for part in parts or (_repaired, _new, _changed) for meant in part(site, thinks_of)
                ):
                    yield from islice(_carried(site, *meant), 1)

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield those too that others make possible, and an upgrade or a demolition for each building that stands."""
        kingdom, rules = now.state.kingdoms[now.seat], now.rules
        for name, settlement in sorted(kingdom.settlements.items()):
            site = Site(kingdom, now.state.hexes, rules, name, settlement)
            made = [*_demolitions(rich(site))]
            if is_open(settlement.hex, kingdom, now.state, rules):
                made = [*_placed(site), *_upgrades(rich(site)), *_repairs(rich(site)), *_districts(site), *made]
            yield from (each._replace(needs=[[held(settlement.hex)]], checked=True) for each in made)

    def rows(self, now: Now) -> Iterator[BuildingRow]:
        """Yield for a report the new buildings that may be ordered, but no district, and no repair."""
        kingdom, rules = now.state.kingdoms[now.seat], now.rules
        for town, settlement in sorted(kingdom.settlements.items()):
            site = Site(kingdom, now.state.hexes, rules, town, settlement)
            if not is_open(settlement.hex, kingdom, now.state, rules):
                continue
            crossing = _crossing(rules, {building.id for building in settlement.buildings})
            for kind, lot in first_places(site).items():
                if settlement.rubble or kind in crossing:  # the price, or whether it may stand, goes by the place
                    meant = _carried(site, _ways(site, kind, kind in crossing), "", {})
                    costs = [candidate.costs.get("treasury", 0) for candidate in islice(meant, 1)]
                else:
                    price = price_of(settlement, kind, rules, ruin=site.ruin).bp
                    costs = [] if is_beyond(site, price, Building(kind, lot)) else [price]
                for bp in costs:
                    yield {"town": town, "price": bp, "name": rules.buildings[kind].name, "order": kind}


CONSTRUCT = Construct()


def work_ordered(
    now: Now, order: Build, done: Sequence[tuple[str, Building]] = (), later: Sequence[Build] = ()
) -> Work | Refusal:
    """What an order comes to, or why it is refused. done: by orders of this turn before it; later: the orders behind it."""
    site = site_of(now.state.kingdoms[now.seat], now.state.hexes, now.rules, order["in"], done, later)
    return site if isinstance(site, Refusal) else work_of(site, order)


def worked(now: Now, work: Work, turn: Turn) -> Kingdom:
    """The kingdom after a work, booked."""
    kingdom = carried_out(now.state.kingdoms[now.seat], work, turn.number, now.rules)
    return book(turn, now.seat, kingdom, now.state.hexes, work.cause, work.detail + work.price_note)


# --- what there is to order -------------------------------------------------------------------------------------------


def is_open(label: str, kingdom: Kingdom, world: World, rules: Rules) -> bool:
    """Whether anything can be built in the settlement there: no danger in the hex, no event that bars it."""
    return not danger(label, kingdom, world.hexes) and not barring(label, kingdom, rules)


def kinds_in(plan: Plan) -> Iterator[str]:
    """The kinds of buildings that the settlement does not rule out, whatever lot they find."""
    return (kind for kind in plan.rules.buildings if not not_in_settlement(plan, kind))


def _order(site: Site, **said: str) -> Any:
    return {"in": site.name, **said}


def _at(kind: str, place: str, rules: Rules) -> dict[str, str]:
    """The place of a building of that kind, as an order names it; nothing for what lies under a district."""
    where = rules.buildings[kind].place
    return {} if where == "district" else {"border" if where in ("border", "wall") else "lot": place}


def _damaged(site: Site) -> Iterator[Building]:
    """The damaged buildings, each of which may be ordered once more at its lot, in the order in which they were damaged."""
    for lot in site.kingdom.damaged.get(site.name, ()):
        yield from islice((each for each in site.settlement.buildings if each.lot == lot), 1)


# (orders of which the first that can be carried out is meant, text, effect but for Unrest and BP) of what may come to mind in a town
Meant = tuple[Iterable[Build], str, Mapping[str, int]]
Part = Callable[[Site, Callable[[str], bool]], Iterator[Meant]]


def _repaired(site: Site, thinks_of: Callable[[str], bool]) -> Iterator[Meant]:
    for building in _damaged(site):
        record, order = site.rules.buildings[building.id], _order(site, build=building.id, lot=building.lot)
        yield [order], f"Repair the {record.name} in {site.name} at {building.lot}", points_of(record)


def _new(site: Site, thinks_of: Callable[[str], bool]) -> Iterator[Meant]:
    crossing = _crossing(site.rules, {building.id for building in site.settlement.buildings})
    for kind in filter(thinks_of, kinds_in(site.plan())):
        record = site.rules.buildings[kind]
        if kind in first_places(site):
            text = f"{record.name} in {site.name}{_again(site, kind)}"
            yield _ways(site, kind, kind in crossing), text, points_of(record)


def _changed(site: Site, thinks_of: Callable[[str], bool]) -> Iterator[Meant]:
    """What becomes of what stands, and a further district."""
    town, kinds = site.name, site.rules.buildings
    for kind in dict.fromkeys(building.id for building in site.settlement.buildings):
        record = kinds[kind]
        yield [_order(site, demolish=kind)], f"Demolish the {record.name} in {town}", _lost_with(record)
        for new in record.upgrades_to:
            there = [{}, *(_at(kind, each.lot, site.rules) for each in site.settlement.buildings if each.id == kind)]
            orders = (_order(site, upgrade=kind, to=new, **place) for place in there)
            yield orders, f"{record.name} in {town} becomes {kinds[new].name}", points_of(kinds[new], record)
    eats = {"consumption": site.rules.consumption.per_district}
    yield [_order(site, build="district")], f"A further district of {town}", eats


def _ways(site: Site, kind: str, crossed: bool) -> Iterator[Build]:
    """A new building without a place; then with those that may do though the first is refused: water crosses a wall there, as it may
    where it is `crossed`, or rubble makes another cheaper."""
    order = _order(site, build=kind)
    yield order
    rubble = {each.lot for each in site.settlement.rubble}
    refusal = work_of(site, order) if rubble or crossed else None
    code = refusal.code if isinstance(refusal, Refusal) else ""
    for place in site.plan().places(kind) if code in ("build_unaffordable", "wall_wants_gate") else ():
        may_do = code == "wall_wants_gate" or not rubble.isdisjoint(lots_under(place, site.rules))
        if may_do and not place.lot.isdigit():
            yield _order(site, build=kind, **_at(kind, place.lot, site.rules))


@remember(lambda site: ((site.settlement, site.rules), tuple(site.kingdom.blocked.get(site.name, ()))))
def first_places(site: Site) -> dict[str, str]:
    """Each kind that finds a place in the settlement -> the first: a lot, a border or a district. Kinds that are alike are looked
    at once."""
    plan, found, known = site.plan(), dict[str, str](), dict[Hashable, Building | None]()
    standing = {building.id for building in plan.buildings}
    for kind in kinds_in(plan):
        if not plan.lacks(kind):
            beside = site.rules.buildings[kind].beside
            alike = _alike(plan, kind, standing), beside and (beside.count, beside.any_of)
            if alike not in known:
                known[alike] = find(plan, kind)[0]
            if place := known[alike]:
                found[kind] = place.lot
    return found


def _again(site: Site, kind: str) -> str:
    """What is said beside a building whose Unrest counts once a settlement, where it has been counted."""
    record = site.rules.buildings[kind]
    return f" ({NO_UNREST})" if record.unrest and unrest_counted(site.settlement, kind, site.rules) else ""


def _carried(site: Site, orders: Iterable[Build], text: str, effect: Mapping[str, int]) -> Iterator[Candidate]:
    """Yield those of the orders that can be carried out."""
    for order in orders:
        named: Any = order
        if order.keys() == {"in", "build"} and (lot := first_places(site).get(named["build"])):
            named = {**order, **_at(named["build"], lot, site.rules)}  # as it is found without a name, once for all
        work = work_of(site, named)
        if isinstance(work, Work):
            yield _candidate(site, order, work, text, effect)


def _candidate(site: Site, order: Build, work: Work, text: str, effect: Mapping[str, int]) -> Candidate:
    text += ", on credit (ruling debt)" if work.cost > max(0, site.kingdom.treasury) else ""
    moved = {**effect, "unrest": max(work.unrest, -site.kingdom.unrest), "treasury": max(0, -work.cost)}
    return Candidate(
        " ".join(("build", *(f"{key} {value}" for key, value in order.items()))), order, text, costs=paid(max(0, work.cost)),
        limits={work.limit: 1} if work.limit else {}, effect={account: by for account, by in moved.items() if by}, checked=True,
    )  # fmt: skip


@remember(lambda record, old=None: ((record, old), ()))
def points_of(record: BuildingKind, old: BuildingKind | None = None) -> dict[str, int]:
    """The points that a building of that kind gives beyond the Unrest; old: what goes for it."""
    rows: list[tuple[str, int]] = [(account, getattr(record.kingdom, account)) for account in ATTRIBUTES]
    rows += [(account, getattr(record.settlement, word)) for word, account in SECONDARY.items()]
    points = summed((*(_lost_with(old).items() if old else ()), *rows))
    return {account: by for account, by in points.items() if by}


def _lost_with(record: BuildingKind) -> dict[str, int]:
    """What is lost with a building of that kind."""
    return {account: -by for account, by in points_of(record).items()}


def does(record: BuildingKind, old: BuildingKind | None = None) -> str:
    """What a building of that kind gives its kingdom, in words; with the Unrest that it brings or takes when it is built."""
    return in_points({**points_of(record, old), "unrest": record.unrest})


# --- on the page ------------------------------------------------------------------------------------------------------


def rich(site: Site) -> Site:
    """The site of a kingdom that nothing is too dear for."""
    return replace(site, kingdom=replace(site.kingdom, treasury=10**6, used={}))


def _placed(site: Site) -> Iterator[Candidate]:
    for kind, places in places_in(site, site.plan()).items():
        record = site.rules.buildings[kind]
        costs = prices(site, kind, (Building(kind, lot, shape == "2t") for lot, shape in places.items() if shape))
        too_dear = costs[""][0][1] > max(0, site.kingdom.treasury) and not on_credit(site, Building(kind, ""))
        if not too_dear and (places or record.place == "wall"):
            word = next(iter(_at(kind, "", site.rules)), "lot")
            order, text = _order(site, build=kind, **{word: slot("place")}), f"{record.name}{_again(site, kind)}"
            yield _counted(site, f"build {site.name} {kind}", order, text, kind, word, places, costs)


def _counted(
    site: Site, id: str, order: Build, text: str, kind: str, word: str, places: Mapping[str, str], bp: Mapping[str, Prices], **more: Any
) -> Candidate:  # fmt: skip
    """A building that becomes another, or a new one: `work` is what the page counts with."""
    record, ruling = site.rules.buildings[kind], site.rules.debt
    # the limits that it counts against, the first with room; none for what is always free (ruling free_buildings)
    caps = [] if record.has(AlwaysFree) else [f"first_{kind}", LIMIT] if record.has(FirstIsFree) else [LIMIT]
    runs = [[shape, " ".join(lots)] for shape, lots in groupby(places, key=places.__getitem__)]
    work: dict[str, Any] = {"town": site.name, "kind": kind, "places": runs, "prices": bp, "caps": caps, "word": word}
    if ruling and credit_left(site.kingdom, site.rules) and on_credit(site, Building(kind, "")):
        least = {CREDIT: 1, "unrest": ruling.unrest}
        work["credit"] = {"above": -ruling.credit, "least": least, "first": kind not in ruling.on_credit}
    return Candidate(id, order, text, deed={"work": work | more.pop("work", {})}, **more)


def _districts(site: Site) -> Iterator[Candidate]:
    order = _order(site, build="district")
    work = work_of(rich(site), order)
    if isinstance(work, Work) and work.cost <= max(0, site.kingdom.treasury):
        wet = not not_water(site.settlement.hex, BORDERS, site.kingdom, site.hexes, site.rules)
        yield Candidate(f"district {site.name}", order | ({"water": Gap("water")} if wet else {}), "A further district", {"water": WATER_BORDERS} if wet else {},
                        costs={"treasury": work.cost}, limits={LIMIT: 1}, uses={f"district {site.name}": 1})  # fmt: skip


def _repairs(site: Site) -> Iterator[Candidate]:
    for building in _damaged(site):
        order = _order(site, build=building.id, lot=building.lot)
        work = work_of(site, order)
        if isinstance(work, Work) and work.repaired:
            yield Candidate(f"repair {site.name} {building.lot}", order, f"Repair the {site.name_of(building.id)} at {building.lot}",
                            more=does(site.rules.buildings[building.id]), costs={"treasury": work.cost}, limits={LIMIT: 1},
                            uses=_stands(site, [building]))  # fmt: skip


def _upgrades(site: Site) -> Iterator[Candidate]:
    """Each building that may become another now. Alone in its settlement, unless both kinds are nobody's neighbour by need."""
    rules = site.rules
    wanted = {name for record in rules.buildings.values() if record.beside for name in record.beside.any_of}
    traits = Plan((), (), rules).traits
    for building in site.settlement.buildings:
        old, lots = rules.buildings[building.id], lots_under(building, rules)
        for new in () if old.has(MoreSpecialEdicts) else old.upgrades_to:
            order = _order(site, upgrade=building.id, to=new, **_at(building.id, building.lot, rules))
            work, record = work_of(site, order), rules.buildings[new]
            if not (isinstance(work, Work) and work.built):
                continue
            freely = (
                not (old.beside or record.beside or old.halves)
                and traits[new].names >= traits[building.id].names | {new}
                and set(lots_under(work.built, rules)) == set(lots)
                and building.id not in wanted
            )
            over = {"over": list(lots), "old": building.id, **({} if freely else {"alone": True})}
            yield _counted(
                site, f"upgrade {site.name} {building.lot} {new}", order, f"{old.name} at {building.lot} becomes {record.name}", new, "",
                {work.built.lot: shape_of(record, work.built)}, prices(site, new, [work.built], building.id), work=over,
                more=does(record, old) or "no change", uses=_stands(site, [building]), ends=_ended(building.id, site),
            )  # fmt: skip


def _demolitions(site: Site) -> Iterator[Candidate]:
    for building in site.settlement.buildings:
        record = site.rules.buildings[building.id]
        order = _order(site, demolish=building.id, **_at(building.id, building.lot, site.rules))
        work = None if record.has(MoreSpecialEdicts) else work_of(site, order)
        if isinstance(work, Work):
            gone = [each for each in site.settlement.buildings if each not in work.settlement.buildings]
            yield Candidate(f"demolish {site.name} {building.id} {building.lot}", order, f"Demolish the {record.name} at {building.lot}",
                            more=in_points({**_lost_with(record), "treasury": max(0, -work.cost)}), costs=paid(max(0, work.cost)),
                            limits={LIMIT: 1}, uses=_stands(site, gone or [building]), ends=_ended(building.id, site))  # fmt: skip


def _stands(site: Site, buildings: Iterable[Building]) -> dict[str, int]:
    """What can be done once: something with each of these buildings."""
    return {f"stands {site.name} {each.id} {each.lot}": 1 for each in buildings}


def _ended(kind: str, site: Site) -> list[str]:
    """The facts that end with a building of that kind: what it is to armies at home, to ships, and to those who keep watch."""
    rules = site.rules
    arms = {each for row in rules.army_resources.values() for each in row.needs}
    arms |= set(rules.reserves.holds if rules.reserves else ())
    ships = [PIERS] if kind in rules.water_hexes.buildings else []
    return [KEPT, *([whole(site.settlement.hex)] if kind in arms else []), *ships]


# --- places -----------------------------------------------------------------------------------------------------------


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
    for place in plan.places(kind):
        if place.lot in named or refusal_of(plan, place) not in LIFTED:
            continue
        if crossed and not isinstance(work_of(rich(site), _order(site, build=kind, lot=place.lot)), Work):
            continue
        named.add(place.lot)
        # what lies under a district is ordered by the first lot of that
        lot = lot_name((int(place.lot) - 1) * plan.grid.size, plan.grid) if place.lot.isdigit() else place.lot
        yield lot, shape_of(record, place)


def _crossing(rules: Rules, standing: Set[str]) -> set[str]:
    """The kinds where water and a wall may meet that are built beside what stands: there must be a gate then."""
    walls = {kind: gate.wall for kind, gate in wanted_gates(rules).items()}
    walled = {wall for kind, wall in walls.items() if kind in standing}
    return walled | {kind for kind, wall in walls.items() if wall in standing}


# --- prices -----------------------------------------------------------------------------------------------------------


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
