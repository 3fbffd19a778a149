"""What a seat can do next: where each musketeer would come to rest, and what that would bring. For reports and bots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
)  # fmt: skip
from kingdom.games.cardinals_guards.steps import legality
from kingdom.games.cardinals_guards.steps import moves as moving
from kingdom.games.cardinals_guards.steps.moves import Lure, Move, slide


def legal(board: Board, deal: Deal, rules: Rules) -> Iterator[Move | Lure]:
    """Every order that is allowed now, each way to give it."""
    for suit in SUITS:
        if board.pawns[suit] not in (ESCAPED, KILLED):
            for side in SIDES:
                yield from (
                    move for move in _ways(suit, side, board, rules) if not legality.forbidden(move, board, deal, rules)
                )
        if board.supply[suit]:
            yield from (Lure(suit, cell) for cell in moving.lurable(suit, board, deal))


def _ways(suit: str, side: str, board: Board, rules: Rules) -> Iterator[Move]:
    if slide(board, suit, side).end != "tunnel":
        yield Move(suit, side)
        yield Move(suit, side, recruit=True)
        return
    for removed in ("", *board.castle):
        for corner in moving.open_corners(Move(suit, side, "", removed), board, rules):
            yield Move(suit, side, corner, removed)


def moves(board: Board, deal: Deal, rules: Rules) -> list[dict[str, Any]]:
    """For each musketeer inside: suit, on, and for each side `side` and `text`, what a move there does."""
    found = []
    for suit in SUITS:
        if board.pawns[suit] not in (ESCAPED, KILLED):
            sides = [{"side": SIDE_NAMES[side], "text": _move_text(suit, side, board, deal, rules)} for side in SIDES]
            wanted = board.searched[suit] + 1
            at = next((cell for cell, tile in deal.tiles.items() if tile == f"{suit}{wanted}"), "")
            of = {
                "suit": SUIT_NAMES[suit],
                "letter": suit,
                "on": board.pawns[suit],
                "next": f"{suit}{wanted} on {at}" if at else "",
            }
            found.append({**of, "sides": sides})
    return found


def _move_text(suit: str, side: str, board: Board, deal: Deal, rules: Rules) -> str:
    """Where a move ends and what it does, in a few words."""
    way, move = slide(board, suit, side), Move(suit, side)
    wrong = legality.forbidden(move, board, deal, rules)
    if way.end == "tunnel":
        return f"tunnels, exit {', '.join(moving.open_corners(move, board, rules))}"
    if wrong:
        return "-"
    if way.end == "out":
        return "escapes" if board.searched[suit] == CHAMBERS else "out: killed"
    done = [
        f"searches {stage.detail.split()[0]}"
        for stage in moving.stages(move, board, deal, rules)
        if stage.cause == "search"
    ]
    if way.end == "guard":
        guard = board.perimeter[way.post]
        may = guard == suit and not board.supply[suit] and not rules.variants.no_recruiting
        own = "can recruit" if may else f"own guard ({SUIT_NAMES[suit]}) stays"
        done.append(f"defeats {SUIT_NAMES[guard]}" if guard != suit else own)
    return "; ".join([way.cells[-1] if way.cells else board.pawns[suit], *done])
