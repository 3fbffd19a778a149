"""Going over the map: what a hex costs, how far the points reach, the cheapest way. Ruling: movement."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.games.realm.hexmap import (
    DIRECTIONS,
    beside,
    cost,
    is_water,
    label_of,
    neighbours,
    piers_of,
    step_along,
    step_cost,
    way,
    ways,
)
from kingdom.games.realm.state import Hex, World
from tests.games.realm.kit import rules_of, world_of

RULES = rules_of()
# 0101 plains, hills and forest east of it; a mountain wall with a pass of plains in its middle
GRID = """\
phfpppp
dmwmppp
sjwmppp
ppwmppp
"""


def world(hexes: dict[str, Any] | None = None, **kingdom: Any) -> World:
    return world_of({"examplia": {"hexes": {"0104": []}, **kingdom}}, {"grid": GRID, "hexes": hexes or {}}, RULES)


@pytest.mark.parametrize(
    "label, points",
    [
        ("0101", 1),
        ("0201", 2),
        ("0301", 2),
        ("0102", 2),
        ("0202", 3),
        ("0302", 1),
        ("0103", 3),
        ("0203", 3),
        ("0901", None),
    ],
)
def test_each_terrain_has_its_cost(label: str, points: int | None) -> None:
    assert cost(label, world(), RULES) == points


@pytest.mark.parametrize("feature", ["river", "coast"])
def test_a_river_or_a_coast_makes_the_way_easy(feature: str) -> None:
    assert cost("0202", world({"0202": {"features": [feature]}}), RULES) == 1
    assert cost("0202", world({"0202": {"features": ["lake"]}}), RULES) == 3


def test_a_road_counts_whoever_holds_it() -> None:
    held = world_of({"examplia": {"hexes": {"0202": ["road"]}}}, {"grid": GRID}, RULES)
    assert cost("0202", held, RULES) == 1
    left = Hex("mountains", left=("road",), wild=True)
    assert cost("0202", World(0, {**held.hexes, "0202": left}, {}), RULES) == 1


def test_water_is_entered_from_a_pier_or_from_water_and_left_anywhere() -> None:
    land = world()
    assert step_cost("0301", "0302", land, RULES, frozenset()) is None
    assert step_cost("0301", "0302", land, RULES, {"0301"}) == 1
    assert step_cost("0302", "0303", land, RULES, frozenset()) == 1
    assert step_cost("0302", "0201", land, RULES, frozenset()) == 2
    assert step_cost("0301", "0302", land, RULES) == 1  # sight looks over it
    harbour = world(settlements={"Oakhold": {"buildings": ["pier"]}}, capital="Oakhold")
    assert piers_of(harbour.kingdoms["examplia"], RULES) == {"0104"}
    assert piers_of(land.kingdoms["examplia"], RULES) == frozenset()


def test_points_reach_as_far_as_they_last() -> None:
    reached = ways({"0101": 0}, 3, world(), RULES, piers=frozenset())
    assert reached == {"0101": 0, "0201": 2, "0102": 2}
    assert ways({"0101": 0}, 3, world(), RULES, barred={"0201"}, piers=frozenset()) == {"0101": 0, "0102": 2}
    both = ways({"0101": 2, "0401": 1, "0701": 9}, 3, world(), RULES)
    assert both["0401"] == 1 and both["0501"] == 2 and both["0101"] == 2 and "0102" not in both and "0701" not in both


def test_the_cheapest_way_goes_round_what_is_dear() -> None:
    land = world_of(
        map={"grid": "mpppp\nmpmpm\nmpmpm\nppppp"}, kingdoms={"examplia": {"hexes": {"0101": []}}}, rules=RULES
    )
    assert way("0202", "0401", land, RULES) == ["0202", "0201", "0301", "0401"]  # 3 points; 4 over the mountains
    assert way("0202", "0402", land, RULES) == ["0202", "0302", "0402"]  # 4 points either way
    assert way("0202", "0402", land, RULES, lambda label: label != "0402") is None
    assert way("0202", "0202", land, RULES) == ["0202"]


def test_one_gets_a_hex_far_at_least_and_loses_what_is_left() -> None:
    land, path = world(), ["0101", "0102", "0202", "0203"]  # 2, 3 and 3 points
    assert step_along(path, 0, 8, land, RULES) == 3
    assert step_along(path, 0, 7, land, RULES) == 2
    assert step_along(path, 0, 1, land, RULES) == 1
    assert step_along(path, 3, 8, land, RULES) == 3
    assert step_along(["0401", "0901"], 0, 8, land, RULES) == 0


LABELS = [label_of(column, row) for column in range(1, 7) for row in range(1, 7)]
labels = st.sampled_from(LABELS)
terrain = st.sampled_from(["plains", "hills", "mountains", "water"])
grids = st.lists(terrain, min_size=36, max_size=36)


@given(grids, labels, labels, st.integers(0, 12))
def test_a_way_costs_what_the_reach_says(grid: list[str], start: str, goal: str, budget: int) -> None:
    land = World(0, dict(zip(LABELS, map(Hex, grid), strict=False)), {})
    path, reached = way(start, goal, land, RULES, piers=()), ways({start: 0}, budget, land, RULES, piers=())
    if path is None:
        assert goal not in reached
        return
    assert path[0] == start and path[-1] == goal and len(set(path)) == len(path)
    assert all(there in neighbours(here) for here, there in pairwise(path))
    assert not any(is_water(there, land, RULES) and not is_water(here, land, RULES) for here, there in pairwise(path))
    points = sum(cost(label, land, RULES) or 0 for label in path[1:])
    assert reached.get(goal, budget + 1) == (points if points <= budget else budget + 1)
    far = step_along(path, 0, budget, land, RULES)
    assert path[: far + 1] == path if points <= budget else far >= min(1, len(path) - 1)


@given(labels)
def test_directions_are_the_neighbours(label: str) -> None:
    assert [there for direction in DIRECTIONS if (there := beside(label, direction))] == list(neighbours(label))
