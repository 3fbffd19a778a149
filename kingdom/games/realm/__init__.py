"""The kingdom game: hexes, settlements, edicts; a turn is a week.

Start reading at turn.py, the steps in order; GAME in game.py is the contract. May import engine, orders, render and games/shared.
"""

from __future__ import annotations

TITLE = "Kingdoms: a kingdom's weekly turn"
# the first stands in for players who fall silent; then tempers, and how well one plays
BOTS = ("steward", "steady", "builder", "trader", "warlord", "hermit", "novice", "strong")
FUZZERS = ("builder", "trader", "warlord")  # who plays simulated campaigns, at random
STARTS = ("plain", "gentle", "harsh")  # how easily the kingdoms of a new campaign begin, the usual way first
