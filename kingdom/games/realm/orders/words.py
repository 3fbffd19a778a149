"""Words of orders that are no names of the rules, and the lists of names that a campaign has."""

from __future__ import annotations

from typing import Final

BORDERS: Final = ("north", "east", "south", "west")
DIRECTIONS = ("n", "ne", "se", "s", "sw", "nw")
HEXES, SETTLEMENTS, ARMIES, ROUTES, QUESTIONS = (
    "hexes",
    "settlements",
    "armies",
    "routes",
    "questions",
)  # what a campaign has
ARMY_DEEDS: Final = ("garrison", "patrol", "blockade", "raid", "attack", "allow", "clear")
