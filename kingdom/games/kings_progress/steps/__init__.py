"""The steps of a turn, a module a subject; here, what they all do alike: accounts, booking, telling.

turn.py has the order of the steps, with a reason for each position.
"""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Kingdom, Table, with_kingdom
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
