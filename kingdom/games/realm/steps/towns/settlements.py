"""Edict phase, step 4: found settlements, then build in them. Rulings: step_4, government, caps_at_start, joined_buildings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Building, District, Hex, Kingdom, Settlement, World, replace
from kingdom.games.realm.steps.land.ground import barring, danger, preparation_cost
from kingdom.games.realm.steps.shared import book, each, listed, orders_of, with_unrest
from kingdom.games.realm.steps.towns.buildings import place_of
from kingdom.games.realm.steps.towns.construction import (
    LIMIT,
    Work,
    not_water,
    paid,
    settlement_named,
    site_of,
    with_bought,
    work_of,
)
from kingdom.games.realm.steps.towns.lots import anywhere, find
from kingdom.games.realm.steps.towns.plan import Plan
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.orders.works import Settle

PREPARED = "prepared"
SETTLEMENTS = "settlements"  # the key of Kingdom.used, which armies share

CAUSES = {
    "settle": "a settlement founded",
    "found_building": "a building that stands in a settlement from its founding",
    "in_service": "a building that serves, some time after its settlement joined",
    "build": "a building completed",
    "upgrade": "a building made another",
    "demolish": "a building torn down",
    "repair": "a damaged building repaired",
    "district": "a district laid out",
}
REFUSALS = {
    "settle_not_held": "{hex} is no hex of this kingdom (Edict step 4). Claim it first, and prepare it.",
    "settle_water": "No settlement is founded on {terrain} (Edict step 4). Choose a hex of land.",
    "settle_occupied": "{hex} holds {name} already; a hex holds one settlement (ruling improvements_sharing). "
    "Choose another hex.",
    "settle_danger": "Nothing is founded in {hex} while {danger} is there (ruling claim). Clear the hex first.",
    "settle_unprepared": "{hex} is not prepared for a settlement (ruling prepare). Order `improve: prepare {hex}`; "
    "it may be founded in the same turn.",
    "settle_name_taken": "{name} is a settlement of this kingdom already (Edict step 4). Choose another name.",
    "settle_limit": "This turn's limit of settlements and armies is used up; it is {limit} at size {size} "
    "(ruling caps_at_start). Found it next turn.",
}


def found_settlements(world: World, turn: Turn) -> World:
    """Edict step 4, first half: each settlement on prepared ground, with one district and no building."""
    return each(world, turn, _found_all)


def bring_into_service(world: World, turn: Turn) -> World:
    """Edict step 4: of the buildings that wait since their settlements joined, so many as the limit of buildings. Ruling: joined_buildings."""
    return each(world, turn, _first_into_service)


def build(world: World, turn: Turn) -> World:
    """Edict step 4, second half: buildings, upgrades, demolitions and districts, in the order listed; with what they leave of the limit,
    buildings of a settlement that surrendered come into service. Ruling: joined_buildings."""
    return each(world, turn, _build_then_serve)


def _first_into_service(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    ruling, most = turn.rules.joined_buildings, limits(kingdom, turn.rules).buildings
    last = ruling is not None and ruling.surrendered_last
    towns = [name for name, settlement in kingdom.settlements.items() if not (last and settlement.yielded)]
    return _into_service(seat, kingdom, towns, most, world, turn)


def _build_then_serve(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    kingdom, ruling = _build_all(seat, kingdom, world, turn), turn.rules.joined_buildings
    towns = [name for name, settlement in kingdom.settlements.items() if settlement.yielded and settlement.waiting]
    if not towns or ruling is None or not ruling.surrendered_last:
        return kingdom
    used = kingdom.used.get(LIMIT, 0)
    most = max(0, limits(kingdom, turn.rules).buildings - used)
    waiting = sum(len(kingdom.settlements[name].waiting) for name in towns)
    kingdom = _into_service(seat, kingdom, towns, most, world, turn)
    served = waiting - sum(len(kingdom.settlements[name].waiting) for name in towns)
    return replace(kingdom, used={**kingdom.used, LIMIT: used + served}) if served else kingdom


def _into_service(seat: str, kingdom: Kingdom, towns: list[str], left: int, world: World, turn: Turn) -> Kingdom:
    """At most so many buildings: the settlement that joined first comes first, in it the building that was built first."""
    ruling = turn.rules.joined_buildings
    for name in towns:
        settlement = kingdom.settlements[name]
        at_once = ruling is None or ruling.serve == "at_once"
        ready = settlement.waiting if at_once else settlement.waiting[:left]
        if ready:
            left -= len(ready)
            waiting = settlement.waiting[len(ready) :]
            settlement = replace(settlement, waiting=waiting, yielded=settlement.yielded and bool(waiting))
            if (
                settlement.besieged and turn.rules.siege and turn.rules.siege.fixed
            ):  # walls that come into service lengthen no siege
                walls = (place_of(building) for building in ready if turn.rules.buildings[building.id].defense)
                settlement = replace(settlement, raised=(*settlement.raised, *walls))
            settlements = {**kingdom.settlements, name: settlement}
            kingdom = replace(kingdom, settlements=settlements)
            names = ", ".join(turn.rules.buildings[building.id].name for building in ready)
            detail = f"{names} in {name} in service"
            book(turn, seat, kingdom, world.hexes, "in_service", f"{detail} (ruling joined_buildings)")
            more = f"; {len(waiting)} more wait" if len(waiting) > 1 else "; 1 more waits" if waiting else ""
            turn.tell(seat, "news", hex=settlement.hex, text=f"{detail}{more} (ruling joined_buildings).")
    return kingdom


def _found_all(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    for path, order in listed(orders_of(turn, seat, kingdom).get("settle"), "settle"):
        refusal = not_founded(kingdom, world.hexes, order, turn.rules)
        if refusal:
            turn.refuse(seat, path, refusal.code, **refusal.facts)
        else:
            kingdom = found(seat, kingdom, world.hexes, turn, order)
    return kingdom


def not_founded(kingdom: Kingdom, hexes: dict[str, Hex], order: Settle, rules: Rules) -> Refusal | None:
    """Why that settlement may not be founded, None where it may. A straight list: the refusals in the order in which they count."""
    label, name = order["hex"], order["name"]
    if label not in kingdom.hexes:
        return Refusal("settle_not_held", {"hex": label})
    hex = hexes[label]
    if rules.terrain[hex.terrain].water:
        return Refusal("settle_water", {"terrain": rules.terrain[hex.terrain].name})
    there = next((known for known, other in kingdom.settlements.items() if other.hex == label), "")
    occupant = there or (hex.free_city.name if hex.free_city else "")
    if occupant:
        return Refusal("settle_occupied", {"hex": label, "name": occupant})
    if danger(label, kingdom, hexes):
        return Refusal("settle_danger", {"hex": label, "danger": danger(label, kingdom, hexes)})
    barred = barring(label, kingdom, rules)
    if barred:
        return barred
    if PREPARED not in kingdom.hexes[label]:
        return Refusal("settle_unprepared", {"hex": label})
    taken = settlement_named(kingdom, name)
    if taken:
        return Refusal("settle_name_taken", {"name": taken})
    limit = limits(kingdom, rules).settlements
    if kingdom.used.get(SETTLEMENTS, 0) >= limit:
        return Refusal("settle_limit", {"limit": limit, "size": kingdom.edict_size})
    return not_water(label, order.get("water") or (), kingdom, hexes, rules)


def found(seat: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: Turn, order: Settle) -> Kingdom:
    """The kingdom with the settlement and what stands in it from the first; booked."""
    label, name, rules = order["hex"], order["name"], turn.rules
    hex = hexes[label]
    # (building, why) of each that stands in a settlement from its founding, without price, limit or Unrest
    free = [
        (kind, f"from the {rules.improvements[built].name} in the hex (ruling improvements_sharing)")
        for built in kingdom.hexes[label]
        for kind in rules.improvements[built].becomes
    ]
    if hex.building and label in kingdom.revealed:
        free.append((hex.building, "found in the hex"))
    government = rules.governments.get(kingdom.government)
    if kingdom.founding and government and government.starting_building:
        free.append((government.starting_building, "the start of a kingdom of that government (ruling government)"))
    gone = {PREPARED, *(built for built in kingdom.hexes[label] if rules.improvements[built].becomes)}
    stays = tuple(built for built in kingdom.hexes[label] if built not in gone)
    first = not kingdom.settlements
    kingdom = replace(
        kingdom,
        hexes={**kingdom.hexes, label: stays},
        settlements={**kingdom.settlements, name: Settlement(label, (District(tuple(order.get("water") or ())),))},
        capital=name if first else kingdom.capital,
        founding=False,
        used={**kingdom.used, SETTLEMENTS: kingdom.used.get(SETTLEMENTS, 0) + 1},
    )
    book(turn, seat, kingdom, hexes, "settle", f"{name} in {label}" + (", the capital" if first else ""))
    for kind, why in free:
        settlement = kingdom.settlements[name]
        plan = Plan(settlement.districts, settlement.buildings, rules)
        place = find(plan, kind)[0] or anywhere(
            plan, kind
        )  # it stands whether it may or not; a new settlement has room
        settlement = replace(settlement, buildings=(*settlement.buildings, place))
        kingdom = replace(kingdom, settlements={**kingdom.settlements, name: settlement})
        detail = f"{rules.buildings[kind].name} in {name} at {place.lot}, {why}"
        book(turn, seat, kingdom, hexes, "found_building", detail)
    return kingdom


def _build_all(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    done: list[tuple[str, Building]] = []
    orders = listed(orders_of(turn, seat, kingdom).get("build"), "build")
    for number, (path, order) in enumerate(orders, 1):
        later = [other for _, other in orders[number:]]
        site = site_of(kingdom, world.hexes, turn.rules, order["in"], done, later)
        work = site if isinstance(site, Refusal) else work_of(site, order)
        if isinstance(work, Refusal):
            turn.refuse(seat, path, work.code, **work.facts)
            continue
        kingdom = worked(seat, kingdom, work, world.hexes, turn)
        if work.built:
            done.append((work.name, work.built))
    return kingdom


def worked(seat: str, kingdom: Kingdom, work: Work, hexes: dict[str, Hex], turn: Turn) -> Kingdom:
    """The kingdom after a work of `build`, booked."""
    kingdom = carried_out(kingdom, work, turn.number, turn.rules)
    book(turn, seat, kingdom, hexes, work.cause, work.detail + work.price_note)
    return kingdom


def carried_out(kingdom: Kingdom, work: Work, turn_number: int, rules: Rules) -> Kingdom:
    """The kingdom after a work: paid, counted against its limit, its one-off Unrest included. Not booked."""
    return with_unrest(with_bought(paid(kingdom, work), work, rules), work.unrest, turn_number, rules)


def district_cost(hexes: dict[str, Hex], settlement: Settlement, rules: Rules) -> int:
    """BP of a further district of a settlement."""
    return preparation_cost(settlement.hex, hexes, rules) or 0
