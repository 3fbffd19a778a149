"""The orders of King's Pouch in the long form, as types. Made by `scripts/retype` from orders.py; change that, not this.

A type is named for the keys that lead to it: `BuildUpgrade` is an upgrade under `build`. A list is as its seat filed it; where the
GM made an order void, None stands in its place, which `common_orders.listed` leaves out.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict


class Place(TypedDict):
    """A citizen to place."""

    citizen: NotRequired[Literal["common", "corrupt", "soldier", "merchant", "cleric", "any"]]  # which citizen
    at: str  # the building
    slot: NotRequired[int]  # the slot, from the top
    lines: NotRequired[list[int]]  # which lines of the slot to use, in this order
    if_active: NotRequired[
        dict[Literal["common", "corrupt", "soldier", "merchant", "cleric"], int]
    ]  # how many must be active for it
    remove_from: NotRequired[Literal["active", "rest"]]  # from which area a citizen is taken
    to: NotRequired[Literal["active", "rest"]]  # to which area a citizen comes
    draw: NotRequired[list[Literal["prism", "cube"]]]  # the shape of each citizen drawn
    gain: NotRequired[
        list[Literal["common", "corrupt", "soldier", "merchant", "cleric"]]
    ]  # which citizens to receive, where it is free
    remove: NotRequired[
        list[Literal["common", "corrupt", "soldier", "merchant", "cleric"]]
    ]  # which citizens go back to the pool, where it is free
    move: NotRequired[list[Literal["common", "corrupt", "soldier", "merchant", "cleric"]]]  # which citizens to move
    exchange: NotRequired[
        list[Literal["common", "corrupt", "soldier", "merchant", "cleric"]]
    ]  # which citizens to exchange
    add_marker: NotRequired[list[str]]  # where to add a marker, the first choice first


class ManageBuild(TypedDict):
    """A building."""

    build: list[str]  # the cards, the first choice first


class ManageClaim(TypedDict):
    """A character."""

    claim: list[str]  # the characters, the first choice first


class ManageOccupyOccupy(TypedDict):
    """Another player's castle."""

    castle: str  # whose


class ManageOccupy(TypedDict):
    """A territory."""

    occupy: list[str | ManageOccupyOccupy]  # the territories, the first choice first


Manage: TypeAlias = ManageBuild | ManageClaim | ManageOccupy


class Rest(TypedDict):
    """The rest phase."""

    refresh: NotRequired[
        list[Literal["common", "corrupt", "soldier", "merchant", "cleric"]]
    ]  # which citizens go back into the pouch, by kind
    refresh_all: NotRequired[bool]  # whether a refresh without a number is used
    draw: NotRequired[list[Literal["prism", "cube"]]]  # the shape of each citizen drawn
    palace_draw: NotRequired[bool]  # whether the palace's citizen is drawn


class Messages(TypedDict):
    """A message."""

    to: str  # to whom
    text: str  # the text


class Orders(TypedDict):
    """The orders of a turn."""

    kingdom: str  # whose orders these are
    turn: int  # the turn that they are for
    castle: NotRequired[list[str]]  # where the castle shall stand, the first choice first
    place: NotRequired[list[Place]]  # the citizens to place, one after the other
    manage: NotRequired[list[Manage]]  # what to build, claim and occupy, one after the other
    tax: NotRequired[Literal["never", "always", "if_needed"]]  # whether to collect the tax
    rest: NotRequired[Rest]  # the rest phase
    messages: NotRequired[list[Messages]]  # messages
    amend: NotRequired[bool]  # whether this is added to what is filed
    final: NotRequired[bool]  # whether you are done
    token: NotRequired[str]  # the word that proves who you are


class GmGrant(TypedDict):
    """Prestige given or taken."""

    grant: str  # to whom
    prestige: int  # how much, negative to take it
    reason: str  # the reason


class GmVoidVoid(TypedDict):
    """The order."""

    kingdom: str  # whose order
    order: str  # its path


class GmVoid(TypedDict):
    """An order that does not count."""

    void: GmVoidVoid  # the order
    reason: str  # the reason


class GmFinish(TypedDict):
    """The end of the campaign."""

    finish: Literal["campaign"]  # what comes to its end
    reason: str  # the reason


Gm: TypeAlias = GmGrant | GmVoid | GmFinish


class GmOrders(TypedDict):
    """The GM's orders of a turn."""

    kingdom: NotRequired[Literal["gm"]]  # whose orders these are
    turn: int  # the turn that they are for
    gm: NotRequired[list[Gm]]  # the GM's rulings
    tell: NotRequired[list[Messages]]  # what the GM tells
    amend: NotRequired[bool]  # whether this is added to what is filed
    token: NotRequired[str]  # the word that proves who you are
