"""The kingdom game: hexes, settlements, edicts; a turn is a week. What the core asks of it is GAME, in game.py."""

from __future__ import annotations

TITLE = "Kingdoms: a kingdom's weekly turn"
BOTS = ("steward", "builder", "trader", "warlord")  # the first stands in for players who fall silent
