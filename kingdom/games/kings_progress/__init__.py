"""The King's Progress: six cities a kingdom, hidden investments, five vetoes.

Start reading at game.py: the declaration, with the steps in their order. May import engine, orders, render and games/kit.
"""

from __future__ import annotations

TITLE = "The King's Progress: cities, investments and vetoes, for 2 to 4"
BOTS = ("chancellor", "random")  # the first stands in for players who fall silent
