"""Edict phase, step 4: build in settlements. Rulings: step_4, caps_at_start, joined_buildings."""

from __future__ import annotations

from kingdom.games.realm.orders.building import CONSTRUCT
from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Kingdom, World, replace, with_settlement
from kingdom.games.realm.steps.shared import book, each
from kingdom.games.realm.steps.towns.buildings import place_of
from kingdom.games.realm.steps.towns.construction import LIMIT
from kingdom.games.realm.types import Turn

CAUSES = {
    "in_service": "a building that serves, some time after its settlement joined",
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
    kingdom = CONSTRUCT.play(Now(world, seat, turn.rules, turn.foreseeing), turn).kingdoms[seat]
    ruling = turn.rules.joined_buildings
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
            kingdom = with_settlement(kingdom, name, waiting=waiting, yielded=settlement.yielded and bool(waiting))
            # walls that come into service lengthen no siege
            if settlement.besieged and turn.rules.siege and turn.rules.siege.fixed:
                walls = (place_of(building) for building in ready if turn.rules.buildings[building.id].defense)
                kingdom = with_settlement(kingdom, name, raised=(*settlement.raised, *walls))
            names = ", ".join(turn.rules.buildings[building.id].name for building in ready)
            detail = f"{names} in {name} in service"
            book(turn, seat, kingdom, world.hexes, "in_service", f"{detail} (ruling joined_buildings)")
            more = f"; {len(waiting)} more wait" if len(waiting) > 1 else "; 1 more waits" if waiting else ""
            turn.tell(seat, "news", hex=settlement.hex, text=f"{detail}{more} (ruling joined_buildings).")
    return kingdom
