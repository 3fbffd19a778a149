"""Edict phase, after the edicts: armies move, all at once. Ruling: movement."""

from __future__ import annotations

from kingdom.games.realm.state import World
from kingdom.turn import Turn

CAUSES: dict[str, str] = {}
REFUSALS: dict[str, str] = {}


def move_armies(world: World, turn: Turn) -> World:
    """Every army that was sent somewhere goes as far as its points reach; what it is to do there stands until changed."""
    return world
