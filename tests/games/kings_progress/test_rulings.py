"""The rulings one by one: what is played where the rules are silent, and the figures that a campaign may set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import opening
from kingdom.engine.dice import Dice, NoDice
from kingdom.engine.problems import Faults
from kingdom.games.kings_progress.game import GAME
from kingdom.games.kings_progress.rounds import first_chancellor
from kingdom.games.kings_progress.state import CITY_VETO, INVESTMENT_VETO, PROGRESS, City, Table, replace
from kingdom.orders import tables, yaml_text
from tests.games.kings_progress.kit import (
    begun,
    city,
    end_of,
    game_of,
    kingdom_of,
    own_rules,
    played,
    refused,
    rules_with,
    told,
    with_,
)


def veto_phase(phase: str = CITY_VETO, **alice: Any) -> Table:
    """Round 4 before the vetoes; alice has four cities, her King in the second, unless it is said otherwise."""
    table = replace(begun(), round=4, phase=phase)
    for seat in table.seats:
        table = with_(
            table, seat, cities=tuple(city(value, value) for value in (1, 2, 3, 4)), king=2, tiles=(0, 5), coins=(0, 5)
        )
    return with_(table, "alice", **alice)


# --- 1 to 4: vetoes


def test_one_veto_each_in_a_veto_phase() -> None:
    result = played(
        veto_phase(), {"alice": {"city_veto": [{"city": 1, "replace_with": 5}, {"city": 3, "replace_with": 0}]}}
    )
    alice = result.after.seats["alice"]
    assert [each.tile for each in alice.cities] == [5, 2, 3, 4] and alice.vetoes == 4


def test_a_tile_of_the_same_value_may_replace_one() -> None:
    orders = {"alice": {"city_veto": [{"city": 1, "replace_with": 1}]}}
    result = played(veto_phase(tiles=(0, 1)), orders)
    assert refused(result, "alice") == [] and result.after.seats["alice"].vetoes == 4
    assert refused(
        played(veto_phase(tiles=(0, 1)), orders, rules_with(different_tile={"equal_allowed": False})), "alice"
    ) == ["same_tile"]


def test_any_city_may_be_vetoed_but_the_kings() -> None:
    for number, codes in ((1, []), (2, ["king_in_city"]), (3, []), (4, [])):
        assert (
            refused(played(veto_phase(), {"alice": {"city_veto": [{"city": number, "replace_with": 5}]}}), "alice")
            == codes
        )
    left = rules_with(where_vetoes={"left_cities": False})
    assert refused(played(veto_phase(), {"alice": {"city_veto": [{"city": 1, "replace_with": 5}]}}, left), "alice") == [
        "king_was_there"
    ]
    first = replace(begun(), phase=CITY_VETO)
    for seat in first.seats:
        first = with_(first, seat, cities=(city(1),))
    assert refused(played(first, {"alice": {"city_veto": [{"city": 1, "replace_with": 5}]}}), "alice") == [], (
        "in round 1 he is in the centre"
    )


def test_a_vetoed_coin_of_ones_own_is_told_once() -> None:
    own = (city(1, 1), city(2, 2), city(3, 3, by="alice", seen="alice"), city(4, 4))
    result = played(
        veto_phase(INVESTMENT_VETO, cities=own), {"alice": {"investment_veto": {"city": 3, "swap": {"default": 5}}}}
    )
    assert [text for text in told(result, "alice") if "vetoed" in text] == [
        "You vetoed the investment in city 3: you saw a 3, which is in your reserve now, and put in a 5."
    ]


@pytest.mark.parametrize(("coin", "goes_in"), [("highest", 5), ("lowest", 0)])
def test_which_coin_goes_in_where_the_order_names_none(coin: str, goes_in: int) -> None:
    result = played(
        veto_phase(INVESTMENT_VETO),
        {"alice": {"investment_veto": {"city": 3}}},
        rules_with(swap_without={"coin": coin}),
    )
    assert result.after.seats["alice"].cities[2].coin == goes_in


# --- 5 to 9: the Kings, the last round, the end of the row


def test_all_kings_move_in_one_turn() -> None:
    table = replace(veto_phase(), phase=PROGRESS)
    result = played(table, {"bob": {"progress": {"veto": ""}}}, rules_with("strict"))
    assert [kingdom.king for kingdom in result.after.seats.values()] == [3, 2, 3]


def test_a_king_looks_at_the_coin_that_he_comes_to_and_at_no_other() -> None:
    table = replace(veto_phase(), phase=PROGRESS)
    result = played(table, {"bob": {"progress": {"veto": ""}}})
    kingdoms = result.after.seats
    assert ["alice" in each.seen_by for each in kingdoms["alice"].cities] == [False, False, True, False]
    assert ["bob" in each.seen_by for each in kingdoms["cara"].cities] == [True] * 4 and "cara" in kingdoms[
        "cara"
    ].cities[2].seen_by
    assert "Your King moved to city 3, where a coin 3 lies." in told(result, "alice")


def test_later_he_looks_even_where_he_does_not_in_round_1() -> None:
    table = replace(veto_phase(), phase=PROGRESS)
    assert "alice" in played(table, {}, rules_with(first_look={"looks": False})).after.seats["alice"].cities[2].seen_by


@pytest.mark.parametrize("looks", [True, False])
def test_in_round_1_he_looks_too(looks: bool) -> None:
    result = played(begun(), {}, rules_with("weekly", first_look={"looks": looks}))
    first = result.after.seats["alice"].cities[0]
    assert first.coin_by != "alice" and ("alice" in first.seen_by) is looks


def test_the_last_move_can_be_vetoed() -> None:
    table = replace(veto_phase(), round=6, phase=PROGRESS)
    assert played(table, {"alice": {"progress": {"veto": ""}}}).after.seats["alice"].king == 2
    result = played(table, {"alice": {"progress": {"veto": ""}}}, rules_with(last_round={"progress_veto": False}))
    assert result.after.seats["alice"].king == 3 and refused(result, "alice") == ["no_last_veto"]


def test_a_campaign_may_have_vetoes_in_the_last_round_but_then_no_piece_is_left() -> None:
    """What the rules leave out would be impossible anyway: every reserve is empty when the vetoes come."""
    rules = rules_with("weekly", last_round={"placement_vetoes": True})
    *_, last = list(game_of("last", 3, rules))
    orders = {
        "alice": {"city_veto": [{"city": 1, "replace_with": 5}], "investment_veto": {"city": 1, "swap": {"default": 5}}}
    }
    result = played(last.before, orders, rules)
    assert refused(result, "alice") == ["no_tile_to_swap", "no_coin_to_swap"]
    assert result.after.seats["alice"].vetoes == last.before.seats["alice"].vetoes


def test_who_has_no_veto_left_passes_and_moves() -> None:
    orders = {"alice": {"investment_veto": {"city": 1, "swap": {"default": 5}}, "progress": {"veto": ""}}}
    result = played(veto_phase(INVESTMENT_VETO, vetoes=0), orders)
    assert refused(result, "alice") == ["no_veto_left", "no_progress_veto"]
    assert result.after.seats["alice"].king == 3


def test_a_city_goes_to_the_players_end_wherever_the_king_is() -> None:
    table = replace(veto_phase(), round=5, phase="city")
    orders = {seat: {"city": [{"kingdom": seat, "tile": 5}]} for seat in table.seats}
    result = played(with_(table, "alice", king=1), orders)
    assert [each.tile for each in result.after.seats["alice"].cities] == [1, 2, 3, 4, 5]


# --- 10 and 11: ties


def test_the_best_city_counts_doubled_where_the_king_is() -> None:
    table = Table(
        turn=17,
        seats={seat: kingdom_of(city(3, 3), city(4, 4), *(city(0, 0) for _ in range(4)), king=1) for seat in "ab"},
        first="a",
        round=6,
        phase=PROGRESS,
    )
    orders = {"a": {"progress": {"veto": ""}}}
    stayed = played(table, orders).after.seats
    assert (stayed["a"].best_city, stayed["a"].king_city) == (18, 18) and (
        stayed["b"].best_city,
        stayed["b"].king_city,
    ) == (32, 32)
    plain = played(table, orders, rules_with(best_city={"doubled": False})).after.seats
    assert (plain["a"].best_city, plain["b"].best_city) == (16, 16)


def test_what_decides_is_named_in_its_order() -> None:
    assert GAME.scoring.counts == GAME.scoring.counts == ("total", "best_city", "king_city", "vetoes")


# --- 12: two games


def test_two_games_are_added_and_the_seat_two_to_the_left_begins_the_second() -> None:
    rules = rules_with("weekly", double_game={"games": 2})
    results = list(game_of("double", 4, rules))
    assert [first_chancellor(result.before) for result in results] == [
        "alice",
        "bob",
        "cara",
        "dan",
        "alice",
        "bob",
        "cara",
        "dan",
        "alice",
        "bob",
        "cara",
        "dan",
    ]
    middle, end = results[5].after, results[-1].after
    assert (middle.game, middle.round, middle.phase) == (2, 1, "city")
    for seat, kingdom in middle.seats.items():
        entries = [
            entry.delta
            for entry in results[5].entries
            if (entry.kingdom, entry.account, entry.cause) == (seat, "total", "tax")
        ]
        assert kingdom.total >= sum(entries) > 0 and (kingdom.vetoes, kingdom.king, kingdom.cities) == (5, 0, ())
        last = end.seats[seat]
        assert last.total == kingdom.total + last.points + last.vetoes
    assert GAME.finished(middle) == "" and GAME.finished(end)


def test_at_the_end_of_the_first_game_all_coins_are_turned_up() -> None:
    rules = rules_with("weekly", double_game={"games": 2})
    *_, last = list(game_of("double", 3, rules))[:6]
    before = dict(end_of("double", 3, rules_with("weekly")).seats.items())
    for seat, kingdom in before.items():
        (said,) = [text for text in told(last, "all") if text.startswith(f"{seat} ended the game with the tiles ")]
        assert said.endswith(f"and the King in city {kingdom.king}.") and f"coins {kingdom.cities[0].coin}, " in said
    assert not [text for text in told(list(game_of("double", 3, rules))[-1], "all") if "ended the game" in text], (
        "then the board shows them"
    )


def test_a_tie_of_two_games_goes_by_the_cities_of_the_second() -> None:
    """Both have collected the same in two games, alice with the better city in the first, bob in the second."""
    rules = rules_with("weekly", double_game={"games": 2})
    high = tuple(city(*each) for each in ((5, 5), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4)))  # 35, the best one 25
    low = tuple(city(*each) for each in ((5, 3), (4, 4), (3, 0), (2, 1), (1, 2), (0, 5)))  # 35, the best one 16
    table = Table(
        turn=5,
        seats={"alice": kingdom_of(*high, king=5, vetoes=0), "bob": kingdom_of(*low, king=5, vetoes=0)},
        first="alice",
        round=6,
        phase=PROGRESS,
    )
    first = played(table, rules=rules).after
    assert [(kingdom.total, kingdom.best_city) for kingdom in first.seats.values()] == [(35, 0), (35, 0)], (
        "cities of the first are forgotten"
    )
    second = replace(first, round=6, phase=PROGRESS)
    for seat, cities in (("alice", low), ("bob", high)):
        second = with_(second, seat, cities=cities, king=5, vetoes=0, tiles=(), coins=())
    kingdoms = played(second, rules=rules).after.seats
    assert [(kingdom.total, kingdom.best_city) for kingdom in kingdoms.values()] == [(70, 16), (70, 25)]


def test_each_of_four_seats_begins_three_of_twelve_rounds() -> None:
    rules = rules_with("weekly", double_game={"games": 2})
    firsts = [first_chancellor(result.before) for result in game_of("double", 4, rules, first="cara")]
    assert sorted(firsts) == sorted(["alice", "bob", "cara", "dan"] * 3)


def test_one_game_is_the_rule() -> None:
    assert own_rules().double_game.games == 1 and end_of("one", rules=rules_with("weekly")).turn == 6


# --- 13: who begins


def opened(table_yaml: str, dice: Any = None, seats: tuple[str, ...] = ("alice", "bob", "cara")) -> Any:
    files = {"table.yaml": table_yaml.encode(), **{f"kingdoms/{seat}.yaml": b"name: A name\n" for seat in seats}}
    setup = opening.setup(files, Path("campaign"), GAME, own_rules(), seats)
    return opening.opened(GAME, setup, own_rules(), dice or Dice("a seed", 0))


def test_the_campaign_names_the_first_chancellor_or_a_die_does() -> None:
    assert opened("clockwise: [alice, bob, cara]\nfirst_chancellor: cara\n").after.first == "cara"
    assert opened("clockwise: [alice, bob, cara]\nfirst_chancellor: cara\n").rolls == []
    drawn = opened("clockwise: [cara, alice, bob]\n")
    (roll,) = drawn.rolls
    assert (roll.kingdom, roll.name, roll.sides) == ("gm", "first_chancellor", 3)
    assert drawn.after.first == ["cara", "alice", "bob"][roll.result - 1] and list(drawn.after.seats) == [
        "cara",
        "alice",
        "bob",
    ]
    assert opened("clockwise: [cara, alice, bob]\n", NoDice()).after.first == "", (
        "it is not foreseen, and the first of the row begins"
    )
    assert first_chancellor(opened("clockwise: [cara, alice, bob]\n", NoDice()).after) == "cara"


@pytest.mark.parametrize("seats", [("alice",), ("a", "b", "c", "d", "e")])
def test_two_to_four_may_play(seats: tuple[str, ...]) -> None:
    with pytest.raises(Faults, match="the game is for 2 to 4"):
        opened(f"clockwise: [{', '.join(seats)}]\n", seats=seats)


# --- 14: who orders nothing


def test_who_orders_nothing_places_the_lowest_piece_clockwise_from_the_left() -> None:
    result = played(begun(first="bob"))
    assert {seat: (kingdom.cities[0].tile, kingdom.cities[0].tile_by) for seat, kingdom in result.after.seats.items()} == {
        "cara": (0, "bob"), "alice": (0, "cara"), "bob": (0, "alice"),
    }  # fmt: skip
    assert told(result, "alice") == ["You named none: your tile 0 was placed for you (ruling missing_orders)."]


def test_in_the_own_kingdom_last() -> None:
    result = played(
        begun(2, "alice"),
        {"alice": {"city": [{"kingdom": "bob", "tile": 0}]}, "bob": {"city": [{"kingdom": "bob", "tile": 5}]}},
    )
    assert result.after.seats["alice"].cities[0].tile_by == "bob"
    result = played(begun(2, "alice"), {"alice": {"city": [{"kingdom": "alice", "tile": 5}]}})
    assert result.after.seats["bob"].cities[0].tile_by == "bob"


def test_no_veto_is_used_and_the_king_moves() -> None:
    table = begun()
    while not GAME.finished(table):
        table = played(table, rules=rules_with("weekly", missing_orders={"piece": "highest"})).after
    assert all((kingdom.vetoes, kingdom.king) == (5, 6) for kingdom in table.seats.values())
    assert [each.tile for each in table.seats["alice"].cities] == [5, 4, 3, 2, 1, 0]


# --- conditions


def test_a_condition_is_looked_up_when_the_turn_comes() -> None:
    """alice puts her 5 on her own city only if that is high by then; it is, for bob's tile went there."""
    ordered = {"invest": [{"kingdom": "alice", "coin": 5, "if": {"tile_min": 3}}, {"kingdom": "bob", "coin": 0}]}
    for tile, owner, coin in ((4, "alice", 5), (1, "bob", 0)):
        orders = {
            "alice": ordered,
            "bob": {"city": [{"kingdom": "alice", "tile": tile}]},
            "cara": {"invest": [{"kingdom": "cara", "coin": 1}]},
        }
        result = played(begun(first="bob"), orders, rules_with("weekly"))
        placed = [each for kingdom in result.after.seats.values() for each in kingdom.cities if each.coin_by == "alice"]
        assert [each.coin for each in placed] == [coin] and result.after.seats[owner].cities[0].coin == coin


