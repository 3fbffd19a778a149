"""Rows of ledger.csv and dice.csv as bytes, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from kingdom.campaign.errors import fault

Row = TypeVar("Row", bound=NamedTuple)  # a class whose fields are the columns


def write(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """The file's bytes: a line of column names, a line a row, UTF-8, lines ending with a newline alone."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue().encode()


def columns(data: bytes, names: Sequence[str], file: str) -> list[tuple[str, ...]]:
    """Some columns alone, as texts. Raises Faults where the file does not have them, or a line is cut short."""
    import csv
    import io
    from operator import itemgetter

    lines = csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline=""))
    try:
        head = next(lines, [])
        return list(map(itemgetter(*(head.index(name) for name in names)), lines))
    except (ValueError, IndexError, csv.Error):
        raise fault("columns", file, 1, 1, columns=",".join(names)) from None


def read(data: bytes, row: type[Row], numbers: Sequence[str], file: str) -> list[Row]:
    """The rows as `row`s (a NamedTuple class whose fields are the columns); those named in `numbers` are whole numbers.

    Raises Faults where a line is not such a row.
    """
    import csv
    import io

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
    except (ValueError, csv.Error):  # csv's own: a field that is longer than any of ours
        raise fault("row", file, lines.line_num, 1, columns=",".join(columns)) from None
    return rows
