"""The orders of a game, how far a musketeer slides, and what each order makes of the board, stage by stage. What forbids one is in legality.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict, final

from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Board, Deal, cells_from, free, free_corners, neighbour, replace
from kingdom.orders.schema import Text, Word

End = Literal["piece", "guard", "out", "tunnel", "shut"]


class Slide(NamedTuple):
    """A move as far as the board decides it.

    cells: those that he comes over, the last he stops on; none where he can't move. end: what ends the move: a musketeer or
    castle guard in the way, the perimeter guard of `post`, nothing (he is out), the tunnels, or a hole that is shut.
    """

    cells: tuple[str, ...]
    end: End
    post: str = ""


def slide(board: Board, suit: str, side: str) -> Slide:
    """The slide of a musketeer on the board to that side."""
    start = board.pawns[suit]
    cells: list[str] = []
    for cell in cells_from(start, side):
        if cell == state.HOLE:
            return Slide(tuple(cells), "tunnel" if free_corners(board) else "shut")
        if not free(board, cell):
            return Slide(tuple(cells), "piece")
        cells.append(cell)
    post = f"{cells[-1] if cells else start}{side}"
    assert not neighbour(post[:2], side)
    return Slide(tuple(cells), "guard" if post in board.perimeter else "out", post)


CAUSES = {
    "order": "an order carried out",
    "defeat": "a guard of the perimeter defeated",
    "removal": "a castle guard defeated through the tunnels",
    "recruit": "a guard of the perimeter recruited",
    "lure": "a guard lured into the castle",
    "search": "a chamber searched",
    "escape": "a musketeer escaped",
}


class Stage(NamedTuple):
    """A part of what an order does: the board behind it, its word in the ledger, and how it is said."""

    cause: str
    board: Board
    detail: str


class Move(NamedTuple):
    """A move as ordered. exit, defeat: cells, "" where none is named."""

    suit: str
    side: str
    exit: str = ""
    defeat: str = ""
    recruit: bool = False


class Lure(NamedTuple):
    """A lure as ordered."""

    suit: str
    cell: str


Order: TypeAlias = Move | Lure


# --- as they are filed


def _suit(meaning: str) -> Word:
    return _letter(meaning, state.SUIT_NAMES, "C")


def _letter(meaning: str, names: Mapping[str, str], example: str) -> Word:
    return Word(meaning, tuple(map(str.lower, names)), tuple(names.values()), example=example)


def _cell(meaning: str, example: str) -> Text:
    return Text(meaning, example=example, most=2, pattern=r"[a-eA-E][1-5]", case="lower")


_SIDE = _letter("where he goes: n, e, s or w", state.SIDE_NAMES, "E")
_RECRUIT = Word(
    "whether the guard of his own suit that stops him is recruited",
    ("recruit", "leave"),
    ("true", "false", "yes", "no"),
)


@final
class MoveForm(TypedDict):
    """A move in the long form."""

    move: Annotated[str, _suit("the musketeer: s, m, c or a")]
    dir: Annotated[str, _SIDE]
    exit: NotRequired[Annotated[str, _cell("the corner where he comes out of the tunnels", "e5")]]
    defeat: NotRequired[Annotated[str, _cell("the castle guard that he defeats from the tunnels", "a2")]]
    recruit: NotRequired[Annotated[str, _RECRUIT]]


@final
class LureForm(TypedDict):
    """A lure in the long form."""

    lure: Annotated[str, _suit("the suit of the guard: s, m, c or a")]
    cell: Annotated[str, _cell("the empty tile of that suit", "a2")]


Form: TypeAlias = MoveForm | LureForm


def order_of(record: Form) -> Order:
    """The order that a record of the filing is. Suits and sides may be written out: it is their first letter that counts."""
    if "lure" in record:
        return Lure(record["lure"][0].upper(), record["cell"])
    recruit = record.get("recruit", "leave") in ("recruit", "true", "yes")
    return Move(
        record["move"][0].upper(), record["dir"][0].upper(), record.get("exit", ""), record.get("defeat", ""), recruit
    )


def record_of(order: Order) -> Form:
    """The record that a filing has for the order."""
    if isinstance(order, Lure):
        return {"lure": order.suit.lower(), "cell": order.cell}
    record: MoveForm = {"move": order.suit.lower(), "dir": order.side.lower()}
    if order.exit:
        record["exit"] = order.exit
    if order.defeat:
        record["defeat"] = order.defeat
    return {**record, "recruit": "recruit"} if order.recruit else record


def short(order: Order) -> str:
    """The order in short form, as a person types it."""
    if isinstance(order, Lure):
        return f"lure {order.suit} {order.cell}"
    words = [f"move {order.suit} {order.side}"]
    words += [f"exit {order.exit}"] if order.exit else []
    words += [f"defeat {order.defeat}"] if order.defeat else []
    return " ".join([*words, "recruit"] if order.recruit else words)


# --- where orders can lead


def open_corners(order: Move, board: Board, rules: Rules) -> list[str]:
    """The corners where this move can end. Ruling: tunnel_removal."""
    first = rules.tunnel_removal.when == "before_choosing"
    return free_corners(replace(board, castle=_without(board.castle, order.defeat)) if first else board)


def settled(order: Order, board: Board, rules: Rules) -> Order:
    """The order with its exit named: one that is not forbidden may leave out the only corner there is."""
    if isinstance(order, Move) and not order.exit and slide(board, order.suit, order.side).end == "tunnel":
        return order._replace(exit=open_corners(order, board, rules)[0])
    return order


def lurable(suit: str, board: Board, deal: Deal) -> list[str]:
    """The empty tiles of that suit."""
    return [cell for cell, tile in deal.tiles.items() if tile[0] == suit and free(board, cell)]


def _without(castle: tuple[str, ...], cell: str) -> tuple[str, ...]:
    return tuple(guard for guard in castle if guard != cell)


# --- what an order does


def stages(order: Order, board: Board, deal: Deal, rules: Rules) -> Iterator[Stage]:
    """What an order that is not forbidden does, one stage after the other; the last board is that behind it."""
    order = settled(order, board, rules)
    name = short(order)
    board = replace(board, orders=board.orders + 1, trail=(*board.trail, name))
    yield Stage("order", board, name)
    if isinstance(order, Lure):
        supply = {**board.supply, order.suit: board.supply[order.suit] - 1}
        board = replace(board, supply=supply, castle=tuple(sorted((*board.castle, order.cell))))
        yield Stage("lure", board, f"{_guard(order.suit)} to {order.cell}")
        return
    way = slide(board, order.suit, order.side)
    for stage in _moved(way, order, board, deal, rules):
        board = stage.board
        yield stage


def _moved(way: Slide, order: Move, board: Board, deal: Deal, rules: Rules) -> Iterator[Stage]:
    """The move itself: what he comes over, where it ends, and what that does."""
    over = way.cells if rules.search.pass_through_counts else ()
    end = order.exit if way.end == "tunnel" else way.cells[-1] if way.cells else board.pawns[order.suit]
    for cell in over:
        for stage in _searched(cell, order.suit, board, deal):
            board = stage.board
            yield stage
    if way.end == "out":
        yield _out(order.suit, board)
        return
    board = replace(board, pawns={**board.pawns, order.suit: end})
    for stage in _searched(end, order.suit, board, deal):
        board = stage.board
        yield stage
    yield Stage("order", board, short(order))  # that he stands there moves no account
    if way.end == "guard":
        yield from _met(way.post, order, board)
    elif way.end == "tunnel" and order.defeat:
        suit = deal.tiles[order.defeat][0]
        defeated = {**board.defeated, suit: board.defeated[suit] + 1}
        board = replace(board, castle=_without(board.castle, order.defeat), defeated=defeated)
        yield Stage("removal", board, f"{_guard(suit)} on {order.defeat}")


def _searched(cell: str, suit: str, board: Board, deal: Deal) -> Iterator[Stage]:
    rank = board.searched[suit] + 1
    if deal.tiles[cell] == f"{suit}{rank}":
        board = replace(board, searched={**board.searched, suit: rank})
        yield Stage("search", board, f"{suit}{rank} on {cell}")


def _met(post: str, order: Move, board: Board) -> Iterator[Stage]:
    """He is stopped by the guard at that post. Rulings: perimeter_guards, recruiting."""
    suit, where = board.perimeter[post], f"{_guard(board.perimeter[post])} at {post[:2]} {state.SIDE_NAMES[post[2]]}"
    left = {other: guard for other, guard in board.perimeter.items() if other != post}
    if suit != order.suit:
        defeated = {**board.defeated, suit: board.defeated[suit] + 1}
        yield Stage("defeat", replace(board, perimeter=left, defeated=defeated), where)
    elif order.recruit:
        supply = {**board.supply, suit: board.supply[suit] + 1}
        yield Stage("recruit", replace(board, perimeter=left, supply=supply), where)


def _out(suit: str, board: Board) -> Stage:
    """He leaves the castle. Rulings: leaving, killed."""
    fate = state.ESCAPED if board.searched[suit] == state.CHAMBERS else state.KILLED
    board = replace(board, pawns={**board.pawns, suit: fate})
    return Stage("escape" if fate == state.ESCAPED else "order", board, f"the {state.SUIT_NAMES[suit]} musketeer")


def _guard(suit: str) -> str:
    return f"a guard of {state.SUIT_NAMES[suit]}"
