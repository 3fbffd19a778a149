"""Whole campaigns from texts, in which much is ordered that can't be: the books balance, audit and replay hold."""

from __future__ import annotations

import pytest

from kingdom.books.simulation import Ground, Plan, one

REFUSALS = {"kingdom_taken", "piece_not_in_reserve", "chancellor_not_now", "no_veto_in_last_round", "no_such_city"}


@pytest.mark.parametrize("seed", ["one", "two"])
def test_a_muddled_campaign_ends_and_can_be_proved(seed: str) -> None:
    counts = one(Plan(Ground("kings_progress"), seed, 30, kept=True))
    assert counts["order", "city"] > 20 and counts["cause", "tax"] > 0
    assert {code for vocabulary, code in counts if vocabulary == "refusal"} & REFUSALS


def test_with_the_rulings_the_other_way_round_too() -> None:
    assert one(Plan(Ground("kings_progress"), "two", 30, flipped=True))["cause", "unused_vetoes"] > 0
