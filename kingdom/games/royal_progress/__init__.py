"""Royal Progress: eight courtiers travel to the King's castle, and players vie for influence on them.

Start reading at game.py: the declaration, with the steps in their order. May import engine, orders, render and games/kit.
"""

from __future__ import annotations

TITLE = "Royal Progress: courtiers, influence and the King's castles, for 3 to 5"
BOTS = ("chamberlain", "random")  # the first stands in for players who fall silent
