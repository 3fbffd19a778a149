"""Cardinal's Guards: four musketeers search a castle, beat its guards and escape; a solitaire, or a contest on one deal.

What the core asks of it is GAME, in game.py.
"""

from __future__ import annotations

TITLE = "Cardinal's Guards: four musketeers in a castle"
BOTS = ("captain", "random")  # the first stands in where a campaign asks for a steward
