"""Royal Progress: eight courtiers travel to the King's castle, and players vie for influence on them. GAME is in game.py."""

from __future__ import annotations

from typing import Any

TITLE = "Royal Progress: courtiers, influence and the King's castles, for 3 to 5"
BOTS = ("chamberlain", "random")  # the first stands in for players who fall silent


def __getattr__(name: str) -> Any:
    """GAME, loaded when it is asked for: a part of the game can be imported without the whole."""
    if name == "GAME":
        from kingdom.games.royal_progress.game import GAME

        return GAME
    raise AttributeError(name)
