"""The paces: how many turns a game takes, and who decides what in which of them."""

from __future__ import annotations

import pytest

from kingdom.games.kings_progress.game import GAME
from kingdom.games.kings_progress.rounds import due, first_chancellor, windows
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS, replace
from tests.games.kings_progress.kit import begun, end_of, game_of, played, refused, rules_with


@pytest.mark.parametrize("seats,strict", [(2, 49), (3, 71), (4, 93)])
def test_a_game_takes_so_many_turns(seats: int, strict: int) -> None:
    """strict: 22 for each player and 5 more; standard: three a round; weekly: one a round."""
    for pace, turns in (("strict", strict), ("standard", 18), ("weekly", 6)):
        assert windows(seats, rules_with(pace)) == turns
        assert end_of("a seed", seats, rules_with(pace)).turn == turns


def test_in_the_standard_pace_a_round_is_three_turns() -> None:
    decided = [list(due(result.before, rules_with())) for result in game_of("a seed")]
    assert decided[:3] == [[CITY], [CITY_VETO, INVESTMENT], [INVESTMENT_VETO, PROGRESS]]
    assert decided[-3:] == [[CITY], [INVESTMENT], [PROGRESS]], "the last round has no vetoes of placements"


def test_in_the_strict_pace_one_seat_decides_at_a_time_but_for_the_kings() -> None:
    rules = rules_with("strict")
    tables = [result.before for result in game_of("a seed", rules=rules)]
    decided = [due(table, rules) for table in tables]
    first_round = [window for table, window in zip(tables, decided, strict=True) if table.round == 1]
    assert first_round[:6] == [
        {CITY: ["alice"]},
        {CITY: ["bob"]},
        {CITY: ["cara"]},
        {CITY_VETO: ["alice"]},
        {CITY_VETO: ["bob"]},
        {CITY_VETO: ["cara"]},
    ]
    assert first_round[6:9] == [{INVESTMENT: ["bob"]}, {INVESTMENT: ["cara"]}, {INVESTMENT: ["alice"]}], (
        "from the left of the first chancellor"
    )
    assert first_round[-1] == {INVESTMENT_VETO: ["alice"], PROGRESS: ["bob", "cara", "alice"]}, (
        "nobody decides the first move"
    )
    assert decided[-1] == {PROGRESS: due(tables[-1], rules)[PROGRESS]} and len(decided[-1][PROGRESS]) == 3


def test_the_first_chancellor_goes_round_the_table() -> None:
    rules = rules_with("weekly")
    assert [first_chancellor(result.before) for result in game_of("a seed", rules=rules)] == [
        "alice",
        "bob",
        "cara",
    ] * 2
    assert [first_chancellor(result.before) for result in game_of("a seed", 2, rules, first="bob")] == [
        "bob",
        "alice",
    ] * 3


def test_another_pace_goes_on_from_where_the_round_stands() -> None:
    """A campaign that changes its pace in the middle of a round neither repeats nor leaves out a phase."""
    table = played(begun()).after
    assert due(table, rules_with("weekly")).keys() == {CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS}
    strict = rules_with("strict")
    table = played(played(begun(), rules=strict).after, rules=strict).after
    assert due(table, rules_with("standard")) == {CITY: ["cara"]}
    assert due(table, rules_with("weekly"))[CITY] == ["cara"]


def test_a_phase_that_another_campaign_has_is_passed_over() -> None:
    with_vetoes = rules_with("strict", last_round={"placement_vetoes": True})
    table = replace(begun(), round=6, phase=CITY_VETO)
    assert due(table, with_vetoes) == {CITY_VETO: ["cara"]}
    assert list(due(table, rules_with("strict"))) == [INVESTMENT]


def test_orders_for_another_turn_are_refused_and_carried_out_in_none() -> None:
    result = played(begun(), {"alice": {"invest": [{"kingdom": "alice", "coin": 5}], "progress": {"veto": ""}}})
    assert refused(result, "alice") == ["chancellor_not_now"] * 2
    assert result.after.seats["alice"].coins == (0, 1, 2, 3, 4, 5)
    result = played(begun(), {"bob": {"city": [{"kingdom": "bob", "tile": 5}]}}, rules_with("strict"))
    assert refused(result, "bob") == ["chancellor_not_due"]


@pytest.mark.parametrize("pace", ["strict", "standard", "weekly"])
def test_the_same_decisions_make_the_same_game_at_any_pace(pace: str) -> None:
    """Seats that never veto and rank alike play one game, however it is cut into turns."""

    def last(pace: str) -> object:
        table, rules = begun(), rules_with(pace)
        while not GAME.finished(table):
            orders = {}
            for seat, kingdom in table.seats.items():
                window = due(table, rules)
                ranked = [*table.seats] if seat != "bob" else [*reversed(table.seats)]
                decided = {
                    "city": [{"kingdom": each, "tile": kingdom.tiles[-1]} for each in ranked if kingdom.tiles],
                    "invest": [{"kingdom": each, "coin": kingdom.coins[0]} for each in ranked if kingdom.coins],
                }
                orders[seat] = {
                    key: decided[key]
                    for key, phase in (("city", CITY), ("invest", INVESTMENT))
                    if seat in window.get(phase, ())
                }
            table = played(table, orders, rules).after
        return replace(table, turn=0)

    assert last(pace) == last("weekly")
