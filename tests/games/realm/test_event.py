"""The start of a turn and the wilderness: what ends, what begins, what is foreseen of it."""

from __future__ import annotations

from typing import Any

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.realm.state import Modifier, replace, with_kingdoms
from tests.games.realm.kit import game_of, rules_of, run, world_of

RULES = rules_of()


def world_with(**fields: Any) -> Any:
    """Examplia with four hexes in a row and these fields of its record."""
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": [], "0406": [], "0407": ["road"]}}})
    return with_kingdoms(world, {"examplia": replace(world.kingdoms["examplia"], **fields)})


def test_limits_of_last_turn_are_free_again() -> None:
    after = run(world_with(used={"claims": 1}), {}, steps="start").after
    assert after.kingdoms["examplia"].used == {}


def test_aid_that_follows_aid_is_booked_as_two_entries() -> None:
    """Ruling attribute: what ends and what begins are two causes, even where they come to the same sum."""
    old, new = Modifier("economy", 2, "aid", "aid from Borderia"), Modifier("economy", 2, "aid", "aid from Cravonia")
    result = run(world_with(modifiers=(old,), coming=(new,)), {}, steps="start")
    assert [(entry.account, entry.delta, entry.detail) for entry in result.entries] == [
        ("economy", -2, "aid from Borderia ends"), ("economy", 2, "aid from Cravonia begins"),
    ]  # fmt: skip
    assert result.after.kingdoms["examplia"].modifiers == (new,)


def test_two_equal_modifiers_both_end() -> None:
    twice = Modifier("economy", 2, "aid", "aid from Borderia")
    assert run(world_with(modifiers=(twice, twice)), {}, steps="start").after.kingdoms["examplia"].modifiers == ()


def test_the_hex_named_may_be_one_that_the_ruling_would_take_anyway() -> None:
    """Ruling hex_loss: with two to lose, the named one and one more, never the same twice."""
    rules = rules_of({"hex_loss": {"hexes": 2}})
    asked = run(world_with(unrest=12), {}, rules, steps=["modify_unrest", "end_of_turn"]).after
    result = run(asked, {"examplia": {"answers": {"lose_hex": "0407"}}}, rules, steps="start")
    assert [entry.detail for entry in result.entries if entry.account == "size"] == [
        "0407, to Unrest, as named (ruling hex_loss)", "0406, to Unrest, none was named (ruling hex_loss)",
    ]  # fmt: skip


def test_nothing_wild_is_foreseen() -> None:
    """What hangs on dice is left open: what stands there stands, and no roll is made."""
    lost = run(world_with(loses_hex=True), {}, steps="start").after
    result = resolve(game_of("wilderness"), lost, {}, NoDice(), RULES)
    assert result.after.hexes["0407"].left == ("road",) and not result.rolls


def test_ruling_wilderness_its_rolls_are_the_gms() -> None:
    lost = run(world_with(loses_hex=True), {}, steps="start").after
    result = run(lost, {}, dice={"gm": {"decay-0407-road": 1, "monsters-0407": [5, 6]}}, steps="wilderness")
    assert {roll.kingdom for roll in result.rolls} == {"gm"} and {notice.seat for notice in result.notices} == {"gm"}


def test_ruling_events_without_a_chance_nothing_is_said() -> None:
    assert run(world_of(), {}, steps="events").notices == []


def test_an_answer_that_is_no_label_at_all_is_refused_too() -> None:
    asked = run(world_with(unrest=12), {}, steps=["modify_unrest", "end_of_turn"]).after
    result = run(asked, {"examplia": {"answers": {"lose_hex": {"adventurers": 4}}}}, steps="start")
    assert [notice.facts["code"] for notice in result.notices if notice.kind == "refusal"] == ["answer_not_a_choice"]
