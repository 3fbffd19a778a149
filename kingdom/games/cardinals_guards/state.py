"""The state: the castle, the boards of the seats, and the table with all of them.

A cell is `a1` to `e5`, columns from west to east, rows from south to north; `c3` is the hole. A suit is S, M, C or A (sun,
moon, crown, arms). A post of the perimeter is its cell and the side that it guards, `e5N`; a corner has two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace as replace

from kingdom.games.kit.table import Player, TableState
from kingdom.games.kit.table import with_player as with_player

SUITS = ("S", "M", "C", "A")
SUIT_NAMES = {"S": "sun", "M": "moon", "C": "crown", "A": "arms"}
SIDES = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}  # side -> (columns, rows) of one step
SIDE_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}
COLUMNS, ROWS = "abcde", "12345"
HOLE = "c3"
_READ = [f"{column}{row}" for row in reversed(ROWS) for column in COLUMNS]
CELLS = tuple(cell for cell in _READ if cell != HOLE)  # as one reads
CORNERS = ("a5", "e5", "e1", "a1")
POSTS = (  # clockwise from the north-west corner, as the coins are laid
    *(f"{column}5N" for column in COLUMNS),
    *(f"e{row}E" for row in reversed(ROWS)),
    *(f"{column}1S" for column in reversed(COLUMNS)),
    *(f"a{row}W" for row in ROWS),
)
RANKS = tuple(range(6))
CHAMBERS = RANKS[-1]  # chambers of each suit, to be searched
TILES = tuple(f"{suit}{rank}" for suit in SUITS for rank in RANKS)
COINS = "".join(suit * len(RANKS) for suit in SUITS)
Value = TypeVar("Value")
BOX, ESCAPED, KILLED = "box", "escaped", "killed"  # where a pawn is if it is on no cell


def _each(value: Value) -> dict[str, Value]:
    """A field that starts with that value for each suit."""
    start: dict[str, Value] = field(default_factory=lambda: dict.fromkeys(SUITS, value))
    return start


class Deal(Struct, frozen=True):
    """A castle as it was laid out, the same for all seats; empty before it is. supply: the last coins, in the order drawn."""

    tiles: dict[str, str] = {}  # cell -> its tile, C5
    perimeter: dict[str, str] = {}  # post -> the suit of its guard
    supply: str = ""


class Board(Struct, frozen=True):
    """What a seat has made of the castle. A castle guard has the suit of the tile that it stands on.

    bag: coins not drawn yet. searched: suit -> what its die shows. defeated: suit -> guards of it. orders: carried out so far.
    """

    bag: str = COINS
    pawns: dict[str, str] = _each(BOX)
    searched: dict[str, int] = _each(0)
    perimeter: dict[str, str] = {}
    castle: tuple[str, ...] = ()
    supply: dict[str, int] = _each(0)
    defeated: dict[str, int] = _each(0)
    orders: int = 0
    finished: bool = False
    trail: tuple[str, ...] = ()  # the orders carried out, in short form


class Score(Struct, frozen=True):
    """What a seat made of one deal."""

    points: int
    orders: int


class Seat(Player, frozen=True, kw_only=True):
    """A seat: the board of this deal, what it made of the deals before, and what the GM granted it.

    points, searched, escaped, defeated, orders are of this deal; perimeter, castle, supply: guards there; total, all_orders: of all deals.
    """

    ACCOUNTS: ClassVar = (
        "points", "searched", "escaped", "defeated", "orders", "perimeter", "castle", "supply", "total", "all_orders",
    )  # fmt: skip
    board: Board = Board()
    past: tuple[Score, ...] = ()
    granted: int = 0


class Table(TableState[Seat], frozen=True, kw_only=True):
    """The state after a turn. stack: tiles that are not laid. deal_number: from 1; 0 before the first.

    window: how many turns of this deal are over. over: the last deal is.
    """

    stack: tuple[str, ...] = TILES
    deal: Deal = Deal()
    deal_number: int = 0
    window: int = 0
    over: bool = False


def neighbour(cell: str, side: str) -> str:
    """The cell beside it on that side, "" outside the castle."""
    across, up = SIDES[side]
    column, row = COLUMNS.index(cell[0]) + across, ROWS.index(cell[1]) + up
    return f"{COLUMNS[column]}{ROWS[row]}" if 0 <= column < len(COLUMNS) and 0 <= row < len(ROWS) else ""


def cells_from(cell: str, side: str) -> Iterator[str]:
    """The cells in that direction, the nearest first, the hole among them."""
    cell = neighbour(cell, side)
    while cell:
        yield cell
        cell = neighbour(cell, side)


def pawns_on(board: Board) -> dict[str, str]:
    """Cell -> the suit of the musketeer on it."""
    return {cell: suit for suit, cell in board.pawns.items() if cell not in (BOX, ESCAPED, KILLED)}


def inside(board: Board) -> list[str]:
    """The suits of the musketeers that have not left the castle."""
    return [suit for suit in SUITS if board.pawns[suit] not in (ESCAPED, KILLED)]


def free(board: Board, cell: str) -> bool:
    """Whether neither a musketeer nor a castle guard stands there."""
    return cell not in board.castle and cell not in board.pawns.values()


def free_corners(board: Board) -> list[str]:
    """The corners where a musketeer can come out of the tunnels."""
    return [corner for corner in CORNERS if free(board, corner)]


def dealt(deal: Deal) -> Board:
    """The board of a deal before the first order."""
    return Board(
        bag="",
        pawns={tile[0]: cell for cell, tile in deal.tiles.items() if tile[1] == "0"},
        perimeter=dict(deal.perimeter),
        supply={suit: deal.supply.count(suit) for suit in SUITS},
    )


def as_dealt(table: Table, seat: str) -> Table:
    """The table as that seat knows it: the others' boards stand as they were dealt. Ruling: same_deal."""
    board = dealt(table.deal)
    others = {other: replace(of, board=board, granted=0) for other, of in table.seats.items() if other != seat}
    return replace(table, seats={other: others.get(other, of) for other, of in table.seats.items()})
