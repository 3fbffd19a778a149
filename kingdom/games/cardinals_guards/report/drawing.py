"""The castle drawn with characters: tiles with their suits and ranks, guards around, musketeers and castle guards inside."""

from __future__ import annotations

from typing import Any

from kingdom.games.cardinals_guards.state import (
    COLUMNS,
    HOLE,
    ROWS,
    SUIT_NAMES,
    SUITS,
    Board,
    Deal,
    Table,
    dealt,
    pawns_on,
)

_MARGIN = "      "
_LINE = f"{_MARGIN}+{'------+' * len(COLUMNS)}"


def draw(table: Table, seat: str | None, rules: Any) -> str:
    """The board of a seat; without one the castle as it was dealt, or every board once all is over."""
    if seat is None and table.over:
        return "\n".join(f"{of.name}\n\n{board_text(of.board, table.deal)}" for of in table.seats.values())
    return board_text(table.seats[seat].board if seat else dealt(table.deal), table.deal)


def board_text(board: Board, deal: Deal) -> str:
    """The board in lines of 50 columns."""
    lines = [_edge(board, "5N"), _LINE]
    for row in reversed(ROWS):
        lines += [*_row(row, board, deal), _LINE]
    lines += [_edge(board, "1S"), _MARGIN + "".join(f"   {column}   " for column in COLUMNS), *_legend(board)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _edge(board: Board, side: str) -> str:
    """The guards at the north or south edge."""
    return _MARGIN + "".join(f"   {board.perimeter.get(column + side, ' ').lower()}   " for column in COLUMNS)


def _row(row: str, board: Board, deal: Deal) -> tuple[str, str]:
    pawns = pawns_on(board)
    above, below = [], []
    for column in COLUMNS:
        cell = f"{column}{row}"
        above.append(f" {tile_text(deal.tiles[cell], board)} " if cell != HOLE else " .... ")
        guard = deal.tiles[cell][0].lower() if cell in board.castle else ""
        below.append(
            f" [{pawns[cell]}]  "
            if cell in pawns
            else f" ({guard})  "
            if guard
            else "      "
            if cell != HOLE
            else " .... "
        )
    west, east = (board.perimeter.get(cell, " ").lower() for cell in (f"a{row}W", f"e{row}E"))
    return f"  {row} {west} |{'|'.join(above)}| {east}", f"{_MARGIN}|{'|'.join(below)}|"


def tile_text(tile: str, board: Board) -> str:
    """The tile in four characters: + behind it where it is searched, < where it is the next."""
    done = board.searched[tile[0]]
    rank = int(tile[1])
    mark = "+" if 0 < rank <= done else "<" if rank == done + 1 else " "
    return f"{tile}{mark} "


def _legend(board: Board) -> list[str]:
    supply = " ".join(suit.lower() for suit in SUITS for _ in range(board.supply[suit])) or "empty"
    dice = ", ".join(f"{SUIT_NAMES[suit]} {board.searched[suit]}" for suit in SUITS)
    gone = [f"{SUIT_NAMES[suit]} {board.pawns[suit]}" for suit in SUITS if board.pawns[suit] not in pawns_on(board)]
    return [
        "",
        f"  Supply: {supply}",
        f"  Dice: {dice}",
        *([f"  Out of the castle: {', '.join(gone)}"] if gone else []),
    ]
