"""The result of an order of `build`: a Work that can be carried out, or a Refusal. Edict step 4.

Rulings: free_buildings, building_price, upgrade_unrest, lots, district, affordable, caps_at_start.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from kingdom.engine import names
from kingdom.engine.refusal import Refusal
from kingdom.games.kit.memo import remember
from kingdom.games.realm.rules.building_tables import (
    AlwaysFree,
    FirstIsFree,
    FreeWith,
    UnrestOncePerSettlement,
)
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Bought, Building, District, Hex, Kingdom, Settlement, replace, with_settlement
from kingdom.games.realm.steps.land.ground import WHILE_IN_DANGER, barring, danger, preparation_cost, touches_water
from kingdom.games.realm.steps.shared import affordable, with_unrest
from kingdom.games.realm.steps.towns.buildings import (
    Price,
    in_order,
    place_of,
    price_of,
    standing_at,
    still_damaged,
    torn_down,
    without,
    without_gate,
)
from kingdom.games.realm.steps.towns.grid import lot_name
from kingdom.games.realm.steps.towns.lots import find, first_of, not_in_settlement
from kingdom.games.realm.steps.towns.plan import Plan, covered_by, lots_under, ways

if TYPE_CHECKING:
    from kingdom.games.realm.orders.works import Build, BuildBuild, BuildDemolish, BuildUpgrade

LIMIT = "buildings"  # the key of Kingdom.used for the limit of buildings
SETTLEMENTS = "settlements"  # the key for new settlements; armies count against it too
# more keys: a building was bought on credit; the work belongs to a plan, which makes no debts
CREDIT, PLANNED = ("credit", "planned")

REFUSALS = {
    "settlement_unknown": "{name} is no settlement of this kingdom (Edict step 4). Its settlements: {known}.",
    "build_danger": f"Nothing is built in {{hex}} {WHILE_IN_DANGER}. Clear the hex first.",
    "build_limit": "This turn's limit of buildings is used up; it is {limit} at size {size} (ruling caps_at_start). "
    "Order it next turn; the first House of a turn and every Tenement are outside the limit (ruling free_buildings).",
    "build_unaffordable": "{what} costs {cost} BP and the treasury holds {treasury} (ruling affordable). "
    "Order it when there is enough, or leave out an order before it.",
    "building_not_there": "No {what} stands {where} (Edict step 4). There stand: {known}.",
    "upgrade_unknown": "{what} can't be made {new} (table buildings). It can be made: {known}.",
    "wall_wants_gate": "{what} wants a {gate} in the same turn, for at the border {border} the {water} meets the {wall} "
    "(table buildings). Order `{{in: {name}, build: {gate_id}, border: {border}}}` next behind it.",
    "water_not_here": "No border can be water here: {hex} has no river, lake, coast or canal and touches no water "
    "(Edict step 4). Leave `water` out.",
}


class Work(Struct, frozen=True):
    """Work to do in the settlement `name`, and its result.

    settlement: as it will be. limit: the key of Kingdom.used that it counts against, "" for none. unrest: one-off. price_note:
    how the cost was worked out, if it is not the list price. repaired: the lot of a building that was damaged.
    """

    name: str
    settlement: Settlement
    cost: int
    limit: str
    unrest: int
    cause: str
    detail: str
    built: Building | None = None
    price_note: str = ""
    repaired: str = ""


class Site(Struct, frozen=True):
    """The place of a work. done: (settlement, building) of each building that earlier orders completed this turn.

    later: the orders of `build` that come after it.
    """

    kingdom: Kingdom
    hexes: dict[str, Hex]
    rules: Rules
    name: str
    settlement: Settlement
    done: Sequence[tuple[str, Building]] = ()
    later: Sequence[Build] = ()

    @remember(lambda site: ((site.settlement, site.rules), tuple(site.kingdom.blocked.get(site.name, ()))), size=100)
    def plan(self) -> Plan:
        """The ground plan of the settlement. It is cached and shared, so callers must not change it."""
        blocked = self.kingdom.blocked.get(self.name, ())
        return Plan(self.settlement.districts, self.settlement.buildings, self.rules, blocked)

    def name_of(self, kind: str) -> str:
        """A building's name for a person."""
        return self.rules.buildings[kind].name

    @property
    def ruin(self) -> str:
        """The kind of building that lies in ruins in the hex, "" for none or while the ruin is hidden."""
        label = self.settlement.hex
        return self.hexes[label].ruin if label in self.kingdom.revealed else ""


