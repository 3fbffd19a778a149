"""The orders of Cardinal's Guards in the long form, as types. Made by `scripts/retype` from orders.py; change that, not this.

A type is named for the keys that lead to it: `BuildUpgrade` is an upgrade under `build`. A list is as its seat filed it; where the
GM made an order void, None stands in its place, which `common_orders.listed` leaves out.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict


class OrdersMove(TypedDict):
    """A move."""

    move: Literal["s", "m", "c", "a", "sun", "moon", "crown", "arms"]  # the musketeer: s, m, c or a
    dir: Literal["n", "e", "s", "w", "north", "east", "south", "west"]  # where he goes: n, e, s or w
    exit: NotRequired[str]  # the corner where he comes out of the tunnels
    defeat: NotRequired[str]  # the castle guard that he defeats from the tunnels
    recruit: NotRequired[
        Literal["recruit", "leave", "true", "false", "yes", "no"]
    ]  # whether the guard of his own suit that stops him is recruited


class OrdersLure(TypedDict):
    """A guard to lure."""

    lure: Literal["s", "m", "c", "a", "sun", "moon", "crown", "arms"]  # the suit of the guard: s, m, c or a
    cell: str  # the empty tile of that suit


OrdersItem: TypeAlias = OrdersMove | OrdersLure


class Messages(TypedDict):
    """A message."""

    to: str  # to whom
    text: str  # the message


class Orders(TypedDict):
    """The orders of a turn."""

    kingdom: str  # whose orders these are
    turn: int  # the turn that they are for
    continue_from: NotRequired[int]  # how many orders were carried out on this deal before
    orders: NotRequired[list[OrdersItem]]  # the orders to musketeers and guards
    finish: NotRequired[bool]  # whether the game is over behind these orders
    messages: NotRequired[list[Messages]]  # messages
    amend: NotRequired[bool]  # whether this is added to what is filed
    final: NotRequired[bool]  # whether you are done
    token: NotRequired[str]  # the word that proves who you are


class GmGrant(TypedDict):
    """Points granted or taken."""

    grant: str  # the seat
    by: int  # how many
    reason: str  # the reason, for the books


class GmVoidVoid(TypedDict):
    """The order."""

    kingdom: str  # whose it is
    order: str  # its path


class GmVoid(TypedDict):
    """An order made void."""

    void: GmVoidVoid  # the order
    reason: str  # the reason, for the books


class GmFinish(TypedDict):
    """The end of the campaign."""

    finish: Literal["campaign"]  # what comes to its end
    reason: str  # the reason, for the books


Gm: TypeAlias = GmGrant | GmVoid | GmFinish


class Tell(TypedDict):
    """A text for the reports."""

    to: str  # to whom
    text: str  # the text


class GmOrders(TypedDict):
    """The GM's orders of a turn."""

    kingdom: NotRequired[Literal["gm"]]  # whose orders these are
    turn: int  # the turn that they are for
    gm: NotRequired[list[Gm]]  # the GM's rulings
    tell: NotRequired[list[Tell]]  # what the GM tells
    amend: NotRequired[bool]  # whether this is added to what is filed
    token: NotRequired[str]  # the word that proves who you are
