"""Income phase: trade between neighbours and along routes, and smuggling. Rulings: trade, smuggling, blockade, raid."""

from __future__ import annotations

from kingdom.games.realm.state import World
from kingdom.turn import Turn

CAUSES: dict[str, str] = {}
REFUSALS: dict[str, str] = {}


def trade(world: World, turn: Turn) -> World:
    """Income, before the taxes: every pair that touches or is tied by an open route trades once."""
    return world
