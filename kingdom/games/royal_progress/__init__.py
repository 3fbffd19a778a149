"""Royal Progress: eight courtiers travel to the King's castle, and players vie for influence on them. GAME is in game.py."""

from __future__ import annotations

TITLE = "Royal Progress: courtiers, influence and the King's castles, for 3 to 5"
BOTS = ("chamberlain", "random")  # the first stands in for players who fall silent
