"""The long forms of the special edicts: their types, with the shape of each key."""

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from kingdom.games.realm.orders.words import (
    DIRECTIONS,
    KIND_N,
    ROUTES,
    WAY,
    a_hex,
    a_kingdom,
    a_settlement,
    an_army,
    an_attribute,
)
from kingdom.games.realm.rules.types import Attribute
from kingdom.orders import kit
from kingdom.orders.schema import Either, ListOf, Number, Text, Word

_TOWARD = Either("a direction or a hex", (Word("a direction or a hex", DIRECTIONS), a_hex("a direction or a hex")))
_UNTIL = ListOf(
    "the terrains that it turns back at", Word("a terrain", "terrain", example="water"), short="words", most=20
)
_ESCORT = Either("its escort", (Number("BP for adventurers", 2, 999, 6), an_army("an army")))
_ROUTE = Text(
    "a trade route, named as on its founder's sheet",
    example="trade_route-2",
    most=50,
    pattern=KIND_N,
    case="lower",
    offered=ROUTES,
)


class SpecialAid(TypedDict):
    """Aid to a kingdom."""

    edict: Annotated[Literal["aid"], None]
    to: Annotated[str, a_kingdom("the kingdom that gets it")]
    attribute: Annotated[Attribute, an_attribute("the attribute that it is for")]


SpecialExplore = TypedDict("SpecialExplore", {
    "edict": Annotated[Literal["explore"], None],
    "from": Annotated[str, a_settlement("where it starts")],
    "weeks": Annotated[int, Number("its weeks", 1, 52, 2)],
    "route": NotRequired[Annotated[list[str], WAY]],
    "toward": NotRequired[Annotated[str, _TOWARD]],
    "until": NotRequired[Annotated[list[str], _UNTIL]],
    "escort": NotRequired[Annotated[int | str, _ESCORT]],
})  # fmt: skip


class SpecialAdventurers(TypedDict):
    """Adventurers against a monster or a hazard."""

    edict: Annotated[Literal["adventurers"], None]
    bp: Annotated[int, Number("BP for them", 1, 999, 6)]
    task: Annotated[str, a_hex("the monster's hex")]


class SpecialTradeRoute(TypedDict):
    """A new trade route."""

    edict: Annotated[Literal["trade_route"], None]
    to: Annotated[str, a_kingdom("the kingdom to trade with")]
    hex: Annotated[str, a_hex("the hex where it ends")]


class SpecialShareRoute(TypedDict):
    """A share that is asked of another's route."""

    edict: Annotated[Literal["share_route"], None]
    to: Annotated[str, a_kingdom("the kingdom")]


class SpecialCloseRoute(TypedDict):
    """A route that is closed."""

    edict: Annotated[Literal["close_route"], None]
    route: Annotated[str, _ROUTE]


Special: TypeAlias = (
    SpecialAid | SpecialExplore | SpecialAdventurers | SpecialTradeRoute | SpecialShareRoute | SpecialCloseRoute
)
SPECIAL = {
    "aid": kit.record(SpecialAid, "aid to a kingdom", ("{attribute} to {to}",)),
    "explore": kit.record(SpecialExplore, "an expedition", (
        "from {from} for {weeks} week(s) along {route}[ with {escort}]",
        "from {from} for {weeks} week(s) toward {toward}[ until {until}][ with {escort}]",
    ), (("route", "toward"),)),
    "adventurers": kit.record(SpecialAdventurers, "adventurers against a monster", ("{bp} bp to {task}", "{bp} to {task}")),
    "trade_route": kit.record(SpecialTradeRoute, "a new trade route", ("to {to} at {hex}",)),
    "share_route": kit.record(SpecialShareRoute, "a route to share", ("with {to}",)),
    "close_route": kit.record(SpecialCloseRoute, "a route to close", ("{route}",)),
}  # fmt: skip
