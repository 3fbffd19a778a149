"""The land is never made nor lost: a step that does so is stopped, even where its books balance."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import structs

from kingdom.engine.dice import Dice
from kingdom.engine.ledger import Unbalanced
from kingdom.engine.step import Phase, Turn
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.play import pieces
from kingdom.games.realm.state import World, replace, with_kingdoms
from kingdom.games.realm.steps.shared import book
from tests.games.realm.kit import rules_of, world_of

TWO = {"examplia": {}, "borderia": {}}


def after(step: Callable[[World, Turn], World]) -> World:
    """The world of two kingdoms after a turn of this step alone."""
    game = structs.replace(GAME, phases=(Phase("edict", (step,)),))
    return resolve(game, world_of(TWO), {}, Dice("a seed", 1), rules_of()).after


def given(seat: str, label: str) -> Callable[[World, Turn], World]:
    """A step that gives a hex to a kingdom, and books it."""

    def give(world: World, turn: Turn) -> World:
        kingdom = world.kingdoms[seat]
        kingdom = replace(kingdom, hexes={**kingdom.hexes, label: ()})
        book(turn, seat, kingdom, world.hexes, "claim", label)
        return with_kingdoms(world, {seat: kingdom})

    return give


def test_all_hexes_of_the_map_are_counted_by_their_terrain() -> None:
    assert pieces(world_of(TWO), rules_of()) == {"plains": 49, "hexes held twice": 0, "hexes held off the map": 0}


def test_a_free_hex_may_be_held() -> None:
    assert "0202" in after(given("examplia", "0202")).kingdoms["examplia"].hexes


def test_no_hex_is_held_by_two() -> None:
    (other,) = world_of(TWO).kingdoms["borderia"].hexes
    with pytest.raises(Unbalanced, match="step give: pieces were made or lost; there are hexes held twice 1, not 0"):
        after(given("examplia", other))


def test_no_hex_changes_its_terrain_or_is_lost() -> None:
    def grow(world: World, turn: Turn) -> World:
        return replace(world, hexes={**world.hexes, "0101": replace(world.hexes["0101"], terrain="forest")})

    def drown(world: World, turn: Turn) -> World:
        return replace(world, hexes={label: hex for label, hex in world.hexes.items() if label != "0101"})

    with pytest.raises(Unbalanced, match="step grow: .*plains 48, not 49, forest 1, not 0"):
        after(grow)
    with pytest.raises(Unbalanced, match="step drown: .*plains 48, not 49"):
        after(drown)


def test_a_hex_that_is_held_and_not_on_the_map_is_counted() -> None:
    world = world_of(TWO)
    left = {label: hex for label, hex in world.hexes.items() if label not in world.kingdoms["borderia"].hexes}
    assert pieces(replace(world, hexes=left), rules_of()) == {
        "plains": 48,
        "hexes held twice": 0,
        "hexes held off the map": 1,
    }
