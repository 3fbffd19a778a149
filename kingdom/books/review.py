"""The ledger review: every entry of every turn as one table, filtered, summed, printed or written for other programs.

Its page (review_page.py) also holds each seat's dice against fair dice: how high they are, how far apart, how even the faces.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from math import erfc, exp, lgamma, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from kingdom.engine.dice import Roll
from kingdom.engine.ledger import COLUMNS
from kingdom.render.plain_text import left, right, wrap
from kingdom.render.plain_text import width as width_of

if TYPE_CHECKING:
    from pandas import DataFrame

WORDS = ("phase", "step", "kingdom", "account", "cause")  # columns of few different words
FILTERS = ("kingdom", "account", "phase", "cause")
GROUPS = tuple(column for column in COLUMNS if column not in ("delta", "balance"))  # what sums can be made for
_BOOKS = {"turn", "kingdom", "account"}  # the last balance of such a group is the account's
NUMBERS = ("turn", "seq", "delta", "balance")
TEXTS = (*WORDS, "detail")
TOTAL = "total"
DIFFERENCE = "difference"
_NARROWEST = 20  # columns of a detail, however narrow the terminal
AT_LEAST = 5  # rolls that each face should have before its frequency says something
_FORMULA = r"^[=+\-@＝＋－＠\t\r]"  # a cell that begins so is run by spreadsheets


class Wanted(NamedTuple):
    """A filter of entries; empty or None means any. `turns` is (first, last), both included; `ruling`: a ruling that the detail names."""

    turns: tuple[int, int] | None = None
    kingdom: str = ""
    account: str = ""
    phase: str = ""
    cause: str = ""
    ruling: str = ""


def entries(ledgers: Iterable[bytes]) -> DataFrame:
    """Return all entries of these ledger.csv, in their order. Raises ValueError if they are no ledgers."""
    import pandas

    head = ",".join(COLUMNS).encode() + b"\n"
    ledgers = list(ledgers)
    if not all(ledger.startswith(head) and ledger.endswith(b"\n") for ledger in ledgers):
        raise ValueError("a ledger begins with the names of its columns, and its last line is whole")
    joined = b"".join([head, *(ledger.removeprefix(head) for ledger in ledgers)])
    types = dict.fromkeys(WORDS, "category") | dict.fromkeys(NUMBERS, "int64") | {"detail": str}
    return pandas.read_csv(io.BytesIO(joined), dtype=types, keep_default_na=False, na_filter=False)


def select(frame: DataFrame, wanted: Wanted) -> DataFrame:
    """Return the entries that pass the filter."""
    if wanted.turns:
        frame = frame[frame["turn"].between(*wanted.turns)]
    for column in FILTERS:
        word = getattr(wanted, column)
        if word:
            frame = frame[frame[column] == word]
    if wanted.ruling:
        frame = frame[frame["detail"].str.contains(rf"\([^()]*\bruling {wanted.ruling}\b")]
    return frame


def rulings(frame: DataFrame) -> list[str]:
    """The rulings that the details of these entries name."""
    return sorted(frame["detail"].str.extractall(r"\bruling (\w+)")[0].unique())


def sums(frame: DataFrame, by: Sequence[str], whole: bool = True) -> DataFrame:
    """For each group: how many entries, and the sum of their deltas; by turns, kingdoms and accounts also the last balance.

    Points of different accounts do not add up, so `account` is always one of the columns.
    whole: no entry of these accounts was left out; otherwise the last balance of a group would not be the account's.
    """
    columns = [*by, *(["account"] if "account" not in by else [])]
    groups = frame.groupby(columns, observed=True)
    result = groups["delta"].agg(["size", "sum"]).rename(columns={"size": "entries", "sum": "delta"})
    if whole and _BOOKS.issuperset(columns) and ("kingdom" in columns or frame["kingdom"].nunique() == 1):
        result["balance"] = groups["balance"].last()
    return result.reset_index()


# --- one thing down and another across ---


def pivot(frame: DataFrame, down: str, across: str) -> DataFrame:
    """The sums of the deltas, a row for each value of one column, a column for each value of another, with totals.

    Points of different accounts do not add up: where `account` is neither, each account has rows of its own.
    """
    from pandas import concat

    summed = sums(frame, [down, across], whole=False)
    rows = [column for column in ("account", down) if column != across]
    table = summed.pivot(index=list(dict.fromkeys(rows)), columns=across, values="delta")
    table.columns = _headed(table.columns)
    if across != "account":
        table[TOTAL] = table.sum(axis=1)
    table = table.reset_index()
    table[down] = table[down].astype(str)
    if down != "account":
        accounts = table["account"] if "account" in table else table[down].map(lambda _: "")
        parts = []
        for _, part in table.groupby(accounts, sort=False):
            figures = part.drop(columns=rows).sum(min_count=1)
            parts += [
                part,
                figures.to_frame().T.assign(**{column: part[column].iloc[0] for column in rows} | {down: TOTAL}),
            ]
        table = concat(parts)[table.columns] if parts else table
    return _whole_numbers(table, rows)


def balances(frame: DataFrame, newest: int) -> DataFrame:
    """Each balance after each turn to the newest: turn, kingdom, account, balance. 0 where nothing was booked yet.

    frame: every entry, or every one of some seats or accounts. A seat is there from its first entry on.
    """
    from pandas import MultiIndex

    last = frame.groupby(["turn", "kingdom", "account"], observed=True)["balance"].last()
    wide = last.unstack(["kingdom", "account"]).reindex(range(newest + 1)).ffill()
    seats, accounts = sorted(frame["kingdom"].unique()), frame["account"].unique()
    wide = wide.reindex(columns=MultiIndex.from_product([seats, accounts], names=["kingdom", "account"]))
    there = wide.notna().T.groupby(level="kingdom").transform("max").T
    tidy = wide.fillna(0).where(there).stack(["kingdom", "account"], future_stack=True).dropna()
    return tidy.astype("int64").rename("balance").reset_index()


def across_accounts(tidy: DataFrame) -> DataFrame:
    """The balances with a row a turn and seat, an account a column."""
    order = list(dict.fromkeys(tidy["account"]))
    table = tidy.pivot(index=["turn", "kingdom"], columns="account", values="balance")[order]
    table.columns = _headed(table.columns)
    return _whole_numbers(table.reset_index(), ["turn", "kingdom"])


def compared(frame: DataFrame, seats: tuple[str, str], by: Sequence[str], balance: bool = False) -> DataFrame:
    """Return two seats side by side, and by how much the first has more: sums of deltas, or balances of such a table."""
    values = frame if balance else sums(frame, [*by, "kingdom"], whole=False)
    rows = [column for column in ("account", *by) if column in values]
    rows = list(dict.fromkeys(rows))
    table = values.pivot(index=rows, columns="kingdom", values="balance" if balance else "delta")
    table = table.reindex(columns=list(seats)).fillna(0)
    table.columns = _headed(table.columns)
    first, second = table.columns
    table[DIFFERENCE] = table[first] - table[second]
    return _whole_numbers(table.reset_index(), rows)


def _headed(columns: Sequence[object]) -> list[str]:
    """The heads of columns for these values; one that has the name of a column of the ledger gets a mark."""
    taken = {*COLUMNS, TOTAL, DIFFERENCE}
    return [f"{column} *" if str(column) in taken else str(column) for column in columns]


def _whole_numbers(table: DataFrame, rows: Sequence[str]) -> DataFrame:
    """The table with whole numbers, or nothing, in all columns but those that name its rows."""
    texts = {column: "object" for column in rows if table[column].dtype.kind != "i"}
    return table.astype(
        {column: texts.get(column, "Int64") for column in table.columns if column in texts or column not in rows}
    )


def in_blocks(table: DataFrame, rows: int, width: int) -> list[DataFrame]:
    """The table, cut into several if it is wider than `width`; each begins with the first `rows` columns."""
    sizes = [max([width_of(str(name)), *(width_of(str(cell)) for cell in table[name])]) + 2 for name in table.columns]
    blocks: list[list[int]] = [[]]
    for at in range(rows, len(sizes)):
        used = sum(sizes[:rows]) + sum(sizes[i] for i in blocks[-1])
        if blocks[-1] and used + sizes[at] - 2 > width:
            blocks.append([])
        blocks[-1].append(at)
    return [table.iloc[:, [*range(rows), *block]] for block in blocks]


# --- written out ---


def as_csv(frame: DataFrame) -> bytes:
    """For other programs. A text that a spreadsheet would run as a formula is written as text, behind an apostrophe."""
    frame = frame.copy()
    for column in TEXTS:
        if column in frame:
            codes, texts = frame[column].astype(object).factorize()  # each of them once
            frame[column] = texts.where(~texts.astype(str).str.match(_FORMULA), "'" + texts.astype(str)).take(codes)
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return text.encode()


def as_text(frame: DataFrame, width: int) -> list[str]:
    """A plain table, a line a row; numbers to the right, nothing where there is none.

    The last column, if it is `detail`, goes on in further lines.
    """
    from pandas import NA

    columns = list(frame.columns)
    cells = [
        columns,
        *(["" if cell is NA else str(cell) for cell in row] for row in frame.itertuples(index=False, name=None)),
    ]
    numbers = [frame[column].dtype.kind == "i" for column in columns]
    widths = [max(width_of(row[i]) for row in cells) for i in range(len(columns))]
    if columns[-1] != "detail":
        return [_line(row, widths, numbers) for row in cells]
    return [line for row in cells for line in _with_detail(row, widths[:-1], numbers, width)]


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


# --- dice ---


class DiceResults(NamedTuple):
    """The results of one seat's dice with that number of sides.

    faces: how often each came, from 1 on. by_hand: how many the GM rolled. error: the standard deviation of the mean of as many
    fair rolls. spread: the standard deviation of the results; None for a single one. uneven: the chi-square of the faces.
    odds: the chance that fair dice are at least as uneven. Both are None if there are too few rolls.
    """

    kingdom: str
    sides: int
    faces: tuple[int, ...]
    by_hand: int
    mean: float
    fair_mean: float
    error: float
    spread: float | None
    fair_spread: float
    uneven: float | None
    odds: float | None

    @property
    def rolls(self) -> int:
        """Return the number of rolls."""
        return sum(self.faces)


def dice_results(rolls: Iterable[Roll]) -> list[DiceResults]:
    """The statistics by seat and sides, a seat's most thrown dice first."""
    faces: dict[tuple[str, int], list[int]] = {}
    by_hand: dict[tuple[str, int], int] = {}
    for roll in rolls:
        die = roll.kingdom, roll.sides
        faces.setdefault(die, [0] * roll.sides)[roll.result - 1] += 1
        by_hand[die] = by_hand.get(die, 0) + (roll.source == "tape")
    statistics = [results_of(*die, counts, by_hand[die]) for die, counts in faces.items()]
    return sorted(statistics, key=lambda each: (each.kingdom, -each.rolls, each.sides))