@pytest.mark.parametrize(
    "condition,replaced",
    [
        ({"tile_max": 1}, False), ({"tile_max": 4}, True), ({"tile_min": 4}, True), ({"tile_min": 5}, False),
        ({"taken_by_me": True}, False), ({"taken_by_me": False}, True), ({"vetoes_min": 5}, True), ({"vetoes_min": 6}, False),
        ({"city": 1, "tile_max": 1}, True), ({"city": 9, "tile_max": 9}, False), ({}, True),
    ],
)  # fmt: skip
def test_every_condition_of_a_veto(condition: dict[str, Any], replaced: bool) -> None:
    result = played(veto_phase(), {"alice": {"city_veto": [{"if": condition, "replace_with": 5}]}})
    assert (result.after.seats["alice"].vetoes == 4) is replaced


def test_a_piece_is_of_who_put_it_there_last() -> None:
    """A tile that alice put in place of bob's is hers, and `taken_by_me` holds for it; of an investment it asks who put the coin there."""
    vetoed = played(veto_phase(), {"alice": {"city_veto": [{"city": 1, "replace_with": 5}]}}).after
    assert [each.tile_by for each in vetoed.seats["alice"].cities] == ["alice", "bob", "bob", "bob"]
    mixed = (city(1, 1), city(2, 2), City(3, "alice", 3, "bob", ("bob",)), City(4, "bob", 4, "alice", ("alice",)))
    for number, mine, vetoes in ((3, True, 5), (3, False, 4), (4, True, 4), (4, False, 5)):
        order = {"investment_veto": {"city": number, "if": {"taken_by_me": mine}, "swap": {"default": 5}}}
        assert played(veto_phase(INVESTMENT_VETO, cities=mixed), {"alice": order}).after.seats["alice"].vetoes == vetoes


