"""A small ledger as plain entries: what pandas does for a large one, without the time that it takes to load pandas."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import itemgetter

from kingdom.books.review import FILTERS, NAMED, Wanted, holds_balances, in_brackets, sum_columns
from kingdom.books.rows import NUMBERS, Cell, Rows
from kingdom.engine.ledger import COLUMNS, Entry


class SmallLedger:
    """The entries of a ledger, or those that pass a filter. Each method returns what review.LargeLedger returns."""

    def __init__(self, entries: Sequence[Entry]):
        self.entries = entries

    def __len__(self) -> int:
        return len(self.entries)

    def words(self, column: str) -> set[str]:
        """Return the different words of a column."""
        return {getattr(entry, column) for entry in self.entries}

    def rulings(self) -> list[str]:
        """Return the rulings that the details name."""
        return sorted({ruling for entry in self.entries for ruling in re.findall(NAMED, entry.detail)})

    def select(self, wanted: Wanted) -> SmallLedger:
        """Return the entries that pass the filter."""
        entries = self.entries
        if wanted.turns:
            first, last = wanted.turns
            entries = [entry for entry in entries if first <= entry.turn <= last]
        for column in FILTERS:
            if word := getattr(wanted, column):
                entries = [entry for entry in entries if getattr(entry, column) == word]
        if wanted.ruling:
            named = re.compile(in_brackets(wanted.ruling))
            entries = [entry for entry in entries if named.search(entry.detail)]
        return SmallLedger(entries)

    def listed(self, columns: Sequence[str] = COLUMNS, last: int = 0) -> Rows:
        """Return these columns of the newest `last` entries, of all if it is 0."""
        values = _cells_of(columns)
        return Rows(columns, [name in NUMBERS for name in columns], list(map(values, self.entries[-last:])))

    def sums(self, by: Sequence[str], whole: bool = True) -> Rows:
        """Return for each group how many entries, and the sum of their deltas, as LargeLedger does."""
        columns = sum_columns(by)
        values = _cells_of(columns)
        groups: dict[tuple[Cell, ...], list[Entry]] = {}
        for entry in self.entries:
            groups.setdefault(values(entry), []).append(entry)
        balance = holds_balances(columns, len(self.words("kingdom")), whole)
        rows = [
            (*place, len(group), sum(entry.delta for entry in group), *([group[-1].balance] if balance else []))
            for place, group in sorted(groups.items(), key=itemgetter(0))
        ]
        heads = [*columns, "entries", "delta", *(["balance"] if balance else [])]
        return Rows(heads, [name == "entries" or name in NUMBERS for name in heads], rows)

    def balances(self, newest: int) -> Rows:
        """Return each balance after each turn to the newest, as LargeLedger does."""
        booked: dict[int, dict[tuple[str, str], int]] = {turn: {} for turn in range(newest + 1)}
        for entry in self.entries:
            booked.setdefault(entry.turn, {})[entry.kingdom, entry.account] = entry.balance
        seats, accounts = sorted(self.words("kingdom")), list(dict.fromkeys(entry.account for entry in self.entries))
        now: dict[tuple[str, str], int] = {}
        rows: list[Sequence[Cell]] = []
        for turn in range(newest + 1):
            now |= booked[turn]
            there = {seat for seat, _ in now}
            rows += [
                (turn, seat, account, now.get((seat, account), 0))
                for seat in seats if seat in there for account in accounts
            ]  # fmt: skip
        return Rows(("turn", "kingdom", "account", "balance"), (True, False, False, True), rows)


def _cells_of(columns: Sequence[str]) -> Callable[[Entry], tuple[Cell, ...]]:
    """Return a function that gives these columns of an entry."""
    places = [*map(COLUMNS.index, columns)]
    if len(places) > 1:
        return itemgetter(*places)
    return lambda entry: (entry[places[0]],)
