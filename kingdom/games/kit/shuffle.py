"""Shuffling by the GM's dice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from kingdom.engine.dice import GM
from kingdom.engine.step import Turn

Thing = TypeVar("Thing")
S = TypeVar("S")  # a game's State
R = TypeVar("R")  # a game's Rules


def shuffled(things: Iterable[Thing], turn: Turn[S, R], name: str) -> list[Thing] | None:
    """The things in an order of the rolls of that name, each order as likely (Fisher and Yates); None where no die is thrown."""
    mixed = list(things)
    for last in range(len(mixed) - 1, 0, -1):
        face = turn.roll(GM, name, last + 1)
        if face is None:
            return None
        mixed[last], mixed[face - 1] = mixed[face - 1], mixed[last]
    return mixed
