"""What a seat is warned of: the chances of four turns without orders, their cause, and what helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from kingdom.games.realm.forecast.ahead import chances_ahead
from kingdom.games.realm.forecast.exact import ends_of, standing_in
from kingdom.games.realm.forecast.forecast import forecast
from kingdom.games.realm.forecast.forecast import next_turn as outcome
from kingdom.games.realm.forecast.threats import calmed
from kingdom.games.realm.forecast.turn_preview import without_orders
from kingdom.games.realm.forecast.words import percent
from kingdom.games.realm.offers.offers import may_do
from kingdom.games.realm.report.danger import TURNS, DangerRow, dangers, dangers_at_once
from kingdom.games.realm.report.odds import chances_of, forecast_view
from kingdom.games.realm.state import Bought, Event, Modifier, World, replace
from kingdom.games.realm.visibility.known import known
from tests.games.realm.forecasts import standing_of
from tests.games.realm.kit import rules_of, world_of
from tests.games.realm.reportkit import files_of, turn_of

RULES, SEAT = rules_of(), "examplia"
LAND = {"0404": [], "0405": ["farm"], "0304": ["farm"], "0503": []}
GRANARY = {"Oakhold": {"hex": "0404", "buildings": ["granary"]}}
STRONG = {"economy": 30, "loyalty": 30, "stability": 30}
ARMY = {"armies": [{"name": "Guard", "unit": "warrior", "size": "large"}]}


def kingdom(
    economy: int = 5, loyalty: int = 4, stability: int = 3, state: Mapping[str, Any] = {}, **more: Any
) -> World:
    attributes = {"economy": economy, "loyalty": loyalty, "stability": stability}
    built = {"attributes": attributes, "hexes": LAND, **more}
    return world_of({SEAT: built}, state={SEAT: msgspec.to_builtins(dict(state))})


def warned(world: World, seat: str = SEAT) -> dict[str, DangerRow]:
    seen = known(world, seat, RULES, [])
    next_turn = without_orders(seen, seat, RULES)
    offers = may_do(seen, next_turn, seat, RULES)
    return {row["name"]: row for row in dangers(seen, seat, offers, RULES)}


# --- the chances


DRAINED = Modifier("consumption", 9, "event", "a drought", ends=3)
WORLDS = {
    "calm": kingdom(treasury=30),
    "restless": kingdom(unrest=8, treasury=8),
    "at the limit of hexes": kingdom(unrest=12, treasury=8, stability=9),
    "nearly in anarchy": kingdom(unrest=15, treasury=30, stability=9),
    "in debt": kingdom(treasury=-3, unrest=3),
    "out of money": kingdom(treasury=2, economy=1, stability=12, hexes={"0404": [], "0405": [], "0304": []}),
    "with a granary": kingdom(treasury=1, economy=0, settlements=GRANARY, hexes={"0404": [], "0405": [], "0304": []}),
    "with stores": kingdom(treasury=0, settlements=GRANARY, state={"stores": 4}, hexes={"0404": [], "0405": []}),
    "with an army": kingdom(treasury=3, unrest=5, **ARMY),
    "a negative attribute": kingdom(stability=-4, loyalty=-6, treasury=9),
    "an event that ends": kingdom(treasury=20, state={"modifiers": (DRAINED,)}),
    "in the turn of anarchy": kingdom(treasury=9, unrest=20, state={"anarchy": 1}),
    "a hex is due": kingdom(treasury=9, unrest=11, state={"loses_hex": True}),
    "one hex": kingdom(treasury=4, unrest=12, hexes={"0404": []}),
    "no hex": kingdom(treasury=4, unrest=2, hexes={}),
}


@pytest.mark.parametrize("name", WORLDS)
def test_the_chances_are_those_of_the_forecast(name: str) -> None:
    """Of 20,000 samples by numpy, within one and a half points."""
    import numpy as np

    world = WORLDS[name]
    later = forecast(known(world, SEAT, RULES, []), SEAT, RULES, {}, TURNS, 20_000, np.random.default_rng(1))["later"]
    sampled = later[-1]["chances"]
    assert chances_ahead(standing_of(world, SEAT, RULES), RULES, TURNS) == pytest.approx(sampled, abs=0.015)


def test_a_loyalty_check_that_is_ordered_counts_in_the_first_turn() -> None:
    import numpy as np

    way = "change_minds_by_breaking_heads"
    world, orders = kingdom(unrest=9, loyalty=24, stability=9), {"loyalty": {way: ""}}
    later = forecast(known(world, SEAT, RULES, []), SEAT, RULES, orders, TURNS, 20_000, np.random.default_rng(1))[
        "later"
    ]
    found = chances_ahead(standing_of(world, SEAT, RULES, orders), RULES, TURNS, way)
    assert found == pytest.approx(later[-1]["chances"], abs=0.015)
    assert found["anarchy"] < chances_ahead(standing_of(world, SEAT, RULES), RULES, TURNS)["anarchy"] - 0.1


def test_one_turn_is_exactly_the_next_turn_of_the_forecast() -> None:
    import numpy as np

    for world in WORLDS.values():
        told = forecast(known(world, SEAT, RULES, []), SEAT, RULES, {}, 1, 0, np.random.default_rng(1))
        assert chances_ahead(standing_of(world, SEAT, RULES), RULES, 1) == pytest.approx(told["next"]["chances"])


# --- the lines


def test_a_kingdom_on_its_way_to_anarchy_is_told_so_turns_before() -> None:
    """Not one face of the next turn's dice brings anarchy."""
    world = kingdom(unrest=10, treasury=20, stability=3)
    assert chances_ahead(standing_of(world, SEAT, RULES), RULES, 1)["anarchy"] == 0
    row = warned(world)["anarchy"]
    assert row["chance"] > 0.3 and row["cause"] == "stability"
    assert row["said"].startswith("Anarchy by turn 4: ") and "Stability check" in row["said"]
    report = files_of(turn_of(world))["examplia.txt"]
    assert "\n\nA hex lost by turn 5 if you order nothing: " in report and "\nDanger     Anarchy by turn 5: " in report


