"""A table of plain rows: what the ledger review prints, writes for other programs, and sets side by side."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from kingdom.campaign import csv_text
from kingdom.engine.ledger import COLUMNS, FORMULA
from kingdom.render.plain_text import left, right, wrap
from kingdom.render.plain_text import width as width_of

Cell: TypeAlias = str | int | None  # None: nothing stands there
WORDS = ("phase", "step", "kingdom", "account", "cause")  # columns of few different words
TEXTS = (*WORDS, "detail")
NUMBERS = ("turn", "seq", "delta", "balance")
TOTAL = "total"
DIFFERENCE = "difference"
_NARROWEST = 20  # columns of a detail, however narrow the terminal


class Rows(NamedTuple):
    """A table. numbers: for each column, whether it holds numbers, which stand to the right."""

    columns: Sequence[str]
    numbers: Sequence[bool]
    cells: Sequence[Sequence[Cell]]

    def column(self, name: str) -> list[Cell]:
        """Return the cells of a column."""
        at = list(self.columns).index(name)
        return [row[at] for row in self.cells]

    def between(self, first: int, last: int) -> Rows:
        """Return the rows of these turns; the turn stands in the first column."""
        return self._replace(cells=[row for row in self.cells if isinstance(row[0], int) and first <= row[0] <= last])


def pivot(summed: Rows, down: str, across: str) -> Rows:
    """Return sums with a row for each value of one column, a column for each value of another, and totals.

    Points of different accounts do not add up: if `account` is neither, each account has rows of its own.
    """
    names = list(dict.fromkeys(column for column in ("account", down) if column != across))
    values: dict[tuple[Cell, ...], dict[Cell, int]] = {}
    places = zip(*map(summed.column, names), strict=True)
    for place, head, delta in zip(places, summed.column(across), summed.column("delta"), strict=True):
        assert isinstance(delta, int)
        values.setdefault(place, {})[head] = delta
    heads = sorted(set(summed.column(across)), key=_order)
    adds_up = across != "account"
    lines: list[list[Cell]] = []
    for account, places_ in groupby(sorted(values, key=in_order), itemgetter(0) if len(names) == 2 else lambda _: ""):
        part = list(places_)
        lines += [_across(map(str, place), [values[place]], heads, adds_up) for place in part]
        if down != "account":
            lines.append(
                _across([account, TOTAL] if len(names) == 2 else [TOTAL], [values[p] for p in part], heads, adds_up)
            )
    columns = [*names, *headed(heads), *([TOTAL] if adds_up else [])]
    return Rows(columns, [column not in names for column in columns], lines)


def _across(
    names: Iterable[Cell], parts: Sequence[Mapping[Cell, int]], heads: Sequence[Cell], adds_up: bool
) -> list[Cell]:
    """Return a row with the sums of these parts under each head, and of all if they add up."""
    sums: list[Cell] = [
        sum(part.get(head, 0) for part in parts) if any(head in part for part in parts) else None for head in heads
    ]
    return [*names, *sums, *([sum(sum(part.values()) for part in parts)] if adds_up else [])]


def across_accounts(balances: Rows) -> Rows:
    """Return balances (turn, kingdom, account, balance) with a row a turn and kingdom, an account a column."""
    accounts = list(dict.fromkeys(balances.column("account")))
    rows = [
        [*place, *(balance for *_, balance in part)] for place, part in groupby(balances.cells, lambda row: (*row[:2],))
    ]
    return Rows(["turn", "kingdom", *headed(accounts)], [True, False, *[True] * len(accounts)], rows)


def compared(parts: Mapping[str, Rows], names: Sequence[str], value: str) -> Rows:
    """Return two tables side by side, a column of `value` each, and by how much the first has more. Nothing counts as 0."""
    first, second = (by_place(part, names, value) for part in parts.values())
    lines = []
    for place in sorted({*first, *second}, key=in_order):
        pair = first.get(place, 0), second.get(place, 0)
        lines.append([*place, *pair, pair[0] - pair[1]])
    return Rows([*names, *headed(list(parts)), DIFFERENCE], [name in NUMBERS for name in names] + [True] * 3, lines)


def by_place(part: Rows, names: Sequence[str], value: str) -> dict[tuple[Cell, ...], int]:
    """Return the numbers of one column by what stands in the columns `names`."""
    places = zip(*map(part.column, names), strict=True)
    return {place: number for place, number in zip(places, part.column(value), strict=True) if isinstance(number, int)}


def in_order(place: Sequence[Cell]) -> tuple[tuple[int, str], ...]:
    """Return what sorts rows by the columns that name them."""
    return tuple(map(_order, place))


def _order(cell: Cell) -> tuple[int, str]:
    """Return what sorts a cell: numbers by their size, words by their letters."""
    return (cell, "") if isinstance(cell, int) else (0, cell or "")


def headed(columns: Sequence[object]) -> list[str]:
    """Return the heads of columns for these values; one that has the name of a column of the ledger gets a mark."""
    taken = {*COLUMNS, TOTAL, DIFFERENCE}
    return [f"{column} *" if str(column) in taken else str(column) for column in columns]


# --- written out ---


def as_csv(table: Rows, marked: bool = False) -> bytes:
    """Return the table for other programs. A text that a spreadsheet would run as a formula gets an apostrophe before it.

    marked: it begins with a byte order mark, without which Excel takes UTF-8 for another encoding.
    """
    columns = [
        [f"'{cell}" if str(cell)[:1] in FORMULA else cell for cell in column] if name in TEXTS else column
        for name, column in zip(table.columns, zip(*table.cells, strict=True), strict=False)  # without rows: no columns
    ]
    return BOM_UTF8 * marked + csv_text.write(table.columns, zip(*columns, strict=True))


def in_blocks(table: Rows, names: int, width: int) -> list[Rows]:
    """Return the table, cut into several if it is wider than `width`; each begins with the first `names` columns."""
    sizes = [
        max([width_of(column), *(width_of(_said(row[at])) for row in table.cells)]) + 2
        for at, column in enumerate(table.columns)
    ]
    blocks: list[list[int]] = [[]]
    for at in range(names, len(sizes)):
        used = sum(sizes[:names]) + sum(sizes[i] for i in blocks[-1])
        if blocks[-1] and used + sizes[at] - 2 > width:
            blocks.append([])
        blocks[-1].append(at)
    return [_some(table, [*range(names), *block]) for block in blocks]


def _some(table: Rows, chosen: Sequence[int]) -> Rows:
    """Return the table with these columns alone."""
    return Rows(
        [table.columns[at] for at in chosen],
        [table.numbers[at] for at in chosen],
        [[row[at] for at in chosen] for row in table.cells],
    )


def as_text(table: Rows, width: int) -> list[str]:
    """Return a plain table, a line a row; numbers to the right, nothing where there is none.

    The last column, if it is `detail`, goes on in further lines.
    """
    cells = [table.columns, *(list(map(_said, row)) for row in table.cells)]
    widths = [max(width_of(row[i]) for row in cells) for i in range(len(table.columns))]
    if table.columns[-1] != "detail":
        return [_line(row, widths, table.numbers) for row in cells]
    return [line for row in cells for line in _with_detail(row, widths[:-1], table.numbers, width)]


def _said(cell: Cell) -> str:
    return "" if cell is None else str(cell)


def _line(row: Sequence[str], widths: Sequence[int], numbers: Sequence[bool]) -> str:
    cells = (
        right(cell, size) if number else left(cell, size)
        for cell, size, number in zip(row, widths, numbers, strict=True)
    )
    return "  ".join(cells).rstrip()


def _with_detail(row: Sequence[str], widths: Sequence[int], numbers: Sequence[bool], width: int) -> list[str]:
    indent = sum(widths) + 2 * len(widths)
    start = left(_line(row[:-1], widths, numbers[:-1]), indent)
    return wrap(row[-1], indent, max(indent + _NARROWEST, width), start).split("\n")