def test_the_vetoes_of_a_condition_are_those_of_who_gives_the_order() -> None:
    table = with_(begun(), "alice", vetoes=1)
    for least, tile in ((1, 5), (2, 0)):
        order = {"city": [{"kingdom": "bob", "tile": 5, "if": {"vetoes_min": least}}, {"kingdom": "bob", "tile": 0}]}
        assert played(table, {"alice": order}).after.seats["bob"].cities[0].tile == tile


def test_the_first_rule_that_fits_is_used_once() -> None:
    rules = [
        {"if": {"tile_max": 1}, "replace_with": 0},
        {"if": {"city": 3, "tile_min": 3}, "replace_with": 5},
        {"replace_with": 0},
    ]
    result = played(veto_phase(), {"alice": {"city_veto": rules}})
    assert [each.tile for each in result.after.seats["alice"].cities] == [1, 2, 5, 4]


@pytest.mark.parametrize(
    "order,stays",
    [
        ({"next_tile_max": 3}, True),
        ({"next_tile_max": 2}, False),
        ({"next_tile_min": 3}, True),
        ({"vetoes_min": 6}, False),
    ],
)
def test_a_king_may_stay_on_a_condition(order: dict[str, int], stays: bool) -> None:
    table = replace(veto_phase(), phase=PROGRESS)
    assert (played(table, {"alice": {"progress": {"veto_if": order}}}).after.seats["alice"].king == 2) is stays


