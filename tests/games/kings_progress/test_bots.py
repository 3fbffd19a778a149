"""The bots: what they write is allowed and hangs on what they may know alone, and the chancellor beats random play.

The figures of docs/bots.md are those of `scripts/bots`; the long test plays as many games.
"""

from __future__ import annotations

from typing import Any

import pytest

from kingdom.games.kings_progress.game import GAME
from kingdom.games.kings_progress.rules import Rules
from tests.games.kings_progress.kit import SEATS, chance_of, end_of, game_of, own_rules, refused, rules_with
from tests.plays.kings_progress import otherwise

ILLEGAL = {"kingdom_taken", "piece_not_in_reserve"}  # what sealed and ranked orders run into without a fault of theirs


@pytest.mark.parametrize("pace", ["strict", "standard", "weekly"])
@pytest.mark.parametrize("kind", ["random", "chancellor"])
def test_a_bot_orders_nothing_that_is_forbidden(kind: str, pace: str) -> None:
    """At a slower pace a piece may be gone when its turn comes: then an order falls to the next, or is a veto less."""
    allowed = ILLEGAL | (
        {"no_tile_to_swap", "no_veto_left", "no_progress_veto", "king_in_city"} if pace != "strict" else set()
    )
    for seats in (2, 3, 4):
        for result in game_of((kind, pace), seats, rules_with(pace), dict.fromkeys(SEATS, kind)):
            for seat in result.after.seats:
                assert set(refused(result, seat)) <= allowed


def test_bots_know_what_their_seat_knows() -> None:
    for result in game_of("knows", 3, kinds=dict.fromkeys(SEATS, "chancellor")):
        table = result.after
        for seat in () if GAME.finished(table) else table.seats:
            mine, other = (GAME.known(state, seat, own_rules()) for state in (table, otherwise(table, seat)))
            for bot in GAME.bots.values():
                assert bot(other, seat, own_rules(), chance_of(1)) == bot(mine, seat, own_rules(), chance_of(1))


def wins(games: int, seats: int, rules: Rules, kind: str = "chancellor") -> float:
    """The share of games that one bot of the kind wins against random ones, a shared first place by its share; seats rotate."""
    won = 0.0
    for number in range(games):
        named = SEATS[:seats]
        mine, first = named[number % seats], named[number // seats % seats]
        table = end_of((kind, number), seats, rules, {mine: kind}, first)
        ranks = {seat: _rank(kingdom) for seat, kingdom in table.seats.items()}
        best = [seat for seat, rank in ranks.items() if rank == max(ranks.values())]
        won += (mine in best) / len(best)
    return won / games


def _rank(kingdom: Any) -> tuple[int, ...]:
    return kingdom.total, kingdom.best_city, kingdom.king_city, kingdom.vetoes


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long), 4])
def test_the_chancellor_beats_random_play(seats: int) -> None:
    assert wins(60, seats, own_rules()) > 0.85


@pytest.mark.long
@pytest.mark.parametrize("pace", ["strict", "standard", "weekly"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_chancellor_beats_random_play_in_1000_games(seats: int, pace: str) -> None:
    assert wins(1000, seats, rules_with(pace)) > 0.9


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_play_wins_its_share(seats: int) -> None:
    """So that the figures above are the bot's, and not a seat's."""
    assert abs(wins(1000, seats, own_rules(), "random") - 1 / seats) < 0.05
