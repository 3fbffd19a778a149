"""What a player and the GM may order, declared once."""

from __future__ import annotations

from typing import TypeAlias, TypedDict

from kingdom.games.kings_progress.rules import MOST
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS
from kingdom.games.kit.common_orders import FOOT, FOOT_ADDS, REASON, gm_orders, messages, seat, turn
from kingdom.orders.schema import Choice, Either, Flag, ListOf, MapOf, Number, Record, Text, Word

KEYS = {
    CITY: "city",
    CITY_VETO: "city_veto",
    INVESTMENT: "invest",
    INVESTMENT_VETO: "investment_veto",
    PROGRESS: "progress",
}
NEWEST = "newest"
DEFAULT = "default"  # the value of a coin that an order to swap does not name
CityName: TypeAlias = (
    int | str | None
)  # a city by its number or as the newest; None: none is named, which is the newest


class Condition(TypedDict, total=False):
    """What must hold, in the long form."""

    city: int | str
    tile_min: int
    tile_max: int
    taken_by_me: bool
    vetoes_min: int


class KingCondition(TypedDict, total=False):
    """When a King stays, in the long form."""

    next_tile_max: int
    next_tile_min: int
    vetoes_min: int


class NewestIf(TypedDict):
    """The newest city, where its tile is high, in the long form."""

    newest_if_tile_min: int


Placement = TypedDict("Placement", {"kingdom": str, "tile": int, "coin": int, "if": Condition}, total=False)
CityVeto = TypedDict("CityVeto", {"city": int | str, "if": Condition, "replace_with": int}, total=False)
CoinVeto = TypedDict("CoinVeto", {"city": int | str | NewestIf, "if": Condition, "swap": dict[str, int]}, total=False)


def _value(meaning: str, example: int = 4) -> Number:
    return Number(meaning, 0, MOST, example)


_CITY = Either(
    "the city", (Word("a city", (NEWEST,), example=NEWEST), Number("its number, from the centre", 1, MOST, 2))
)
_VETOES_MIN = _value("that at least this many vetoes are left", 2)
CONDITION = Record("what must hold", {
    "city": _CITY,
    "tile_min": _value("that its tile is at least this"),
    "tile_max": _value("that its tile is at most this", 1),
    "taken_by_me": Flag("whether this seat put the piece there"),
    "vetoes_min": _VETOES_MIN,
})  # fmt: skip

ORDERS = Record("the orders of a turn", {
    "kingdom": seat("whose orders these are"),
    "turn": turn(),
    "city": ListOf("where to place which tile, the first choice first", Record("a placement", {
        "kingdom": seat("whose kingdom gets the city"),
        "tile": _value("the tile"),
        "if": CONDITION,
    }, required=("kingdom", "tile"), short=("{tile} in {kingdom}",)), short="commas"),
    "city_veto": ListOf("which tile of the own kingdom to replace; the first that fits", Record("a veto of a city", {
        "city": _CITY,
        "if": CONDITION,
        "replace_with": _value("the tile of the reserve"),
    }, required=("replace_with",), short=("{city} with {replace_with}",)), short="commas"),
    "invest": ListOf("where to place which coin, the first choice first", Record("an investment", {
        "kingdom": seat("in whose kingdom"),
        "coin": _value("the coin"),
        "if": CONDITION,
    }, required=("kingdom", "coin"), short=("{coin} in {kingdom}",)), short="commas"),
    "investment_veto": Record("which coin of the own kingdom to replace", {
        "city": Either("the city", (
            *_CITY.shapes,
            Record("the newest, where its tile is high", {"newest_if_tile_min": _value("at least this")}, required=("newest_if_tile_min",)),
        )),
        "if": CONDITION,
        "swap": MapOf("which coin goes in for the value that is seen", Text("the value that is seen", example="0", pattern="[0-9]{1,2}"),
                      _value("the coin that goes in", 5), fixed={DEFAULT: _value("the coin for any other value", 3)}, most=MOST),
    }),
    "progress": Choice("what the King does", {
        "move": None,
        "veto": None,
        "veto_if": Record("when he stays", {
            "next_tile_max": _value("that the tile of the next city is at most this", 1),
            "next_tile_min": _value("that the tile of the next city is at least this"),
            "vetoes_min": _VETOES_MIN,
        }),
    }),
    "messages": messages("Leave my newest city alone?"),
    **FOOT,
}, required=("kingdom", "turn"), adds=("messages", *FOOT_ADDS))  # fmt: skip

GM_ORDERS = gm_orders(Record("vetoes given or taken", {
    "grant": seat("to whom"),
    "vetoes": Number("how many, negative to take them", -MOST, MOST, 1),
    "reason": REASON,
}, required=("grant", "vetoes", "reason")), void="city[0]")  # fmt: skip

FILES = {
    "table.yaml": Record("the table", {
        "clockwise": ListOf("the seats as they sit, clockwise", seat("a seat"), short="words"),
        "first_chancellor": seat("the first chancellor of round 1"),
    }),
    "kingdoms/*.yaml": Record("a player's kingdom", {"name": Text("its name", example="Alice's kingdom", most=60)}),
}  # fmt: skip
