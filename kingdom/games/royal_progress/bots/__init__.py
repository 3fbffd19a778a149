"""Bots that play a seat by what it knows: `orders` gives theirs as data, texts.py as players write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def orders(name: str, known: Any, seat: str, rules: Any, chance: Callable[[str, int], int]) -> dict[str, Any]:
    """What the bot of that name files for the next turn, beside the head."""
    from kingdom.games.royal_progress.bots.texts import PLAYERS

    return PLAYERS[name](known, seat, rules, chance)
