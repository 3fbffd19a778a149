"""What orders of the realm that are told once have in common, beyond what the order kit asks (kingdom/orders/kit)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from kingdom.engine.names import words
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.steps.shared import each, orders_of
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.schema import ListOf
from kingdom.orders.short_forms import in_words

SELDOM = 10  # percent of the turns

F = TypeVar("F")  # the long form of one order

Now: TypeAlias = kit.Now[World, Rules]  # in offers and forms the state has of other kingdoms what the seat knows


class Order(kit.Order[World, Rules, F]):
    """A kind of order of the realm.

    step: the name of the step that carries it out. section, part: where the page of the order form has it. once: nothing is left of
    it when it is carried out, so nobody means it again in the next turn. shown: how many examples of it a text form has. often: in how many percent of the turns a fuzzer gives it.
    """

    step: str
    section: str
    often = SELDOM
    part = ""
    once = False
    shown = 1
    used = passed = ""  # a report says it of every order, from what was refused

    @property
    def at(self) -> str:
        """The part of a turn's orders that it is: its key, or a name of its own if another step carries out the rest of that key."""
        return self.key

    def ordered(self, now: Now, turn: Turn) -> list[tuple[str, F]]:
        """Return (path, order) of what counts in this turn: nothing in anarchy."""
        return self.filed(orders_of(turn, now.seat, now.state.kingdoms[now.seat]))

    def shows(self, now: Now) -> int:
        return self.shown

    def ranked(self, order: F) -> str:
        """Return the word by which the page ranks it among the orders of a turn; orders of a list are written in that order."""
        return self.at

    def say(self, order: F) -> str:
        """Return the key, and the order in its short form."""
        return f"{words(self.key)} {in_words(self.shape.of if isinstance(self.shape, ListOf) else self.shape, order)}"

    def deals_with(self, order: F) -> Sequence[str]:
        """Return the seats that the order names: their land may be out of sight, but they are there."""
        return ()

    def against(self, now: Now, foes: Collection[str]) -> Any:
        """Return what a bot orders of this kind since those did it wrong, in the long form; None for nothing."""
        return None

    def left_out(self, now: Now, orders: Sequence[F]) -> Iterator[str]:
        """Yield what a forecast can't know of these orders, a sentence each. orders: at least one."""
        return iter(())


class One(Order[F], kit.One[World, Rules, F]):
    """One order, the whole of what stands under the key."""


class Each(Order[F], kit.Each[World, Rules, F]):
    """A list of orders, each carried out by itself."""


class Entries(Order[tuple[str, F]], kit.Entries[World, Rules, F]):
    """A map, of which each entry is carried out by itself."""

    def say(self, order: tuple[str, F]) -> str:
        return f"{words(order[0])}: {in_words(None, order[1])}"


def played(world: World, turn: Turn, *kinds: Order[Any]) -> World:
    """Return the world after each kingdom in play gave its orders of these kinds, one kingdom after the other."""
    for seat, kingdom in world.kingdoms.items():
        for kind in kinds if not kingdom.destroyed else ():
            world = kind.play(Now(world, seat, turn.rules, turn.foreseeing), turn)
    return world


def each_alone(kind: Order[F], world: World, turn: Turn) -> World:
    """The world after every kingdom carried out its orders of that kind; none sees what another did in it."""

    def play(seat: str, _: Kingdom, world: World, turn: Turn) -> Kingdom:
        return kind.play(Now(world, seat, turn.rules, turn.foreseeing), turn).kingdoms[seat]

    return each(world, turn, play)


PIERS = "piers"  # the fact that every pier stands
KEPT = "all land"  # the fact that nothing was let go from which the kingdom sees
LANDLESS = "no land"  # the fact that the kingdom holds no hex


def answered(question: str, word: str) -> str:
    """Return the fact that this is the answer to a question."""
    return f"{question} {word}"


def paid(bp: int) -> dict[str, int]:
    """Return what that many BP cost of the treasury."""
    return {"treasury": bp} if bp else {}


def held(label: str) -> str:
    """Return the fact that the hex is held."""
    return f"held {label}"


def whole(label: str) -> str:
    """Return the fact that what armies use stands in the settlement there."""
    return f"whole {label}"


def changed(now: Now, then: Kingdom) -> dict[str, int]:
    """Return by how much the accounts of the seat's kingdom change if it becomes as `then`."""
    hexes, old = now.state.hexes, accounts(now.state.kingdoms[now.seat], now.state.hexes, now.rules)
    return {
        account: by for account, balance in accounts(then, hexes, now.rules).items() if (by := balance - old[account])
    }


def named(seat: str, world: World) -> str:
    """Return the name of a kingdom, its seat if it has none."""
    return world.kingdoms[seat].name or seat


def in_points(points: Mapping[str, int]) -> str:
    """Account -> by how much it changes, for a person: `Economy +3, Unrest -1`."""
    return ", ".join(f"{words(account).capitalize()} {by:+d}" for account, by in points.items() if by)
