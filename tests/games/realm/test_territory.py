"""Secondary territory: which part is primary, and what a check about a hex of another part suffers. See also cases/."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.dice import Dice
from kingdom.engine.turn import resolve
from kingdom.games.realm.hexmap import parts
from kingdom.games.realm.state import Kingdom, Settlement
from kingdom.games.realm.steps.land.losing import capital_hex, extra_unrest, secondary_hexes
from tests.games.realm.kit import game_of, rules_of, run, world_of

RULES = rules_of()
STEPS = ["grow_secondary_territories", "abandon_hexes", "claim_hexes", "count_secondary_territories"]


def holding(*labels: str, capital: str = "", cut_off: dict[str, int] | None = None) -> Kingdom:
    settlements = {"Oakhold": Settlement(capital)} if capital else {}
    hexes = dict.fromkeys(labels, ())
    return Kingdom(
        "Examplia", capital="Oakhold" if capital else "", hexes=hexes, settlements=settlements, cut_off=cut_off or {}
    )


@pytest.mark.parametrize(
    "kingdom, cut_off",
    [
        pytest.param(holding("0404", "0405", capital="0404"), set(), id="one part"),
        pytest.param(
            holding("0404", "0406", "0407", capital="0404"), {"0406", "0407"}, id="the capital's part is primary"
        ),
        pytest.param(holding("0404", "0406", "0407"), {"0404"}, id="without a capital the largest"),
        pytest.param(holding("0404", "0407"), {"0407"}, id="of equals that with the lowest label"),
        pytest.param(holding("0404", capital="0404"), set(), id="one hex"),
        pytest.param(holding(), set(), id="no hex"),
    ],
)
def test_ruling_secondary_territory_what_is_cut_off(kingdom: Kingdom, cut_off: set[str]) -> None:
    assert secondary_hexes(kingdom) == cut_off


def test_ruling_secondary_territory_extra_unrest_is_the_highest_count_of_the_part() -> None:
    kingdom = holding("0404", "0406", "0407", "0101", capital="0404", cut_off={"0406": 2, "0407": 5, "0101": 1})
    assert [extra_unrest(kingdom, label) for label in ("0404", "0406", "0407", "0101")] == [0, 5, 5, 1]


def test_ruling_secondary_territory_counts_in_checks_about_its_hexes_only() -> None:
    """A city in the primary part is asked without it, one in the cut-off part with it."""
    cities = {label: {"free_city": {"name": f"City {label}"}} for label in ("0405", "0407")}
    stated = {"hexes": {"0404": [], "0405": [], "0407": []}, "unrest": 2}
    world = world_of(
        {"examplia": stated}, {"hexes": cities}, RULES, {"examplia": {"edict_size": 11, "cut_off": {"0407": 4}}}
    )
    result = run(
        world,
        {"examplia": {"claim": ["0405", "0407"]}},
        dice={"examplia": {"free_city-0405": [10, 1]}},
        steps=["claim_hexes"],
    )
    checks = {notice.facts["name"]: notice.facts["unrest"] for notice in result.notices if notice.kind == "check"}
    assert checks == {"free_city-0405": 2, "free_city-0407": 2 + 1 + 4}


def test_a_kingdom_in_one_part_is_the_same_record_afterwards() -> None:
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": []}}})
    assert run(world, {}, steps=STEPS).after.kingdoms["examplia"] is world.kingdoms["examplia"]


def test_ruling_secondary_territory_is_lost_at_the_start_of_the_ninth_later_turn() -> None:
    """Cut off with 1 in turn 1, it reaches 10 at the start of turn 10."""
    world = world_of({"examplia": {"hexes": {"0404": [], "0407": []}}})
    sizes = []
    for _ in range(10):
        world = run(world, {}, steps=STEPS).after
        sizes.append(len(world.kingdoms["examplia"].hexes))
    assert sizes == [2] * 9 + [1]


LABELS = st.sampled_from([f"{column:02d}{row:02d}" for column in range(1, 6) for row in range(1, 6)])


@given(st.sets(LABELS, min_size=1, max_size=9), st.data())
def test_what_is_cut_off_are_whole_parts_and_never_the_capitals(labels: set[str], data: Any) -> None:
    capital = data.draw(st.sampled_from(["", *sorted(labels)]))
    kingdom = holding(*sorted(labels), capital=capital)
    cut_off = secondary_hexes(kingdom)
    assert sum(not part & cut_off for part in parts(frozenset(labels))) == 1
    assert all(part <= cut_off or not part & cut_off for part in parts(frozenset(labels)))
    assert not capital or capital_hex(kingdom) not in cut_off


@given(st.sets(LABELS, min_size=2, max_size=6), st.lists(st.lists(LABELS, max_size=2), min_size=3, max_size=3))
def test_counts_stand_for_just_the_hexes_that_are_cut_off(labels: set[str], claims: list[list[str]]) -> None:
    home = min(labels)
    world = world_of(
        {"examplia": {"hexes": dict.fromkeys(sorted(labels), []), "settlements": {"Oakhold": {"hex": home}}}},
        state={"examplia": {"edict_size": 11}},
    )
    for number, claimed in enumerate(claims, 1):
        world = resolve(game_of(STEPS), world, {"examplia": {"claim": claimed}}, Dice("public", number), RULES).after
        kingdom = world.kingdoms["examplia"]
        assert set(kingdom.cut_off) == secondary_hexes(kingdom)
        assert all(1 <= count <= number for count in kingdom.cut_off.values())
