"""How far a musketeer slides, and what ends the move. Rulings: slide, perimeter_guards, corner_guards, tunnel, tunnel_shut."""

from __future__ import annotations

from typing import Literal, NamedTuple

from kingdom.games.cardinals_guards.state import HOLE, Board, cells_from, free, free_corners, neighbour

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
        if cell == HOLE:
            return Slide(tuple(cells), "tunnel" if free_corners(board) else "shut")
        if not free(board, cell):
            return Slide(tuple(cells), "piece")
        cells.append(cell)
    post = f"{cells[-1] if cells else start}{side}"
    assert not neighbour(post[:2], side)
    return Slide(tuple(cells), "guard" if post in board.perimeter else "out", post)
