"""The ledger review: every entry of every turn as one table, filtered and summed, by pandas. small_ledger.py does without it.

Its page (review_page.py) also holds each seat's dice against fair dice: how high they are, how far apart, how even the faces.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from math import erfc, exp, lgamma, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from kingdom.books.rows import NUMBERS, WORDS, Rows
from kingdom.engine.dice import Roll
from kingdom.engine.ledger import COLUMNS

if TYPE_CHECKING:
    from pandas import DataFrame

FILTERS = ("kingdom", "account", "phase", "cause")
GROUPS = tuple(column for column in COLUMNS if column not in ("delta", "balance"))  # what sums can be made for
NAMED = r"\bruling (\w+)"  # in a detail, the ruling that decided
_BOOKS = {"turn", "kingdom", "account"}  # the last balance of such a group is the account's
AT_LEAST = 5  # rolls that each face should have before its frequency says something


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


def in_brackets(ruling: str) -> str:
    """Return the pattern of a detail that names this ruling."""
    return rf"\([^()]*\bruling {ruling}\b"


def sum_columns(by: Sequence[str]) -> list[str]:
    """Return the columns of sums: points of different accounts do not add up, so `account` is always among them."""
    return [*by, *(["account"] if "account" not in by else [])]


def holds_balances(columns: Sequence[str], kingdoms: int, whole: bool) -> bool:
    """Return whether the last balance of a group of these columns is that of an account."""
    return whole and _BOOKS.issuperset(columns) and ("kingdom" in columns or kingdoms == 1)


# --- written out ---


def rows_of(frame: DataFrame) -> Rows:
    """Return the table as plain rows."""
    from pandas import NA

    columns = [[None if cell is NA else cell for cell in frame[column].tolist()] for column in frame]
    numbers = [frame[column].dtype.kind == "i" for column in frame]
    return Rows(list(frame.columns), numbers, list(zip(*columns, strict=True)))


class LargeLedger:
    """The entries of a ledger, or those that pass a filter, by pandas. small_ledger.py does the same without it."""

    def __init__(self, frame: DataFrame):
        self.frame = frame

    def __len__(self) -> int:
        return len(self.frame)

    def words(self, column: str) -> set[str]:
        """Return the different words of a column, which is none of numbers."""
        return set(self.frame[column].unique())

    def rulings(self) -> list[str]:
        """Return the rulings that the details name."""
        return sorted(self.frame["detail"].str.extractall(NAMED)[0].unique())

    def select(self, wanted: Wanted) -> LargeLedger:
        """Return the entries that pass the filter."""
        frame = self.frame
        if wanted.turns:
            frame = frame[frame["turn"].between(*wanted.turns)]
        for column in FILTERS:
            if word := getattr(wanted, column):
                frame = frame[frame[column] == word]
        if wanted.ruling:
            frame = frame[frame["detail"].str.contains(in_brackets(wanted.ruling))]
        return LargeLedger(frame)

    def listed(self, columns: Sequence[str] = COLUMNS, last: int = 0) -> Rows:
        """Return these columns of the newest `last` entries, of all if it is 0."""
        return rows_of(self.frame[list(columns)].tail(last or len(self)))

    def sums(self, by: Sequence[str], whole: bool = True) -> Rows:
        """Return for each group how many entries, and the sum of their deltas; by turns, kingdoms and accounts also the last balance.

        Points of different accounts do not add up, so `account` is always one of the columns.
        whole: no entry of these accounts was left out; otherwise the last balance of a group would not be the account's.
        """
        columns = sum_columns(by)
        groups = self.frame.groupby(columns, observed=True)
        result = groups["delta"].agg(["size", "sum"]).rename(columns={"size": "entries", "sum": "delta"})
        if holds_balances(columns, self.frame["kingdom"].nunique(), whole):
            result["balance"] = groups["balance"].last()
        return rows_of(result.reset_index())

    def balances(self, newest: int) -> Rows:
        """Return each balance after each turn to the newest: turn, kingdom, account, balance. 0 where nothing was booked yet.

        Only for every entry, or every one of some seats or accounts. A seat is there from its first entry on.
        """
        from pandas import MultiIndex

        last = self.frame.groupby(["turn", "kingdom", "account"], observed=True)["balance"].last()
        wide = last.unstack(["kingdom", "account"]).reindex(range(newest + 1)).ffill()
        seats, accounts = sorted(self.frame["kingdom"].unique()), self.frame["account"].unique()
        wide = wide.reindex(columns=MultiIndex.from_product([seats, accounts], names=["kingdom", "account"]))
        there = wide.notna().T.groupby(level="kingdom").transform("max").T
        tidy = wide.fillna(0).where(there).stack(["kingdom", "account"], future_stack=True).dropna()
        return rows_of(tidy.astype("int64").rename("balance").reset_index())


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
