"""The captain, who searches some way ahead and plays the best game that the search finds."""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.engine.game import Chance
from kingdom.engine.step import Orders
from kingdom.games.cardinals_guards.orders import FROM, moves
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.solver import best_play
from kingdom.games.cardinals_guards.state import CELLS, CORNERS, Table

_WIDTH = 12  # of the search: it plays well, not perfectly
_ENOUGH = 1_000_000  # positions: a search of that width looks at fewer


def captain(known: Table, seat: str, rules: Rules, chance: Chance) -> Orders:
    """The orders of a whole game."""
    board = known.seats[seat].board
    if board.finished:
        return {}
    orders = best_play(board, known.deal, rules, _ENOUGH, chance, (_WIDTH,))[0]
    return {FROM: board.orders, **({"orders": [*map(moves.short, orders)]} if orders else {}), "finish": True}


def likely(known: Table, seat: str, rules: Rules) -> dict[str, Sequence[object]]:
    """What random orders name more often: cells, and the number that they have to continue from."""
    return {FROM: [known.seats[seat].board.orders], "cell": CELLS, "exit": CORNERS, "defeat": CELLS}
