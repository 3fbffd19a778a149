"""What tests ask of any game."""

from __future__ import annotations

from kingdom.engine import game as games

NEW = {
    "name": "A new one",
    "seed": "a public seed",
    "tokens": [f"t0ken{number}" for number in range(100)],
    "size": None,
    "bots": 0,
}


def up_to_three(name: str) -> int:
    """The number of seats of a new campaign: 3, or 2 in a game for two."""
    try:
        games.load(name).opening.new(3, NEW)
    except ValueError:
        return 2
    return 3
