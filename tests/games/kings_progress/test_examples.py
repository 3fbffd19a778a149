"""The worked examples: scoring, the ladder of ties, both vetoes, the Kings in round 1."""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.engine import game as games
from kingdom.engine import standings as core_standings
from kingdom.games.kings_progress.state import CITY_VETO, INVESTMENT_VETO, OVER, PROGRESS, Table, replace
from tests.games.kings_progress.kit import (
    begun,
    city,
    foreseen,
    kingdom_of,
    own_rules,
    played,
    refused,
    rules_with,
    told,
    with_,
)

EXAMPLE = ((2, 0), (1, 2), (3, 2), (5, 2), (3, 4), (3, 5))


def last_turn(**kingdoms: Any) -> Table:
    """A table before the last move of the Kings, everything placed."""
    return Table(turn=17, seats=kingdoms, first=next(iter(kingdoms)), round=6, phase=PROGRESS)


# --- scoring


def test_the_example_of_the_rules_scores_57_and_with_2_vetoes_59() -> None:
    """The King comes to city 5 in the last round: he stayed once, and three vetoes were used in all."""
    scored = kingdom_of(*(city(*each) for each in EXAMPLE), king=4, vetoes=2)
    result = played(last_turn(alice=scored, bob=scored, cara=scored))
    alice = result.after.seats["alice"]
    assert (alice.king, alice.points, alice.vetoes, alice.total) == (5, 57, 2, 59)
    assert (alice.best_city, alice.king_city) == (24, 24)
    entries = [entry.delta for entry in result.entries if (entry.kingdom, entry.account) == ("alice", "points")]
    assert entries == [2, 6, 10, 24, 15], "each city that scores is booked for itself"
    assert "alice: cities 0 + 2 + 6 + 10 + 24 + 15 = 57, and 2 for vetoes left: 59." in told(result, "all")


def test_the_example_needs_three_players() -> None:
    """It holds three tiles of value 3 and three coins of value 2, and each player has one of either."""
    assert [tile for tile, _ in EXAMPLE].count(3) == [coin for _, coin in EXAMPLE].count(2) == 3


# --- ties

LADDER = [  # (total, best city, King's city, vetoes left) of A and of B, and their places
    ((60, 24, 24, 1), (60, 25, 20, 1), (2, 1)),
    ((60, 24, 24, 1), (60, 24, 20, 1), (1, 2)),
    ((60, 24, 24, 2), (60, 24, 24, 1), (1, 2)),
    ((60, 24, 24, 2), (60, 24, 24, 2), (1, 1)),
    ((61, 9, 0, 0), (60, 25, 24, 5), (1, 2)),
]


@pytest.mark.parametrize("a,b,places", LADDER)
def test_a_tie_is_broken_by_the_best_city_then_the_kings_city_then_the_vetoes(
    a: Any, b: Any, places: tuple[int, int]
) -> None:
    def scored(total: int, best: int, king: int, vetoes: int) -> Any:
        return replace(kingdom_of(vetoes=vetoes), total=total, best_city=best, king_city=king)

    table = replace(last_turn(a=scored(*a), b=scored(*b)), phase=OVER)
    rows = core_standings.standings(games.load("kings_progress"), table, own_rules())
    assert {row.seat: row.place for row in rows} == dict(zip("ab", places, strict=True))


def test_two_that_play_alike_share_the_place() -> None:
    same = kingdom_of(*(city(3, 3) for _ in range(6)), king=5)
    result = played(last_turn(alice=same, bob=same))
    rows = core_standings.standings(games.load("kings_progress"), result.after, own_rules())
    assert [row.place for row in rows] == [1, 1]


# --- vetoes


def test_a_city_veto_swaps_the_tile_and_leaves_the_coin_unseen() -> None:
    """Reserve 0 and 4, city 2 shows 1 with a coin: the 4 goes in, the 1 comes back, the die goes down."""
    table = replace(begun(), round=5, phase=CITY_VETO)
    table = with_(
        table, "alice", tiles=(0, 4), cities=(city(3, 3), city(1, 2), city(5, 5), city(2, 2), city(2)), king=4
    )
    result = played(table, {"alice": {"city_veto": [{"city": 2, "replace_with": 4}]}})
    alice = result.after.seats["alice"]
    assert (alice.cities[1].tile, alice.cities[1].coin, alice.cities[1].coin_by) == (4, 2, "bob")
    assert alice.cities[1].seen_by == ("bob",), "the owner has not seen it"
    assert (alice.tiles, alice.vetoes) == ((0, 1), 4)
    assert "alice vetoed city 2 of its own kingdom: tile 1 went out, tile 4 came in." in told(result, "all")


def veto_of_city_3(**order: Any) -> Any:
    table = replace(begun(), round=4, phase=INVESTMENT_VETO)
    cities = (city(3, 3), city(1, 2), city(5, 0, seen="bob"), city(2, 2))
    return played(
        with_(table, "alice", coins=(2, 5), cities=cities, king=2), {"alice": {"investment_veto": {"city": 3, **order}}}
    )


