"""Edict phase, last: what a plan still holds is worked off after the orders of the turn."""

from __future__ import annotations

from kingdom.games.realm.state import World
from kingdom.turn import Turn

CAUSES: dict[str, str] = {}
REFUSALS: dict[str, str] = {}


def work_off_plans(world: World, turn: Turn) -> World:
    """What stands in a kingdom's plan and can be done now is done, as far as limits and treasury go."""
    return world
