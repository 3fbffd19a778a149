"""King's Pouch: a pouch of citizens, buildings, territories and the goodwill of the court.

Start reading at game.py, which declares it. May import engine, orders, render and games/kit.
"""

from __future__ import annotations

TITLE = "King's Pouch: citizens from a pouch, buildings and territories, for 2 to 4"
BOTS = ("steward", "random")  # the first stands in for players who fall silent
