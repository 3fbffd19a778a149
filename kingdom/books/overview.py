"""A campaign at a glance: a table of its kingdoms, and what changed most in some turns, with the causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from kingdom.books.ledgers import Ledger
from kingdom.books.periods import Period
from kingdom.books.review import Wanted
from kingdom.books.rows import Cell, Rows, by_place
from kingdom.engine.ledger import causes_said
from kingdom.engine.names import words
from kingdom.render.plain_text import clean, signed

CHANGES = 5  # told of a review
Place: TypeAlias = tuple[str, str]  # a kingdom and an account


class Change(NamedTuple):
    """How an account of a kingdom changed in a period, and by which causes, the weightiest first."""

    kingdom: str
    account: str
    before: int
    after: int
    causes: Sequence[tuple[str, int]]


class Overview(NamedTuple):
    """What happened in a period. balances: after it; changes: of every account that has an entry in it."""

    period: Period
    balances: Mapping[Place, int]
    changes: Mapping[Place, Change]


def overview(ledger: Ledger, period: Period) -> Overview:
    """Return what the ledger has of a period."""
    tidy = ledger.balances(period.last)
    after = {
        (str(kingdom), str(account)): balance
        for (kingdom, account), balance in by_place(
            tidy.between(period.last, period.last), ("kingdom", "account"), "balance"
        ).items()
    }
    summed = by_place(
        ledger.select(Wanted(period)).sums(["kingdom", "account", "cause"]), ("kingdom", "account", "cause"), "delta"
    )
    causes: dict[Place, list[tuple[str, int]]] = {}
    for (kingdom, account, cause), delta in summed.items():
        causes.setdefault((str(kingdom), str(account)), []).append((str(cause), delta))
    changes = {}
    for place, parts in causes.items():
        before = after[place] - sum(delta for _, delta in parts)
        weightiest = sorted(parts, key=lambda part: (-abs(part[1]), part[0]))
        changes[place] = Change(*place, before, after[place], weightiest)
    return Overview(period, after, changes)


def kingdoms(of: Overview, names: Mapping[str, str], accounts: Sequence[str], paid_from: str) -> Rows:
    """Return a row a kingdom: each of these accounts with its change over the period, and its income and what it spent, a turn.

    paid_from: the account that orders are paid from, "" for none.
    """
    columns: list[list[str]] = [_with_changes(of, list(names), account) for account in accounts]
    heads = [words(account) for account in accounts]
    if paid_from:
        flows = [of.changes[seat, paid_from].causes if (seat, paid_from) in of.changes else () for seat in names]
        heads += ["income", "spent"]
        columns += [[_a_turn(flow, sign, of.period.turns) for flow in flows] for sign in (1, -1)]
    cells: list[Sequence[Cell]] = list(zip(map(clean, names.values()), *columns, strict=True))
    return Rows(["kingdom", *heads], [False] + [True] * len(heads), cells)


def _with_changes(of: Overview, seats: Sequence[str], account: str) -> list[str]:
    """Return the balance of each seat, and behind it the change, in a width of its own so that balances stay in line."""
    found = [of.changes.get((seat, account)) for seat in seats]
    changes = [signed(one.after - one.before) if one and one.after != one.before else "" for one in found]
    size = max(map(len, changes), default=0)
    balances = [of.balances.get((seat, account), 0) for seat in seats]
    return [f"{balance} {change:>{size}}" for balance, change in zip(balances, changes, strict=True)]


def _a_turn(causes: Sequence[tuple[str, int]], sign: int, turns: int) -> str:
    """Return the gains (sign 1) or losses (sign -1) a turn."""
    whole = sum(delta for _, delta in causes if delta * sign > 0)
    return str(whole) if turns == 1 else f"{whole / turns:.1f}"


def largest(of: Overview, names: Mapping[str, str], many: int = CHANGES) -> list[str]:
    """Return the largest changes of accounts, each as a sentence with its causes."""
    moved = [change for change in of.changes.values() if change.after != change.before]
    moved.sort(key=lambda change: (-abs(change.after - change.before), change.kingdom, change.account))
    return [_said(change, names) for change in moved[:many]]


def _said(change: Change, names: Mapping[str, str]) -> str:
    name = clean(names.get(change.kingdom, change.kingdom))
    return f"{name}: {words(change.account)} from {change.before} to {change.after} ({causes_said(change.causes)})."


def losses(ledger: Ledger, kingdom: str, period: Period, accounts: Sequence[str]) -> list[str]:
    """Return what a kingdom lost of each of these accounts in a period, each with its causes."""
    told = overview(ledger.select(Wanted(kingdom=kingdom)), period).changes
    changes = [told[kingdom, account] for account in accounts if (kingdom, account) in told]
    return [
        f"{words(change.account)} from {change.before} to {change.after} ({causes_said(change.causes)})"
        for change in changes
        if change.after < change.before
    ]
