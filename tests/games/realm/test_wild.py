"""Wild campaigns: whatever is under way, whatever is ordered and whatever the dice show, six turns in a row hold together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import Dice
from tests.games.realm.proofs import prove
from tests.games.realm.wild import RULES, campaign

TURNS = 6


def play(seed: int, reports_of_one_in: int) -> None:
    for played in campaign(seed, TURNS):
        prove(
            played.result,
            Dice(str(seed), played.result.number),
            RULES,
            rendered=(seed + played.result.number) % reports_of_one_in == 0,
        )


@pytest.mark.parametrize("seed", range(6))
def test_six_turns_of_everything_hold_together(seed: int) -> None:
    play(seed, 3)


@pytest.mark.long
@given(st.integers(0, 10**9))
def test_six_turns_of_anything_hold_together(seed: int) -> None:
    play(seed, 6)
