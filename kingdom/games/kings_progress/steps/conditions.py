"""Whether what an order hangs on holds when its turn comes (ruling conditions)."""

from __future__ import annotations

from kingdom.games.kings_progress.orders import CityName, Condition
from kingdom.games.kings_progress.state import City, Kingdom


def city_of(kingdom: Kingdom, named: CityName) -> int:
    """The number of a city that is named by its number or as the newest; 0 where there is no such city."""
    count = len(kingdom.cities)
    number = named if isinstance(named, int) else count  # the newest, or none is named
    return number if 1 <= number <= count else 0


def holds(
    condition: Condition | None,
    seat: str,
    vetoes: int,
    kingdom: Kingdom,
    named: CityName = None,
    of_coin: bool = False,
) -> bool:
    """Whether all that the condition says is so.

    seat, vetoes: whose order it is, and how many vetoes are left to it. kingdom: the one that the order is for. named: the
    city that the order names. of_coin: `taken_by_me` asks for the coin, not for the tile.
    """
    if not condition:
        return True
    if vetoes < condition.get("vetoes_min", 0):
        return False
    if not condition.keys() & {"city", "tile_min", "tile_max", "taken_by_me"}:
        return True
    number = city_of(kingdom, condition.get("city", named))
    return number > 0 and _is_so(condition, seat, kingdom.cities[number - 1], of_coin)


def _is_so(condition: Condition, seat: str, city: City, of_coin: bool) -> bool:
    if not condition.get("tile_min", city.tile) <= city.tile <= condition.get("tile_max", city.tile):
        return False
    taken = seat == (city.coin_by if of_coin else city.tile_by)
    return condition.get("taken_by_me", taken) == taken
