"""Each seat's dice against what fair dice give: how high they are, how far apart, how evenly the faces come."""

from __future__ import annotations

from collections.abc import Iterable
from math import erfc, exp, lgamma, log, sqrt
from typing import NamedTuple

from kingdom.engine.dice import Roll

AT_LEAST = 5  # rolls that each face should have before its frequency says something


class Luck(NamedTuple):
    """The results of one seat's dice with that number of sides.

    faces: how often each came, from 1 on. by_hand: how many the GM rolled. error: the standard deviation of the mean of as many
    fair rolls. spread: the standard deviation of the results; None for a single one. uneven: the chi-square of the faces.
    odds: the chance that fair dice are at least as uneven. Both are None if there are too few rolls.
    """

    kingdom: str
    sides: int
    faces: tuple[int, ...]
    by_hand: int
    mean: float
    fair_mean: float
    error: float
    spread: float | None
    fair_spread: float
    uneven: float | None
    odds: float | None

    @property
    def rolls(self) -> int:
        """How many there are."""
        return sum(self.faces)


def lucks(rolls: Iterable[Roll]) -> list[Luck]:
    """The statistics by seat and sides, a seat's most thrown dice first."""
    faces: dict[tuple[str, int], list[int]] = {}
    by_hand: dict[tuple[str, int], int] = {}
    for roll in rolls:
        die = roll.kingdom, roll.sides
        faces.setdefault(die, [0] * roll.sides)[roll.result - 1] += 1
        by_hand[die] = by_hand.get(die, 0) + (roll.source == "tape")
    found = [luck(*die, counts, by_hand[die]) for die, counts in faces.items()]
    return sorted(found, key=lambda each: (each.kingdom, -each.rolls, each.sides))


def luck(kingdom: str, sides: int, faces: Iterable[int], by_hand: int = 0) -> Luck:
    """The statistics of dice from how often each face came; there is at least one roll."""
    faces = tuple(faces)
    count = sum(faces)
    mean = sum(face * often for face, often in enumerate(faces, 1)) / count
    apart = sum(often * (face - mean) ** 2 for face, often in enumerate(faces, 1))
    fair_spread = sqrt((sides * sides - 1) / 12)
    enough = sides > 1 and count >= AT_LEAST * sides
    uneven = sum((often - count / sides) ** 2 for often in faces) * sides / count if enough else None
    return Luck(
        kingdom, sides, faces, by_hand, mean, (sides + 1) / 2, fair_spread / sqrt(count),
        sqrt(apart / (count - 1)) if count > 1 else None, fair_spread, uneven,
        None if uneven is None else chance_of(uneven, sides - 1),
    )  # fmt: skip


def chance_of(chi_square: float, freedom: int) -> float:
    """The chance that a chi-square with that many degrees of freedom is at least as high."""
    half = chi_square / 2
    if half <= 0:
        return 1.0
    first = 0.5 if freedom % 2 else 0.0
    terms = (exp((first + number) * log(half) - half - lgamma(first + number + 1)) for number in range(freedom // 2))
    return min(1.0, (erfc(sqrt(half)) if freedom % 2 else 0.0) + sum(terms))
