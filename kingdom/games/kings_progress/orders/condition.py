"""The condition of an order: how it is typed, whether it holds when the order's turn comes (ruling conditions), and its words."""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypedDict

from kingdom.games.kings_progress.rules import MOST
from kingdom.games.kings_progress.state import City, Kingdom
from kingdom.orders import kit
from kingdom.orders.schema import Either, Flag, Number, Word
from kingdom.render.plain_text import joined

NEWEST = "newest"
NOT_HELD = "Its condition did not hold."
CityName: TypeAlias = int | str  # a city by its number, or as the newest


def value(meaning: str, example: int = 4) -> Number:
    """Return the shape of a tile, a coin or a count."""
    return Number(meaning, 0, MOST, example)


CITY = Either(
    "the city", (Word("a city", (NEWEST,), example=NEWEST), Number("its number, from the centre", 1, MOST, 2))
)
VETOES_MIN = value("that at least this many vetoes are left", 2)


class Condition(TypedDict, total=False):
    """What must hold of a city, and of the seat."""

    city: Annotated[CityName, CITY]
    tile_min: Annotated[int, value("that its tile is at least this")]
    tile_max: Annotated[int, value("that its tile is at most this", 1)]
    taken_by_me: Annotated[bool, Flag("whether this seat put the piece there")]
    vetoes_min: Annotated[int, VETOES_MIN]


CONDITION = kit.record(Condition, "what must hold")


def city_of(kingdom: Kingdom, named: CityName | None) -> int:
    """Return the number of a city that is named by its number or as the newest; 0 if there is no such city."""
    count = len(kingdom.cities)
    number = named if isinstance(named, int) else count
    return number if 1 <= number <= count else 0


def holds(
    condition: Condition, seat: str, vetoes: int, kingdom: Kingdom, named: CityName | None = None, of_coin: bool = False
) -> bool:
    """Return whether the condition holds.

    vetoes: how many are left to the seat. named: the city that the order names. of_coin: `taken_by_me` asks who put the coin there.
    """
    if vetoes < condition.get("vetoes_min", 0):
        return False
    if condition.keys() <= {"vetoes_min"}:
        return True
    number = city_of(kingdom, condition.get("city", named))
    return number > 0 and _is_so(condition, seat, kingdom.cities[number - 1], of_coin)


def _is_so(condition: Condition, seat: str, city: City, of_coin: bool) -> bool:
    if not condition.get("tile_min", city.tile) <= city.tile <= condition.get("tile_max", city.tile):
        return False
    taken = seat == (city.coin_by if of_coin else city.tile_by)
    return condition.get("taken_by_me", taken) == taken


def if_(condition: Condition | None, piece: str) -> str:
    """Return ", if ..." for the end of an order in words. piece: what `taken_by_me` asks of."""
    if not condition:
        return ""
    city = condition.get("city")
    where = "" if city is None else " of the newest city" if city == NEWEST else f" of city {city}"
    tile = bounds(condition.get("tile_min"), condition.get("tile_max"))
    owner = ["yours" if condition["taken_by_me"] else "not yours"] if "taken_by_me" in condition else []
    of_pieces = [("tile", [*tile, *owner])] if piece == "tile" else [("tile", tile), (piece, owner)]
    parts = [f"the {word}{where} is {joined(limits)}" for word, limits in of_pieces if limits]
    return f", if {all_of([*parts, *least_vetoes(condition.get('vetoes_min'))])}"


def bounds(least: int | None, most: int | None) -> list[str]:
    """Return the limits of a tile in words."""
    return [f"at least {least}"] * (least is not None) + [f"at most {most}"] * (most is not None)


def least_vetoes(least: int | None) -> list[str]:
    """Return how many vetoes must be left, in words."""
    return [] if least is None else [f"you have at least {least} veto{'' if least == 1 else 'es'}"]


def all_of(parts: list[str]) -> str:
    """Return the parts of a condition as one."""
    return ", and ".join(parts) or "nothing more"
