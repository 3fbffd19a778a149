"""The orders of a game: how far a musketeer slides, what each order makes of the board, stage by stage, which rule forbids it, and which orders are allowed."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Annotated, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict, final

from kingdom.engine.refusal import Refusal
from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import SUIT_NAMES, SUITS, Board, Deal, free, free_corners, inside, replace
from kingdom.orders.schema import Text, Word
from kingdom.render.plain_text import joined

End = Literal["piece", "guard", "out", "tunnel", "shut"]


class Slide(NamedTuple):
    """A move as far as the board decides it.

    cells: the cells that he comes over, and last the cell on which he stops; empty if he can't move. end: what ends the move: a musketeer or
    castle guard in the way, the perimeter guard of `post`, nothing (he is out), the tunnels, or a hole that is shut.
    """

    cells: tuple[str, ...]
    end: End
    post: str = ""


def slide(board: Board, suit: str, side: str) -> Slide:
    """The slide of a musketeer on the board to that side."""
    start = board.pawns[suit]
    cells: list[str] = []
    for cell in state.cells_from(start, side):
        if cell == state.HOLE:
            return Slide(tuple(cells), "tunnel" if free_corners(board) else "shut")
        if not free(board, cell):
            return Slide(tuple(cells), "piece")
        cells.append(cell)
    post = f"{cells[-1] if cells else start}{side}"
    assert not state.neighbour(post[:2], side)
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
    """A move as ordered. exit, defeat: cells, "" if the order names none."""

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
    return _letter(meaning, SUIT_NAMES, "C")


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
    """The order of a record in the orders file. Suits and sides may be written out: only their first letter counts."""
    if "lure" in record:
        return Lure(record["lure"][0].upper(), record["cell"])
    recruit = record.get("recruit", "leave") in ("recruit", "true", "yes")
    return Move(
        record["move"][0].upper(), record["dir"][0].upper(), record.get("exit", ""), record.get("defeat", ""), recruit
    )


def record_of(order: Order) -> Form:
    """The record that an orders file has for the order."""
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
    """The order with its exit named. An order may leave the exit out if only one corner is free."""
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
    """What an allowed order does, one stage after the other. The last stage has the board behind the order."""
    order = settled(order, board, rules)
    name = short(order)
    board = replace(board, orders=board.orders + 1, trail=(*board.trail, name))
    yield Stage("order", board, name)
    if isinstance(order, Lure):
        supply = {**board.supply, order.suit: board.supply[order.suit] - 1}
        board = replace(board, supply=supply, castle=tuple(sorted((*board.castle, order.cell))))
        yield Stage("lure", board, f"{_guard(order.suit)} to {order.cell}")
        return
    yield from _moved(slide(board, order.suit, order.side), order, board, deal, rules)


def _moved(way: Slide, order: Move, board: Board, deal: Deal, rules: Rules) -> Iterator[Stage]:
    """The move itself: the cells on the way, the cell where it ends, and what comes of it there."""
    over = way.cells if rules.search.pass_through_counts else ()
    end = order.exit if way.end == "tunnel" else way.cells[-1] if way.cells else board.pawns[order.suit]
    for cell in over:
        board = yield from _searched(cell, order.suit, board, deal)
    if way.end == "out":
        yield _out(order.suit, board)
        return
    board = replace(board, pawns={**board.pawns, order.suit: end})
    board = yield from _searched(end, order.suit, board, deal)
    yield Stage("order", board, short(order))  # standing beside the guard moves no account
    if way.end == "guard":
        yield from _met(way.post, order, board)
    elif way.end == "tunnel" and order.defeat:
        suit = deal.tiles[order.defeat][0]
        defeated = {**board.defeated, suit: board.defeated[suit] + 1}
        board = replace(board, castle=_without(board.castle, order.defeat), defeated=defeated)
        yield Stage("removal", board, f"{_guard(suit)} on {order.defeat}")


def _searched(cell: str, suit: str, board: Board, deal: Deal) -> Generator[Stage, None, Board]:
    """The search of a cell; the board behind it is returned."""
    rank = board.searched[suit] + 1
    if deal.tiles[cell] == f"{suit}{rank}":
        board = replace(board, searched={**board.searched, suit: rank})
        yield Stage("search", board, f"{suit}{rank} on {cell}")
    return board


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
    return Stage("escape" if fate == state.ESCAPED else "order", board, f"the {SUIT_NAMES[suit]} musketeer")


def _guard(suit: str) -> str:
    return f"a guard of {SUIT_NAMES[suit]}"


# --- what forbids an order, and every order that is allowed


REFUSALS = {
    "guards_gone": "The {suit} musketeer has left the castle, {how} (ruling leaving); move one that is inside{others}.",
    "guards_blocked": "The {suit} musketeer on {cell} can't move {side}: {what} stands beside him, and a move is at least one tile "
    "(ruling slide). He can move {sides}.",
    "guards_at_post": "The {suit} musketeer on {cell} can't move {side}: he stands beside the guard there, and a move is at least one "
    "tile (ruling zero_length). He can move {sides}.",
    "guards_tunnel_shut": "The {suit} musketeer on {cell} can't move {side}: all four corners are taken, so the hole is a wall "
    "(ruling tunnel_shut). He can move {sides}.",
    "guards_exit_unnamed": "The {suit} musketeer on {cell} would enter the tunnels, and `exit` does not say where he comes out "
    "(ruling tunnel); free corners are {corners}.",
    "guards_exit_taken": "Nobody can come out of the tunnels on {exit} (ruling tunnel); free corners are {corners}.",
    "guards_no_tunnel": "The {suit} musketeer on {cell} moving {side} {ends}, not in the tunnels, so there is no `{word}` (ruling tunnel); "
    "leave it out.",
    "guards_no_castle_guard": "No castle guard stands on {cell}, and guards of the perimeter are never defeated through the tunnels "
    "(ruling tunnel_removal); for this move {guards}.",
    "guards_other_suit": "Through the tunnels the {suit} musketeer defeats guards of his own suit alone (ruling variants), and on {cell} "
    "stands one of {other}; for this move {guards}.",
    "guards_nobody_to_recruit": "The {suit} musketeer on {cell} moving {side} {ends}, so there is no guard of his own suit to recruit "
    "(ruling recruiting); leave `recruit` out.",
    "guards_recruited_already": "The supply holds a guard of {suit} already, so none can be recruited (ruling recruiting); lure that one "
    "first, or leave `recruit` out.",
    "guards_no_recruiting": "In this campaign no guard is recruited (ruling variants); leave `recruit` out.",
    "guards_not_in_supply": "The supply holds no guard of {suit} (ruling luring); as things stand, {supply}.",
    "guards_lure_hole": "Nobody can be lured into the hole, {cell} (ruling luring); empty tiles of {suit} are {cells}.",
    "guards_lure_suit": "{cell} is a tile of {other}, and a guard of {suit} goes to his own suit alone (ruling luring); empty tiles of "
    "{suit} are {cells}.",
    "guards_lure_taken": "{cell} is taken by {what} (ruling luring); empty tiles of {suit} are {cells}.",
}


def forbidden(order: Order, board: Board, deal: Deal, rules: Rules) -> Refusal | None:
    """Why the order is not allowed, or None."""
    return (
        _lure_forbidden(order, board, deal) if isinstance(order, Lure) else _move_forbidden(order, board, deal, rules)
    )


def _move_forbidden(order: Move, board: Board, deal: Deal, rules: Rules) -> Refusal | None:
    suit, cell = SUIT_NAMES[order.suit], board.pawns[order.suit]
    if order.suit not in inside(board):
        others = joined([SUIT_NAMES[other] for other in inside(board)], none="")
        return Refusal("guards_gone", {"suit": suit, "how": cell, "others": f" ({others})" if others else ""})
    way = slide(board, order.suit, order.side)
    facts = {"suit": suit, "cell": cell, "side": state.SIDE_NAMES[order.side]}
    if not _moves(way, rules):
        return _not_moving(way, order, board, facts, rules)
    if way.end == "tunnel":
        return _tunnel_forbidden(order, board, deal, facts, rules)
    for word, named in (("exit", order.exit), ("defeat", order.defeat)):
        if named:
            return Refusal("guards_no_tunnel", {**facts, "ends": _ends(way, board, cell), "word": f"{word} {named}"})
    return _recruit_forbidden(way, order, board, facts, rules) if order.recruit else None


def _moves(way: Slide, rules: Rules) -> bool:
    """Whether a slide is a move: over at least one tile, out, through the tunnels, or, if the rules allow it, against the guard beside him."""
    return bool(way.cells) or way.end in ("out", "tunnel") or (way.end == "guard" and rules.zero_length.stop)


def _not_moving(way: Slide, order: Move, board: Board, facts: dict[str, str], rules: Rules) -> Refusal:
    sides = [state.SIDE_NAMES[side] for side in state.SIDE_NAMES if _moves(slide(board, order.suit, side), rules)]
    facts = {**facts, "sides": joined(sides, by="or", none="nowhere now")}
    if way.end == "piece":
        what = _piece(board, state.neighbour(board.pawns[order.suit], order.side))
        return Refusal("guards_blocked", {**facts, "what": what})
    code = "guards_at_post" if way.end == "guard" else "guards_tunnel_shut"
    return Refusal(code, facts)


def _tunnel_forbidden(order: Move, board: Board, deal: Deal, facts: dict[str, str], rules: Rules) -> Refusal | None:
    if order.recruit:
        return Refusal("guards_nobody_to_recruit", {**facts, "ends": "goes through the tunnels"})
    if order.defeat:
        own = [
            cell for cell in board.castle if not rules.variants.own_suit_removal or deal.tiles[cell][0] == order.suit
        ]
        guards = f"name one on {joined(sorted(own), by='or')}" if own else "leave `defeat` out"
        if order.defeat not in board.castle:
            return Refusal("guards_no_castle_guard", {"cell": order.defeat, "guards": guards})
        if order.defeat not in own:
            other = SUIT_NAMES[deal.tiles[order.defeat][0]]
            return Refusal("guards_other_suit", {**facts, "cell": order.defeat, "other": other, "guards": guards})
    corners = open_corners(order, board, rules)
    if not order.exit:
        named = {**facts, "corners": joined(corners)}
        return None if len(corners) == 1 else Refusal("guards_exit_unnamed", named)
    if order.exit in corners:
        return None
    return Refusal("guards_exit_taken", {"exit": order.exit, "corners": joined(corners)})


def _recruit_forbidden(way: Slide, order: Move, board: Board, facts: dict[str, str], rules: Rules) -> Refusal | None:
    if rules.variants.no_recruiting:
        return Refusal("guards_no_recruiting")
    if way.end != "guard" or board.perimeter[way.post] != order.suit:
        return Refusal("guards_nobody_to_recruit", {**facts, "ends": _ends(way, board, facts["cell"])})
    return Refusal("guards_recruited_already", {"suit": facts["suit"]}) if board.supply[order.suit] else None


def _lure_forbidden(order: Lure, board: Board, deal: Deal) -> Refusal | None:
    suit = SUIT_NAMES[order.suit]
    if not board.supply[order.suit]:
        held = [SUIT_NAMES[other] for other in SUITS if board.supply[other]]
        supply = f"it holds {joined(held)}" if held else "it is empty, so nobody can be lured"
        return Refusal("guards_not_in_supply", {"suit": suit, "supply": supply})
    facts = {
        "suit": suit,
        "cell": order.cell,
        "cells": joined(sorted(lurable(order.suit, board, deal)), none="none now"),
    }
    if order.cell == state.HOLE:
        return Refusal("guards_lure_hole", facts)
    if deal.tiles[order.cell][0] != order.suit:
        return Refusal("guards_lure_suit", {**facts, "other": SUIT_NAMES[deal.tiles[order.cell][0]]})
    if free(board, order.cell):
        return None
    return Refusal("guards_lure_taken", {**facts, "what": _piece(board, order.cell)})


def _ends(way: Slide, board: Board, start: str) -> str:
    if way.end == "out":
        return "leaves the castle"
    what = f"against a guard of {SUIT_NAMES[board.perimeter[way.post]]}" if way.end == "guard" else ""
    what = what or ("in front of the hole, which is shut" if way.end == "shut" else "")
    cell = way.cells[-1] if way.cells else start
    return f"stops on {cell}" + (f" {what}" if what else "")


def _piece(board: Board, cell: str) -> str:
    pawn = state.pawns_on(board).get(cell)
    return f"the {SUIT_NAMES[pawn]} musketeer" if pawn else "a castle guard"


def after(order: Order, board: Board, deal: Deal, rules: Rules) -> Board:
    """The board behind an order. Raises ValueError if the order is not allowed."""
    if wrong := forbidden(order, board, deal, rules):
        raise ValueError(f"{short(order)}: {wrong.code}")
    for stage in stages(order, board, deal, rules):
        board = stage.board
    return board


def legal(board: Board, deal: Deal, rules: Rules) -> Iterator[Order]:
    """Every order that is allowed now: of each musketeer the moves, side by side, then the lures of his suit."""
    for suit in SUITS:
        if suit in inside(board):
            for side in state.SIDES:
                yield from (move for move in _ways(suit, side, board, rules) if not forbidden(move, board, deal, rules))
        if board.supply[suit]:
            yield from (Lure(suit, cell) for cell in lurable(suit, board, deal))


def _ways(suit: str, side: str, board: Board, rules: Rules) -> Iterator[Move]:
    """The ways to order a move: with or without recruiting, or through the tunnels by each exit and removal."""
    if slide(board, suit, side).end != "tunnel":
        yield Move(suit, side)
        yield Move(suit, side, recruit=True)
        return
    for removed in ("", *board.castle):
        for corner in open_corners(Move(suit, side, "", removed), board, rules):
            yield Move(suit, side, corner, removed)
