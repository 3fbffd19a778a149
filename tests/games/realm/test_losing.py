"""Losing a hex, for whatever reason: what stays, what becomes of its settlement and capital, and which hex goes first."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.engine.step import Phase, Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.hexmap import distance
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Kingdom, Settlement
from kingdom.games.realm.steps.land.losing import (
    Loss,
    choose_hex_to_lose,
    hexes_to_lose,
    lose_hexes,
    may_be_named,
    next_capital,
)
from tests.games.realm.kit import MiddleDice, rules_of, world_of


def losing(world: Any, *losses: Loss) -> Result:
    """The Result of a turn in which nothing else happens; the books are proved."""

    def step(world: Any, turn: Any) -> Any:
        return lose_hexes(world, turn, losses)

    game = SimpleNamespace(
        pieces=None,
        unmoved=None,
        phases=(Phase("event", (step,)),),
        refusals={},
        seats=lambda world: list(world.kingdoms),
        accounts=lambda world, seat, rules: accounts(world.kingdoms[seat], world.hexes, rules),
    )
    return resolve(game, world, {}, MiddleDice(world.turn + 1, {}), rules_of())


def loss(label: str, seat: str = "examplia") -> Loss:
    return Loss(seat, label, "hex_loss", f"{label} (ruling hex_loss)")


def entries(result: Result) -> dict[str, int]:
    return {entry.account: entry.delta for entry in result.entries}


def test_the_benefits_go_with_the_hex_and_are_booked_under_its_cause() -> None:
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": ["mine", "road"]}}})
    result = losing(world, loss("0405"))
    assert entries(result) == {"size": -1, "economy": -1, "consumption": -1}
    assert {(entry.cause, entry.detail) for entry in result.entries} == {("hex_loss", "0405 (ruling hex_loss)")}
    assert result.after.kingdoms["examplia"].hexes == {"0404": ()}


def test_ruling_wilderness_what_stood_there_stays_a_prepared_site_too() -> None:
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": ["prepared", "road"]}}})
    assert losing(world, loss("0405")).after.hexes["0405"].left == ("prepared", "road")


def test_ruling_roads_a_bridge_is_a_feature_of_the_hex_from_then_on() -> None:
    map = {"hexes": {"0405": {"features": ["river"]}}}
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": ["road", "bridge"]}}}, map)
    hex = losing(world, loss("0405")).after.hexes["0405"]
    assert (hex.left, hex.features) == (("road",), ("river", "bridge"))


def test_its_settlement_becomes_a_free_city_with_all_that_stands_in_it() -> None:
    kingdoms = {
        "examplia": {
            "hexes": {"0404": [], "0405": []},
            "settlements": {"Oakhold": {"hex": "0404"}, "Newford": {"hex": "0405", "buildings": ["house", "inn"]}},
        }
    }
    result = losing(world_of(kingdoms), loss("0405"))
    city = result.after.hexes["0405"].free_city
    assert (city.name, [building.id for building in city.settlement.buildings]) == ("Newford", ["house", "inn"])
    assert list(result.after.kingdoms["examplia"].settlements) == ["Oakhold"]
    assert result.after.kingdoms["examplia"].capital == "Oakhold"
    assert [notice.facts["text"] for notice in result.notices] == ["Newford in 0405 is a free city now."]


def test_ruling_capital_lost_most_districts_then_most_buildings_then_first_by_name() -> None:
    def capital(**settlements: dict) -> str:
        hexes = {f"040{number}": [] for number in range(1, len(settlements) + 2)}
        named = {"Oakhold": {"hex": "0401"}}
        named |= {name: {"hex": f"040{number}", **each} for number, (name, each) in enumerate(settlements.items(), 2)}
        kingdoms = {"examplia": {"hexes": hexes, "settlements": named}}
        result = losing(world_of(kingdoms), loss("0401"))
        assert entries(result).get("unrest") is None
        return result.after.kingdoms["examplia"].capital

    assert capital(Ash={"buildings": ["house", "inn"]}, Birch={"districts": 2}) == "Birch"
    assert capital(Ash={"buildings": ["house"]}, Birch={"buildings": ["house", "inn"]}) == "Birch"
    assert capital(Birch={}, Ash={}) == "Ash"
    assert capital() == ""


def test_ruling_capital_lost_is_told() -> None:
    kingdoms = {
        "examplia": {
            "hexes": {"0404": [], "0405": []},
            "settlements": {"Oakhold": {"hex": "0404"}, "Ash": {"hex": "0405"}},
        }
    }
    told = [notice.facts["text"] for notice in losing(world_of(kingdoms), loss("0404")).notices]
    assert told == ["Oakhold in 0404 is a free city now.", "Ash is the capital now (ruling capital_lost)."]


def test_losing_the_last_hex_leaves_a_kingdom_without_land() -> None:
    result = losing(world_of({"examplia": {"hexes": {"0404": ["road"]}}}), loss("0404"))
    kingdom = result.after.kingdoms["examplia"]
    assert (kingdom.hexes, kingdom.settlements, kingdom.capital) == ({}, {}, "")


def test_a_free_city_that_the_kingdom_never_won_stays_in_the_lost_hex() -> None:
    map = {"hexes": {"0405": {"free_city": {"name": "Oldwick"}}}}
    result = losing(world_of({"examplia": {"hexes": {"0404": [], "0405": []}}}, map), loss("0405"))
    assert result.after.hexes["0405"].free_city.name == "Oldwick"


def test_a_lost_hex_is_no_longer_cut_off_but_what_was_seen_in_it_stays_known() -> None:
    world = world_of({"examplia": {"hexes": {"0404": [], "0407": []}}}, state={"examplia": {"cut_off": {"0407": 3}}})
    kingdom = losing(world, loss("0407")).after.kingdoms["examplia"]
    assert (kingdom.cut_off, kingdom.revealed) == ({}, ("0404", "0407"))


def test_many_losses_of_several_kingdoms_are_one_after_another() -> None:
    world = world_of({"examplia": {"hexes": {"0404": [], "0405": []}}, "borderia": {"hexes": {"0701": [], "0702": []}}})
    result = losing(world, loss("0405"), loss("0702", "borderia"), loss("0404"))
    assert [set(kingdom.hexes) for kingdom in result.after.kingdoms.values()] == [{"0701"}, set()]
    assert [entry.kingdom for entry in result.entries if entry.account == "size"] == [
        "examplia",
        "borderia",
        "examplia",
    ]


def test_nothing_to_lose_is_the_same_world() -> None:
    world = world_of()
    after = losing(world).after
    assert after.hexes is world.hexes and after.kingdoms is world.kingdoms


def holding(hexes: dict[str, tuple[str, ...]], capital: str = "0404") -> Kingdom:
    settlements = {"Oakhold": Settlement(capital)} if capital else {}
    return Kingdom("Examplia", capital="Oakhold" if capital else "", hexes=hexes, settlements=settlements)


@pytest.mark.parametrize(
    "hexes, capital, lost",
    [
        pytest.param({"0404": (), "0405": (), "0406": ()}, "0404", "0406", id="the farthest from the capital"),
        pytest.param(
            {"0404": (), "0405": (), "0403": ("farm",)}, "0404", "0405", id="then the one with fewest improvements"
        ),
        pytest.param(
            {"0404": (), "0405": ("prepared",), "0403": ()}, "0404", "0403", id="a prepared site counts as one"
        ),
        pytest.param({"0404": (), "0405": ("road",), "0403": ()}, "0404", "0403", id="a road counts as one"),
        pytest.param({"0404": (), "0503": (), "0405": ()}, "0404", "0503", id="then the highest label"),
        pytest.param({"0404": ()}, "0404", "0404", id="the capital's when no other is left"),
        pytest.param(
            {"0404": ("farm",), "0101": ("farm", "road"), "0303": ()},
            "",
            "0303",
            id="without a capital distances count as 0",
        ),
        pytest.param({}, "", "", id="no hex, none to lose"),
    ],
)
def test_ruling_hex_loss_where_nobody_chooses(hexes: dict, capital: str, lost: str) -> None:
    assert choose_hex_to_lose(holding(hexes, capital)) == lost


def test_ruling_hex_loss_a_settlement_counts_as_no_improvement() -> None:
    kingdom = holding({"0404": (), "0403": (), "0405": ("road",)})
    settlements = {**kingdom.settlements, "Newford": Settlement("0403")}
    kingdom = Kingdom("Examplia", capital="Oakhold", hexes=kingdom.hexes, settlements=settlements)
    assert choose_hex_to_lose(kingdom) == "0403"


@pytest.mark.parametrize(
    "named, may",
    [
        pytest.param("0405", True, id="one that is held"),
        pytest.param("0404", False, id="never the capital's while another is left"),
        pytest.param("0707", False, id="not one that is not held"),
        pytest.param("", False, id="none named"),
    ],
)
def test_ruling_hex_loss_the_named_hex(named: str, may: bool) -> None:
    assert may_be_named(holding({"0404": (), "0405": (), "0406": ()}), named) is may


def test_ruling_hex_loss_the_capitals_hex_may_be_named_when_it_is_the_last() -> None:
    assert may_be_named(holding({"0404": ()}), "0404")


LABELS = st.builds(lambda column, row: f"{column:02d}{row:02d}", st.integers(1, 9), st.integers(1, 9))
LAND = st.dictionaries(LABELS, st.sampled_from([(), ("farm",), ("farm", "road")]), min_size=1, max_size=12)


@given(LAND, st.data())
def test_ruling_hex_loss_several_go_as_one_after_another_would(hexes: dict, data: Any) -> None:
    capital = data.draw(st.sampled_from(sorted(hexes)))
    kingdom, gone = holding(hexes, capital), []
    while kingdom.hexes:
        label = choose_hex_to_lose(kingdom)
        assert all(distance(capital, label) >= distance(capital, other) for other in kingdom.hexes if label != capital)
        gone.append(label)
        kingdom = holding({other: built for other, built in kingdom.hexes.items() if other != label}, capital)
    assert hexes_to_lose(holding(hexes, capital), len(hexes)) == gone
    assert gone[-1] == capital


def test_ruling_capital_lost_nobody_without_a_settlement() -> None:
    assert next_capital(holding({"0404": ()}, "")) == ""
