"""Cardinal's Guards, to be played by tests: a short league of two, and what a seat of it may not know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kingdom.engine.step import Notice, Result
from kingdom.games.cardinals_guards.state import Seat, Table, dealt, replace
from tests.kit.tiny_game import written

SEED = "public, a league for tests"
CAMPAIGN = f"""\
name: A league
game: cardinals_guards
seed: {SEED}
public_seed: true
rules: {{pace: {{turns: 2, deals: 3}}}}
steward_after: 0
players: {{athos: {{}}, porthos: {{}}}}
"""
FILED = {
    1: {
        "athos": "continue_from: 0\norders: move S N, move M N, move C E, move A W, move S W, move M E, move A N\nmessages: {porthos: En garde.}\n",
        "porthos": "orders:\n  - move A E\n  - move A N\n  - lure S c3\n  - move C W\n",
    },
    2: {"athos": "continue_from: 99\norders: move S N\n", "porthos": "orders: [move M S, move M W]\nfinish: true\n"},
    3: {
        "athos": "orders: move C N, move C W, move C S\nfinish: true\n",
        "porthos": "orders: move S E\n",
        "gm": "gm: [{grant: porthos, by: 2, reason: a slip}]\n",
    },
}


def campaigns(folder: Path) -> list[Path]:
    """Three turns over two deals: orders, some of them not allowed, a message, a ruling of the GM."""
    place = folder / "guards"
    files = {
        "campaign.yaml": CAMPAIGN,
        "kingdoms/athos.yaml": "name: Athos\n",
        "kingdoms/porthos.yaml": "name: Porthos\n",
    }
    return [written(place, files, FILED)]


def hidden(result: Result, seat: str, rules: Any) -> Result:
    """The others did something else altogether, and all that they and the GM were told was otherwise."""
    return result._replace(
        before=otherwise(result.before, seat),
        after=otherwise(result.after, seat),
        orders={other: orders for other, orders in result.orders.items() if other == seat},
        entries=[entry for entry in result.entries if entry.kingdom == seat],
        notices=[
            *(each for each in result.notices if _heard(each, seat)),
            Notice(
                "refusal", "castle", "carry_out_orders", "gm", {"order": "gm[0]", "code": "x", "reason": "A secret."}
            ),
        ],
        rolls=[roll for roll in result.rolls if roll.kingdom == seat],
    )


def _heard(notice: Notice, seat: str) -> bool:
    return notice.seat in (seat, "all") or notice.facts.get("sender") == seat


def otherwise(table: Table, seat: str) -> Table:
    """Every other board is one that another play of the same castle may leave."""
    if table.over:
        return table
    return replace(
        table, seats={other: of if other == seat else _played(of, table) for other, of in table.seats.items()}
    )


def _played(of: Seat, table: Table) -> Seat:
    board = dealt(table.deal)
    post, suit = next(iter(board.perimeter.items()))
    left = {each: guard for each, guard in board.perimeter.items() if each != post}
    board = replace(
        board, perimeter=left, defeated={**board.defeated, suit: 1}, orders=of.board.orders + 3, trail=("move S N",)
    )
    return replace(of, board=replace(board, finished=not of.board.finished), granted=of.granted + 5)


def over(table: Table) -> Table:
    """The last deal is over."""
    return replace(table, over=True)
