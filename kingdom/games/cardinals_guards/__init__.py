"""Cardinal's Guards: four musketeers search a castle, beat its guards and escape; a solitaire, or a contest on one deal.

What the core asks of it is GAME, in game.py.
"""

from __future__ import annotations

from typing import Any

TITLE = "Cardinal's Guards: four musketeers in a castle"
BOTS = ("captain", "random")  # the first stands in where a campaign asks for a steward


def __getattr__(name: str) -> Any:
    """GAME, loaded when it is asked for."""
    if name == "GAME":
        from kingdom.games.cardinals_guards.game import GAME

        return GAME
    raise AttributeError(name)
