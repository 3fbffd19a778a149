"""Cardinal's Guards: four musketeers search a castle, beat its guards and escape; a solitaire, or a contest on one deal.

Start reading at game.py: the declaration, with the steps in their order. May import engine, orders, render and games/kit.
"""

from __future__ import annotations

TITLE = "Cardinal's Guards: four musketeers in a castle"
BOTS = ("captain", "random")  # the first stands in where a campaign asks for a steward
