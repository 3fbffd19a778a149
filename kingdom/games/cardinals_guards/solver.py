"""The search for the best play. A position is a whole number with an engine of its own; the game's engine plays the best game that was found.

What a position says, from the lowest bit: 4 pawns (5 bits each, the cell), 4 dice (3), the supply by suit (3), castle guards
(a bit a cell), guards of the perimeter (a bit a post). Cells count from a1 eastward, 5 a row. A guard that is nowhere is defeated.
The engine of the game tries each order that the search finds before anybody sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest
from itertools import chain, pairwise, repeat
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from kingdom.engine.game import Chance, Facts
from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.orders.moves import Lure, Move, Order, slide
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import CHAMBERS, HOLE, SIDES, SUITS, Board, Deal, Table, cells_from, dealt
from kingdom.games.cardinals_guards.steps import bound, points, reach

NAMES = tuple(f"{column}{row}" for row in state.ROWS for column in state.COLUMNS)
NUMBER = {cell: number for number, cell in enumerate(NAMES)}
OUT = 31
DICE, SUPPLY, CASTLE = 20, 32, 44  # where these begin
PERIMETER = CASTLE + len(NAMES)
ALL_CELLS = (1 << len(NAMES)) - 1
BIT = tuple(1 << number if number < len(NAMES) else 0 for number in range(OUT + 1))
SEARCH, DEFEAT, LURED, RECRUIT, ORDER = 600, 200, -40, 20, -5  # what each is worth to the search
_CORNER_CELLS = tuple(NUMBER[corner] for corner in state.CORNERS)
_CORNERS = sum(BIT[cell] for cell in _CORNER_CELLS)
_POST = {post: number for number, post in enumerate(state.POSTS)}
_HOLE = -1


class Ray(NamedTuple):
    """A direction from a cell. cells: the cells in front of the hole or the edge. mask: their bits. behind: the post's number, or the hole."""

    cells: tuple[int, ...]
    mask: int
    behind: int
    stops: dict[int, int]  # which of the cells are taken -> how many are free before the first


Played: TypeAlias = tuple[int, int, int, int, int, int]  # pawn, side, exit, removed, recruit, lured
Step: TypeAlias = tuple[int, int, Played]  # the position, what the search gains by it, and the orders


def _ray(cell: str, side: str) -> Ray:
    reached = list(cells_from(cell, side))
    behind = _HOLE if HOLE in reached else _POST[f"{(reached or [cell])[-1]}{side}"]
    before = reached[: reached.index(HOLE)] if HOLE in reached else reached
    cells = tuple(NUMBER[each] for each in before)
    stops = {}
    for taken in range(1 << len(cells)):
        full_at = [bool(taken >> place & 1) for place in range(len(cells))]
        stops[sum(BIT[each] for each, full in zip(cells, full_at, strict=True) if full)] = (
            full_at.index(True) if True in full_at else len(cells)
        )
    return Ray(cells, sum(BIT[each] for each in cells), behind, stops)


RAYS = tuple(tuple(_ray(cell, side) for side in state.SIDES) if cell != HOLE else () for cell in NAMES)


