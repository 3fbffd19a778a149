"""Refusals: one shape for an order that the rules or the state forbid, and one way for a turn to refuse with it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from kingdom.engine.dice import NoDice
from kingdom.engine.ledger import Books
from kingdom.engine.refusal import Refusal, sentence
from kingdom.engine.step import Notice, Play, Turn

REFUSALS = {
    "too_few": "You have {have} apples, and the order needs {needs}. Order fewer.",
    "closed": "The market is closed.",
    "code": "{code} of {seat} stands in {order}.",
}


class Basket(NamedTuple):
    """A state of a game of apples."""

    turn: int = 3


def turn_of_apples() -> Turn[Basket, None]:
    play: Play[Basket, None] = Play((), REFUSALS, lambda state: ("anna",), lambda state, seat, rules: {})
    turn = Turn(play, 4, None, {}, NoDice(), Books(4, {}))
    turn.phase, turn.step = "market", "sell"
    return turn


def objection(have: int, needs: int) -> Refusal | None:
    return Refusal("too_few", {"have": have, "needs": needs}) if have < needs else None


def test_a_refusal_is_a_sentence_of_the_games_table() -> None:
    refusal = objection(2, 3)
    assert refusal is not None
    assert sentence(refusal, REFUSALS) == "You have 2 apples, and the order needs 3. Order fewer."
    assert sentence(Refusal("closed"), REFUSALS) == "The market is closed."
    assert objection(3, 3) is None


def test_a_turn_refuses_with_what_a_check_found() -> None:
    turn = turn_of_apples()
    refusal = objection(2, 3)
    assert refusal is not None
    turn.refuse_with("anna", "sell[0]", refusal)
    reason = "You have 2 apples, and the order needs 3. Order fewer."
    facts = {"order": "sell[0]", "code": "too_few", "reason": reason}
    assert turn.notices == [Notice("refusal", "market", "sell", "anna", facts)]


def test_the_short_way_says_the_same() -> None:
    long, short = turn_of_apples(), turn_of_apples()
    long.refuse_with("anna", "sell[1]", Refusal("too_few", {"have": 0, "needs": 1}))
    short.refuse("anna", "sell[1]", "too_few", have=0, needs=1)
    assert long.notices == short.notices
    assert short.reason("too_few", have=0, needs=1) == long.notices[0].facts["reason"]


def test_a_fact_may_have_any_name() -> None:
    turn = turn_of_apples()
    turn.refuse_with("anna", "sell[0]", Refusal("code", {"code": "A1", "seat": "Bob", "order": "line 3"}))
    assert turn.notices[0].facts["reason"] == "A1 of Bob stands in line 3."


@pytest.mark.parametrize("refusal", [Refusal("unheard_of"), Refusal("too_few", {"have": 1})])
def test_a_code_or_fact_that_is_missing_is_our_bug(refusal: Refusal) -> None:
    with pytest.raises(KeyError):
        sentence(refusal, REFUSALS)


def test_a_refusal_is_frozen() -> None:
    with pytest.raises(AttributeError):
        Refusal("closed").code = "open"  # type: ignore[misc]  # that it can't be set is what is tested
