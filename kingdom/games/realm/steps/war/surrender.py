"""Edict phase, before the armies move: the owner of a besieged settlement gives it up. Ruling: siege."""

from __future__ import annotations

from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.orders.surrender import SURRENDER
from kingdom.games.realm.state import World
from kingdom.games.realm.steps.shared import by_lot
from kingdom.games.realm.types import Turn


def surrender(world: World, turn: Turn) -> World:
    """A settlement that surrenders falls at once to the besieger who would take it, for a part of the Unrest of its loss.

    Who takes one may take no other in the turn, so lots say which is first. Ruling: nobody_first.
    """
    named = [seat for seat in world.kingdoms if SURRENDER.ordered(Now(world, seat, turn.rules), turn)]
    if len(named) > 1 and turn.rules.nobody_first and not turn.foreseeing:
        named = by_lot(named, lambda seat, sides: turn.roll(seat, "surrender-lot", sides), turn.rules)
    for seat in named:
        world = SURRENDER.play(Now(world, seat, turn.rules, turn.foreseeing), turn)
    return world
