"""Edict step 7: whose trade is let in, and where smugglers are sent. Rulings: trade, smuggling."""

from __future__ import annotations

from kingdom.games.realm.orders.declaration import in_step
from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.state import World
from kingdom.games.realm.types import Turn


def doors(world: World, turn: Turn) -> World:
    """Edict step 7: which smugglers find no border to cross, and whose trade is let in from now on."""
    for seat, kingdom in world.kingdoms.items():
        for kind in in_step("doors") if not kingdom.destroyed else ():
            world = kind.play(Now(world, seat, turn.rules, turn.foreseeing), turn)
    return world
