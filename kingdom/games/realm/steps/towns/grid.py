"""The grid of a settlement: the names of its lots and borders, and which buildings serve which as neighbours.

A lot is `C4`, in the second district `2-C4`; a border is `north` or `2-north`; a district is `1` or `2`. Ruling: lots.
In the program a lot is also a number: row by row through the first district, then on through the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from kingdom.engine.regex import regex

_LOT = regex(r"(?:(\d{1,3})-)?([A-Z])(\d{1,2})\Z")
_BORDER = regex(r"(?:(\d{1,3})-)?(north|east|south|west)\Z")


class Grid(Struct, frozen=True):
    """A district's grid of lots, numbered row by row from 0."""

    columns: int
    rows: int
    names: tuple[str, ...]
    edges: tuple[tuple[str, frozenset[int]], ...]  # each border and the lots along it

    @property
    def size(self) -> int:
        """Lots of a district."""
        return self.columns * self.rows


class Footprint(Struct, frozen=True):
    """The lots that a building covers, and those beside it; both by number, in order."""

    lots: tuple[int, ...]
    beside: tuple[int, ...]


@cache
def grid_of(columns: int, rows: int) -> Grid:
    """The grid of a district with these columns and rows."""
    names = tuple(f"{chr(ord('A') + column)}{row + 1}" for row in range(rows) for column in range(columns))
    last = columns * (rows - 1)
    edges = (
        ("north", frozenset(range(columns))),
        ("east", frozenset(range(columns - 1, columns * rows, columns))),
        ("south", frozenset(range(last, last + columns))),
        ("west", frozenset(range(0, columns * rows, columns))),
    )
    return Grid(columns, rows, names, edges)


@cache
def footprint(grid: Grid, lots: int, tall: bool, number: int) -> Footprint | None:
    """What a building of that many lots covers with its top left lot at `number`; None where it leaves its district.

    Two lots lie side by side, or one above the other where `tall`; four lie two by two; all others count as one lot.
    """
    wide, high = {2: (1, 2) if tall else (2, 1), 4: (2, 2)}.get(lots, (1, 1))
    district, place = divmod(number, grid.size)
    row, column = divmod(place, grid.columns)
    if column + wide > grid.columns or row + high > grid.rows:
        return None
    covered = {(column + across, row + down) for across in range(wide) for down in range(high)}
    around = ((0, -1), (1, 0), (0, 1), (-1, 0))
    beside = {(c + across, r + down) for c, r in covered for across, down in around} - covered

    def numbers(places: set[tuple[int, int]]) -> tuple[int, ...]:
        inside = ((c, r) for c, r in places if 0 <= c < grid.columns and 0 <= r < grid.rows)
        return tuple(sorted(district * grid.size + r * grid.columns + c for c, r in inside))

    return Footprint(numbers(covered), numbers(beside))


@lru_cache(maxsize=65536)
def lot_number(lot: str, grid: Grid) -> int | None:
    """The number of the lot of that name, in any district; None if no grid has such a lot."""
    found = _LOT.match(lot.strip().upper())
    if not found or found[2] + found[3] not in grid.names or int(found[1] or 1) < 1:
        return None
    return (int(found[1] or 1) - 1) * grid.size + grid.names.index(found[2] + found[3])


def lot_name(number: int, grid: Grid) -> str:
    """`C4`, or `2-C4` in the second district."""
    district, place = divmod(number, grid.size)
    return grid.names[place] if district == 0 else f"{district + 1}-{grid.names[place]}"


def border_at(border: str) -> tuple[int, str] | None:
    """(district from 0, border) of `north` or `2-north`; None for any other word."""
    found = _BORDER.match(border.strip().lower())
    return (int(found[1] or 1) - 1, found[2]) if found and int(found[1] or 1) > 0 else None


def border_name(district: int, border: str) -> str:
    """`north`, or `2-north` of the second district."""
    return border if district == 0 else f"{district + 1}-{border}"


def district_at(place: str, grid: Grid) -> int | None:
    """The district, from 0, of the lot, border or district of that name; None for any other word."""
    if place.isdigit():
        return int(place) - 1 if int(place) > 0 else None
    if border := border_at(place):
        return border[0]
    number = lot_number(place, grid)
    return None if number is None else number // grid.size


Could = Mapping[int, Sequence[int]]  # dependant -> the neighbours that could serve it


def serve(dependant: int, could: Could, serves: dict[int, int]) -> bool:
    """Give a dependant one more neighbour and return whether that worked; other dependants may get different neighbours.

    serves: neighbour -> the dependant that it serves; changed only on success. No dependant loses a neighbour without another.
    """
    asked: set[int] = set()

    def augment(dependant: int) -> bool:
        for neighbour in could[dependant]:
            if neighbour in asked:
                continue
            asked.add(neighbour)
            holder = serves.get(neighbour)
            if holder is None or (holder != dependant and augment(holder)):
                serves[neighbour] = dependant
                return True
        return False

    return augment(dependant)


def deal(needs: Iterable[tuple[int, int]], could: Could) -> tuple[dict[int, int], int]:
    """(neighbour -> dependant, number of needs that stay open), with as many needs served as possible.

    needs: each dependant and how many neighbours it needs.
    """
    serves: dict[int, int] = {}
    still_open = 0
    for dependant, count in needs:
        for _ in range(count):
            still_open += not serve(dependant, could, serves)
    return serves, still_open
