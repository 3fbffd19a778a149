"""The kingdom game: hexes, settlements, edicts; a turn is a week. What the core asks of it is GAME, in game.py."""

from __future__ import annotations

from typing import Any

TITLE = "Kingdoms: a kingdom's weekly turn"
BOTS = ("steward", "builder", "trader", "warlord")  # the first stands in for players who fall silent


def __getattr__(name: str) -> Any:
    """GAME, loaded when it is asked for: a part of the game can be imported without the whole."""
    if name == "GAME":
        from kingdom.games.realm.game import GAME

        return GAME
    raise AttributeError(name)
