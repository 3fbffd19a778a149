"""The table as it lies: each kingdom with its cities, reserve, King and veto die; the seats that decide next."""

from __future__ import annotations

from typing import ClassVar, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace as replace

from kingdom.engine import step
from kingdom.games.kings_progress.rules import Phase, Rules
from kingdom.games.kit.table import HIDDEN as HIDDEN
from kingdom.games.kit.table import Player, TableState
from kingdom.orders.kit import order

PLAYED: tuple[str, ...] = get_args(Phase)  # the phases of a round, in the rules' order
CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS = PLAYED
VETOES = (CITY_VETO, INVESTMENT_VETO)  # of placements
OVER = ""  # the phase that is next when all rounds were played


class City(Struct, frozen=True):
    """A city: its tile and who placed it; the coin on it, None for none yet, and who placed the coin; who has seen the coin's value."""

    tile: int
    tile_by: str
    coin: int | None = None
    coin_by: str = ""
    seen_by: tuple[str, ...] = ()


class Kingdom(Player, frozen=True, kw_only=True):
    """A seat's kingdom and hand. cities: the one beside the centre first. king: the city he is in, from 1; 0 is the centre.

    points, best_city, king_city: the score of this game's cities, of the best one, of the King's; 0 until they are scored.
    total: the points collected, those of an earlier game of the same campaign included. Nothing that is counted hangs on a coin's value
    before the coins are turned up.
    """

    ACCOUNTS: ClassVar = (
        "total", "points", "best_city", "king_city", "vetoes", "king", "cities", "investments", "tiles", "coins",
    )  # fmt: skip
    tiles: tuple[int, ...]
    coins: tuple[int, ...]
    vetoes: int
    king: int = 0
    cities: tuple[City, ...] = ()
    points: int = 0
    best_city: int = 0
    king_city: int = 0
    total: int = 0

    @property
    def investments(self) -> int:
        """How many cities have a coin. Only the newest city may have no coin."""
        return len(self.cities) - (1 if self.cities and self.cities[-1].coin is None else 0)


class Table(TableState[Kingdom], frozen=True, kw_only=True, rename={"seats": "kingdoms"}):
    """The state after a turn. seats: the kingdoms, clockwise round the table.

    first: the seat that is first chancellor in round 1 of this game. game, round: from 1. phase: the one to be played
    next, OVER where none is. acted: how many seats have decided in it.
    """

    seats: dict[str, Kingdom]
    first: str = ""
    game: int = 1
    round: int = 1
    phase: str = CITY
    acted: int = 0


Turn: TypeAlias = step.Turn[Table, Rules]
Now: TypeAlias = order.Now[Table, Rules]


def with_city(kingdom: Kingdom, number: int, city: City) -> Kingdom:
    """The kingdom with that city, numbered from 1, in its place."""
    cities = kingdom.cities
    return replace(kingdom, cities=(*cities[: number - 1], city, *cities[number:]))


def with_piece(pieces: tuple[int, ...], value: int) -> tuple[int, ...]:
    """The reserve with one more piece, in order of value."""
    return tuple(sorted((*pieces, value)))


def open_city(kingdom: Kingdom) -> int:
    """The number of the newest city if it has no coin yet, else 0."""
    cities = kingdom.cities
    return len(cities) if cities and cities[-1].coin is None else 0


def is_over(table: Table) -> bool:
    """Whether no turn comes any more, so that nothing is hidden."""
    return table.phase == OVER or bool(table.ended)


def covered(table: Table, seat: str) -> Table:
    """The table as the seat knows it: all tiles, dice and Kings; a coin that the seat has not seen is HIDDEN."""
    seats = dict(table.seats)
    for other, kingdom in seats.items():
        seen = [city.coin is None or seat in city.seen_by for city in kingdom.cities]
        cities = [city if sees else replace(city, coin=HIDDEN) for city, sees in zip(kingdom.cities, seen, strict=True)]
        coins = kingdom.coins if other == seat else (HIDDEN,) * len(kingdom.coins)
        seats[other] = replace(kingdom, cities=tuple(cities), coins=coins)
    return replace(table, seats=seats)
