"""Dice that a player can verify: fixed vectors, made with `openssl dgst -sha256 -hmac`, and what holds for every roll."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import Dice, NoDice, Roll, commitment_of, key_of, outside, throw, unused

SEED = "5c0e"
KEY = "5970896092cf14a1f8eb2853798a90f0951dd1dfea3bd8efd6d312dab6c6f485"  # of examplia in turn 3
REOPENED = "5463abf16ec5f16f741add0eb8906534f0ff714202aef2a7bca59f43564567df"  # the same in attempt 2


def test_a_key_is_the_hmac_of_turn_and_kingdom() -> None:
    assert key_of(SEED, 3, "examplia") == KEY
    assert key_of(SEED, 3, "examplia", attempt=2) == REOPENED
    assert key_of("Grünmark", 12, "gm") == "dc03d2d224589031802b0903b87bbd3ff91a749314f564b2a6e04fcb6b94b848"


def test_a_commitment_is_the_digest_of_the_key() -> None:
    assert commitment_of(KEY) == "e9630ff6d3096e6fde373970dce21665a829e316103467eadb667c238de5fc8b"


@pytest.mark.parametrize(
    ("key", "name", "count", "sides", "result"),
    [
        (KEY, "economy", 1, 20, 4),
        (KEY, "stability", 1, 20, 8),
        (KEY, "stability_failure", 1, 6, 4),
        (KEY, "contest-0404", 1, 20, 8),
        (KEY, "decay-0404-farm", 1, 100, 52),
        (KEY, "x", 2, 6, 5),
        (KEY, "x", 3, 6, 1),
        (REOPENED, "economy", 1, 20, 13),
    ],
)
def test_a_roll(key: str, name: str, count: int, sides: int, result: int) -> None:
    assert throw(key, name, count, sides) == result


@pytest.mark.parametrize("count", range(1, 9))
def test_what_would_favour_low_faces_is_thrown_again(count: int) -> None:
    """With so many sides about every second try is past the last full round of the die."""
    sides = (1 << 63) + 1
    for attempt in range(99):
        digest = hmac.new(KEY.encode(), f"x:{count}:{attempt}".encode(), hashlib.sha256).digest()
        if int.from_bytes(digest[:8], "big") < sides:
            break
    assert throw(KEY, "x", count, sides) == 1 + int.from_bytes(digest[:8], "big")


@given(st.text(max_size=20), st.integers(0, 9999), st.sampled_from([2, 4, 6, 20, 100]), st.integers(1, 9))
def test_a_roll_is_a_face_of_its_die_and_the_same_again(seed: str, turn: int, sides: int, count: int) -> None:
    roll = Dice(seed, turn).result("examplia", "economy", count, sides)
    assert 1 <= roll.result <= sides
    assert roll == Dice(seed, turn).result("examplia", "economy", count, sides)


def test_a_tape_says_its_rolls_and_the_seed_the_others() -> None:
    dice = Dice(SEED, 3, tape={"examplia": {"economy": [17]}})
    assert dice.result("examplia", "economy", 1, 20) == Roll(3, "examplia", "economy", 1, 20, 17, "tape")
    assert dice.result("examplia", "economy", 2, 20).source == "seed"
    assert dice.result("borderia", "economy", 1, 20).source == "seed"
    assert dice.result("examplia", "stability", 1, 20) == Roll(3, "examplia", "stability", 1, 20, 8, "seed")


def test_entries_of_a_tape_that_nobody_rolled_are_told() -> None:
    tape = {"examplia": {"economy": [17, 4]}, "gm": {"decay-0404-farm": [50]}}
    dice = Dice(SEED, 3, tape=tape)
    rolls = [dice.result("examplia", "economy", 1, 20)]
    assert unused(tape, rolls) == [("examplia", "economy", 2), ("gm", "decay-0404-farm", 1)]


def test_a_result_that_its_die_does_not_have_is_told() -> None:
    dice = Dice(SEED, 3, tape={"examplia": {"stability_failure": [7], "economy": [20]}})
    rolls = [dice.result("examplia", "stability_failure", 1, 6), dice.result("examplia", "economy", 1, 20)]
    assert outside(rolls) == rolls[:1]


def test_who_only_foresees_throws_nothing() -> None:
    assert NoDice().result("examplia", "economy", 1, 20) is None