def test_an_investment_veto_may_hang_on_the_newest_tile() -> None:
    for least, vetoes in ((4, 4), (5, 5)):
        order = {"investment_veto": {"city": {"newest_if_tile_min": least}, "swap": {"default": 5}}}
        assert played(veto_phase(INVESTMENT_VETO), {"alice": order}).after.seats["alice"].vetoes == vetoes


# --- rulings as data


def test_a_campaign_sets_figures_by_their_names() -> None:
    node, _ = yaml_text.read(b"pace: weekly\ndouble_game: {games: 2}\n", "campaign.yaml")
    changed = tables.load(GAME, node)
    assert (changed.rules.pace, changed.rules.double_game.games) == ("weekly", 2)
    assert set(changed.changed) == {"pace", "double_game.games"}
    assert tables.kept(GAME, tables.dump(changed)).rules == changed.rules, "a kept turn plays by them again"


def test_an_unknown_pace_is_told_with_the_nearest() -> None:
    node, _ = yaml_text.read(b"pace: weakly\n", "campaign.yaml")
    with pytest.raises(Faults, match="`weakly` is unknown here .*weekly"):
        tables.load(GAME, node)


def test_every_ruling_has_a_text_and_those_of_the_gm_end_the_game() -> None:
    assert all(
        len(getattr(own_rules(), name).text) > 20
        for name in own_rules().__struct_fields__
        if name not in ("pace", "paces")
    )
    orders = {"gm": {"gm": [{"finish": "campaign", "reason": "all agreed"}]}}
    result = played(veto_phase(), orders)
    assert GAME.finished(result.after) == "the GM ended it: all agreed"
    assert result.after.seats["bob"].points == 1 + 2 * 2 * 2 + 9 + 16, "what lies there is scored, the King in city 2"