def test_an_investment_veto_looks_at_the_coin_and_replaces_it() -> None:
    """Reserve 2 and 5, a hidden 0 in city 3, the King elsewhere: `swap: {0: 5}`."""
    result = veto_of_city_3(swap={"0": 5})
    alice = result.after.seats["alice"]
    assert (alice.cities[2].coin, alice.cities[2].coin_by, alice.cities[2].seen_by) == (5, "alice", ("alice",))
    assert (alice.coins, alice.vetoes) == ((0, 2), 4)
    assert "You vetoed the investment in city 3: you saw a 0, which is in your reserve now, and put in a 5." in told(
        result, "alice"
    )
    assert "alice vetoed your investment in city 3 of its kingdom: your 0 went to its reserve." in told(result, "bob")
    public = [
        notice.facts for notice in result.notices if notice.seat == "all" and "investment" in notice.facts["text"]
    ]
    assert public[0]["text"] == "alice vetoed the investment in city 3 of its own kingdom." and public[0][
        "besides"
    ] == ["alice", "bob"]


def test_a_seen_coin_never_stays() -> None:
    """Without a coin for the value that is seen the default goes in, without that one of the reserve (rulings 4, swap_without)."""
    assert veto_of_city_3(swap={"1": 5, "default": 2}).after.seats["alice"].cities[2].coin == 2
    result = veto_of_city_3(swap={"1": 2})
    assert result.after.seats["alice"].cities[2].coin == 5
    assert "For the 0 that you saw a 5 went in: your order named no coin for a 0 (ruling swap_without)." in told(
        result, "alice"
    )
    result = veto_of_city_3(swap={"0": 3, "default": 2})
    assert "For the 0 that you saw a 2 went in: there is no coin 3 in your reserve (ruling swap_without)." in told(
        result, "alice"
    )


# --- what is forbidden


def test_what_is_forbidden_is_refused_and_changes_nothing() -> None:
    base = with_(
        replace(begun(), round=3, phase=CITY_VETO),
        "alice",
        tiles=(0, 4),
        cities=(city(3, 3), city(1, 2), city(2)),
        king=2,
    )
    in_kings_city = played(base, {"alice": {"city_veto": [{"city": 2, "replace_with": 4}]}})
    assert refused(in_kings_city, "alice") == ["king_in_city"]
    at_0 = played(with_(base, "alice", vetoes=0), {"alice": {"city_veto": [{"city": 1, "replace_with": 4}]}})
    assert refused(at_0, "alice") == ["no_veto_left"]
    for result in (in_kings_city, at_0):
        assert result.after.seats["alice"].tiles == (0, 4)
        assert result.after.seats["alice"].vetoes == result.before.seats["alice"].vetoes


def test_a_kingdom_gets_no_second_tile_and_a_city_no_second_coin() -> None:
    """Who comes later falls to its next alternative, and is told so."""
    orders = {
        "alice": {"city": [{"kingdom": "bob", "tile": 5}]},
        "bob": {"city": [{"kingdom": "bob", "tile": 4}, {"kingdom": "cara", "tile": 3}]},
    }
    result = played(begun(), orders)
    assert [[each.tile for each in result.after.seats[seat].cities] for seat in ("bob", "cara")] == [[5], [3]]
    assert refused(result, "bob") == ["kingdom_taken"]
    orders = {
        "bob": {"invest": [{"kingdom": "cara", "coin": 5}]},
        "cara": {"invest": [{"kingdom": "cara", "coin": 4}, {"kingdom": "alice", "coin": 1}]},
    }
    result = played(result.after, orders)
    assert [result.after.seats[seat].cities[0].coin for seat in ("cara", "alice")] == [5, 1]
    assert refused(result, "cara") == ["kingdom_taken"]


def test_no_placement_can_be_vetoed_in_the_last_round() -> None:
    table = replace(begun(), round=6, phase="city")
    full = tuple(city(3, 3) for _ in range(5))
    for seat in table.seats:
        table = with_(table, seat, tiles=(2,), coins=(2,), cities=full, king=5)
    orders = {"alice": {"city_veto": [{"city": 1, "replace_with": 2}], "investment_veto": {"city": 1}}}
    result = played(table, orders, rules_with("weekly"))
    assert refused(result, "alice") == ["no_veto_in_last_round"] * 2
    assert result.after.seats["alice"].vetoes == 5


def test_in_round_1_all_kings_move_to_city_1_whatever_is_ordered() -> None:
    result = played(
        begun(),
        {"alice": {"progress": {"veto": ""}}, "bob": {"progress": {"veto_if": {"next_tile_max": 5}}}},
        rules_with("weekly"),
    )
    assert {kingdom.king for kingdom in result.after.seats.values()} == {1}
    assert {kingdom.vetoes for kingdom in result.after.seats.values()} == {5}
    assert refused(result, "alice") == refused(result, "bob") == ["first_progress"]


def test_a_refusal_is_foreseen_by_check() -> None:
    table = with_(replace(begun(), round=3, phase=CITY_VETO), "alice", cities=(city(3, 3), city(1, 2), city(2)), king=2)
    assert refused(foreseen(table, "alice", {"city_veto": [{"city": 2, "replace_with": 4}]}), "alice") == [
        "king_in_city"
    ]
