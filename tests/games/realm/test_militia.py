"""The militia of a settlement: how strong it is, behind which walls it fights, when it is whole again."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.games.realm.state import World
from kingdom.games.realm.steps.war.militia import acr_of_militia, rallied, side_of_militia
from tests.games.realm.kit import rules_of, run, world_of

RULES = rules_of({"militia": {"capital": 0}})  # Oakhold is the capital


def world(town: dict[str, Any] | None = None, left: dict[str, Any] | None = None, **more: Any) -> World:
    """Examplia with Oakhold in 0404. left: fields of the settlement that no file can hold."""
    given = {"settlements": {"Oakhold": {"hex": "0404", **(town or {})}}, "attributes": {"loyalty": 0}, **more}
    return world_of({"examplia": given}, state={"examplia": {"settlements": {"Oakhold": left}}} if left else None)


def strength(given: World) -> float:
    return acr_of_militia(given.kingdoms["examplia"], "Oakhold", given.hexes, RULES)


@pytest.mark.parametrize(("districts", "acr"), [(1, 1), (2, 3), (3, 5), (4, 5)])
def test_a_levy_is_as_strong_as_the_tables_have_a_large_a_huge_and_a_gargantuan_militia(
    districts: int, acr: int
) -> None:
    found = world({"districts": districts})
    assert strength(found) == acr
    side = side_of_militia("examplia", found.kingdoms["examplia"], "0404", found.hexes, RULES)
    assert side and (side.hp, side.dv, side.om) == ({1: 5, 3: 16, 5: 27}[acr], 10 + acr, acr)


@pytest.mark.parametrize(("districts", "acr"), [(1, 3), (2, 5), (3, 7), (4, 7)])
def test_that_of_a_capital_is_a_row_higher(districts: int, acr: int) -> None:
    found = world({"districts": districts})
    assert acr_of_militia(found.kingdoms["examplia"], "Oakhold", found.hexes, rules_of()) == acr


@pytest.mark.parametrize(("loyalty", "unrest", "acr"), [(5, 0, 1), (6, 0, 2), (6, 1, 1), (7, 1, 2)])
def test_who_is_loyal_comes_in_greater_number(loyalty: int, unrest: int, acr: int) -> None:
    """The Control DC is 12, so Loyalty less Unrest must be 6."""
    assert strength(world(attributes={"loyalty": loyalty}, unrest=unrest)) == acr


@pytest.mark.parametrize(("districts", "unrest", "acr"), [(2, 9, 3), (2, 10, 1), (3, 12, 2), (1, 10, 1 / 2)])
def test_in_unrest_half_of_them_come(districts: int, unrest: int, acr: float) -> None:
    assert strength(world({"districts": districts}, unrest=unrest)) == acr


def test_it_fights_behind_the_walls_of_which_no_engine_hurts_a_moat() -> None:
    found = world({"buildings": ["city_wall", "moat"]})
    side = side_of_militia("examplia", found.kingdoms["examplia"], "0404", found.hexes, RULES)
    assert side and side.defense == {"city_wall": 1, "moat": 1} and side.sound == ("moat",)


def test_what_it_lost_it_lacks_and_who_lost_all_stays_at_home() -> None:
    for lost, hp in ((3, 2), (5, None), (9, None)):
        found = world(left={"levy": lost})
        side = side_of_militia("examplia", found.kingdoms["examplia"], "0404", found.hexes, RULES)
        assert (side.hp if side else None) == hp


def test_it_is_whole_again_after_four_turns_in_a_row_without_a_fight_or_a_siege() -> None:
    kingdom, seen = world(left={"levy": 3}).kingdoms["examplia"], []
    for busy in (set(), {"0404"}, set(), set(), set()):
        kingdom = rallied(kingdom, busy, RULES)
        seen.append(kingdom.settlements["Oakhold"].levy)
    assert seen == [3, 3, 3, 3, 3]
    for busy in (set(), {"0404"}, set(), set(), set(), set()):
        kingdom = rallied(kingdom, busy, RULES)
    assert kingdom.settlements["Oakhold"].levy == 0


def test_in_the_first_wording_the_turns_of_rest_need_not_be_in_a_row() -> None:
    kingdom, seen = world(left={"levy": 3}).kingdoms["examplia"], []
    for busy in (set(), {"0404"}, set(), set(), set()):
        kingdom = rallied(kingdom, busy, rules_of({"militia": {"in_a_row": False}}))
        seen.append(kingdom.settlements["Oakhold"].levy)
    assert seen == [3, 3, 3, 3, 0]


def test_where_the_rules_have_none_nobody_fights() -> None:
    found = world()
    for rules in (rules_of({"militia": {"acr": []}}),):
        assert acr_of_militia(found.kingdoms["examplia"], "Oakhold", found.hexes, rules) == 0
        assert side_of_militia("examplia", found.kingdoms["examplia"], "0404", found.hexes, rules) is None


def test_an_army_that_is_called_like_the_militia_is_not_taken_for_it() -> None:
    """Or it would escape when its namesake is beaten."""
    kingdoms = {
        "examplia": {"hexes": {"0404": []}},
        "borderia": {"hexes": {"0504": []}, "settlements": {"Millford": {"hex": "0504"}}},
    }
    first = {"unit": "warrior", "size": "colossal", "hex": "0504", "hp": 38, "deed": "attack"}
    namesake = {"unit": "warrior", "size": "medium", "hex": "0504", "hp": 1}
    state = {"examplia": {"armies": {"First": first}}, "borderia": {"armies": {"Militia of Millford": namesake}}}
    result = run(
        world_of(kingdoms, state=state), {}, steps="fight_battles", dice={"examplia": {"battle-0504-offense": [20, 20]}}
    )
    ends = [notice.facts["text"] for notice in result.notices if notice.kind == "battle" and notice.seat == "borderia"]
    assert "The Militia of Millford (borderia) defeated" in ends[0] and ends[0].count("defeated") == 2
    assert result.after.kingdoms["borderia"].armies == {}
