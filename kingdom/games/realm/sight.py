"""What a kingdom sees: its Vigilance at settlements, forts and watchtowers, dimmed by the terrain. Ruling: vision."""

from __future__ import annotations

from kingdom.games.realm.state import World
from kingdom.turn import Turn


def remember(world: World, turn: Turn) -> World:
    """The end of a turn: what each kingdom sees now is what it will remember when it no longer does."""
    return world
