"""The orders of The King's Progress in the long form, as types. Made by `scripts/retype` from orders.py; change that, not this.

A type is named for the keys that lead to it: `BuildUpgrade` is an upgrade under `build`. A list is as its seat filed it; where the
GM made an order void, None stands in its place, which `common_orders.listed` leaves out.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict


class CityIf(TypedDict):
    """What must hold."""

    city: NotRequired[Literal["newest"] | int]  # the city
    tile_min: NotRequired[int]  # that its tile is at least this
    tile_max: NotRequired[int]  # that its tile is at most this
    taken_by_me: NotRequired[bool]  # whether this seat put the piece there
    vetoes_min: NotRequired[int]  # that at least this many vetoes are left


City = TypedDict(  # A placement
    "City",
    {
        "kingdom": str,  # whose kingdom gets the city
        "tile": int,  # the tile
        "if": NotRequired[CityIf],  # what must hold
    },
)


CityVeto = TypedDict(  # A veto of a city
    "CityVeto",
    {
        "city": NotRequired[Literal["newest"] | int],  # the city
        "if": NotRequired[CityIf],  # what must hold
        "replace_with": int,  # the tile of the reserve
    },
)


Invest = TypedDict(  # An investment
    "Invest",
    {
        "kingdom": str,  # in whose kingdom
        "coin": int,  # the coin
        "if": NotRequired[CityIf],  # what must hold
    },
)


class InvestmentVetoCity(TypedDict):
    """The newest, where its tile is high."""

    newest_if_tile_min: int  # at least this


InvestmentVeto = TypedDict(  # Which coin of the own kingdom to replace
    "InvestmentVeto",
    {
        "city": NotRequired[Literal["newest"] | int | InvestmentVetoCity],  # the city
        "if": NotRequired[CityIf],  # what must hold
        "swap": NotRequired[dict[str, int]],  # which coin goes in for the value that is seen
    },
)


class ProgressVetoIf(TypedDict):
    """When he stays."""

    next_tile_max: NotRequired[int]  # that the tile of the next city is at most this
    next_tile_min: NotRequired[int]  # that the tile of the next city is at least this
    vetoes_min: NotRequired[int]  # that at least this many vetoes are left


class Progress(TypedDict):
    """What the King does: one of these."""

    move: NotRequired[Literal[""]]
    veto: NotRequired[Literal[""]]
    veto_if: NotRequired[ProgressVetoIf | Literal[""]]  # when he stays


class Messages(TypedDict):
    """A message."""

    to: str  # to whom
    text: str  # the text


class Orders(TypedDict):
    """The orders of a turn."""

    kingdom: str  # whose orders these are
    turn: int  # the turn that they are for
    city: NotRequired[list[City]]  # where to place which tile, the first choice first
    city_veto: NotRequired[list[CityVeto]]  # which tile of the own kingdom to replace; the first that fits
    invest: NotRequired[list[Invest]]  # where to place which coin, the first choice first
    investment_veto: NotRequired[InvestmentVeto]  # which coin of the own kingdom to replace
    progress: NotRequired[Progress]  # what the King does
    messages: NotRequired[list[Messages]]  # messages
    amend: NotRequired[bool]  # whether this is added to what is filed
    final: NotRequired[bool]  # whether you are done
    token: NotRequired[str]  # the word that proves who you are


class GmGrant(TypedDict):
    """Vetoes given or taken."""

    grant: str  # to whom
    vetoes: int  # how many, negative to take them
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
