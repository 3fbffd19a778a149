"""The books: every change of every account is an entry, and nothing changes without one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.names import words

FORMULA = frozenset("=+-@＝＋－＠\t\r")  # spreadsheets run a cell that begins with one of these as a formula
Key = TypeVar("Key")
CAUSES = 3  # told of a change; of more, the others are one sum
COLUMNS = ("turn", "seq", "phase", "step", "kingdom", "account", "delta", "balance", "cause", "detail")


class Entry(NamedTuple):
    """A line of the ledger; its fields are the columns of ledger.csv."""

    turn: int
    seq: int
    phase: str
    step: str
    kingdom: str
    account: str
    delta: int
    balance: int
    cause: str
    detail: str


def summed(numbers: Iterable[tuple[Key, int]]) -> dict[Key, int]:
    """Key -> the sum of its numbers, from pairs that may repeat a key; the keys in the order in which they first come."""
    sums: dict[Key, int] = {}
    for key, number in numbers:
        sums[key] = sums.get(key, 0) + number
    return sums


def causes_said(causes: Sequence[tuple[str, int]]) -> str:
    """The causes that moved an account, the weightiest first as they are given, and of more the others as one sum."""
    told = causes if len(causes) <= CAUSES + 1 else causes[:CAUSES]
    parts = [f"{words(cause)} {delta:+d}" for cause, delta in told]
    if others := causes[len(told) :]:
        rest = sum(delta for _, delta in others)
        parts.append(f"{len(others)} other causes {f'{rest:+d}' if rest else 0}")
    return ", ".join(parts)


class Unbalanced(Exception):
    """The books and the state disagree: a step changed an account without an entry. A fault of the program, not of a player."""


class Books:
    """The running balances of a turn and its entries so far.

    `opening` maps each seat to its accounts before the turn; a seat that is new in the turn opens at 0.
    """

    def __init__(self, turn: int, opening: Mapping[str, Mapping[str, int]]):
        self.turn = turn
        self.balances: dict[str, dict[str, int]] = {seat: dict(accounts) for seat, accounts in opening.items()}
        self.entries: list[Entry] = []

    def enter(self, phase: str, step: str, seat: str, accounts: Mapping[str, int], cause: str, detail: str) -> None:
        """Book a seat's accounts as they are after `cause`: one entry for each account that differs from its balance."""
        balances = self.balances.setdefault(seat, {})
        detail = f"'{detail}" if detail[:1] in FORMULA else detail  # a player's name for something may come first in it
        for account, value in accounts.items():
            before = balances.get(account, 0)
            if value != before:
                balances[account] = value
                self.entries.append(
                    Entry(
                        self.turn,
                        len(self.entries) + 1,
                        phase,
                        step,
                        seat,
                        account,
                        value - before,
                        value,
                        cause,
                        detail,
                    )
                )

    def prove(self, step: str, seat: str, accounts: Mapping[str, int]) -> None:
        """Raise Unbalanced if a seat's accounts in the state differ from its balances in the books."""
        balances = self.balances.get(seat, {})
        if balances == accounts:  # nearly always, so compare account by account only if they differ
            return
        for account, value in accounts.items():
            if balances.get(account, 0) != value:
                raise Unbalanced(
                    f"turn {self.turn}, step {step}: {account} of {seat} is {value}, the books say {balances.get(account, 0)}"
                )


def balances_after(opening: Mapping[str, Mapping[str, int]], entries: Iterable[Entry]) -> dict[str, dict[str, int]]:
    """Return the balances after these entries. Raises Unbalanced if an entry's balance is not the sum of those before it."""
    balances = {seat: dict(accounts) for seat, accounts in opening.items()}
    for entry in entries:
        accounts = balances.setdefault(entry.kingdom, {})
        value = accounts.get(entry.account, 0) + entry.delta
        if value != entry.balance:
            raise Unbalanced(
                f"turn {entry.turn}, entry {entry.seq}: {entry.account} of {entry.kingdom} should stand at {value}, "
                f"the entry says {entry.balance}"
            )
        accounts[entry.account] = value
    return balances