def test_a_quiet_kingdom_is_warned_of_nothing() -> None:
    world = kingdom(treasury=60, **STRONG)
    assert warned(world) == {}
    assert "\nDanger " not in files_of(turn_of(world))["examplia.txt"]


@pytest.mark.parametrize(
    ("world", "danger", "cause", "said"),
    [
        (kingdom(unrest=5, treasury=30), "hex_loss", "stability", "Stability check 15 % in turn 1"),
        (kingdom(unrest=9, treasury=30, stability=30, economy=30, loyalty=-20), "hex_loss", "loyalty", "Loyalty below 0"),
        (kingdom(treasury=1, stability=30, hexes={"0404": [], "0405": []}), "bankruptcy", "economy", "Economy check "),
        (kingdom(treasury=1, stability=30, edicts={"holiday": "very_short"}), "bankruptcy", "consumption", "Consumption 9 a turn"),
        (kingdom(treasury=-9, unrest=9, stability=30), "hex_loss", "consumption", "a treasury below 0 adds Unrest"),
    ],
)  # fmt: skip
def test_the_cause_is_named(world: World, danger: str, cause: str, said: str) -> None:
    row = warned(world)[danger]
    assert row["cause"] == cause and said in row["said"]


def test_a_chance_of_one_turn_says_which() -> None:
    for world in WORLDS.values():
        for row in warned(world).values():
            for part in row["said"].split("%")[:-1]:
                assert any(word in part for word in ("by turn", " check ", ", ", "makes it"))
            assert " check " not in row["said"] or "in turn 1" in row["said"]


