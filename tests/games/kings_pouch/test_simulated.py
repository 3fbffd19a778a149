"""Whole campaigns from texts, in which much is ordered that can't be: the books balance, audit and replay hold."""

from __future__ import annotations

import pytest

from kingdom.books.simulation import Ground, Plan, one
from kingdom.games.kings_pouch.game import GAME

RARE = {  # what so few games need not come to
    "pouch_ended_already", "pouch_not_your_turn", "pouch_no_marker", "pouch_no_marker_claim", "pouch_line_impossible", "pouch_attacked_already",
}  # fmt: skip


@pytest.mark.parametrize("seed", ["one", "two"])
def test_a_muddled_campaign_ends_and_can_be_proved(seed: str) -> None:
    counts = one(Plan(Ground("kings_pouch"), seed, 12, kept=True))
    assert counts["order", "place"] > 5 and counts["cause", "final_buildings"] > 0
    assert len({code for vocabulary, code in counts if vocabulary == "refusal"}) > 6, "of many kinds"


def test_with_the_rulings_the_other_way_round_too() -> None:
    assert one(Plan(Ground("kings_pouch"), "three", 30, flipped=True))["cause", "final_corrupt"] > 0


@pytest.mark.long
def test_every_refusal_is_come_by() -> None:
    found: set[str] = set()
    for seed in range(60):
        found |= {
            word for vocabulary, word in one(Plan(Ground("kings_pouch"), f"all {seed}", 40)) if vocabulary == "refusal"
        }
    assert GAME.refusals.keys() - found <= RARE
