"""The books as a workbook: sheets of entries, balances and dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.books.exports import source
from kingdom.books.exports.source import KeptBooks
from kingdom.engine.dice import Roll
from kingdom.engine.ledger import COLUMNS

if TYPE_CHECKING:
    from xlsxwriter import Workbook

ROWS = 1_048_575  # of a sheet, below its head
LETTERS = 32_767  # of a cell
_WIDTHS = {"detail": 60, "step": 20, "kingdom": 16, "account": 14, "cause": 20, "name": 24}
_WIDTH = 9  # of any other column


def write(books: KeptBooks, file: Path) -> int:
    """Write the workbook; gives the number of entries. Raises Faults."""
    import xlsxwriter

    book = xlsxwriter.Workbook(
        str(file), {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    count = 0
    try:
        entries = _Sheet(book, "Entries", COLUMNS)
        balances = _Sheet(book, "Balances", ("turn", "kingdom", *books.accounts))
        dice = _Sheet(book, "Dice", Roll._fields)
        for turn in source.turns(books):
            entries.add(turn.entries)
            balances.add(_by_seat(turn, books.accounts))
            dice.add(turn.rolls)
            count += len(turn.entries)
    finally:
        _close(book)
    return count


def _close(book: Workbook) -> None:
    """Write the file, which is only done now. Raises OSError."""
    from xlsxwriter.exceptions import FileCreateError

    try:
        book.close()
    except FileCreateError as error:
        raise OSError(str(error)) from None


def _by_seat(turn: source.TurnRows, accounts: Sequence[str]) -> Iterable[Sequence[str | int]]:
    """A row a seat: its balances after the turn."""
    for seat in dict.fromkeys(seat for seat, _ in turn.balances):
        yield [turn.kept.record.turn, seat, *(turn.balances[seat, account] for account in accounts)]


class _Sheet:
    """A sheet that grows downwards; when it is full another one continues it."""

    def __init__(self, book: Workbook, name: str, columns: Sequence[str]):
        self.book, self.name, self.columns, self.number = book, name, columns, 0
        self.texts = [
            column in ("kingdom", "phase", "step", "account", "cause", "detail", "name", "source") for column in columns
        ]
        self._begin()

    def _begin(self) -> None:
        self.number += 1
        self.sheet = self.book.add_worksheet(self.name if self.number == 1 else f"{self.name} {self.number}")
        self.sheet.freeze_panes(1, 0)
        bold = self.book.add_format({"bold": True})
        for column, name in enumerate(self.columns):
            self.sheet.set_column(column, column, _WIDTHS.get(name, max(_WIDTH, len(name) + 2)))
            self.sheet.write_string(0, column, name, bold)
        self.row = 0

    def add(self, rows: Iterable[Sequence[str | int]]) -> None:
        """Add rows at the end. A text is written as text, whatever it begins with."""
        for row in rows:
            if self.row == ROWS:
                self._begin()
            self.row += 1
            for column, cell in enumerate(row):
                if self.texts[column]:
                    self.sheet.write_string(self.row, column, str(cell)[:LETTERS])
                else:
                    self.sheet.write_number(self.row, column, int(cell))
