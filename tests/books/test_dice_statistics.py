"""Dice against what fair dice give."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.books.review import AT_LEAST, chance_of, dice_results, results_of
from kingdom.engine.dice import Roll

ROLLS = st.lists(st.integers(1, 6), min_size=2, max_size=60)


def rolled(results: list[int], seat: str = "ann", sides: int = 6, by: str = "seed") -> list[Roll]:
    return [Roll(1, seat, "luck", count, sides, result, by) for count, result in enumerate(results, 1)]


@pytest.mark.parametrize(
    ("chi_square", "freedom", "chance"),
    [
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (30.144, 19, 0.05),
        (36.191, 19, 0.01),
        (18.338, 19, 0.5),
        (123.225, 99, 0.05),
        (0, 19, 1),
        (500, 5, 0),
    ],
)
def test_the_chances_are_those_of_the_printed_tables(chi_square: float, freedom: int, chance: float) -> None:
    assert chance_of(chi_square, freedom) == pytest.approx(chance, abs=2e-4)


@given(ROLLS)
def test_mean_and_spread_are_those_of_the_results(results: list[int]) -> None:
    (found,) = dice_results(rolled(results))
    assert found.rolls == len(results) and found.mean == pytest.approx(statistics.mean(results))
    assert found.spread == pytest.approx(statistics.stdev(results))
    assert [results.count(face) for face in range(1, 7)] == list(found.faces)


def test_what_is_fair() -> None:
    found = results_of("ann", 20, [5] * 20)
    assert (found.mean, found.fair_mean, found.uneven, found.odds) == (10.5, 10.5, 0, 1)
    assert found.fair_spread == pytest.approx(statistics.pstdev(range(1, 21)))
    assert found.error == pytest.approx(found.fair_spread / 10)


def test_dice_that_show_one_face_alone_are_hardly_fair() -> None:
    found = results_of("ann", 20, [200, *[0] * 19])
    assert found.odds is not None and found.odds < 1e-9 and found.spread == 0


def test_too_few_rolls_say_nothing() -> None:
    assert results_of("ann", 6, [AT_LEAST - 1, *[AT_LEAST] * 5]).odds is None
    assert results_of("ann", 6, [AT_LEAST] * 6).odds is not None
    assert results_of("ann", 6, [1, 0, 0, 0, 0, 0]).spread is None


def test_each_seats_dice_by_their_sides_and_what_was_rolled_by_hand() -> None:
    rolls = [*rolled([1, 2], "bob"), *rolled([3] * 3, "ann", 20, "tape"), *rolled([4], "ann")]
    assert [(each.kingdom, each.sides, each.rolls, each.by_hand) for each in dice_results(rolls)] == [
        ("ann", 20, 3, 3),
        ("ann", 6, 1, 0),
        ("bob", 6, 2, 0),
    ]
