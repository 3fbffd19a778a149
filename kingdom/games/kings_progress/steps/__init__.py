"""The steps of a turn, a module a subject; here, what they all do alike: accounts, booking, telling, and whether a condition holds.

turn.py has the order of the steps, with a reason for each position.
"""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.games.kings_progress.orders import CityName, Condition
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import City, Kingdom, Table, with_kingdom
from kingdom.games.kings_progress.types import Turn
from kingdom.games.kit.common_orders import ALL as ALL
from kingdom.games.kit.common_orders import listed as listed
from kingdom.games.kit.words import joined as joined

ACCOUNTS = ("total", "points", "best_city", "king_city", "vetoes", "king", "cities", "investments", "tiles", "coins")


def accounts(table: Table, seat: str, rules: Rules) -> dict[str, int]:
    """What is counted of a seat: nothing of it hangs on a coin's value before the coins are turned up.

    king: the city he is in. cities, investments: pieces in its kingdom. tiles, coins: pieces in its reserve.
    """
    return of_kingdom(table.kingdoms[seat])


def of_kingdom(kingdom: Kingdom) -> dict[str, int]:
    """The accounts of one kingdom."""
    cities = kingdom.cities
    return {
        "total": kingdom.total,
        "points": kingdom.points,
        "best_city": kingdom.best_city,
        "king_city": kingdom.king_city,
        "vetoes": kingdom.vetoes,
        "king": kingdom.king,
        "cities": len(cities),
        "investments": len(cities) - (1 if cities and cities[-1].coin is None else 0),  # the newest alone has none
        "tiles": len(kingdom.tiles),
        "coins": len(kingdom.coins),
    }


def booked(turn: Turn, table: Table, seat: str, kingdom: Kingdom, cause: str, detail: str) -> Table:
    """The table with that kingdom in its place, and what `cause` made of it booked."""
    turn.book(seat, of_kingdom(kingdom), cause, detail)
    return with_kingdom(table, seat, kingdom)


def tell(turn: Turn, seat: str, text: str, besides: Iterable[str] = ()) -> None:
    """Tell a seat, or all but those who are told otherwise, what happened."""
    if besides:
        turn.tell(seat, "happened", text=text, besides=list(besides))
    else:
        turn.tell(seat, "happened", text=text)


def used(turn: Turn, seat: str, path: str) -> None:
    """Note that this order of the seat's was carried out."""
    turn.tell(seat, "used", order=path)


# --- whether what an order hangs on holds when its turn comes (ruling conditions)


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