def site_of(
    kingdom: Kingdom,
    hexes: dict[str, Hex],
    rules: Rules,
    name: str,
    done: Sequence[tuple[str, Building]] = (),
    later: Sequence[Build] = (),
) -> Site | Refusal:
    """The site of a work in the settlement of that name."""
    found = settlement_named(kingdom, name)
    if not found:
        return Refusal("settlement_unknown", {"name": name, "known": ", ".join(kingdom.settlements) or "none"})
    return Site(kingdom, hexes, rules, found, kingdom.settlements[found], done, later)


def settlement_named(kingdom: Kingdom, name: str) -> str:
    """The kingdom's settlement of that name in its own spelling, "" for none."""
    return names.find(name, kingdom.settlements)


def work_of(site: Site, order: Build) -> Work | Refusal:
    """The work of one order of `build`, or why it is refused, with limit and price checked."""
    work: Work | Refusal
    if "demolish" in order:  # mypy tells these types apart only by a missing key
        work = _demolition(site, cast("BuildDemolish", order))
    elif threat := danger(site.settlement.hex, site.kingdom, site.hexes):
        return Refusal("build_danger", {"hex": site.settlement.hex, "danger": threat})
    elif barred := barring(site.settlement.hex, site.kingdom, site.rules):
        return barred
    elif "upgrade" in order:
        work = _upgrade(site, cast("BuildUpgrade", order))
    elif order["build"] == "district":
        work = _district(site, order)
    else:
        work = _building(site, order)
    return work if isinstance(work, Refusal) else _no_gate(site, work) or _out_of_reach(site, work) or work


def on_credit(site: Site, place: Building | None) -> bool:
    """Whether the kingdom may buy the building on credit, with too little in the treasury: one a turn. Ruling: debt."""
    ruling = site.rules.debt
    if place is None or ruling is None or not credit_left(site.kingdom, site.rules):
        return False
    stands = any(each.id == place.id for each in site.settlement.buildings)
    return place.id in ruling.on_credit or place.id in ruling.first_on_credit and not stands


def credit_left(kingdom: Kingdom, rules: Rules) -> bool:
    """Whether the kingdom may still buy a building on credit this turn. Ruling: debt."""
    ruling = rules.debt
    if ruling is None or PLANNED in kingdom.used or kingdom.used.get(CREDIT):
        return False
    return kingdom.treasury > -ruling.credit and kingdom.unrest >= ruling.unrest


