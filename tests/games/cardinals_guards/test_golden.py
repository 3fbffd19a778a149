"""A perfect game, order by order: 52 of 52 points, and not the 56 that the published sheet adds up to."""

from __future__ import annotations

from kingdom.games.cardinals_guards.orders.moves import after
from kingdom.games.cardinals_guards.state import dealt
from kingdom.games.cardinals_guards.steps import maximum, worth
from tests.games.cardinals_guards.kit import DEAL, GAME, GOLDEN, RULES, order_of, score, table_of, turn

ORDERS = [row["order"] for row in GOLDEN["orders"]]


def test_the_golden_game_goes_as_it_is_written_down() -> None:
    board = dealt(DEAL)
    for row in GOLDEN["orders"]:
        order = order_of(row["order"])
        board = after(order, board, DEAL, RULES)
        if "at" in row:
            assert board.pawns[order.suit] == row["at"], row
            assert "".join(str(board.searched[suit]) for suit in "SMCA") == row["dice"], row
            assert (sum(board.defeated.values()), score(board)) == (int(row["defeated"]), int(row["points"])), row
    assert set(board.searched.values()) == {5} and set(board.pawns.values()) == {"escaped"}
    assert (sum(board.defeated.values()), board.orders, score(board)) == (24, 64, 52)


def test_it_is_one_mail() -> None:
    result = turn(
        table_of(DEAL, "athos", "porthos"),
        athos="continue_from: 0\norders:\n" + "".join(f"  - {text}\n" for text in ORDERS),
    )
    assert [notice for notice in result.notices if notice.kind == "refusal"] == []
    accounts = GAME.accounts(result.after, "athos", RULES)
    assert {name: accounts[name] for name in ("points", "searched", "escaped", "defeated", "orders", "perimeter", "castle", "supply")} == {
        "points": 52, "searched": 20, "escaped": 4, "defeated": 24, "orders": 64, "perimeter": 0, "castle": 0, "supply": 0,
    }  # fmt: skip
    assert result.after.seats["athos"].board.finished, "no pawn is left"
    assert not result.after.over, "the other still plays"


def test_52_is_the_most() -> None:
    assert maximum(RULES) == (4 * 5) + (4 * 2) + 24 == 52
    assert worth(5 + 4 + 0 + 0, 1, 11, RULES) == 9 + 2 + 11 == 22
    assert worth(20, 4, 24, RULES) == 52


def test_the_rules_page_says_that_56_is_a_slip() -> None:
    from kingdom.orders import tables
    from kingdom.render import reports

    page = reports.rules_page(GAME, tables.load(GAME))
    assert "= **52**" in page and "56" in page and "slip" in page


def test_58_moves_8_through_the_tunnels_2_recruits_6_lures() -> None:
    assert len(ORDERS) == 64
    assert sum(text.startswith("move") for text in ORDERS) == 58
    assert sum(" exit " in text for text in ORDERS) == 8
    assert sum(text.endswith("recruit") for text in ORDERS) == 2
    assert sum(text.startswith("lure") for text in ORDERS) == 6 == 4 + 2, "the supply, and each recruit once more"
