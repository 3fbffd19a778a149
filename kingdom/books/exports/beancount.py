"""The books as a beancount file, which bean-check proves and fava shows.

The days, the transactions and what stands against what are those of journal.py. Beancount knows five kinds of accounts and demands
capitals: the treasury of `salt_gate` is `Assets:Salt-gate:Treasury`, in the commodity `TREASURY`; its Unrest, which is no money, is
`Equity:Points:Salt-gate:Unrest`. Ids are of small letters, digits and underscores, so each name is made back into its id by small
letters and underscores, without a leading XX. A balance is asserted as a day begins, so that after a turn stands under the next day.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kingdom.books.exports import journal
from kingdom.books.exports.journal import Booked
from kingdom.books.exports.source import KeptBooks
from kingdom.render.plain_text import clean

_ROOTS = {  # how an account of the journal begins -> the same here
    "assets": "Assets", "income": "Income", "expenses": "Expenses", "equity": "Equity", "points": "Equity:Points", "causes": "Equity:Causes",
}  # fmt: skip


def write(books: KeptBooks, file: Path) -> int:
    """Write the file; gives the number of entries. Raises Faults."""
    turns = journal.booked(books)
    money = books.campaign.game.paid_from
    with open(file, "w", encoding="utf-8", newline="\n") as ledger:
        ledger.writelines(f"{line}\n" for line in _head(books, turns, money))
        for turn in turns:
            ledger.writelines(f"{line}\n" for line in _of_turn(turn, money))
    return sum(len(turn.entries) for turn in turns)


def account_of(name: str) -> str:
    """Return the name of one of the journal's accounts as beancount demands it."""
    root, *ids = name.split(":")
    return ":".join([_ROOTS[root], *map(_name_of, ids)])


def _name_of(id_: str) -> str:
    """Return the name of an id: a large letter begins it, or XX before an underscore."""
    return (f"XX{id_}" if id_.startswith("_") else f"{id_[:1].upper()}{id_[1:]}").replace("_", "-")


def _head(books: KeptBooks, turns: list[Booked], money: str) -> Iterator[str]:
    """Yield the title, and each commodity and account as opened on the first day."""
    yield f'option "title" {_quoted(books.campaign.settings.name)}'
    if money:
        yield f'option "operating_currency" "{_commodity(money)}"'
    yield ""
    for account in books.accounts:
        yield f"{journal.day_of(0)} commodity {_commodity(account)}"
    for name in journal.accounts(turns, money):
        yield f"{journal.day_of(0)} open {account_of(name)}"


def _of_turn(booked: Booked, money: str) -> Iterator[str]:
    """Yield a transaction for all that one cause did to a seat at once, and every balance after the turn."""
    number = booked.turn.kept.record.turn
    for (seat, cause, detail, phase), entries in journal.together(booked):
        yield ""
        yield f"{journal.day_of(number)} * {_quoted(cause)} {_quoted(detail)}"
        yield f'  kingdom: "{seat}"'
        yield f'  phase: "{phase}"'
        yield f"  turn: {number}"
        for entry in entries:
            held, against = journal.held(entry.kingdom, entry.account, money), journal.against(entry, money)
            yield f"  {account_of(held)}  {entry.delta} {_commodity(entry.account)}"
            yield f"  {account_of(against)}  {-entry.delta} {_commodity(entry.account)}"
    yield ""
    for (seat, account), balance in booked.turn.balances.items():
        held = account_of(journal.held(seat, account, money))
        yield f"{journal.day_of(number + 1)} balance {held}  {balance} {_commodity(account)}"


def _commodity(account: str) -> str:
    return account.upper()


def _quoted(text: str) -> str:
    """Return a text as one line in quotes."""
    escaped = clean(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
