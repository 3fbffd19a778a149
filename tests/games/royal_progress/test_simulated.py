"""Whole campaigns from texts, in which much is ordered that can't be: the books balance, audit and replay hold."""

from __future__ import annotations

from collections import Counter

import pytest

from kingdom.books.simulation import Ground, Plan, one
from kingdom.games.royal_progress.game import GAME
from tests.kit.rows import sampled

OTHERWISE_FIGURED = {"ability_off", "move_equal"}  # where a campaign changed figures
RARE = {  # what so few games need not come to: an empty deck, the lady's whisper at court, a GM who ends what is ended
    "take_none", "ability_no_card", "ability_at_court", "lay_at_court", "gm_over_already",
}  # fmt: skip
STRICT = {"turn_of_another"}  # at the pace of one turn of the table at a time


def refused(counts: Counter) -> set[str]:
    return {code for vocabulary, code in counts if vocabulary == "refusal"}


@pytest.mark.parametrize("seed", sampled(["one", "two"], ["one"]))
def test_a_muddled_campaign_ends_and_can_be_proved(seed: str) -> None:
    counts = one(Plan(Ground("royal_progress"), seed, 30, kept=True))
    assert counts["cause", "payout"] >= 3 and counts["order", "plans"] > 20
    assert len(refused(counts)) > 7, "of many kinds"


def test_with_the_rulings_the_other_way_round_too() -> None:
    """Without abilities, nothing laid at court, no move as far as before; the other castles are open."""
    counts = one(Plan(Ground("royal_progress"), "two", 30, flipped=True))
    assert refused(counts) >= OTHERWISE_FIGURED and counts["cause", "majority"] > 0


@pytest.mark.long
def test_every_refusal_is_come_by() -> None:
    found: set[str] = set()
    for number in range(90):
        found |= refused(one(Plan(Ground("royal_progress"), f"all {number}", 30, flipped=number % 5 == 4)))
    assert set(GAME.refusals) - found <= RARE | STRICT
