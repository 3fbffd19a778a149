"""The kinds of orders: what stands under a key, and how a turn carries it out. The package's head says when to take which."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq
from typing import Any, Generic

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.offer import LIST, MAP, ONE
from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders, Turn
from kingdom.orders.kit.order import F, Now, Objection, Order, R, S
from kingdom.orders.kit.steps import Trial


class _First(Order[S, R, F]):
    def play(self, now: Now[S, R], turn: Turn[S, R]) -> S:
        """Carry out the first possible order, or what the rules say for a seat without one."""
        for path, order in self.ordered(now, turn):
            if now.foreseeing and self.unknown(now, order):
                return now.state
            if self.usual(order):
                break
            state, done = self.tried(now, turn, path, order)
            if done:
                return state
        return self.otherwise(now, turn)


class _All(Order[S, R, F]):
    def play(self, now: Now[S, R], turn: Turn[S, R]) -> S:
        """Carry out all possible orders, one after the other; each finds the state behind those before it."""
        for path, order in self.ordered(now, turn):
            if not (now.foreseeing and self.unknown(now, order)):
                now = now._replace(state=self.tried(now, turn, path, order)[0])
        return now.state


class One(_First[S, R, F]):
    """One order: the whole of what stands under the key."""

    how = ONE

    def filed(self, orders: Orders) -> list[tuple[str, F]]:
        """Return the order, if there is one. 0 and false are orders; an empty map or list is no order."""
        order = orders.get(self.key)
        return [] if order is None or order in ({}, []) else [(self.key, order)]


class _List(Order[S, R, F]):
    """Orders that stand in a list."""

    how = LIST

    def filed(self, orders: Orders) -> list[tuple[str, F]]:
        """Return the items of the list, in its order."""
        return listed(orders.get(self.key), self.key)


def listed(orders: Seq[F] | None, key: str) -> list[tuple[str, F]]:
    """Return (path, order) of the orders under that key. An order that the GM made void is None there: it is left out, but counted."""
    return [(f"{key}[{index}]", order) for index, order in enumerate(orders or ()) if order is not None]


class Entries(_All[S, R, tuple[str, F]]):
    """A map in which each entry is an order by itself, (word, value). A candidate's order is such a pair."""

    how = MAP

    def filed(self, orders: Orders) -> list[tuple[str, tuple[str, F]]]:
        """Return the entries, in their order."""
        entries = orders.get(self.key) or {}
        return [(f"{self.key}.{word}", (word, value)) for word, value in entries.items() if value is not None]


class FirstOf(_First[S, R, F], _List[S, R, F]):
    """Alternatives: the first that can be carried out counts."""


class Each(_All[S, R, F], _List[S, R, F]):
    """Orders that are carried out each by itself; a refused order does not stop the others."""


class Sequence(_List[S, R, F]):
    """Orders that are carried out one after the other. `candidates` are the candidates of the next order, at its moment.

    stops: nothing is carried out behind the first order that can't be. examples: how many the form as text shows.
    """

    stops = again = True
    examples = 8

    def closed(self, now: Now[S, R], orders: Orders) -> tuple[str, Refusal] | None:
        """Return (path, refusal) if none of the orders can be carried out. now: the moment before the first."""
        return None

    def stopped(self, now: Now[S, R], turn: Turn[S, R], path: str, order: F, behind: int) -> None:
        """Tell the seat that its orders stop at this one. behind: how many are not carried out besides it."""

    def data(self, now: Now[S, R]) -> Any:
        """Return the data by which the game's own script follows the orders in the page (templates/form/sequence.js); None for plain buttons."""
        return None

    def play(self, now: Now[S, R], turn: Turn[S, R]) -> S:
        """Carry the orders out one after the other, each in the state behind the orders before it."""
        if closed := self.closed(now, turn.orders.get(now.seat, {})):
            turn.refuse_with(now.seat, *closed)
            return now.state
        filed = self.ordered(now, turn)
        for number, (path, order) in enumerate(filed, 1):
            state, done = self.tried(now, turn, path, order)
            if self.stops and not done:
                self.stopped(now, turn, path, order, len(filed) - number)
                break
            now = now._replace(state=state)
        return now.state

    def behind(self, now: Now[S, R], orders: Orders) -> Now[S, R] | None:
        """Return the moment behind these orders, which the next one finds. None: nothing more is carried out."""
        turn = Trial[S, R](now.rules)
        if self.closed(now, orders):
            return None
        for _, order in self.filed(orders):
            if self.objection(now, order) is None:
                now = now._replace(state=self.carry_out(now, order, turn))
            elif self.stops:
                return None
        return now


class Part(NamedTuple, Generic[S, R]):
    """A part of a plan. path: where it stands below the plan's own path, ".actions[0]". kind: the Order that checks and carries it out."""

    path: str
    kind: Order[S, R, Any]
    order: Any


class Plan(_First[S, R, F], _List[S, R, F]):
    """Alternatives of several parts. The first plan without an objection to any part is carried out whole, and nothing of the other plans.

    examples: how many the form as text shows.
    """

    examples = 4

    def parts(self, now: Now[S, R], order: F) -> Iterable[Part[S, R]]:
        """Return the parts of a plan, in the order in which they are carried out. now: the moment before the first."""
        raise NotImplementedError

    def objection(self, now: Now[S, R], order: F) -> Objection:
        """Return the first objection to a part, in the state behind the parts before it. No die is thrown to find it."""
        turn, now = Trial[S, R](now.rules), now._replace(foreseeing=True)
        for part in self.parts(now, order):
            if objection := part.kind.objection(now, part.order):
                return objection if isinstance(objection, str) else _of(part, objection)
            now = now._replace(state=part.kind.carry_out(now, part.order, turn))
        return None

    def carry_out(self, now: Now[S, R], order: F, turn: Turn[S, R]) -> S:
        """Carry out one part after the other. A part that a die has made impossible meanwhile is left out."""
        return self.carry_out_at("", now, order, turn)

    def carry_out_at(self, path: str, now: Now[S, R], order: F, turn: Turn[S, R]) -> S:
        """Carry out one part after the other. If there is a path, the seat is told of parts that a die has made impossible meanwhile."""
        for part in self.parts(now, order):
            objection = part.kind.objection(now, part.order)
            if objection is None:
                now = now._replace(state=part.kind.carry_out(now, part.order, turn))
            elif path and isinstance(objection, Refusal):
                turn.refuse_with(now.seat, path + _of(part, objection).below, objection)
        return now.state


def _of(part: Part[S, R], refusal: Refusal) -> Refusal:
    return refusal._replace(below=part.path + refusal.below)
