"""The search finds perfect games, its plays are plays of the game, and what it says can't be exceeded is not; the bots."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from kingdom.campaign import substitute_orders
from kingdom.campaign.substitute_orders import chance_of
from kingdom.cli.main import main
from kingdom.games.cardinals_guards.solver import solve
from kingdom.games.cardinals_guards.state import KILLED, dealt, replace
from kingdom.games.cardinals_guards.steps import bound
from tests.games.cardinals_guards.kit import (
    DEAL,
    GAME,
    RULES,
    played,
    random_deal,
    rules,
    score,
    table_of,
    turn,
)


def solved(number: int, effort: int = 0, by: Any = RULES) -> dict[str, Any]:
    return solve(table_of(random_deal(number)), None, by, effort, chance_of("public"))


@pytest.mark.parametrize("number", [0, *(pytest.param(number, marks=pytest.mark.long) for number in (1, 2))])
def test_a_perfect_game_is_found_and_is_one(number: int) -> None:
    found = solved(number)
    assert (found["score"], found["bound"], found["proved"]) == (52, 52, True)
    assert score(played(found["orders"], deal=random_deal(number))) == 52
    assert len(found["orders"]) >= 20 + 4 + 4 + 4, "stops at the edge, lures, removals, escapes"


def test_the_same_effort_finds_the_same_and_little_effort_little() -> None:
    assert solved(5, 2000) == solved(5, 2000)
    found = solved(5, 300)
    assert not found["proved"] and found["score"] < found["bound"] == 52
    assert score(played(found["orders"], deal=random_deal(5))) == found["score"]


@pytest.mark.parametrize(
    "change",
    [{"search": {"pass_through_counts": True}}, {"variants": {"own_suit_removal": True, "no_recruiting": True}}],
)
def test_it_plays_by_the_campaigns_rules(change: dict[str, Any]) -> None:
    by = rules(**change)
    found = solved(1, 30_000, by)
    assert score(played(found["orders"], deal=random_deal(1), by=by), by) == found["score"] > 30


def test_it_goes_on_from_where_a_seat_stands() -> None:
    board = played(["move C E", "move C W", "move C E"])  # the crown is killed with one chamber searched
    found = solve(table_of(DEAL, athos=board), "athos", RULES, 40_000, chance_of("public"))
    assert score(played(found["orders"], board)) == found["score"] <= found["bound"] == bound(board, DEAL, RULES) == 46
    done = solve(table_of(DEAL, athos=replace(board, finished=True)), "athos", RULES, 40_000, chance_of("public"))
    assert (done["score"], done["bound"], done["orders"]) == (score(board), score(board), [])
    gone = replace(dealt(DEAL), pawns=dict.fromkeys("SMCA", KILLED))
    assert solve(table_of(DEAL, athos=gone), "athos", RULES, 100, chance_of("public"))["proved"]


def test_the_bound_is_met_by_the_golden_game() -> None:
    assert bound(dealt(DEAL), DEAL, RULES) == 52


def test_the_command_solves_and_says_where_nothing_can_be_solved(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["new", str(tmp_path / "guards"), "--game", "cardinals_guards"]) == 0
    capsys.readouterr()
    assert main(["solve", str(tmp_path / "guards"), "--effort", "3000", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"kingdom", "turn", "score", "bound", "proved", "orders", "looked_at"}
    assert main(["solve", str(tmp_path / "guards"), "--seat", "athos", "--effort", "3000"]) == 0
    assert "From where athos stands: a score of" in capsys.readouterr().out
    assert main(["new", str(tmp_path / "realm")]) == 0
    capsys.readouterr()
    assert main(["solve", str(tmp_path / "realm")]) == 1
    assert "nothing can be solved in" in capsys.readouterr().err


@pytest.mark.long
def test_perfect_games_are_found_on_most_castles() -> None:
    assert sum(solved(number)["proved"] for number in range(100)) >= 95


# --- bots


def bot_score(bot: str, number: int) -> int:
    """What a bot makes of a castle, by a text that is read as a player's."""
    table = table_of(random_deal(number))
    text = substitute_orders.text_of(GAME, GAME.bots[bot], table, "athos", RULES, f"public {number}").decode()
    result = turn(table, athos=text.split("\n", 2)[2])
    assert [each for each in result.notices if each.kind == "refusal"] == []
    return GAME.accounts(result.after, "athos", RULES)["points"]


def beaten(count: int) -> float:
    """On which share of castles the captain has more points than random play has on average."""
    random = mean(bot_score("random", number) for number in range(count))
    return mean(bot_score("captain", number) > random for number in range(count))


@pytest.mark.parametrize("number", [14, 23])
def test_a_whole_campaign_of_bots_is_audited_and_replayed(number: int) -> None:
    """Six seats; some filings are wrong on purpose, some do not come, the GM meddles."""
    from kingdom.books.simulation import Ground, Plan, one

    counts = one(Plan(Ground("cardinals_guards"), f"public {number}", turns=4, kept=True))
    assert counts["cause", "order"] and counts["cause", "grant"]


def test_the_captain_beats_random_play() -> None:
    assert beaten(12) >= 0.8


@pytest.mark.long
def test_the_captain_beats_random_play_on_a_thousand_castles() -> None:
    assert beaten(1000) >= 0.8
