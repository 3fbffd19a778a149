"""Upkeep, where a case file can't say it: what waits for the next turn, and what depends on what."""

from __future__ import annotations

import pytest

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from kingdom.games.realm.state import replace, with_kingdoms
from tests.games.realm.kit import game_of, rules_of, run, world_of

RULES = rules_of()


@pytest.mark.parametrize("die", range(1, 21))
def test_ruling_stability_for_every_face_of_the_die(die: int) -> None:
    """Stability 3 - 1 with Unrest 2 against 12: the total is the die."""
    world = world_of({"examplia": {"attributes": {"stability": 3}, "unrest": 2}})
    rolls = {"stability": die, **({"stability_failure": 4} if die <= 7 else {})}
    result = run(world, {}, dice={"examplia": rolls}, steps="stability_check")
    change = result.after.kingdoms["examplia"].unrest - 2
    assert change == (-1 if die >= 12 else 1 if die >= 8 else 4)


def test_ruling_stability_its_bp_comes_before_consumption() -> None:
    """A treasury of 1 and Consumption 2: the BP of a stable kingdom saves it from debt."""
    world = world_of({"examplia": {"treasury": 1, "attributes": {"stability": 20}}})
    kingdom = run(world, {}, steps=["stability_check", "pay_consumption"]).after.kingdoms["examplia"]
    assert (kingdom.treasury, kingdom.unrest) == (0, 0)


@pytest.mark.parametrize("step", ["stability_check", "loyalty_check"])
def test_what_hangs_on_a_die_is_not_foreseen(step: str) -> None:
    world = world_of({"examplia": {"unrest": 3}})
    orders = {"examplia": {"loyalty": {"rouse_the_people": ""}}}
    result = resolve(game_of(step), world, orders, NoDice(), RULES)
    assert result.after.kingdoms == world.kingdoms and not result.entries and not result.notices


def test_ruling_hex_loss_a_kingdom_without_land_has_none_to_lose() -> None:
    after = run(world_of({"examplia": {"hexes": {}, "unrest": 15}}), {}, steps="modify_unrest").after
    assert not after.kingdoms["examplia"].loses_hex


def test_a_question_offers_what_is_held_at_the_end_of_the_turn() -> None:
    """Ruling hex_loss: the Unrest is that of step 1, the choices are those that the next orders may name."""
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": []}, "unrest": 12}})
    result = run(world, {"examplia": {"claim": ["0403"]}})
    (asked,) = result.after.kingdoms["examplia"].pending
    assert asked.choices == ("0403", "0405")


def test_a_destroyed_kingdom_is_asked_nothing_and_takes_no_part() -> None:
    world = world_of({"examplia": {"hexes": {}, "unrest": 15}, "borderia": {}})
    world = with_kingdoms(world, {"examplia": replace(world.kingdoms["examplia"], loses_hex=True)})
    after = run(world, {}).after
    assert after.kingdoms["examplia"].destroyed and after.kingdoms["examplia"].pending == ()
    again = run(after, {})
    assert {entry.kingdom for entry in again.entries} == {"borderia"}
    assert list(game_of().seats(after)) == ["borderia"] and game_of().finished(after) == ""


def test_the_game_is_over_when_no_kingdom_is_left() -> None:
    after = run(world_of({"examplia": {"hexes": {}}}), {}).after
    assert game_of().finished(after) == "no kingdom is left"
