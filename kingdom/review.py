"""The ledger review: every entry of every turn as one table, filtered, summed, printed or written for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, NamedTuple, Sequence

from kingdom.ledger import COLUMNS

if TYPE_CHECKING:
    from pandas import DataFrame

WORDS = ("phase", "step", "kingdom", "account", "cause")  # columns of few different words
NUMBERS = ("turn", "seq", "delta", "balance")
TEXTS = (*WORDS, "detail")
_FORMULA = r"^[=+\-@\t\r]"  # a cell that begins so is run by spreadsheets


class Wanted(NamedTuple):
    """Which entries: empty or None is any. `turns` is (first, last), both included."""

    turns: tuple[int, int] | None = None
    kingdom: str = ""
    account: str = ""
    phase: str = ""
    cause: str = ""


def entries(ledgers: Iterable[bytes]) -> DataFrame:
    """All entries of these ledger.csv, in their order. Raises ValueError where they are no ledgers."""
    import io

    import pandas

    head = ",".join(COLUMNS).encode() + b"\n"
    ledgers = list(ledgers)
    if not all(ledger.startswith(head) and ledger.endswith(b"\n") for ledger in ledgers):
        raise ValueError("a ledger begins with the names of its columns, and its last line is whole")
    joined = b"".join([head, *(ledger.removeprefix(head) for ledger in ledgers)])
    types = dict.fromkeys(WORDS, "category") | dict.fromkeys(NUMBERS, "int64") | {"detail": str}
    return pandas.read_csv(io.BytesIO(joined), dtype=types, keep_default_na=False, na_filter=False)


def select(frame: DataFrame, wanted: Wanted) -> DataFrame:
    """The entries that are wanted."""
    if wanted.turns:
        frame = frame[frame["turn"].between(*wanted.turns)]
    for column in ("kingdom", "account", "phase", "cause"):
        word = getattr(wanted, column)
        if word:
            frame = frame[frame[column] == word]
    return frame


def sums(frame: DataFrame, by: Sequence[str]) -> DataFrame:
    """For each group: how many entries, the sum of their deltas, and where kingdom and account are one, the last balance.

    Points of different accounts do not add up, so `account` is always one of the columns.
    """
    columns = [*by, *(["account"] if "account" not in by else [])]
    groups = frame.groupby(columns, observed=True)
    result = groups["delta"].agg(["size", "sum"]).rename(columns={"size": "entries", "sum": "delta"})
    if "kingdom" in columns or frame["kingdom"].nunique() == 1:
        result["balance"] = groups["balance"].last()
    return result.reset_index()


def as_csv(frame: DataFrame) -> bytes:
    """For other programs. A text that a spreadsheet would run as a formula is written as text, behind an apostrophe."""
    frame = frame.copy()
    for column in TEXTS:
        if column in frame:
            texts = frame[column].astype(str)
            frame[column] = texts.where(~texts.str.match(_FORMULA), "'" + texts)
    return frame.to_csv(index=False, lineterminator="\n").encode()


def as_text(frame: DataFrame, width: int) -> list[str]:
    """A plain table, a line a row; numbers to the right. The last column, if it is `detail`, goes on in further lines."""
    columns = list(frame.columns)
    cells = [columns, *([str(cell) for cell in row] for row in frame.itertuples(index=False))]
    numbers = [frame[column].dtype.kind == "i" for column in columns]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    if columns[-1] != "detail":
        return [_line(row, widths, numbers) for row in cells]
    return [line for row in cells for line in _with_detail(row, widths[:-1], numbers, width)]


def _line(row: Sequence[str], widths: Sequence[int], numbers: Sequence[bool]) -> str:
    cells = (cell.rjust(size) if number else cell.ljust(size) for cell, size, number in zip(row, widths, numbers))
    return "  ".join(cells).rstrip()


def _with_detail(row: Sequence[str], widths: Sequence[int], numbers: Sequence[bool], width: int) -> list[str]:
    start = _line(row[:-1], widths, numbers).ljust(sum(widths) + 2 * len(widths) - 2) + "  "
    lines, rest = [], max(20, width - len(start))
    for word in row[-1].split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= rest:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return [(start if number == 0 else " " * len(start)) + line for number, line in enumerate(lines or [""])]
