"""What the search makes of a board: the best play found, tried by the engine of the game, and what no play can exceed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest
from itertools import chain, repeat
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from kingdom.engine.game import Chance, Facts
from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.orders.legality import after
from kingdom.games.cardinals_guards.orders.moves import Move, Order, slide
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.solver.positions import CASTLE, DICE, PERIMETER, SUPPLY, Castle, Played
from kingdom.games.cardinals_guards.state import CHAMBERS, SIDES, SUITS, Board, Deal, Table, dealt
from kingdom.games.cardinals_guards.steps import bound, points, reach

NOISE = 160  # how much chance may make of a position, in the units of what the search gains
DEEPEST = 220  # orders and lures with their moves
_MIX = 0x9E3779B97F4A7C15F39CC0605CEDC835


Trail: TypeAlias = "tuple[Trail | None, Played]"  # the last step, and those before it: plain pairs, made by the million
Ranked: TypeAlias = "tuple[int, int, Trail | None]"  # what a position is worth, the position, and the steps to it


class Found(NamedTuple):
    """The best that a search came to. done: chambers and guards. trail: how it was come to."""

    done: int
    position: int
    trail: Trail | None
    looked_at: int


def done(position: int) -> int:
    """Chambers searched and guards defeated in a position of a castle with all its coins."""
    dice = sum(position >> DICE + 3 * pawn & 7 for pawn in range(4))
    held = sum(position >> SUPPLY + 3 * suit & 7 for suit in range(4))
    return dice + 24 - held - (position >> CASTLE & (1 << 25) - 1).bit_count() - (position >> PERIMETER).bit_count()


def search(castle: Castle, start: int, width: int, salt: int, most: int, wanted: int) -> Found:
    """One beam of that width. salt: which chance. most: positions to be looked at. wanted: chambers and guards that end it."""
    layer: list[Ranked] = [(0, start, None)]
    seen = {start}
    best = Found(done(start), start, None, 0)
    looked = 0
    for _ in range(DEEPEST):
        reached: dict[int, Ranked] = {}
        for value, position, trail in layer:
            for position_after, gain, order in castle.steps(position):
                looked += 1
                if position_after in seen or (position_after in reached and reached[position_after][0] >= value + gain):
                    continue
                reached[position_after] = (value + gain, position_after, (trail, order))
        if not reached:
            break
        ranked = nlargest(
            width,
            ((ranking[0] + ((ranking[1] ^ salt) * _MIX >> 64) % NOISE, ranking) for ranking in reached.values()),
            key=itemgetter(0),
        )
        layer = [ranking for _, ranking in ranked]
        seen.update(ranking[1] for ranking in layer)
        top = max(layer, key=lambda ranking: done(ranking[1]))
        if done(top[1]) > best.done:
            best = Found(done(top[1]), top[1], top[2], looked)
        if best.done >= wanted or looked >= most:
            break
    return best._replace(looked_at=looked)


EFFORT = 3_000_000  # positions looked at, where nobody says otherwise
WIDTHS = (10, 30, 100, 300, 300, 1000, 1000, 3000)  # of the beams, one after the other; the last again and again
_SALT = 1 << 32  # as many as there are searches of one width
_SPREAD = 0x9E3779B97F4A7C15


def solve(table: Table, seat: str | None, rules: Rules, effort: int, chance: Chance) -> Facts:
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
    board: Board, deal: Deal, rules: Rules, effort: int, chance: Chance, widths: Iterable[int], on: bool = False
) -> tuple[list[Order], Board, int]:
    """(orders, the board behind them, positions looked at) of the best play that searches of these widths find.

    on: whether they go on for fewer orders where no more points can be had.
    """
    best: tuple[list[Order], Board] = ([], board)
    looked, most = 0, bound(board, deal, rules)
    for width in widths:
        if board.finished or looked >= effort or (points(best[1], rules) >= most and not (on and best[0])):
            break
        found = _searched(board, deal, rules, width, chance, effort - looked)
        looked += max(1, found.looked_at)
        best = max(best, _played(found, board, deal, rules), key=lambda each: (points(each[1], rules), -len(each[0])))
    return (*best, looked)


def _searched(board: Board, deal: Deal, rules: Rules, width: int, chance: Chance, most: int) -> Found:
    castle = Castle(deal, rules)
    at_most = reach(board, deal, rules)
    return search(
        castle, castle.position(board), width, chance("salt", _SALT) * _SPREAD, most, at_most.chambers + at_most.guards
    )


def _played(found: Found, board: Board, deal: Deal, rules: Rules) -> tuple[list[Order], Board]:
    """The orders of a search carried out by the engine of the game, and the escapes behind them."""
    castle, trail = Castle(deal, rules), found.trail
    steps: list[Played] = []
    while trail is not None:
        trail, step = trail
        steps.append(step)
    orders = [order for step in reversed(steps) for order in castle.orders(step)]
    for order in orders:
        board = after(order, board, deal, rules)
    way, end = max(_escapes(board, deal, rules), key=lambda each: points(each[1], rules))
    return [*orders, *way], end


def _escapes(board: Board, deal: Deal, rules: Rules) -> Iterator[tuple[list[Order], Board]]:
    """Every sequence of direct escapes, none among them; where nobody is in the way one of them takes all."""
    yield [], board
    for suit in SUITS:
        if board.searched[suit] == CHAMBERS and board.pawns[suit] in deal.tiles:
            side = next((side for side in SIDES if slide(board, suit, side).end == "out"), "")
            if side:
                move = Move(suit, side)
                for way, end in _escapes(after(move, board, deal, rules), deal, rules):
                    yield [move, *way], end
