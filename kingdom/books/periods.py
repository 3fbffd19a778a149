"""Times side by side: what the accounts did in two periods of turns, or in one period after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import truediv
from typing import NamedTuple, TypeAlias, TypeVar

from kingdom.books.ledgers import Ledger
from kingdom.books.review import Wanted, sum_columns
from kingdom.books.rows import DIFFERENCE, NUMBERS, TOTAL, Cell, Rows, in_order

Number = TypeVar("Number", int, float)
Place: TypeAlias = tuple[Cell, ...]  # what stands in the columns that name a row
PERCENT = "percent"
AVERAGE = "average"
CHANGE = "change"
OF_BALANCES = ("kingdom", "account")  # the columns that name a row of balances


class Period(NamedTuple):
    """Turns from the first to the last, both included."""

    first: int
    last: int

    @property
    def turns(self) -> int:
        """How many there are."""
        return self.last - self.first + 1

    @property
    def span(self) -> str:
        """The numbers of its turns, such as 4-7."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    @property
    def head(self) -> str:
        """The head of its column. It begins with a word, since a spreadsheet would take 4-7 for a day."""
        return f"turn {self.span}" if self.first == self.last else f"turns {self.span}"


class Figures(NamedTuple):
    """A row's figures: a value and an average a turn for each period, and the average of all periods. None: not there yet."""

    values: Sequence[int | None]
    averages: Sequence[float | None]
    average: float | None


def of_length(period: Period, turns: int) -> list[Period]:
    """Split a period into parts of so many turns, the last as long as what is left."""
    starts = range(period.first, period.last + 1, turns)
    return [Period(start, min(start + turns - 1, period.last)) for start in starts]


def names_of(by: Sequence[str]) -> list[str]:
    """Return the columns that name a row of sums, the account first."""
    return list(dict.fromkeys(["account", *sum_columns(by)]))


def sums(ledger: Ledger, by: Sequence[str], periods: Sequence[Period]) -> dict[Place, Figures]:
    """Return the sums of the deltas in each period, row by row."""
    names = names_of(by)
    first, last = min(period.first for period in periods), max(period.last for period in periods)
    by_turn = ledger.select(Wanted((first, last))).sums([*names, "turn"], whole=False)
    within = {
        turn: [at for at, period in enumerate(periods) if period.first <= turn <= period.last]
        for turn in range(first, last + 1)
    }
    found: dict[Place, list[int]] = {}
    for *place, turn, _, delta in by_turn.cells:
        assert isinstance(turn, int) and isinstance(delta, int)
        for at in within[turn]:
            found.setdefault((*place,), [0] * len(periods))[at] += delta
    turns = [period.turns for period in periods]
    return {
        place: Figures(values, [*map(truediv, values, turns)], sum(values) / sum(turns))
        for place, values in sorted(found.items(), key=lambda row: in_order(row[0]))
    }


def balances(tidy: Rows, periods: Sequence[Period]) -> dict[Place, Figures]:
    """Return each account's balance at the end of each period, from a table of all balances."""
    booked: dict[Place, dict[int, int]] = {}
    for turn, kingdom, account, balance in tidy.cells:
        assert isinstance(turn, int) and isinstance(balance, int)
        booked.setdefault((kingdom, account), {})[turn] = balance
    rows = {}
    for place, by_turn in sorted(booked.items(), key=lambda row: in_order(row[0][:1])):
        parts = [[by_turn[turn] for turn in range(first, last + 1) if turn in by_turn] for first, last in periods]
        if any(parts):
            averages = [_mean(part) for part in parts]
            rows[place] = Figures(
                [by_turn.get(period.last) for period in periods], averages, _mean([*sum(parts, start=[])])
            )
    return rows


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def with_totals(rows: Mapping[Place, Figures]) -> dict[Place, Figures]:
    """Return sums with a total behind the rows of each account, if a row is named by more than its account."""
    found: dict[Place, Figures] = {}
    for account, places in groupby(rows, lambda place: place[0]):
        part = {place: rows[place] for place in places}
        found |= part
        blanks = len(next(iter(part))) - 2
        if blanks >= 0:
            found[account, TOTAL, *[""] * blanks] = Figures(
                [sum(map(_number, values)) for values in zip(*(row.values for row in part.values()), strict=True)],
                [sum(map(_number, values)) for values in zip(*(row.averages for row in part.values()), strict=True)],
                sum(_number(row.average) for row in part.values()),
            )
    return found


def _number(value: Number | None) -> Number:
    """Return a number, 0 for none."""
    return value or 0


# --- as tables


def two(rows: Mapping[Place, Figures], names: Sequence[str], before: Period, after: Period) -> Rows:
    """Return two periods side by side: their values, the change from the first to the second, in percent too, and the averages a turn."""
    heads = [before.head, after.head, DIFFERENCE, PERCENT, f"{AVERAGE} {before.span}", f"{AVERAGE} {after.span}"]
    cells: list[list[Cell]] = []
    for place, figures in rows.items():
        old, _ = figures.values
        change = _change(*figures.values)
        percent = None if change is None or not old else 100 * change / abs(old)
        averages = [_decimal(average, 2) for average in figures.averages]
        cells.append([*place, *figures.values, change, _decimal(percent, 1), *averages])
    return _table(names, heads, cells)


def one_after_another(
    rows: Mapping[Place, Figures], names: Sequence[str], periods: Sequence[Period], adds_up: bool
) -> Rows:
    """Return a column for each period, the total if values add up, as those of balances don't, and the average a turn."""
    heads = [*(period.head for period in periods), *([TOTAL] if adds_up else []), AVERAGE]
    cells: list[list[Cell]] = [
        [*place, *row.values, *([sum(map(_number, row.values))] if adds_up else []), _decimal(row.average, 2)]
        for place, row in rows.items()
    ]
    return _table(names, heads, cells)


def trend(rows: Mapping[Place, Figures], names: Sequence[str], periods: Sequence[Period]) -> Rows:
    """Return the first period's values, the change to each following period, and the change from the first to the last."""
    heads = [*(period.head for period in periods[:1]), *(f"to {period.span}" for period in periods[1:]), CHANGE]
    cells: list[list[Cell]] = []
    for place, (values, _, _) in rows.items():
        changes = [_change(*pair) for pair in zip(values, values[1:], strict=False)]
        cells.append([*place, values[0], *changes, _change(values[0], values[-1])])
    return _table(names, heads, cells)


def _table(names: Sequence[str], heads: Sequence[str], cells: Sequence[Sequence[Cell]]) -> Rows:
    return Rows([*names, *heads], [name in NUMBERS for name in names] + [True] * len(heads), cells)


def _change(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before


def _decimal(number: float | None, places: int) -> str | None:
    """Return a number with so many decimals; one that rounds to nothing has no sign."""
    return None if number is None else f"{round(number, places) + 0.0:.{places}f}"
