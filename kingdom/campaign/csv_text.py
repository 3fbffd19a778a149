"""Writing and reading ledger.csv and dice.csv."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeVar

from kingdom.campaign.errors import fault

Row = TypeVar("Row", bound=NamedTuple)  # a class whose fields are the columns


def write(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return the file's bytes: a line of column names, a line for each row, UTF-8, lines that end with a newline alone."""
    import csv

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue().encode()


def columns(data: bytes, names: Sequence[str], file: str) -> list[tuple[str, ...]]:
    """Return the named columns of each row, as texts. Raises Faults if a column is missing or a line is cut short."""
    import csv

    lines = csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline=""))
    try:
        head = next(lines, [])
        return list(map(itemgetter(*(head.index(name) for name in names)), lines))
    except (ValueError, IndexError, csv.Error):
        raise fault("columns", file, 1, 1, columns=",".join(names)) from None


def read(data: bytes, row: type[Row], numbers: Sequence[str], file: str) -> list[Row]:
    """Return the rows as `row`s (a NamedTuple class whose fields are the columns); the columns `numbers` hold whole numbers.

    Raises Faults if a line is not such a row.
    """
    import csv

    lines = csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline=""))
    columns = list(row._fields)
    at = [columns.index(name) for name in numbers]
    rows = []
    try:
        if next(lines, None) != columns:
            raise fault("columns", file, 1, 1, columns=",".join(columns))
        for line in lines:
            if len(line) != len(columns):
                raise ValueError
            for i in at:
                line[i] = int(line[i])  # type: ignore[call-overload]
            rows.append(row._make(line))
    except (ValueError, csv.Error):  # csv.Error: a field is longer than any of ours
        raise fault("row", file, lines.line_num, 1, columns=",".join(columns)) from None
    return rows
