"""What each musketeer inside can do, for the report."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter

from kingdom.games.cardinals_guards import state
from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.orders.legality import legal
from kingdom.games.cardinals_guards.orders.moves import Move, slide
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import SUIT_NAMES, SUITS, Board, Deal
from kingdom.games.kit.report import View


def outlook(board: Board, deal: Deal, rules: Rules) -> list[View]:
    """A row for each musketeer inside: suit and letter, the cell that he is on, the chamber that is searched next, his move to each side and what it does."""
    ordered = [order for order in legal(board, deal, rules) if isinstance(order, Move)]
    ways = {way: list(group) for way, group in groupby(ordered, attrgetter("suit", "side"))}
    at = {tile: cell for cell, tile in deal.tiles.items()}
    rows = list[View]()
    for suit in SUITS:
        if suit in state.inside(board):
            wanted = f"{suit}{board.searched[suit] + 1}"
            sides = {
                name: _move_text(ways.get((suit, side), []), board, deal, rules)
                for side, name in state.SIDE_NAMES.items()
            }
            rows.append({
                "suit": SUIT_NAMES[suit], "letter": suit, "on": board.pawns[suit],
                "next": f"{wanted} on {at[wanted]}" if wanted in at else "",
                "sides": [{"side": side, "text": text} for side, text in sides.items()],
            })  # fmt: skip
    return rows


def _move_text(ways: list[Move], board: Board, deal: Deal, rules: Rules) -> str:
    """Where a move ends and what it does, in a few words. ways: to order it, the plain one first; none where he can't move."""
    if not ways:
        return "-"
    move = ways[0]
    way = slide(board, move.suit, move.side)
    if way.end == "tunnel":
        return f"tunnels, exit {', '.join(move.exit for move in ways if not move.defeat)}"
    if way.end == "out":
        return "escapes" if board.searched[move.suit] == state.CHAMBERS else "out: killed"
    stages = moves.stages(move, board, deal, rules)
    does = [f"searches {stage.detail.split()[0]}" for stage in stages if stage.cause == "search"]
    if way.end == "guard":
        guard = board.perimeter[way.post]
        own = "can recruit" if len(ways) > 1 else f"own guard ({SUIT_NAMES[guard]}) stays"
        does.append(f"defeats {SUIT_NAMES[guard]}" if guard != move.suit else own)
    return "; ".join([way.cells[-1] if way.cells else board.pawns[move.suit], *does])
