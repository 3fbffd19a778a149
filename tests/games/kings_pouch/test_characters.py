"""The twelve characters: what each counts, and what a marker on it brings at each step of its table."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.games.kings_pouch.state import Citizens, replace
from kingdom.games.kings_pouch.steps import rounds
from tests.games.kings_pouch.kit import moved, rules, run, table

RED, YELLOW, GREEN = (
    ("stable", "watchtower", "armoury", "stronghold", "city_watch"),
    ("market", "inn", "bank"),
    ("school", "abbey", "shrine"),
)
WORTH: dict[str, list[tuple[dict[str, Any], int]]] = {  # character -> (what alice has, what a marker of hers brings)
    "mayor": [({"active": Citizens(common=count)}, worth) for count, worth in ((0, 3), (1, 3), (2, 6), (3, 9), (5, 9))],
    "inquisitor": [({"active": Citizens(corrupt=count)}, worth) for count, worth in ((0, 9), (1, 6), (2, 3), (4, 3))],
    "scholar": [
        ({"active": Citizens(soldier=soldiers, cleric=clerics, merchant=1)}, worth)
        for soldiers, clerics, worth in ((0, 0, 3), (1, 1, 3), (2, 1, 6), (2, 2, 9), (3, 2, 9))
    ],
    "chancellor": [
        ({"cards": ()}, 3),
        ({"cards": (*RED[:3], *YELLOW[:1])}, 3),
        ({"cards": (RED[0], YELLOW[0], GREEN[0])}, 6),
        ({"cards": (*RED[:2], *YELLOW[:2], *GREEN[:2])}, 9),
        ({"cards": (*RED[:3], *YELLOW[:3], *GREEN[:3])}, 9),
    ],
    "architect": [
        ({"cards": RED[:count]}, worth) for count, worth in ((0, 3), (2, 3), (3, 6), (4, 6), (5, 9))
    ],  # the Barracks are red too
    "queen": [
        ({"land": {}}, 3),
        ({"land": {"r1": 1, "r2": 1}}, 3),
        ({"land": {"r1": 2, "r2": 1}}, 6),
        ({"land": {"r1": 2, "r2": 2}}, 9),
        ({"land": {"r1": 1, "r3": 1, "r4": 1, "r5": 1}}, 9),
    ],
    "chamberlain": [({"land": {}}, 4), ({"land": {"m0": 1}}, 8)],
    "archbishop": [({}, 6)],
    "jester": [
        ({"court": {"jester": 1}}, 3),
        ({"court": {"jester": 2}}, 6),
        ({"court": {"jester": 1, "queen": 2}}, 9),
        ({"court": {"jester": 2, "queen": 2}}, 9),
    ],
    "princess_1": [
        ({"court": {"princess_1": 1}}, 5),
        ({"court": {"princess_1": 2}}, 7),
        ({"court": {"princess_1": 1, "princess_2": 2}}, 7),
    ],
    "princess_2": [({"court": {"princess_2": 1}}, 5), ({"court": {"princess_1": 1, "princess_2": 1}}, 7)],
}


@pytest.mark.parametrize(
    ("who", "has", "worth"), [(who, has, worth) for who, rows in WORTH.items() for has, worth in rows]
)
def test_what_a_marker_brings(who: str, has: dict[str, Any], worth: int) -> None:
    assert rounds.value_of(table(2, alice=has), "alice", who, rules()) == worth


def test_the_prince_brings_more_at_each_council() -> None:
    laid = table(alice={"court": {"prince": 1}})
    assert [rounds.value_of(replace(laid, councils=number), "alice", "prince", rules()) for number in (1, 2, 3)] == [
        5,
        7,
        9,
    ]
    assert {*WORTH, "prince"} == set(rules().characters), "all twelve"


def test_the_palace_of_another_counts_for_nobody_else() -> None:
    laid = table(bob={"land": {"m0": 1}})
    assert [rounds.value_of(laid, seat, "chamberlain", rules()) for seat in ("alice", "bob")] == [4, 8]


def test_no_building_of_others_and_none_under_construction_counts() -> None:
    laid = table(alice={"cards": RED[:2], "site": "armoury"}, bob={"cards": RED[2:]})
    assert rounds.value_of(laid, "alice", "architect", rules()) == 3


@pytest.mark.parametrize(("number", "each"), [(3, 1), (6, 2), (9, 3)])
def test_a_council_counts_connected_markers_and_each_marker_on_a_character(number: int, each: int) -> None:
    """The castle, a double marker twice, nothing that is cut off; and both markers on one character."""
    laid = table(2, number, alice={"land": {"r1": 2, "r4": 1}, "court": {"chamberlain": 2}})
    laid = replace(
        laid, characters=("chamberlain",), councils=number // 3 - 1, display=() if number == 9 else laid.display
    )
    result = run(laid)
    assert moved(result, "prestige", "council_territories") == 3 * each
    assert moved(result, "prestige", "council_character") == 2 * 4
    assert moved(result, "markers", "characters_return") == 2 and result.after.territories.keys() == {"r1", "r4"}, (
        "land keeps its markers"
    )


@pytest.mark.parametrize("number", [1, 2, 4, 5, 7, 8])
def test_no_council_meets_in_other_rounds(number: int) -> None:
    result = run(replace(table(2, number, alice={"land": {"r1": 1}, "court": {"queen": 1}}), councils=number // 3))
    assert moved(result, "prestige", "council_territories") == 0 and result.after.claimed