WALLED = {"Oakhold": {"hex": "0404", "buildings": ["city_wall", "moat"]}}
CURED: dict[str, tuple[World, str, dict[str, Any], str]] = {
    "the first City Wall, though it leaves no reserve": (
        kingdom(treasury=3, unrest=3, leadership=["stability"]), "hex_loss", {"build": [{"in": "Oakhold", "build": "city_wall"}]},
        "`build: city_wall in Oakhold` (2 BP)",
    ),
    "an edict": (
        kingdom(treasury=8, unrest=0, stability=0, leadership=["stability"]), "hex_loss", {"edicts": {"promotion": "standard"}},
        "`promotion: standard` (Consumption +2 a turn)",
    ),
    "a building": (
        kingdom(unrest=8, treasury=30), "hex_loss", {"build": [{"in": "Oakhold", "build": "jail"}]}, "`build: jail in Oakhold` (14 BP)",
    ),
    "a tax": (
        kingdom(treasury=1, stability=30, hexes={"0404": [], "0405": []}, leadership=["economy"]), "bankruptcy",
        {"edicts": {"taxation": "normal"}}, "`taxation: normal` (free)",
    ),
    "leadership": (
        kingdom(unrest=0, treasury=1, stability=0), "hex_loss", {"leadership": ["stability"]}, "`leadership: stability` (free)",
    ),
    "a shorter holiday": (
        kingdom(treasury=9, stability=30, loyalty=40, edicts={"holiday": "very_short"}), "bankruptcy", {"edicts": {"holiday": "average"}},
        "`holiday: average` (Consumption -6 a turn)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CURED)
def test_a_cure_says_its_price_and_what_it_makes_of_the_chance(name: str) -> None:
    """And that is what the forecast says of the same order."""
    world, danger, orders, said = CURED[name]
    row = warned(world)[danger]
    after = chances_ahead(standing_of(world, SEAT, RULES, orders), RULES, TURNS)[danger]
    assert f"{said} makes it {percent(after)}" in row["said"] and after < row["chance"] - 0.05


def test_a_cure_that_makes_another_danger_worse_says_so() -> None:
    row = warned(kingdom(unrest=0, treasury=1, stability=0))["hex_loss"]
    assert (
        "`leadership: stability` (free) makes it " in row["said"]
        and ", but raises the danger of a treasury below 0 to " in row["said"]
    )


def test_what_raises_another_danger_by_more_than_it_lowers_this_one_is_no_cure() -> None:
    """Promotion would take 3 points off it, and make a treasury below 0 likelier by 30."""
    row = warned(kingdom(treasury=3, unrest=0, stability=0, leadership=["stability"]))["hex_loss"]
    assert "promotion" not in row["said"] and "raises" not in row["said"]


def test_an_order_that_helps_against_two_dangers_is_told_once() -> None:
    rows = list(warned(kingdom(unrest=8, treasury=30)).values())
    assert [row["said"].count("`build: jail in Oakhold` (14 BP) makes it ") for row in rows] == [1, 0]
    assert rows[1]["said"].endswith(" The same order makes it 30 %.")


def test_what_takes_off_unrest_but_lowers_no_danger_is_not_said_to_help() -> None:
    """A House on credit, whose debt brings more Unrest than it takes off."""
    row = warned(kingdom(treasury=-2, unrest=6, leadership=["stability"], settlements=WALLED))["hex_loss"]
    assert "house" not in row["said"]


def test_what_changes_no_chance_enough_says_what_it_moves() -> None:
    row = warned(kingdom(unrest=18, treasury=0, stability=0, leadership=["stability"], loyalty=30))["hex_loss"]
    assert (
        row["chance"] == 1
        and "helps, but not enough: Unrest -" in row["said"]
        and "on average in turn 1" in row["said"]
    )


def test_monsters_at_large_count_as_likely_as_they_stay() -> None:
    """Not as if they stayed for sure, as the forecast has them, which throws no dice of events."""
    there = {"events": {"monster_attack-1": Event("monster_attack", 1, hex="0503")}}
    strong, fair = (
        kingdom(economy=30, loyalty=30, stability=value, treasury=60, unrest=4, state=there) for value in (30, 14)
    )
    for world in (strong, fair):
        beset = replace(world, hexes={**world.hexes, "0503": replace(world.hexes["0503"], monsters=2)})
        assert chances_ahead(standing_of(beset, SEAT, RULES), RULES, TURNS)["hex_loss"] == 1
        if world is strong:
            assert "hex_loss" not in warned(beset), "its check fails with 5 %"
            continue
        row = warned(beset)["hex_loss"]
        assert 0.06 < row["chance"] < 0.9 and row["cause"] == "monsters"
        assert row["said"].endswith(" in turn 1; Events says what drives them off.")


def test_in_the_turn_of_anarchy_no_cure_is_offered() -> None:
    row = warned(kingdom(treasury=9, unrest=20, state={"anarchy": 1}))["hex_loss"]
    assert row["chance"] == 1 and row["said"].endswith("Turn 1 is one of anarchy.")


def test_what_a_seat_may_not_know_changes_no_warning() -> None:
    """A neighbour out of sight that is rich, armed and about to march, or poor."""
    rich = {"treasury": 500, "hexes": {"0701": [], "0702": []}, **ARMY}
    for world in (kingdom(unrest=9), kingdom(treasury=1, economy=1)):
        alone = warned(world)
        own = world.kingdoms[SEAT]
        for other in ({"treasury": 0, "hexes": {"0701": []}}, rich):
            both = world_of({SEAT: {"hexes": LAND}, "borderia": other})
            assert warned(msgspec.structs.replace(both, kingdoms={**both.kingdoms, SEAT: own})) == alone != {}


def test_the_table_of_the_next_turn_counts_monsters_as_likely_as_they_stay() -> None:
    """As the danger above it does: it is told once with them and once without, by the chance that they stay."""
    world = kingdom(unrest=4)
    own = replace(world.kingdoms[SEAT], events={"monster_attack-1": Event("monster_attack", 1, hex="0503")})
    hexes = {**world.hexes, "0503": replace(world.hexes["0503"], monsters=2)}
    seen = known(replace(world, hexes=hexes, kingdoms={**world.kingdoms, SEAT: own}), SEAT, RULES)
    next_turn = without_orders(seen, SEAT, RULES)
    table, calm = forecast_view(seen, next_turn, SEAT, RULES), calmed(seen, SEAT, RULES, {})
    assert table and calm and 0 < calm.stay < 1
    told = {row["name"]: row["chance"] for row in table["chances"]}
    stays, leaves = (
        outcome(ends_of(standing, RULES), standing, RULES)["chances"]["hex_loss"]
        for standing in (standing_in(next_turn, SEAT), calm.standing)
    )
    assert stays > leaves
    assert told["hex_loss"] == pytest.approx(calm.stay * stays + (1 - calm.stay) * leaves, abs=1e-4)


def test_in_debt_a_house_on_credit_is_offered_and_named_as_a_cure() -> None:
    """Ruling debt: what the step would do is what the offers, the report and the danger lines say."""
    world = kingdom(-9, 12, 2, {"treasury": -5}, unrest=8, settlements={"Oakhold": {"hex": "0404"}})
    seen = known(world, SEAT, RULES, [])
    offers = may_do(seen, without_orders(seen, SEAT, RULES), SEAT, RULES)
    assert offers is not None
    kinds = offers["buildings"]
    assert {kind["order"] for kind in kinds} == {"house", "city_wall"} and all(kind["price"] > -5 for kind in kinds)
    rows = warned(world)
    assert any("city_wall" in row["said"] or "house" in row["said"] for row in rows.values()), rows


def in_debt(**more: Any) -> World:
    """A kingdom that owes 9 BP and has a Jail for which it paid 14, in service for long enough to be torn down for half of that."""
    world = kingdom(
        9, 9, 9, treasury=-9, unrest=3, settlements={"Oakhold": {"hex": "0404", "buildings": ["jail"]}}, **more
    )
    own = world.kingdoms[SEAT]
    town = own.settlements["Oakhold"]
    jail = town.buildings[0]
    town = replace(town, bought={f"jail {jail.lot}": Bought(14, 4)})
    used = {"buildings": 9}  # in the turn before, which takes nothing from the next one
    return replace(world, kingdoms={**world.kingdoms, SEAT: replace(own, settlements={"Oakhold": town}, used=used)})


def test_in_debt_tearing_down_and_an_army_sent_home_are_cures_too() -> None:
    """Each says what it brings, and what the forecast says of the same order."""
    orders = {"build": [{"in": "Oakhold", "demolish": "jail"}]}
    row, after = (
        warned(in_debt())["bankruptcy"],
        chances_ahead(standing_of(in_debt(), SEAT, RULES, orders), RULES, TURNS),
    )
    assert f"`build: demolish jail in Oakhold` (brings 7 BP) makes it {percent(after['bankruptcy'])}" in row["said"]
    host = {"armies": [{"name": "Host", "unit": "warrior", "size": "colossal"}]}
    broke = kingdom(2, 9, 9, treasury=2, **host)
    row = warned(broke)["bankruptcy"]
    assert "`armies: disband Host` (Consumption -" in row["said"], row


def test_where_nothing_helps_no_more_is_said_than_was_tried() -> None:
    said = [row["said"] for world in WORLDS.values() for row in warned(world).values()]
    assert not any("nothing that you can pay for" in line for line in said)


# --- by edition 1 of the rules


@pytest.mark.parametrize("name", WORLDS)
def test_by_edition_1_each_danger_of_the_next_turn_from_25_percent_on_has_its_cause_and_what_an_order_makes_of_it(
    name: str,
) -> None:
    world, rules = WORLDS[name], rules_of({"event_going_on": None})
    seen = known(world, SEAT, rules, [])
    next_turn = without_orders(seen, SEAT, rules)
    ahead = forecast_view(seen, next_turn, SEAT, rules)
    assert ahead
    chances = {row["name"]: row["chance"] for row in ahead["chances"] if row["chance"] >= 0.25}
    rows = dangers_at_once(seen, SEAT, may_do(seen, next_turn, SEAT, rules), rules, chances_of(ahead))
    assert {row["name"]: row["chance"] for row in rows} == chances
    for row in rows:
        ends = ("` (", "The same order", "No single order", "is one of anarchy.")
        assert any(end in row["rest"] for end in ends)
        assert (" if you order nothing: " in row["head"]) == (row is rows[0])


def test_by_edition_1_the_first_order_that_lowers_a_danger_is_named_with_the_chance_that_the_forecast_has() -> None:
    import numpy as np

    world, rules = WORLDS["out of money"], rules_of({"event_going_on": None})
    seen = known(world, SEAT, rules, [])
    next_turn = without_orders(seen, SEAT, rules)
    ahead = forecast_view(seen, next_turn, SEAT, rules)
    assert ahead
    (row,) = dangers_at_once(seen, SEAT, may_do(seen, next_turn, SEAT, rules), rules, chances_of(ahead))
    dice = np.random.default_rng(1)
    left = forecast(seen, SEAT, rules, {"edicts": {"taxation": "light"}}, 1, 0, dice)["next"]["chances"]["bankruptcy"]
    why = "Consumption 4 a turn; Economy check 55 % in turn 1, for 4 to 8 BP."
    assert row["head"] == "The treasury ends below 0 if you order nothing: 45 %"
    assert row["rest"] == f"{why} `taxation: light` (free) makes it {percent(left)}."
