"""The books as a workbook: entries ready to filter and pivot, balances with a chart of each account, two periods side by side, dice.

The sheet of periods adds up by formulas, so it follows the turns that are typed into it. All other cells hold what was kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from kingdom.books.exports import source
from kingdom.books.exports.source import KeptBooks, TurnRows
from kingdom.books.periods import Period
from kingdom.engine.dice import Roll
from kingdom.engine.ledger import COLUMNS, Entry
from kingdom.engine.names import words

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

ROWS = 1_048_575  # of a sheet, below its head
LETTERS = 32_767  # of a cell
LINES = 20  # kingdoms, at most, in a chart
TURNS = 4  # of each of the two periods, unless others are typed in
TEXTS = ("kingdom", "phase", "step", "account", "cause", "detail", "name", "source")  # columns of texts
BY_TURN = "Balances by turn"  # the sheet that charts are drawn from: a row a turn
_PART = 100_000  # bytes of the part that names the sheets
_WIDTHS = {"detail": 60, "step": 20, "kingdom": 16, "account": 14, "cause": 20, "name": 24}
_WIDTH = 9  # of any other column
_WIDE, _HIGH = 640, 300  # pixels of a chart
_ROW = 20  # pixels of a row
_FIRST, _SECOND = 1, 2  # the rows in which the turns of the two periods stand, counted from 0
_HEAD = 4  # the row of the heads below them

Sums: TypeAlias = Mapping[tuple[str, str, str], Counter[int]]  # (seat, account, cause) -> turn -> sum of deltas


def write(books: KeptBooks, file: Path) -> int:
    """Write the workbook; gives the number of entries. Raises Faults."""
    import xlsxwriter

    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    whole = BytesIO()  # a file that is being zipped speaks for itself where the disk is full
    book = xlsxwriter.Workbook(whole, options)
    count, sums = 0, dict[tuple[str, str, str], Counter[int]]()
    seats = list(books.names)
    try:
        entries = _Sheet(book, "Entries", COLUMNS)
        balances = _Sheet(book, "Balances", ("turn", "kingdom", *books.accounts))
        periods = book.add_worksheet("Periods")
        dice = _Sheet(book, "Dice", Roll._fields)
        by_turn = _Sheet(book, BY_TURN, ("turn", *(f"{words(account)}: {seat}" for account in books.accounts for seat in seats[:LINES])))  # fmt: skip
        for turn in source.turns(books):
            entries.add(turn.entries)
            balances.add(_by_seat(turn, books.accounts))
            dice.add(turn.rolls)
            places = [(seat, account) for account in books.accounts for seat in seats[:LINES]]
            by_turn.add([[turn.kept.record.turn, *map(turn.balances.get, places)]])  # None for a seat that comes later
            _add(sums, turn)
            count += len(turn.entries)
        for sheet in (entries, balances, dice, by_turn):
            sheet.end()
        _charts(book, balances.first, books, seats)
        _periods(book, periods, entries, sums, books)
    finally:
        _close(book)
    file.write_bytes(whole.getbuffer())
    return count


def is_own(file: Path) -> bool:
    """Return whether a file is a workbook that was exported before. Raises OSError."""
    import zipfile

    try:
        with zipfile.ZipFile(file) as packed, packed.open("xl/workbook.xml") as part:
            text = part.read(_PART)
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError):
        return False
    return all(f'name="{name}"'.encode() in text for name in ("Entries", "Balances"))


def _close(book: Workbook) -> None:
    """Write the file, which is only done now. Raises OSError."""
    from xlsxwriter.exceptions import FileCreateError

    try:
        book.close()
    except FileCreateError as error:
        raise OSError(str(error)) from None


def _by_seat(turn: TurnRows, accounts: Sequence[str]) -> Iterable[Sequence[str | int]]:
    """A row a seat: its balances after the turn."""
    for seat in dict.fromkeys(seat for seat, _ in turn.balances):
        yield [turn.kept.record.turn, seat, *(turn.balances[seat, account] for account in accounts)]


def _charts(book: Workbook, sheet: Worksheet, books: KeptBooks, seats: Sequence[str]) -> None:
    """Draw a chart of each account beside the balances, a line for each of the first LINES kingdoms."""
    drawn, last = seats[:LINES], len(books.kept)
    for number, account in enumerate(books.accounts):
        chart = book.add_chart({"type": "line"})
        for at, seat in enumerate(drawn):
            column = 1 + number * len(drawn) + at
            chart.add_series(
                {
                    "name": books.names[seat],
                    "categories": [BY_TURN, 1, 0, last, 0],
                    "values": [BY_TURN, 1, column, last, column],
                }
            )
        more = f", the first {LINES} kingdoms" if len(seats) > LINES else ""
        chart.set_title({"name": f"{words(account).capitalize()} after each turn{more}"})
        chart.set_size({"width": _WIDE, "height": _HIGH})
        sheet.insert_chart(1 + number * (_HIGH // _ROW + 1), 3 + len(books.accounts), chart)


# --- two periods


def _add(sums: dict[tuple[str, str, str], Counter[int]], turn: TurnRows) -> None:
    """Add up the entries of a turn."""
    for row in turn.entries:
        entry = Entry._make(row)  # every cell a text
        sums.setdefault((entry.kingdom, entry.account, entry.cause), Counter())[turn.kept.record.turn] += int(
            entry.delta
        )


def _periods(book: Workbook, sheet: Worksheet, entries: _Sheet, sums: Sums, books: KeptBooks) -> None:
    """Write the sheet of two periods: a row for each account of each kingdom, and for each cause of what orders are paid from."""
    newest = books.kept[-1].record.turn
    second = Period(max(1, newest - TURNS + 1), max(1, newest))
    first = Period(max(0, second.first - TURNS), max(0, second.first - 1))
    bold, typed = book.add_format({"bold": True}), book.add_format({"bg_color": "#fff4cc", "border": 1})
    sheet.write_string(0, 0, "Type other turns into the coloured cells: the sums follow.", bold)
    for row, name, period in ((_FIRST, "first turns", first), (_SECOND, "second turns", second)):
        sheet.write_string(row, 0, name)
        sheet.write_number(row, 1, period.first, typed)
        sheet.write_number(row, 2, period.last, typed)
    heads = ("kingdom", "account", "cause", "first", "second", "difference", "first a turn", "second a turn")
    for column, head in enumerate(heads):
        sheet.set_column(column, column, _WIDTHS.get(head, max(_WIDTH, len(head) + 2)))
        sheet.write_string(_HEAD, column, head, bold)
    row = _HEAD
    for place, by_turn in _rows(sums, books):
        row += 1
        values = [sum(by for turn, by in by_turn.items() if one.first <= turn <= one.last) for one in (first, second)]
        for column, text in enumerate(place):
            sheet.write_string(row, column, text)
        for column, at in ((3, _FIRST), (4, _SECOND)):
            sheet.write_formula(row, column, _sum(entries, row, at, bool(place[2])), None, values[column - 3])
        sheet.write_formula(row, 5, f"=E{row + 1}-D{row + 1}", None, values[1] - values[0])
        for column, period, letter, at in ((6, first, "D", _FIRST), (7, second, "E", _SECOND)):
            average = values[column - 6] / period.turns if period.turns else 0
            sheet.write_formula(row, column, f"={letter}{row + 1}/($C${at + 1}-$B${at + 1}+1)", None, average)
    sheet.freeze_panes(_HEAD + 1, 0)
    sheet.autofilter(_HEAD, 0, max(row, _HEAD), len(heads) - 1)


def _rows(sums: Sums, books: KeptBooks) -> Iterable[tuple[tuple[str, str, str], Counter[int]]]:
    """Yield each account of each kingdom, with an empty cause, and behind that which orders are paid from each of its causes."""
    for account in books.accounts:
        for seat in books.names:
            own = {cause: by_turn for (its, of, cause), by_turn in sums.items() if (its, of) == (seat, account)}
            if own:
                together = Counter[int]()
                for by_turn in own.values():
                    together.update(by_turn)  # adding Counters would drop what is below 0
                yield (seat, account, ""), together
            if account == books.campaign.game.paid_from:
                yield from (((seat, account, cause), by_turn) for cause, by_turn in sorted(own.items()))


def _sum(entries: _Sheet, row: int, period: int, of_cause: bool) -> str:
    """Return the formula of a sum over the sheets of entries: of a kingdom's account, or one of its causes, in a period."""
    parts = []
    for name, last in entries.ranges():
        column = {head: f"'{name}'!${chr(65 + at)}$2:${chr(65 + at)}${last}" for at, head in enumerate(COLUMNS)}
        tests = [column["kingdom"], f"$A{row + 1}", column["account"], f"$B{row + 1}"]
        tests += [column["cause"], f"$C{row + 1}"] if of_cause else []
        tests += [column["turn"], f'">="&$B${period + 1}', column["turn"], f'"<="&$C${period + 1}']
        parts.append(f"SUMIFS({','.join([column['delta'], *tests])})")
    return f"={'+'.join(parts)}"


