"""Tables of the ledger review that have one thing down and another across: sums, balances, two seats side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kingdom.books import review
from kingdom.engine.ledger import COLUMNS
from kingdom.render.plain_text import width as width_of

if TYPE_CHECKING:
    from pandas import DataFrame

TOTAL = "total"
DIFFERENCE = "difference"


def pivot(frame: DataFrame, down: str, across: str) -> DataFrame:
    """The sums of the deltas, a row for each value of one column, a column for each value of another, with totals.

    Points of different accounts do not add up: where `account` is neither, each account has rows of its own.
    """
    from pandas import concat

    summed = review.sums(frame, [down, across], whole=False)
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
    """Two seats side by side, and how much the first has more: sums of deltas, or of such a table of balances."""
    values = frame if balance else review.sums(frame, [*by, "kingdom"], whole=False)
    rows = [column for column in ("account", *by) if column in values]
    rows = list(dict.fromkeys(rows))
    table = values.pivot(index=rows, columns="kingdom", values="balance" if balance else "delta")
    table = table.reindex(columns=list(seats)).fillna(0)
    table.columns = _headed(table.columns)
    first, second = table.columns
    table[DIFFERENCE] = table[first] - table[second]
    return _whole_numbers(table.reset_index(), rows)


def _headed(columns: Sequence[object]) -> list[str]:
    """The heads of columns for these values; one that is called like a column of the ledger is told from it."""
    taken = {*COLUMNS, TOTAL, DIFFERENCE}
    return [f"{column} *" if str(column) in taken else str(column) for column in columns]


def _whole_numbers(table: DataFrame, rows: Sequence[str]) -> DataFrame:
    """The table with whole numbers, or nothing, in all columns but those that name its rows."""
    texts = {column: "object" for column in rows if table[column].dtype.kind != "i"}
    return table.astype(
        {column: texts.get(column, "Int64") for column in table.columns if column in texts or column not in rows}
    )


def in_blocks(table: DataFrame, rows: int, width: int) -> list[DataFrame]:
    """The table, cut into several where it is wider than so many columns; each begins with the first `rows` columns."""
    sizes = [max([width_of(str(name)), *(width_of(str(cell)) for cell in table[name])]) + 2 for name in table.columns]
    blocks: list[list[int]] = [[]]
    for at in range(rows, len(sizes)):
        used = sum(sizes[:rows]) + sum(sizes[i] for i in blocks[-1])
        if blocks[-1] and used + sizes[at] - 2 > width:
            blocks.append([])
        blocks[-1].append(at)
    return [table.iloc[:, [*range(rows), *block]] for block in blocks]
