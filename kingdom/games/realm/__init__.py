"""The kingdom game: hexes, settlements, edicts; a turn is a week.

Start reading at turn.py, the steps in order; GAME in game.py is the contract. May import engine, orders, render and games/kit.
"""

from __future__ import annotations

TITLE = "Kingdoms: a kingdom's weekly turn"
HOLDERS = {  # bot -> what who holds a seat by it is called in a new campaign, which takes them in turn from the second on
    "steward": "Stewards",  # stands in for players who fall silent
    "trader": "Traders",
    "builder": "Builders",
    "warlord": "Warlords",
    "hermit": "Hermits",
    "steady": "Steady rulers",
    "strong": "Strong rulers",
    "novice": "Novices",
}
BOTS = tuple(HOLDERS)
FUZZERS = ("builder", "trader", "warlord")  # who plays simulated campaigns, at random
STARTS = ("plain", "gentle", "harsh")  # how easily the kingdoms of a new campaign begin, the usual way first
EDITIONS = (  # what each edition of the rules is, from the first
    "the text, with the rulings that it needs",
    "calmer events, sieges and armies that cost, harm that passes",
)
