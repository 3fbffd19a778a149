"""What forbids an order, each with the sentence that says the rule and what would be allowed; and every order that is allowed."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.refusal import Refusal
from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.orders.moves import Lure, Move, Order, Slide, lurable, open_corners, short, slide
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import SUIT_NAMES, SUITS, Board, Deal, free, inside, neighbour, pawns_on
from kingdom.render.plain_text import joined

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
    """Whether it is a move at all: at least one tile, out, through the tunnels, or where the rules have it against a guard."""
    return bool(way.cells) or way.end in ("out", "tunnel") or (way.end == "guard" and rules.zero_length.stop)


def _not_moving(way: Slide, order: Move, board: Board, facts: dict[str, str], rules: Rules) -> Refusal:
    sides = [state.SIDE_NAMES[side] for side in state.SIDE_NAMES if _moves(slide(board, order.suit, side), rules)]
    facts = {**facts, "sides": joined(sides, by="or", none="nowhere now")}
    if way.end == "piece":
        what = _piece(board, neighbour(board.pawns[order.suit], order.side))
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
    pawn = pawns_on(board).get(cell)
    return f"the {SUIT_NAMES[pawn]} musketeer" if pawn else "a castle guard"


def after(order: Order, board: Board, deal: Deal, rules: Rules) -> Board:
    """The board behind an order. Raises ValueError where it is not allowed."""
    wrong = forbidden(order, board, deal, rules)
    if wrong:
        raise ValueError(f"{short(order)}: {wrong.code}")
    for stage in moves.stages(order, board, deal, rules):
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