class Castle:
    """A castle with the rules that it is played by: what its positions mean, and what can come of them."""

    def __init__(self, deal: Deal, rules: Rules):
        self.deal = deal
        self.suits = tuple(SUITS.index(deal.tiles[cell][0]) if cell != HOLE else -1 for cell in NAMES)
        at = {tile: NUMBER[cell] for cell, tile in deal.tiles.items()}
        self.wanted = tuple((*(at[f"{suit}{rank}"] for rank in range(1, state.CHAMBERS + 1)), -1) for suit in SUITS)
        self.guards = tuple(SUITS.index(deal.perimeter[post]) for post in state.POSTS)
        self.passing = rules.search.pass_through_counts
        self.own_removal = rules.variants.own_suit_removal
        self.recruiting = not rules.variants.no_recruiting

    def position(self, board: Board) -> int:
        """The position of a board of this castle."""
        bits = 0
        for number, suit in enumerate(SUITS):
            cell = board.pawns[suit]
            bits |= (OUT if cell in (state.ESCAPED, state.KILLED) else NUMBER[cell]) << 5 * number
            bits |= board.searched[suit] << DICE + 3 * number | board.supply[suit] << SUPPLY + 3 * number
        bits |= sum(BIT[NUMBER[cell]] for cell in board.castle) << CASTLE
        return bits | sum(1 << _POST[post] for post in board.perimeter) << PERIMETER

    def steps(self, position: int) -> list[Step]:
        """The steps from a position: a move, or a lure with the move that the lured guard stops. Nobody leaves the castle."""
        pawns = (position & 31, position >> 5 & 31, position >> 10 & 31, position >> 15 & 31)
        castle = position >> CASTLE & ALL_CELLS
        taken = castle | BIT[pawns[0]] | BIT[pawns[1]] | BIT[pawns[2]] | BIT[pawns[3]]
        supply = position >> SUPPLY & 4095
        shut = not _CORNERS & ~taken
        steps: list[Step] = []
        add = steps.append
        for pawn, cell in enumerate(pawns):
            if cell == OUT:
                continue
            wanted, die, low = self.wanted[pawn][position >> DICE + 3 * pawn & 7], 1 << DICE + 3 * pawn, 5 * pawn
            for side, ray in enumerate(RAYS[cell]):
                cells, free = ray.cells, ray.stops[taken & ray.mask]
                if free == len(cells) and ray.behind == _HOLE and not shut:
                    self._tunnels(steps, position, pawn, side, castle, taken, supply)
                elif free:
                    end = cells[free - 1]
                    after, gain = position + (end - cell << low), ORDER
                    if end == wanted:
                        after, gain = after + die, gain + SEARCH
                    if free < len(cells) or ray.behind == _HOLE:
                        add((after, gain, (pawn, side, -1, -1, 0, -1)))
                    elif position >> PERIMETER + ray.behind & 1:
                        self._guarded(steps, after, gain, pawn, side, ray.behind, supply)
                if supply and free > 1:
                    self._lures(steps, position, pawn, side, cells[:free], supply)
        return self._over(position, steps) if self.passing else steps

    def _guarded(self, steps: list[Step], after: int, gain: int, pawn: int, side: int, post: int, supply: int) -> None:
        """A move that the guard at a post ends: a guard of another suit is defeated, a guard of his own suit stays or is recruited."""
        if self.guards[post] != pawn:
            steps.append((after - (1 << PERIMETER + post), gain + DEFEAT, (pawn, side, -1, -1, 0, -1)))
            return
        steps.append((after, gain, (pawn, side, -1, -1, 0, -1)))
        if self.recruiting and not supply >> 3 * pawn & 7:
            after += (1 << SUPPLY + 3 * pawn) - (1 << PERIMETER + post)
            steps.append((after, gain + RECRUIT, (pawn, side, -1, -1, 1, -1)))

    def _lures(self, steps: list[Step], position: int, pawn: int, side: int, way: tuple[int, ...], supply: int) -> None:
        """The moves that end at a guard who was lured into the way just before."""
        cell, wanted = position >> 5 * pawn & 31, self.wanted[pawn][position >> DICE + 3 * pawn & 7]
        for end, spot in pairwise(way):
            suit = self.suits[spot]
            if supply >> 3 * suit & 7:
                after = position + (end - cell << 5 * pawn) - (1 << SUPPLY + 3 * suit) + (BIT[spot] << CASTLE)
                gain = LURED + 2 * ORDER
                if end == wanted:
                    after, gain = after + (1 << DICE + 3 * pawn), gain + SEARCH
                steps.append((after, gain, (pawn, side, -1, -1, 0, spot)))

    def _tunnels(
        self, steps: list[Step], position: int, pawn: int, side: int, castle: int, taken: int, supply: int
    ) -> None:
        """The ways out of the tunnels: each free corner, with no guard removed, with each guard removed, or with a guard lured and removed."""
        cell = position >> 5 * pawn & 31
        wanted, die = self.wanted[pawn][position >> DICE + 3 * pawn & 7], 1 << DICE + 3 * pawn
        removals = [(0, ORDER, -1, -1)]
        for spot in range(len(NAMES)) if castle else ():
            if castle >> spot & 1 and (not self.own_removal or self.suits[spot] == pawn):
                removals.append((-(BIT[spot] << CASTLE), DEFEAT + ORDER, spot, -1))
        for suit in range(4) if supply else ():
            if supply >> 3 * suit & 7 and (not self.own_removal or suit == pawn):
                spot = self._spot(suit, taken, RAYS[cell][side].mask)
                if spot >= 0:
                    removals.append((-(1 << SUPPLY + 3 * suit), DEFEAT + 2 * ORDER, spot, spot))
        for corner in _CORNER_CELLS:
            if not taken & BIT[corner]:
                gain = SEARCH if corner == wanted else 0
                after = position + (corner - cell << 5 * pawn) + (die if gain else 0)
                for change, gained, spot, lured in removals:
                    steps.append((after + change, gain + gained, (pawn, side, corner, spot, 0, lured)))

    def _spot(self, suit: int, taken: int, way: int) -> int:
        """An empty tile of that suit, no corner and not in the way; -1 if there is no such tile."""
        barred = taken | way | _CORNERS
        return next((spot for spot, of in enumerate(self.suits) if of == suit and not barred & BIT[spot]), -1)

    def _over(self, position: int, steps: list[Step]) -> list[Step]:
        """The steps with the chambers that were slid over (ruling search)."""
        changed = []
        for after, gain, order in steps:
            pawn, side, corner = order[:3]
            cell, end = position >> 5 * pawn & 31, after >> 5 * pawn & 31
            cells = RAYS[cell][side].cells
            rank = before = position >> DICE + 3 * pawn & 7
            for cell_over in (*cells, corner) if corner >= 0 else cells[: cells.index(end) + 1]:
                rank += cell_over == self.wanted[pawn][rank]
            counted = (after >> DICE + 3 * pawn & 7) - before
            after += rank - before - counted << DICE + 3 * pawn
            changed.append((after, gain + (rank - before - counted) * SEARCH, order))
        return changed

    # --- orders for people

    def orders(self, step: Played) -> list[Order]:
        """The orders of a step."""
        pawn, side, corner, removed, recruit, lured = step
        exit, defeat = (NAMES[corner] if corner >= 0 else ""), (NAMES[removed] if removed >= 0 else "")
        move = Move(SUITS[pawn], tuple(state.SIDES)[side], exit, defeat, bool(recruit))
        return [Lure(SUITS[self.suits[lured]], NAMES[lured]), move] if lured >= 0 else [move]


