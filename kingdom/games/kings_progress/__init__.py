"""The King's Progress: six cities a kingdom, hidden investments, five vetoes. What the core asks of it is GAME, in game.py."""

from __future__ import annotations

TITLE = "The King's Progress: cities, investments and vetoes, for 2 to 4"
BOTS = ("chancellor", "random")  # the first stands in for players who fall silent
