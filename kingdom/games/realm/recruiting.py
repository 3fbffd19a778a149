"""Edict step 6: armies are recruited, expanded, equipped, repaired, disbanded and put in reserve. Ruling: recruit_cost."""

from __future__ import annotations

from kingdom.games.realm.state import World
from kingdom.turn import Turn

CAUSES: dict[str, str] = {}
REFUSALS: dict[str, str] = {}


def create_army_units(world: World, turn: Turn) -> World:
    """Edict step 6: every order that makes, changes or ends an army, in the order listed."""
    return world