def results_of(kingdom: str, sides: int, faces: Iterable[int], by_hand: int = 0) -> DiceResults:
    """The statistics of dice from how often each face came; there is at least one roll."""
    faces = tuple(faces)
    count = sum(faces)
    mean = sum(face * often for face, often in enumerate(faces, 1)) / count
    apart = sum(often * (face - mean) ** 2 for face, often in enumerate(faces, 1))
    fair_spread = sqrt((sides * sides - 1) / 12)
    enough = sides > 1 and count >= AT_LEAST * sides
    uneven = sum((often - count / sides) ** 2 for often in faces) * sides / count if enough else None
    return DiceResults(
        kingdom, sides, faces, by_hand, mean, (sides + 1) / 2, fair_spread / sqrt(count),
        sqrt(apart / (count - 1)) if count > 1 else None, fair_spread, uneven,
        None if uneven is None else chance_of(uneven, sides - 1),
    )  # fmt: skip


def chance_of(chi_square: float, freedom: int) -> float:
    """The chance that a chi-square with that many degrees of freedom is at least as high."""
    half = chi_square / 2
    if half <= 0:
        return 1.0
    first = 0.5 if freedom % 2 else 0.0
    terms = (exp((first + number) * log(half) - half - lgamma(first + number + 1)) for number in range(freedom // 2))
    return min(1.0, (erfc(sqrt(half)) if freedom % 2 else 0.0) + sum(terms))
