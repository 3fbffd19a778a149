"""What the search makes of a board: the best play that it found, tried by the engine of the game, and what no play can exceed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from typing import Any

from kingdom.games.cardinals_guards.solver.beam import Found, search
from kingdom.games.cardinals_guards.solver.positions import Castle
from kingdom.games.cardinals_guards.state import CHAMBERS, SIDES, SUITS, Board, Deal, Table, dealt
from kingdom.games.cardinals_guards.steps import moves
from kingdom.games.cardinals_guards.steps.legality import after
from kingdom.games.cardinals_guards.steps.moves import Lure, Move, slide
from kingdom.games.cardinals_guards.steps.scoring import bound, points, reach

EFFORT = 3_000_000  # positions looked at, where nobody says otherwise
WIDTHS = (10, 30, 100, 300, 300, 1000, 1000, 3000)  # of the beams, one after the other; the last again and again
_SALT = 1 << 32  # as many as there are searches of one width
_SPREAD = 0x9E3779B97F4A7C15


def solve(table: Table, seat: str | None, rules: Any, effort: int, chance: Callable[[str, int], int]) -> dict[str, Any]:
    """The best play from a seat's board as it stands, or from the deal where none is named.

    effort: positions to look at, about, all of them: where nothing more can be had the search goes on for fewer orders. 0: as
    many as usual, and no more than a proof takes. Gives score, bound (no play can exceed it), proved (whether they are the
    same), orders (texts), looked_at.
    """
    board = table.seats[seat].board if seat else dealt(table.deal)
    orders, end, looked = best_play(
        board, table.deal, rules, effort or EFFORT, chance, chain(WIDTHS, repeat(WIDTHS[-1])), on=bool(effort)
    )
    score, most = points(end, rules), bound(board, table.deal, rules)
    said = [moves.short(order) for order in orders]
    return {"score": score, "bound": most, "proved": score == most, "orders": said, "looked_at": looked}


def best_play(
    board: Board,
    deal: Deal,
    rules: Any,
    effort: int,
    chance: Callable[[str, int], int],
    widths: Iterable[int],
    on: bool = False,
) -> tuple[list[Move | Lure], Board, int]:
    """(orders, the board behind them, positions looked at) of the best play that searches of these widths find.

    on: whether they go on for fewer orders where no more points can be had.
    """
    best: tuple[list[Move | Lure], Board] = ([], board)
    looked, most = 0, bound(board, deal, rules)
    for width in widths:
        if board.finished or looked >= effort or (points(best[1], rules) >= most and not (on and best[0])):
            break
        found = _searched(board, deal, rules, width, chance, effort - looked)
        looked += max(1, found.looked_at)
        best = max(best, _played(found, board, deal, rules), key=lambda each: (points(each[1], rules), -len(each[0])))
    return (*best, looked)


def _searched(board: Board, deal: Deal, rules: Any, width: int, chance: Callable[[str, int], int], most: int) -> Found:
    castle = Castle(deal, rules)
    at_most = reach(board, deal, rules)
    return search(
        castle, castle.position(board), width, chance("salt", _SALT) * _SPREAD, most, at_most.chambers + at_most.guards
    )


def _played(found: Found, board: Board, deal: Deal, rules: Any) -> tuple[list[Move | Lure], Board]:
    """The orders of a search carried out by the engine of the game, and the escapes behind them."""
    castle, steps, trail = Castle(deal, rules), [], found.trail
    while trail is not None:
        trail, step = trail
        steps.append(step)
    orders = [order for step in reversed(steps) for order in castle.orders(step)]
    for order in orders:
        board = after(order, board, deal, rules)
    way, end = max(_escapes(board, deal, rules), key=lambda each: points(each[1], rules))
    return [*orders, *way], end


def _escapes(board: Board, deal: Deal, rules: Any) -> Iterator[tuple[list[Move | Lure], Board]]:
    """Every sequence of direct escapes, none among them; where nobody is in the way one of them takes all."""
    yield [], board
    for suit in SUITS:
        if board.searched[suit] == CHAMBERS and board.pawns[suit] in deal.tiles:
            side = next((side for side in SIDES if slide(board, suit, side).end == "out"), "")
            if side:
                move = Move(suit, side)
                for way, end in _escapes(after(move, board, deal, rules), deal, rules):
                    yield [move, *way], end
