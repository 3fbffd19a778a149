"""The step of a turn that an order makes; and a turn in which orders are only tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic

from kingdom.engine.dice import NoDice
from kingdom.engine.step import Orders, Turn
from kingdom.orders.kit.order import Now, Order, R, S


def step(
    name: str, doc: str, kind: Order[S, R, Any], deciding: Callable[[Turn[S, R], str], Iterable[str]]
) -> Callable[[S, Turn[S, R]], S]:
    """Return the step of that name. deciding: (turn, phase) -> the seats that decide, in their order."""

    def play(state: S, turn: Turn[S, R]) -> S:
        for seat in deciding(turn, kind.phase):
            state = kind.play(Now(state, seat, turn.rules, turn.foreseeing), turn)
        return state

    play.__name__, play.__doc__ = name, doc
    return play


class Trial(Turn[S, R], Generic[S, R]):
    """A turn that books nothing and tells nobody, to see the state behind an order. No die is thrown: `roll` returns None."""

    def __init__(self, rules: R, foreseeing: bool = True, number: int = 0):
        self.number, self.rules, self.orders = number, rules, dict[str, Orders]()
        self.notices, self.rolls, self.books = [], [], None
        self.phase = self.step = ""
        self.foreseeing = foreseeing
        self._dice, self._counts = NoDice(), {}

    def book(self, seat: str, accounts: object, cause: str, detail: str) -> None:
        """Book nothing."""

    def refuse_with(self, seat: str, order: str, refusal: object) -> None:
        """Tell nobody."""

    def tell(self, seat: str, kind: str, **facts: object) -> None:
        """Tell nobody."""

    def reason(self, code: str, **facts: object) -> str:
        """Say nothing."""
        return ""
