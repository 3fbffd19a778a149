"""Whoever goes through all kept turns holds one of them at a time: ten years take the memory of a few turns."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from kingdom.books import proof
from kingdom.books.exports import source
from kingdom.campaign import audit, campaign, store
from kingdom.campaign.campaign import Campaign, open_campaign
from kingdom.engine import remembered
from kingdom.games.kit.memo import Memo
from kingdom.games.realm.state import Kingdom

GREENMARCH = Path(__file__).parents[2] / "campaigns" / "greenmarch"  # of four kingdoms, twelve turns
OF_A_TURN = 60  # records of a kingdom that a turn leaves behind while the next one is looked at


def kingdoms() -> int:
    gc.collect()
    return sum(isinstance(record, Kingdom) for record in gc.get_objects())


def audited(opened: Campaign) -> None:
    assert not audit.audit(opened).problems


def proved(opened: Campaign) -> None:
    assert not proof.prove(opened, source.opened(opened).kept).problems


@pytest.mark.parametrize("through", [audited, proved])
def test_nothing_of_a_turn_stays_in_memory_once_it_is_proved(through: Callable[[Campaign], None]) -> None:
    for _ in range(2):
        remembered.turn_over()
    before = kingdoms()
    through(open_campaign(GREENMARCH))
    assert kingdoms() - before <= OF_A_TURN


def test_what_is_asked_for_again_is_remembered_and_what_is_not_goes_after_two_turns() -> None:
    memo: Memo[int] = Memo()
    asked, forgotten = memo.put("asked", (), 1), memo.put("forgotten", (), 2)
    for _ in range(2):
        remembered.turn_over()
        assert memo.get("asked") == asked == 1
    assert memo.get("forgotten") is None and forgotten == 2


def test_a_state_made_of_the_one_before_is_the_state_and_shares_what_did_not_change() -> None:
    opened = open_campaign(GREENMARCH)
    turns = [store.kept(opened.turns / store.name_of(number)) for number in range(12)]
    states = [campaign.decode_state(opened.game, store.file_of(turn, "state.json"), turn.folder) for turn in turns]
    shared = 0
    for before, state in pairwise(states):
        made = proof.made_of(state, before)
        assert made == state
        shared += sum(made.hexes[label] is before.hexes[label] for label in made.hexes)
    assert shared > 11 * 0.9 * len(states[0].hexes)


@pytest.mark.parametrize(
    ("value", "earlier"),
    [({"a": {}}, {"a": {"b": 1}}), ({"a": None}, {}), ({}, {"a": 1}), ({"a": [1]}, {"a": [1, 2]}), (1, {"a": 1})],
)
def test_what_the_one_before_had_and_this_one_lacks_is_not_taken_over(value: object, earlier: object) -> None:
    assert proof.made_of(value, earlier) == value
