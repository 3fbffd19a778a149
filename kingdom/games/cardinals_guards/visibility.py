"""What a seat may know: the castle and its own board; of the others what is over. Ruling: same_deal."""

from __future__ import annotations

from typing import Any

from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Seat, Table, dealt, replace
from kingdom.games.cardinals_guards.steps import ACCOUNTS, accounts, bound


def known(table: Table, seat: str, rules: Rules) -> Table:
    """The table as that seat knows it: the others' boards stand as they were dealt, until the last deal is over."""
    if table.over:
        return table
    return replace(
        table, seats={other: of if other == seat else _hidden(of, table) for other, of in table.seats.items()}
    )


def _hidden(of: Seat, table: Table) -> Seat:
    return replace(of, board=dealt(table.deal), granted=0)


def sheet(table: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """What `kingdom show --json` prints of a seat. possible: a score that no play can exceed any more."""
    of = table.seats[seat]
    board = of.board
    balances = accounts(table, seat, rules)
    return {
        "kingdom": seat,
        "turn": table.turn,
        "name": of.name,
        "deal": table.deal_number,
        **{account: balances[account] for account in ACCOUNTS},
        "possible": bound(board, table.deal, rules),
        "finished": board.finished,
        "tiles": dict(table.deal.tiles),
        "guards": {"perimeter": dict(board.perimeter), "castle": list(board.castle), "supply": dict(board.supply)},
        "musketeers": dict(board.pawns),
        "dice": dict(board.searched),
        "trail": list(board.trail),
        "past": [{"points": score.points, "orders": score.orders} for score in of.past],
    }