# --- the search


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


EFFORT = 3_000_000  # positions looked at, unless the caller says otherwise
WIDTHS = (
    10,
    30,
    100,
    300,
    300,
    1000,
    1000,
    3000,
)  # widths of the searches, one after the other; the last width is repeated
_SALT = 1 << 32  # as many as there are searches of one width
_SPREAD = 0x9E3779B97F4A7C15


def solve(table: Table, seat: str | None, rules: Rules, effort: int, chance: Chance) -> Facts:
    """The best play from a seat's board as it stands, or from the deal if no seat is named.

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
    looked, most, castle = 0, bound(board, deal, rules), Castle(deal, rules)
    start, at_most = castle.position(board), reach(board, deal, rules)
    wanted = at_most.chambers + at_most.guards
    for width in widths:
        if board.finished or looked >= effort or (points(best[1], rules) >= most and not (on and best[0])):
            break
        found = search(castle, start, width, chance("salt", _SALT) * _SPREAD, effort - looked, wanted)
        looked += max(1, found.looked_at)
        best = max(best, _played(found, castle, board, rules), key=lambda each: (points(each[1], rules), -len(each[0])))
    return (*best, looked)


def _played(found: Found, castle: Castle, board: Board, rules: Rules) -> tuple[list[Order], Board]:
    """The orders of a search carried out by the engine of the game, and the escapes behind them."""
    deal, trail, steps = castle.deal, found.trail, list[Played]()
    while trail is not None:
        trail, step = trail
        steps.append(step)
    orders = [order for step in reversed(steps) for order in castle.orders(step)]
    for order in orders:
        board = moves.after(order, board, deal, rules)
    way, end = max(_escapes(board, deal, rules), key=lambda each: points(each[1], rules))
    return [*orders, *way], end


def _escapes(board: Board, deal: Deal, rules: Rules) -> Iterator[tuple[list[Order], Board]]:
    """Every sequence of direct escapes, also the empty one; if nobody is in the way one sequence takes all pawns."""
    yield [], board
    for suit in SUITS:
        if board.searched[suit] == CHAMBERS and board.pawns[suit] in deal.tiles:
            side = next((side for side in SIDES if slide(board, suit, side).end == "out"), "")
            if side:
                move = Move(suit, side)
                for way, end in _escapes(moves.after(move, board, deal, rules), deal, rules):
                    yield [move, *way], end
