"""Players of Cardinal's Guards that are programs: each writes the orders of a whole game from what its seat may know."""

from __future__ import annotations

from typing import Any, Callable

from kingdom.games.cardinals_guards import moving
from kingdom.games.cardinals_guards.outlook import legal
from kingdom.games.cardinals_guards.solver.solve import after, best_play
from kingdom.games.cardinals_guards.state import Board, Table

Chance = Callable[[str, int], int]
_WIDTH = 12  # of the captain's search: it plays well, not perfectly
_ENOUGH = 1_000_000  # positions: more than a search of that width comes to
_MOST = 80  # orders of a random game


def captain(known: Table, seat: str, rules: Any, chance: Chance) -> str:
    """Searches some way ahead, and plays the best game that it finds."""
    board = known.seats[seat].board
    orders = best_play(board, known.deal, rules, _ENOUGH, chance, (_WIDTH,))[0]
    return _text(known, seat, orders)


def random(known: Table, seat: str, rules: Any, chance: Chance) -> str:
    """Gives one allowed order after the other, any of them, until nothing is left to do or it is tired."""
    board, orders = known.seats[seat].board, []
    while len(orders) < _MOST and (allowed := _allowed(known, board, rules)):
        order = allowed[chance("order", len(allowed)) - 1]
        orders.append(order)
        board = after(order, board, known.deal, rules)
    return _text(known, seat, orders)


def _allowed(known: Table, board: Board, rules: Any) -> list:
    return [] if board.finished else list(legal(board, known.deal, rules))


def _text(known: Table, seat: str, orders: list) -> str:
    board = known.seats[seat].board
    head = f"kingdom: {seat}\nturn: {known.turn + 1}\n"
    if board.finished:
        return head
    listed = "".join(f"  - {moving.short(order)}\n" for order in orders)
    return f"{head}continue_from: {board.orders}\n" + (f"orders:\n{listed}" if orders else "") + "finish: true\n"


PLAYERS = {"captain": captain, "random": random}