class _Sheet:
    """A sheet that grows downwards, its head frozen, with a filter on each column; when it is full another one continues it."""

    def __init__(self, book: Workbook, name: str, columns: Sequence[str]):
        self.book, self.name, self.columns, self.number = book, name, columns, 0
        self.texts = [column in TEXTS for column in columns]
        self._begin()
        self.first = self.sheet

    def _begin(self) -> None:
        self.number += 1
        self.sheet = self.book.add_worksheet(self._name(self.number))
        self.sheet.freeze_panes(1, 0)
        bold = self.book.add_format({"bold": True})
        for column, name in enumerate(self.columns):
            self.sheet.set_column(column, column, _WIDTHS.get(name, max(_WIDTH, len(name) + 2)))
            self.sheet.write_string(0, column, name, bold)
        self.row = 0

    def _name(self, number: int) -> str:
        return self.name if number == 1 else f"{self.name} {number}"

    def add(self, rows: Iterable[Sequence[str | int | None]]) -> None:
        """Add rows at the end. A text is written as text, whatever it begins with; nothing where there is None."""
        for row in rows:
            if self.row == ROWS:
                self.end()
                self._begin()
            self.row += 1
            for column, cell in enumerate(row):
                if self.texts[column]:
                    self.sheet.write_string(self.row, column, str(cell)[:LETTERS])
                elif cell is not None:
                    self.sheet.write_number(self.row, column, int(cell))

    def end(self) -> None:
        """Put a filter on each column of what was written."""
        self.sheet.autofilter(0, 0, self.row, len(self.columns) - 1)

    def ranges(self) -> list[tuple[str, int]]:
        """Return the name of each sheet and the number of its last row, as a spreadsheet counts."""
        return [
            (self._name(number), (ROWS if number < self.number else max(1, self.row)) + 1)
            for number in range(1, self.number + 1)
        ]
