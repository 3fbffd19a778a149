"""The books as a plain-text accounting journal, which hledger reads.

Turn N is the Nth day after FIRST_DAY, so a daily report is a report by turns. The account that orders are paid from is the
one that is money: a seat's is `assets:SEAT:ACCOUNT`. What a cause brought is booked against `income:SEAT:CAUSE`, what it took
against `expenses:SEAT:CAUSE`, the start against `equity:opening`, so that a balance sheet and an income statement read right.
All other accounts are points, `points:SEAT:ACCOUNT` against `causes:SEAT:CAUSE`, which these reports leave out. Each account
is in a commodity of its own name, so points of different accounts are never added together. Each posting asserts the balance
that the entry says, and after every turn each account's balance is asserted once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from kingdom.books.exports import source
from kingdom.books.exports.source import KeptBooks
from kingdom.campaign import opening
from kingdom.engine.ledger import Entry
from kingdom.render.plain_text import clean

FIRST_DAY = (2000, 1, 1)  # of turn 0
CLOSING = "turn"  # the payee of what closes a turn
_OPENING = "equity:opening"
# points and causes have none
_TYPES = {"assets": "Cash", "income": "Revenue", "expenses": "Expense", "equity": "Equity"}


class Booked(NamedTuple):
    """A kept turn and its ledger's entries."""

    turn: source.TurnRows
    entries: list[Entry]


def write(books: KeptBooks, file: Path) -> int:
    """Write the journal; gives the number of entries. Raises Faults."""
    turns = booked(books)
    with open(file, "w", encoding="utf-8", newline="\n") as journal:
        journal.writelines(f"{line}\n" for line in _head(books, turns))
        for turn in turns:
            journal.writelines(f"{line}\n" for line in _of_turn(turn, books.campaign.game.paid_from))
    return sum(len(turn.entries) for turn in turns)


def booked(books: KeptBooks) -> list[Booked]:
    """Return every kept turn with its entries. Raises Faults where a file is not as it was kept."""
    return [Booked(turn, [_entry(row) for row in turn.entries]) for turn in source.turns(books)]


def _entry(row: source.Row) -> Entry:
    turn, seq, phase, step, seat, account, delta, balance, cause, detail = row
    return Entry(int(turn), int(seq), phase, step, seat, account, int(delta), int(balance), cause, detail)


def day_of(turn: int) -> str:
    """The day that stands for a turn, ISO 8601."""
    return (date(*FIRST_DAY) + timedelta(days=turn)).isoformat()


def _head(books: KeptBooks, turns: list[Booked]) -> Iterator[str]:
    """Yield the declarations that strict readers demand: commodities, accounts with their types, payees."""
    entries = [entry for turn in turns for entry in turn.entries]
    money = books.campaign.game.paid_from
    yield f"; The books of {_text(books.campaign.settings.name)}: turn N is day N after {day_of(0)}."
    for account in books.accounts:
        yield f"commodity {_commodity(account)}"
    for name in accounts(turns, money):
        kind = _TYPES.get(name.partition(":")[0])
        yield f"account {name}"
        if kind:
            yield f"    ; type: {kind}"  # on a line of its own, where ledger's --strict takes it too
    yield from (f"payee {payee}" for payee in sorted({entry.cause for entry in entries} | {CLOSING}))


def accounts(turns: list[Booked], money: str) -> list[str]:
    """Return the accounts in use: first those that hold something, then those that stand against them."""
    holding = {held(*pair, money) for turn in turns for pair in turn.turn.balances}
    return [*sorted(holding), *sorted({against(entry, money) for turn in turns for entry in turn.entries} | {_OPENING})]


def together(booked: Booked) -> Iterator[tuple[tuple[str, str, str, str], Iterator[Entry]]]:
    """Return a turn's entries by what one cause did to a seat at once: seat, cause, detail and phase."""
    return groupby(booked.entries, key=lambda entry: (entry.kingdom, entry.cause, entry.detail, entry.phase))


def _of_turn(booked: Booked, money: str) -> Iterator[str]:
    """A transaction for all that one cause did to a seat at once, and one that proves every balance."""
    turn = booked.turn
    number = turn.kept.record.turn
    day = day_of(number)
    for (seat, cause, detail, phase), entries in together(booked):
        yield ""
        yield f"{day} {cause} | {_text(detail)}  ; kingdom:{seat}, phase:{phase}, turn:{number}"
        yield from _postings(entries, money)
    yield ""
    yield f"{day} {CLOSING} | the balances after turn {number}"
    for (seat, account), balance in turn.balances.items():
        yield f"  {held(seat, account, money)}  0 {_commodity(account)} = {balance} {_commodity(account)}"


def _postings(entries: Iterable[Entry], money: str) -> Iterator[str]:
    for entry in entries:
        commodity = _commodity(entry.account)
        yield f"  {held(entry.kingdom, entry.account, money)}  {entry.delta} {commodity} = {entry.balance} {commodity}"
        yield f"  {against(entry, money)}  {-entry.delta} {commodity}"


def held(seat: str, account: str, money: str) -> str:
    """Return the account that holds an account of a seat. money: the account that is money."""
    return f"{'assets' if account == money else 'points'}:{seat}:{account}"


def against(entry: Entry, money: str) -> str:
    """Return the account that an entry stands against."""
    if entry.account != money:
        return f"causes:{entry.kingdom}:{entry.cause}"
    if entry.cause == opening.CAUSE:
        return _OPENING
    return f"{'expenses' if entry.delta < 0 else 'income'}:{entry.kingdom}:{entry.cause}"


def _commodity(account: str) -> str:
    return f'"{account}"'


def _text(detail: str) -> str:
    """A text as a description may hold it: in one line, without the mark that begins a comment."""
    return " ".join(clean(detail).replace(";", ",").split())
