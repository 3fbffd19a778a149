"""Every order that a seat may give on its castle: order forms, reports, bots and tests all draw on this one list.

Orders are carried out one after the other, so what may be ordered hangs on those before. Whether an order is allowed is what
its step asks too: orders/legality.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from kingdom.engine.offer import LIST, ONE, Offer
from kingdom.engine.step import Orders
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.cardinals_guards.orders import legality
from kingdom.games.cardinals_guards.orders import moves as moving
from kingdom.games.cardinals_guards.orders.moves import Lure, Move, Order, slide
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import (
    CHAMBERS,
    ESCAPED,
    KILLED,
    SIDE_NAMES,
    SIDES,
    SUIT_NAMES,
    SUITS,
    Board,
    Deal,
    Table,
    with_board,
)
from kingdom.games.cardinals_guards.steps import accounts

OPEN_ENDED = (
    "kingdom",
    "turn",
    "continue_from",
    "messages",
    "amend",
    "final",
    "token",
)  # keys that no offer stands for
FINISH = Offer(
    "finish",
    "finish",
    ONE,
    True,
    "finish: true",
    "The game on this castle is over behind these orders",
    uses={"finish": 1},
)
DOES = {
    "defeat": "defeats",
    "removal": "defeats",
    "recruit": "recruits",
    "lure": "lures",
    "search": "searches",
    "escape": "escapes:",
}  # cause of a stage -> what the musketeer does


def offers(known: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """What more the seat may order behind these orders: any allowed order, and the end of its game."""
    board = behind(known, seat, rules, orders)
    if board is None:
        return []
    table = with_board(known, seat, board)
    listed = [_offer(order, table, seat, rules) for order in legal(board, known.deal, rules)]
    return listed if orders.get("finish") else [*listed, FINISH]


def behind(known: Table, seat: str, rules: Rules, orders: Orders) -> Board | None:
    """The board behind these orders; None where nothing more is carried out: the game is over, or one is not allowed."""
    board = known.seats[seat].board
    if known.over or board.finished or orders.get("continue_from", board.orders) != board.orders:
        return None
    for record in orders.get("orders") or ():
        order = moving.order_of(record)
        if legality.forbidden(order, board, known.deal, rules):
            return None
        board = legality.after(order, board, known.deal, rules)
    return board


def legal(board: Board, deal: Deal, rules: Rules) -> Iterator[Order]:
    """Every order that is allowed now: of each musketeer the moves, side by side, then the lures of his suit."""
    for suit in SUITS:
        if board.pawns[suit] not in (ESCAPED, KILLED):
            for side in SIDES:
                yield from (
                    move for move in _ways(suit, side, board, rules) if not legality.forbidden(move, board, deal, rules)
                )
        if board.supply[suit]:
            yield from (Lure(suit, cell) for cell in moving.lurable(suit, board, deal))


def _ways(suit: str, side: str, board: Board, rules: Rules) -> Iterator[Move]:
    """The ways to order a move: with or without recruiting, or through the tunnels by each exit and removal."""
    if slide(board, suit, side).end != "tunnel":
        yield Move(suit, side)
        yield Move(suit, side, recruit=True)
        return
    for removed in ("", *board.castle):
        for corner in moving.open_corners(Move(suit, side, "", removed), board, rules):
            yield Move(suit, side, corner, removed)


def _offer(order: Order, table: Table, seat: str, rules: Rules) -> Offer:
    """An allowed order with what it does to the seat's accounts; only a lure costs something, a guard of the supply."""
    board, name = table.seats[seat].board, moving.short(order)
    stages = list(moving.stages(order, board, table.deal, rules))
    now = accounts(table, seat, rules)
    then = accounts(with_board(table, seat, stages[-1].board), seat, rules)
    does = [f"{DOES[stage.cause]} {stage.detail}" for stage in stages if stage.cause in DOES]
    return Offer(
        id=name,
        key="orders",
        how=LIST,
        order=moving.record_of(order),
        short=name,
        text=", ".join(does) or _rests(order, stages[-1].board),
        costs={"supply": 1} if isinstance(order, Lure) else {},
        effect={account: by for account in now if (by := then[account] - now[account])},
    )


def _rests(order: Order, board: Board) -> str:
    """Where a musketeer comes to rest who does nothing on his way."""
    cell = board.pawns[order.suit]
    return "is killed outside" if cell == KILLED else f"stops on {cell}"


# --- what a report says of it


class Way(TypedDict):
    """A move to a side, and what it does."""

    side: str
    text: str


class Musketeer(TypedDict):
    """A musketeer inside: the cell that he is on, the chamber that is searched next, his moves."""

    suit: str
    letter: str
    on: str
    next: str
    sides: list[Way]


def outlook(board: Board, deal: Deal, rules: Rules) -> list[Musketeer]:
    """What each musketeer inside can do."""
    moves = [order for order in legal(board, deal, rules) if isinstance(order, Move)]
    ways = {way: list(group) for way, group in groupby(moves, attrgetter("suit", "side"))}
    at = {tile: cell for cell, tile in deal.tiles.items()}
    rows: list[Musketeer] = []
    for suit in SUITS:
        if board.pawns[suit] not in (ESCAPED, KILLED):
            wanted = f"{suit}{board.searched[suit] + 1}"
            rows.append({
                "suit": SUIT_NAMES[suit],
                "letter": suit,
                "on": board.pawns[suit],
                "next": f"{wanted} on {at[wanted]}" if wanted in at else "",
                "sides": [
                    {"side": SIDE_NAMES[side], "text": _move_text(ways.get((suit, side), []), board, deal, rules)}
                    for side in SIDES
                ],
            })  # fmt: skip
    return rows


def _move_text(ways: list[Move], board: Board, deal: Deal, rules: Rules) -> str:
    """Where a move ends and what it does, in a few words. ways: to order it, the plain one first; none where he can't move."""
    if not ways:
        return "-"
    move = ways[0]
    way = slide(board, move.suit, move.side)
    if way.end == "tunnel":
        return f"tunnels, exit {', '.join(move.exit for move in ways if not move.defeat)}"
    if way.end == "out":
        return "escapes" if board.searched[move.suit] == CHAMBERS else "out: killed"
    stages = moving.stages(move, board, deal, rules)
    does = [f"searches {stage.detail.split()[0]}" for stage in stages if stage.cause == "search"]
    if way.end == "guard":
        guard = board.perimeter[way.post]
        own = "can recruit" if len(ways) > 1 else f"own guard ({SUIT_NAMES[guard]}) stays"
        does.append(f"defeats {SUIT_NAMES[guard]}" if guard != move.suit else own)
    return "; ".join([way.cells[-1] if way.cells else board.pawns[move.suit], *does])
