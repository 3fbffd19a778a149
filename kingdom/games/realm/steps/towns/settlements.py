"""Edict phase, step 4: build in settlements. Rulings: step_4, caps_at_start, joined_buildings."""

from __future__ import annotations

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Building, Hex, Kingdom, World, replace
from kingdom.games.realm.steps.shared import book, each, listed, orders_of, with_unrest
from kingdom.games.realm.steps.towns.buildings import place_of
from kingdom.games.realm.steps.towns.construction import (
    LIMIT,
    Work,
    paid,
    site_of,
    with_bought,
    work_of,
)
from kingdom.games.realm.types import Turn

CAUSES = {
    "in_service": "a building that serves, some time after its settlement joined",
    "build": "a building completed",
    "upgrade": "a building made another",
    "demolish": "a building torn down",
    "repair": "a damaged building repaired",
    "district": "a district laid out",
}


def bring_into_service(world: World, turn: Turn) -> World:
    """Edict step 4: buildings waiting since their settlement joined come into service, up to the limit of buildings. Ruling:
    joined_buildings."""
    return each(world, turn, _first_into_service)


def build(world: World, turn: Turn) -> World:
    """Edict step 4, second half: buildings, upgrades, demolitions and districts, in the order listed. Then buildings of
    surrendered settlements come into service, up to what is left of the limit. Ruling: joined_buildings."""
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
    """Bring at most `left` waiting buildings into service: the settlement that joined first, then the building built first."""
    ruling = turn.rules.joined_buildings
    for name in towns:
        settlement = kingdom.settlements[name]
        at_once = ruling is None or ruling.serve == "at_once"
        ready = settlement.waiting if at_once else settlement.waiting[:left]
        if ready:
            left -= len(ready)
            waiting = settlement.waiting[len(ready) :]
            settlement = replace(settlement, waiting=waiting, yielded=settlement.yielded and bool(waiting))
            # walls that come into service lengthen no siege
            if settlement.besieged and turn.rules.siege and turn.rules.siege.fixed:
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
    """The kingdom after paying for a work and counting it against its limit, with its one-off Unrest. Not booked."""
    return with_unrest(with_bought(paid(kingdom, work), work, rules), work.unrest, turn_number, rules)
