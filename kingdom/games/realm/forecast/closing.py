"""A kingdom that stands still, from the end of one Upkeep to the next: by the game's own steps, none of which throws a die.

So land that is lost and what hangs on it, modifiers that end, armies that are not paid and all the rest of a turn are what
the game makes of them; the forecast reckons the treasury and Unrest alone.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from kingdom.engine.dice import NoDice
from kingdom.engine.step import Phase, Play
from kingdom.engine.turn import resolve
from kingdom.games.realm.rules.event_tables import PlacesMonster
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Hex, Kingdom, World, replace

LAST_PAID = "pay_consumption"  # the step after which nothing that the forecast reckons is left to do
CLOSING = "upkeep"
LEFT_TO_THE_REPORT = ("remember",)  # what a kingdom has seen moves no number


Realm: TypeAlias = Play[World, Rules]


@cache
def _parts() -> tuple[Realm, Realm]:
    """(the game up to the end of the Edict phase, what is left of the Upkeep when Consumption is paid)."""
    from kingdom.games.realm.play import FORESEEN_TO, PLAY

    names = [phase.name for phase in PLAY.phases]
    opening = PLAY.phases[: names.index(FORESEEN_TO) + 1]
    steps = next(phase for phase in PLAY.phases if phase.name == CLOSING).steps
    rest = [step.__name__ for step in steps].index(LAST_PAID) + 1
    closing = tuple(step for step in steps[rest:] if step.__name__ not in LEFT_TO_THE_REPORT)
    return PLAY._replace(phases=opening), PLAY._replace(phases=(Phase(CLOSING, closing),))


def opened(seat: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Kingdom:
    """The kingdom at the end of the Edict phase of that turn, where it orders nothing and is alone."""
    return _run(_parts()[0], seat, kingdom, hexes, turn, rules)


def closed(seat: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Kingdom:
    """The kingdom at the end of that turn, from what it is when its Consumption is paid."""
    return _run(_parts()[1], seat, kingdom, hexes, turn, rules)


def _run(game: Realm, seat: str, kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Kingdom:
    world = World(turn - 1, hexes, {seat: kingdom})
    return resolve(game, world, {}, NoDice(), rules).after.kingdoms[seat]


def closes_quietly(kingdom: Kingdom, turn: int, rules: Rules) -> bool:
    """Whether nothing moves Unrest or land when the turn closes: no anarchy, no monsters at large, nothing waited for."""
    if kingdom.anarchy == turn or not kingdom.hexes:
        return False
    return not any(
        "wanted_by" in event.facts or _places_monster(event.kind, rules) for event in kingdom.events.values()
    )


def _places_monster(kind: str, rules: Rules) -> bool:
    known = rules.event_kinds.get(kind)
    return known is not None and any(isinstance(each, PlacesMonster) for each in known.set_up)


def at_rest(kingdom: Kingdom) -> Kingdom:
    """The kingdom without what dice or others decide (events that stand, what is under way, a plan, caravans on the road), and
    without what moves no number."""
    routes = {key: route for key, route in kingdom.routes.items() if route.open}
    kingdom = replace(kingdom, events={}, expeditions={}, parties={}, captives={}, plan=(), routes=routes)
    return replace(kingdom, pending=(), requests=(), memory={}, counted={}, quiet=False)
