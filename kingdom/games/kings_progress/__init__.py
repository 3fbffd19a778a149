"""The King's Progress: six cities a kingdom, hidden investments, five vetoes. What the core asks of it is GAME, in game.py."""

from __future__ import annotations

from typing import Any

TITLE = "The King's Progress: cities, investments and vetoes, for 2 to 4"
BOTS = ("chancellor", "random")  # the first stands in for players who fall silent


def __getattr__(name: str) -> Any:
    """GAME, loaded when it is asked for: a part of the game can be imported without the whole."""
    if name == "GAME":
        from kingdom.games.kings_progress.game import GAME

        return GAME
    raise AttributeError(name)
