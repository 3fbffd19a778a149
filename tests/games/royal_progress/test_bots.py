"""The bots: what they write can be read, hangs on what they may know alone, and the chamberlain beats random play.

The figures of docs/bots.md are those of `scripts/bots`; the long test plays some hundred games.
"""

from __future__ import annotations

import pytest

from kingdom.engine.standings import standings
from kingdom.orders.orders_file import read
from tests.games.royal_progress.kit import DECLARED, GAME, RULES, SEATS, played, refusals, rules_with
from tests.plays.royal_progress import otherwise

DRAWN = {
    "take_none",
    "take_no_wish",
    "take_not_two",
    "lay_not_held",
    "discard_none",
}  # what a card drawn meanwhile may make of a plan


@pytest.mark.parametrize("kind", ["random", pytest.param("chamberlain", marks=pytest.mark.long)])
def test_nothing_of_a_bot_is_refused_where_nobody_comes_between(kind: str) -> None:
    """Turn by turn each plan is looked at on the table for which it was made."""
    for result in played(3, f"strict {kind}", rules_with(pace="strict"), dict.fromkeys(SEATS, kind)):
        assert {code for _, _, code in refusals(result)} <= DRAWN


def test_bots_know_what_their_seat_knows() -> None:
    for number, result in enumerate(played(3, "knows")):
        for seat in () if GAME.finished(result.after) or number % 4 else result.after.seats:
            seen = [GAME.known(table, seat, RULES) for table in (result.after, otherwise(result.after, seat))]
            for bot in GAME.bots.values():
                assert bot(seen[0], seat, RULES, _first) == bot(seen[1], seat, RULES, _first)


def test_the_text_of_a_bot_says_what_it_would_do() -> None:
    for number, result in enumerate(played(4, "texts")):
        for seat in () if GAME.finished(result.after) or number % 5 else result.after.seats:
            seen = GAME.known(result.after, seat, RULES)
            for name, bot in DECLARED.bots.items():
                text = GAME.bots[name](seen, seat, RULES, _first)
                filing = read(text.encode(), name, GAME, {**GAME.names(RULES), "seats": SEATS[:4]}, seat, seen.turn + 1)
                assert not filing.problems and filing.orders == {
                    "kingdom": seat,
                    "turn": seen.turn + 1,
                    **bot(seen, seat, RULES, _first),
                }


def _first(name: str, sides: int) -> int:
    return 1


def wins(games: int, seats: int, kind: str = "chamberlain") -> float:
    """The share of games that one bot of the kind wins against random ones, a shared first place by its share; seats rotate."""
    won = 0.0
    for number in range(games):
        mine = SEATS[number % seats]
        *_, last = played(seats, f"contest {seats} {number}", bots={mine: kind})
        best = [row.seat for row in standings(GAME, last.after, RULES) if row.place == 1]
        won += (mine in best) / len(best)
    return won / games


def test_the_chamberlain_beats_random_play() -> None:
    assert wins(2, 3) == 1


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_chamberlain_beats_random_play_in_many_games(seats: int) -> None:
    assert wins(60, seats) > 0.95


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_random_play_wins_its_share(seats: int) -> None:
    """So that the figures above are the bot's, and not a seat's."""
    assert abs(wins(300, seats, "random") - 1 / seats) < 0.06
