"""Taxes, where a case file can't say it."""

from __future__ import annotations

import pytest

from kingdom.engine.dice import NoDice
from kingdom.engine.turn import resolve
from tests.games.realm.kit import game_of, rules_of, run, world_of

RULES = rules_of()


@pytest.mark.parametrize("die", range(1, 21))
def test_ruling_income_for_every_face_of_the_die(die: int) -> None:
    """Economy 3 + 4 against 12: a total of 12 and more pays a third of it, a natural 20 always, a natural 1 never."""
    world = world_of({"examplia": {"attributes": {"economy": 4}, "treasury": 0}})
    result = run(world, {}, dice={"examplia": {"economy": die}}, steps="taxes")
    assert result.after.kingdoms["examplia"].treasury == ((die + 7) // 3 if die + 7 >= 12 and die != 1 else 0)


def test_taxes_are_not_foreseen() -> None:
    world = world_of({"examplia": {"attributes": {"economy": 40}}})
    result = resolve(game_of("taxes"), world, {}, NoDice(), RULES)
    assert result.after.kingdoms == world.kingdoms and not result.notices


def test_ruling_no_hexes_no_check_without_land() -> None:
    result = run(world_of({"examplia": {"hexes": {}}}), {}, steps="taxes")
    assert result.rolls == [] and result.notices == []
