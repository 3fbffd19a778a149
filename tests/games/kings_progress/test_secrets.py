"""What is hidden stays hidden: with any other coins in the places that a seat has not seen, all that it gets is byte for byte the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as any_

from kingdom.engine.step import Result
from kingdom.games.kings_progress.game import GAME
from kingdom.games.kings_progress.state import HIDDEN, is_over
from kingdom.render import reports
from tests.games.kings_progress.kit import begun, foreseen, game_of, muddled_game, own_rules, played, rules_with
from tests.kit.examples import tries
from tests.plays.kings_progress import hidden, otherwise, unseen

quick = tries(5, 12)
PACES = any_.sampled_from(["strict", "standard", "weekly"])


def all_of(result: Result, seat: str, rules: Any) -> list[Any]:
    """All that a seat gets to see of a turn: what its report is drawn from, what `show`, `map` and `form` say, what a bot knows."""
    table = result.after
    return [
        reports.view_of(GAME, result, seat, rules, reports.CampaignFacts("A game", {seat: "A player"})), GAME.sheet(table, seat, rules), GAME.draw(table, seat, rules),
        GAME.picture(table, seat, rules), GAME.forms.text(table, seat, rules), GAME.known(table, seat, rules),
    ]  # fmt: skip


@quick
@given(
    any_.integers(0, 10_000),
    any_.integers(2, 4),
    PACES,
    any_.integers(0, 10),
    any_.sampled_from([game_of, muddled_game]),
)
def test_a_seat_is_told_the_same_whatever_it_has_not_seen(seed: int, seats: int, pace: str, at: int, play: Any) -> None:
    rules = rules_with(pace)
    results = list(play(seed, seats, rules))
    result = results[at * (len(results) - 1) // 11]  # never the last: then all is turned up
    for seat in result.after.seats:
        mine = all_of(result, seat, rules)
        for by in (1, 2, 5):
            other = hidden(result, seat, rules)._replace(
                before=otherwise(result.before, seat, by), after=otherwise(result.after, seat, by)
            )
            assert all_of(other, seat, rules) == mine


def test_the_reports_are_the_same_byte_for_byte() -> None:
    """The whole way once: text and page of each seat of a turn in the middle of a game."""
    result = list(game_of("bytes", 3))[10]
    facts = reports.CampaignFacts("A game", {seat: seat.title() for seat in result.after.seats})
    told = dict(reports.rendered(GAME, result, own_rules(), facts))
    for seat in result.after.seats:
        other = dict(reports.rendered(GAME, hidden(result, seat, own_rules()), own_rules(), facts))
        assert [other[f"{seat}.{ending}"] for ending in ("txt", "html")] == [
            told[f"{seat}.{ending}"] for ending in ("txt", "html")
        ]
        assert other["gm.html"] != told["gm.html"]


def test_the_coins_that_are_told_are_those_that_were_seen() -> None:
    """Whoever put a coin there, whose King came to it, who vetoed it; of reserves the own one."""
    for result in game_of("seen", 3):
        for seat in () if is_over(result.after) else result.after.seats:
            seen = GAME.known(result.after, seat, own_rules())
            for owner, kingdom in seen.seats.items():
                assert (HIDDEN in kingdom.coins) == (owner != seat and bool(kingdom.coins))
                for number, city in enumerate(kingdom.cities, 1):
                    if city.coin is not None:
                        assert (city.coin != HIDDEN) == (seat in city.seen_by)
                        assert city.coin != HIDDEN or city.coin_by != seat
                        assert city.coin != HIDDEN or owner != seat or kingdom.king != number, "he looked when he came"


def test_nothing_hidden_moves_an_account_before_the_end() -> None:
    """So neither a ledger nor a chart says what a coin is worth."""
    for result in game_of("accounts", 3):
        if is_over(result.after):
            continue
        for seat in result.after.seats:
            other = otherwise(result.after, seat)
            assert [GAME.accounts(other, each, own_rules()) for each in other.seats] == [
                GAME.accounts(result.after, each, own_rules()) for each in result.after.seats
            ]


def test_what_is_foreseen_hangs_on_no_hidden_coin() -> None:
    orders = {"investment_veto": {"city": 1, "swap": {"0": 5, "default": 4}}}
    table = [result.after for result in game_of("foreseen", 3)][13]
    said = foreseen(table, "alice", orders)
    assert said == foreseen(otherwise(table, "alice"), "alice", orders) and unseen(table, "alice")


def test_at_the_end_all_coins_are_turned_up() -> None:
    *_, last = game_of("end", 3)
    assert all(GAME.known(last.after, seat, own_rules()) == last.after for seat in last.after.seats)
    assert "[?]" not in GAME.draw(last.after, "alice", own_rules()).partition("K: the King")[0]


@pytest.mark.parametrize("seat", ["alice", "bob", "cara"])
def test_the_others_orders_stay_theirs(seat: str) -> None:
    """Two that differ in what they ranked behind the choice that counted are told apart by nobody else."""
    first = {"alice": {"city": [{"kingdom": "alice", "tile": 5}, {"kingdom": "bob", "tile": 0}]}}
    other = {"alice": {"city": [{"kingdom": "alice", "tile": 5}, {"kingdom": "cara", "tile": 4}]}}
    same = all_of(played(begun(), first), seat, own_rules()) == all_of(played(begun(), other), seat, own_rules())
    assert same is (seat != "alice")


@quick
@given(any_.integers(0, 10_000), any_.integers(2, 4), PACES, any_.integers(1, 5))
def test_nobody_else_is_told_which_coin_was_put_face_down(seed: int, seats: int, pace: str, by: int) -> None:
    """Each turn once more with other coins in one seat's orders: whoever sees none of them is told the same, word for word."""
    rules, told = rules_with(pace), 0
    *results, _ = game_of(seed, seats, rules)
    for result in results:
        for seat in result.before.seats:
            again = played(result.before, {**result.orders, seat: with_other_coins(result, seat, by)}, rules)
            if again.after == result.after or is_over(again.after):
                continue
            for other in set(result.after.seats) - {seat}:
                if GAME.known(again.after, other, rules) == GAME.known(result.after, other, rules):
                    told += 1
                    assert all_of(again, other, rules) == all_of(result, other, rules) and heard(again, other) == heard(
                        result, other
                    )
    assume(told)  # in some games of two all see every coin that is put down


def with_other_coins(result: Result, seat: str, by: int) -> dict[str, Any]:
    """A seat's orders in which each coin is another one of its reserve."""
    orders, coins = {**result.orders[seat]}, list(result.before.seats[seat].coins)
    other = {coin: coins[(index + by) % len(coins)] for index, coin in enumerate(coins)}
    if "invest" in orders:
        orders["invest"] = [{**each, "coin": other.get(each["coin"], each["coin"])} for each in orders["invest"]]
    if (orders.get("investment_veto") or {}).get("swap"):
        swap = {taken: other.get(put, put) for taken, put in orders["investment_veto"]["swap"].items()}
        orders["investment_veto"] = {**orders["investment_veto"], "swap": swap}
    return orders


def heard(result: Result, seat: str) -> list[Any]:
    """What a seat's chronicle is made of besides: notices, and its part of the books."""
    notices = [(each.kind, each.facts) for each in result.notices if each.seat in (seat, "all")]
    return [
        *notices,
        *((entry.account, entry.delta, entry.cause, entry.detail) for entry in result.entries if entry.kingdom == seat),
    ]
