"""Whether two samples may come from one and the same source: the chi-square test of homogeneity."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable

LEAST = 10  # what a class must hold of both together; rarer ones count as one


def chance_of_fit(one: Iterable[Hashable], other: Iterable[Hashable]) -> float:
    """The p-value: how likely two samples of one source would differ at least so much. 1 where all are of one class."""
    ones, others = Counter(one), Counter(other)
    classes = _classes(ones, others)
    many, more = sum(ones.values()), sum(others.values())
    statistic = 0.0
    for left, right in classes:
        for found, of in ((left, many), (right, more)):
            expected = (left + right) * of / (many + more)
            statistic += (found - expected) ** 2 / expected
    return _upper_tail(statistic, len(classes) - 1)


def _classes(ones: Counter, others: Counter) -> list[tuple[int, int]]:
    """(how many of one, of the other) by class, none of which may be expected to hold too few of the smaller sample."""
    small = min(sum(ones.values()), sum(others.values())) / (sum(ones.values()) + sum(others.values()))
    found, rare = [], (0, 0)
    for each in sorted(set(ones) | set(others), key=repr):
        left, right = ones[each], others[each]
        if (left + right) * small >= LEAST:
            found.append((left, right))
        else:
            rare = rare[0] + left, rare[1] + right
    return found + ([rare] if sum(rare) * small >= LEAST else [])


def _upper_tail(statistic: float, freedom: int) -> float:
    """The chance of a chi-square value so large; Wilson and Hilferty's cube root, near enough for a verdict."""
    if freedom < 1:
        return 1.0
    spread = 2 / (9 * freedom)
    return math.erfc(((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(2 * spread)) / 2