def brought_by(site: Site, building: Building) -> int | None:
    """The BP that a kingdom in debt gets for tearing down a building, which then costs nothing; None if the ruling does not
    apply. Ruling: debt."""
    ruling, kingdom = site.rules.debt, site.kingdom
    if ruling is None or kingdom.treasury >= 0 or PLANNED in kingdom.used or building in site.settlement.waiting:
        return None
    bought = site.settlement.bought.get(place_of(building))
    if bought is None or building.lot in site.kingdom.damaged.get(site.name, ()):
        return 0
    if bought.turns < ruling.served:
        return None
    return min(bought.bp // ruling.divisor, -kingdom.treasury)


def with_bought(kingdom: Kingdom, work: Work, rules: Rules) -> Kingdom:
    """The kingdom after a work, with its record of what each standing building cost. Ruling: debt."""
    if rules.debt is None:
        return kingdom
    settlement = kingdom.settlements[work.name]
    stands = {place_of(each) for each in settlement.buildings}
    bought = {place: each for place, each in settlement.bought.items() if place in stands}
    if work.built:
        bought[place_of(work.built)] = Bought(work.cost)
    return with_settlement(kingdom, work.name, bought=bought)


def aged(settlement: Settlement, rules: Rules) -> Settlement:
    """The settlement a turn later: bought buildings have served one turn more, and torn-down ones are remembered one turn less.
    Ruling: debt."""
    served = rules.debt.served if rules.debt else 0
    if any(each.turns < served for each in settlement.bought.values()):
        bought = {place: replace(each, turns=min(served, each.turns + 1)) for place, each in settlement.bought.items()}
        settlement = replace(settlement, bought=bought)
    if settlement.razed:
        left = {kind: tuple(each - 1 for each in turns if each > 1) for kind, turns in settlement.razed.items()}
        settlement = replace(settlement, razed={kind: turns for kind, turns in left.items() if turns})
    return settlement


def _no_gate(site: Site, work: Work) -> Refusal | None:
    """Why a work must not be done: it makes a wall cross water, and the next orders build no gate there."""
    crossings = (
        without_gate(work.settlement, site.rules) - without_gate(site.settlement, site.rules) if work.built else set()
    )
    missing = {crossing: Building(crossing.gate, crossing.border) for crossing in sorted(crossings)}
    after = _after(site, work)
    for order in site.later[: len(crossings)]:
        gate = work_of(after, order) if names.compared(order["in"]) == names.compared(site.name) else None
        if isinstance(gate, Work):
            missing = {crossing: wanted for crossing, wanted in missing.items() if wanted != gate.built}
            after = _after(after, gate)
    if not missing:
        return None
    crossing = next(iter(missing))
    facts = {
        "water": site.name_of(crossing.water),
        "wall": site.name_of(crossing.wall),
        "gate": site.name_of(crossing.gate),
    }
    facts |= {"what": work.detail, "border": crossing.border, "name": site.name, "gate_id": crossing.gate}
    return Refusal("wall_wants_gate", facts)


def _after(site: Site, work: Work) -> Site:
    """The site after the work, where the next order begins."""
    done = (*site.done, *([(work.name, work.built)] if work.built else ()))
    return replace(site, kingdom=paid(site.kingdom, work), settlement=work.settlement, done=done, later=site.later[1:])


def paid(kingdom: Kingdom, work: Work) -> Kingdom:
    """The kingdom after paying for a work and counting it against its limit; without the work's Unrest. Not booked."""
    used = {**kingdom.used, work.limit: kingdom.used.get(work.limit, 0) + 1} if work.limit else kingdom.used
    if work.cost > max(0, kingdom.treasury):
        used = {**used, CREDIT: 1}
    settlements = {**kingdom.settlements, work.name: work.settlement}
    hurt = work.name in kingdom.damaged
    damaged = still_damaged(kingdom, work.name, work.settlement, work.repaired) if hurt else kingdom.damaged
    return replace(kingdom, treasury=kingdom.treasury - work.cost, settlements=settlements, used=used, damaged=damaged)


def carried_out(kingdom: Kingdom, work: Work, turn_number: int, rules: Rules) -> Kingdom:
    """The kingdom after paying for a work and counting it against its limit, with its one-off Unrest. Not booked."""
    return with_unrest(with_bought(paid(kingdom, work), work, rules), work.unrest, turn_number, rules)


def _out_of_reach(site: Site, work: Work) -> Refusal | None:
    """Why valid work is not done: the limit or the treasury."""
    kingdom, limit = site.kingdom, limits(site.kingdom, site.rules).buildings
    if work.limit == LIMIT and kingdom.used.get(LIMIT, 0) >= limit:
        return Refusal("build_limit", {"limit": limit, "size": kingdom.edict_size})
    if work.cost > 0 and not affordable(kingdom, work.cost) and not on_credit(site, work.built):
        return Refusal("build_unaffordable", {"what": work.detail, "cost": work.cost, "treasury": kingdom.treasury})
    return None


def is_beyond(site: Site, cost: int, place: Building) -> bool:
    """Whether the limit or the treasury forbids a building for that many BP."""
    return bool(_out_of_reach(site, Work(site.name, site.settlement, cost, _limit(site, place), 0, "build", "", place)))


def _repair(site: Site, kind: str, named: str) -> Work | None:
    """The repair of a damaged building of that kind on the named lot; None if none is damaged there.

    Ruling: damaged_buildings."""
    damaged, ruling = site.kingdom.damaged.get(site.name, ()), site.rules.damaged_buildings
    there = standing_at(site.settlement, named, site.rules) if damaged and named and ruling else []
    building = next((each for each in there if each.id == kind and each.lot in damaged), None)
    if building is None or ruling is None:
        return None
    cost = -(-site.rules.buildings[kind].cost // ruling.repair)
    detail = f"{site.name_of(kind)} in {site.name} at {building.lot} repaired (ruling damaged_buildings)"
    settlement = _raised(site, site.settlement, building)
    return Work(site.name, settlement, cost, LIMIT, 0, "repair", detail, repaired=building.lot)


def _building(site: Site, order: BuildBuild) -> Work | Refusal:
    if repair := _repair(site, order["build"], order.get("lot") or ""):
        return repair
    place, refusal = find(site.plan(), order["build"], order.get("border") or order.get("lot") or "")
    if refusal:
        return refusal
    assert place is not None  # there is a place or a refusal
    price = price_of(site.settlement, place.id, site.rules, lots_under(place, site.rules), ruin=site.ruin)
    return _completed(site, site.settlement, place, price)


def _upgrade(site: Site, order: BuildUpgrade) -> Work | Refusal:
    old, new, rules = order["upgrade"], order["to"], site.rules
    if new not in rules.buildings[old].upgrades_to:
        known = ", ".join(map(site.name_of, rules.buildings[old].upgrades_to)) or "nothing"
        return Refusal("upgrade_unknown", {"what": site.name_of(old), "new": site.name_of(new), "known": known})
    standing = _standing(site, old, order.get("lot") or order.get("border") or "")
    if isinstance(standing, Refusal):
        return standing
    for building in standing:
        place, refusal = _room_for_upgrade(site, building, new)
        if place:
            lots = lots_under(place, rules)
            price = price_of(site.settlement, new, rules, lots, old, site.ruin)
            return _completed(site, without(site.settlement, building, rules), place, price, old)
    assert refusal is not None  # at least one building stands, so the last refusal is set
    return refusal


def _room_for_upgrade(site: Site, building: Building, new: str) -> tuple[Building | None, Refusal | None]:
    """The place of the new building, over the old one's lots; no other building may lose a neighbour that it needs."""
    left = without(site.settlement, building, site.rules)
    rest = Plan(left.districts, left.buildings, site.rules)
    if refusal := not_in_settlement(rest, new):
        return None, refusal
    return first_of(rest, new, _over(rest, building, new), f"at {building.lot}", site.plan().unserved())


def _over(plan: Plan, building: Building, new: str) -> list[Building]:
    """The places of a kind that cover all lots of the old building, in the order of the ruling lots."""
    kind, old = plan.rules.buildings[new], covered_by(building, plan.rules)
    if old is None:
        return [Building(new, building.lot)]
    corners = sorted({old.lots[0] - across - down * plan.grid.columns for across in (0, 1) for down in (0, 1)})
    places = [Building(new, lot_name(lot, plan.grid), tall) for lot in corners if lot >= 0 for tall in ways(kind)]
    covered = ((place, covered_by(place, plan.rules)) for place in places)
    return [place for place, lots in covered if lots and set(old.lots) <= set(lots.lots)]


def _completed(site: Site, settlement: Settlement, place: Building, price: Price, old: str = "") -> Work:
    """The work that completes a building. settlement: the settlement without it; old: the kind it is upgraded from, "" for
    none."""
    kind, lots = site.rules.buildings[place.id], lots_under(place, site.rules)
    once, counted = kind.has(UnrestOncePerSettlement), unrest_counted(settlement, place.id, site.rules)
    settlement = replace(
        settlement,
        buildings=(*settlement.buildings, place),
        rubble=tuple(each for each in settlement.rubble if each.lot not in lots),
        half_prices_used=settlement.half_prices_used + ((price.half,) if price.half else ()),
        once=settlement.once + ((place.id,) if once and place.id not in settlement.once else ()),
    )
    settlement = _raised(site, settlement, place, old)
    where = f"under district {place.lot}" if kind.place == "district" else f"at {place.lot}"
    detail = f"{site.name_of(old)} made {kind.name}" if old else kind.name
    detail += f" in {site.name} {where}"
    price_note = f": {price.bp} BP = {price.why} (ruling building_price)" if price.why != str(price.bp) else ""
    price_note += f"; {NO_UNREST}" if counted and kind.unrest else ""
    cause, unrest = "upgrade" if old else "build", 0 if counted else kind.unrest
    if unrest < 0 and settlement.razed.get(place.id):
        left = {**settlement.razed, place.id: settlement.razed[place.id][1:]}
        settlement, unrest = replace(settlement, razed={each: turns for each, turns in left.items() if turns}), 0
        price_note += "; no Unrest, as one was torn down there not long ago (ruling debt)"
    if on_credit(site, place) and price.bp > max(0, site.kingdom.treasury):
        price_note += "; on credit (ruling debt)"
    return Work(site.name, settlement, price.bp, _limit(site, place), unrest, cause, detail, place, price_note)


NO_UNREST = "no Unrest, which the first one there settled"


def unrest_counted(settlement: Settlement, kind: str, rules: Rules) -> bool:
    """Whether this settlement has already counted the one-off Unrest of a kind that counts only once a settlement."""
    built = kind in settlement.once or any(each.id == kind for each in settlement.buildings)
    return built and rules.buildings[kind].has(UnrestOncePerSettlement)


def _raised(site: Site, settlement: Settlement, place: Building, old: str = "") -> Settlement:
    """The settlement; a fortification built during a siege is noted in `raised`, as it defends only when the siege is over.
    Ruling: siege."""
    kinds, siege = site.rules.buildings, site.rules.siege
    more = kinds[place.id].defense - (kinds[old].defense if old else 0)
    if more <= 0 or not settlement.besieged or siege is None or not siege.later:
        return settlement
    return replace(settlement, raised=(*settlement.raised, place_of(place)))


def _limit(site: Site, place: Building) -> str:
    """The key of Kingdom.used that a completed building counts against, "" for none. Ruling: free_buildings."""
    for effect in site.rules.buildings[place.id].effects:
        if isinstance(effect, AlwaysFree):
            return ""
        if isinstance(effect, FirstIsFree) and not site.kingdom.used.get(f"first_{place.id}", 0):
            return f"first_{place.id}"
        if isinstance(effect, FreeWith) and (site.name, Building(effect.building, place.lot)) in site.done:
            return ""
    return LIMIT


def _demolition(site: Site, order: BuildDemolish) -> Work | Refusal:
    standing = _standing(site, order["demolish"], order.get("lot") or order.get("border") or "")
    if isinstance(standing, Refusal):
        return standing
    building = standing[0]
    settlement = torn_down(site.settlement, building, site.rules)
    detail = f"{site.name_of(building.id)} in {site.name} at {building.lot}"
    with_it = [each for each in site.settlement.buildings if each is not building and each not in settlement.buildings]
    if with_it:
        detail += f", and with it: {', '.join(site.name_of(each.id) for each in with_it)}"
    cost = site.rules.free_buildings.demolition_cost
    brings = brought_by(site, building)
    if brings is not None:
        cost = -brings
        detail += f"; it brings {brings} BP (ruling debt)"
    if site.rules.debt and site.rules.debt.again:
        gone = [each for each in site.settlement.buildings if each not in settlement.buildings]
        razed = dict(settlement.razed)
        for each in gone:
            razed[each.id] = (*razed.get(each.id, ()), site.rules.debt.again)
        settlement = replace(settlement, razed=razed)
    return Work(site.name, settlement, cost, LIMIT, 0, "demolish", detail)


def _standing(site: Site, kind: str, named: str) -> list[Building] | Refusal:
    """The buildings of a kind that an order may mean, in order of place; if the order names a place, only those there."""
    there = standing_at(site.settlement, named, site.rules) if named else list(site.settlement.buildings)
    if meant := [building for building in there if building.id == kind]:
        return in_order(meant, site.rules)
    where = f"at {named} in {site.name}" if named else f"in {site.name}"
    known = ", ".join(f"{site.name_of(each.id)} at {each.lot}" for each in there) or "nothing"
    return Refusal("building_not_there", {"what": site.name_of(kind), "where": where, "known": known})


def _district(site: Site, order: BuildBuild) -> Work | Refusal:
    label, water = site.settlement.hex, tuple(order.get("water") or ())
    if refusal := not_water(label, water, site.kingdom, site.hexes, site.rules):
        return refusal
    settlement = replace(site.settlement, districts=(*site.settlement.districts, District(water)))
    cost = preparation_cost(label, site.hexes, site.rules) or 0
    detail = f"district {len(settlement.districts)} of {site.name} for the Preparation Cost (ruling district)"
    return Work(site.name, settlement, cost, LIMIT, 0, "district", detail)


def not_water(
    label: str, water: Sequence[str], kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules
) -> Refusal | None:
    """Why a district there can't have water borders, None if it can."""
    if not water or touches_water(label, kingdom, hexes, rules):
        return None
    return Refusal("water_not_here", {"hex": label})
