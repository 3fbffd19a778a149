"""Placing cities and investments: each seat in turn places a tile, and later a coin. A kingdom gets one of each in a round."""

from __future__ import annotations

from typing import NamedTuple

from kingdom.games.kings_progress.orders import KEYS, Placement
from kingdom.games.kings_progress.state import (
    CITY,
    INVESTMENT,
    City,
    Table,
    clockwise,
    open_city,
    replace,
    with_city,
    without,
)
from kingdom.games.kings_progress.steps import ALL, booked, holds, joined, listed, tell, used
from kingdom.games.kings_progress.steps.rounds import deciding
from kingdom.games.kings_progress.types import Turn

CAUSES = {"city": "a tile placed as a city", "investment": "a coin placed on a city"}
REFUSALS = {
    "kingdom_taken": "The kingdom of {kingdom} has its {piece} of this round already (ruling one_each); free were: {free}. "
    "The next alternative counts.",
    "piece_not_in_reserve": "There is no {piece} {value} in the reserve of {whose} (ruling own_pieces); there: {there}. "
    "The next alternative counts.",
}


class Placed(NamedTuple):
    """What is decided: which piece goes into whose kingdom."""

    kingdom: str
    value: int


class Piece(NamedTuple):
    """A kind of piece: its word in orders and sentences, the phase in which it is placed."""

    word: str
    phase: str


TILE = Piece("tile", CITY)
COIN = Piece("coin", INVESTMENT)


def place_cities(table: Table, turn: Turn) -> Table:
    """Phase 1: each seat places a tile as the newest city of a kingdom."""
    for seat in deciding(turn.before, turn.rules, CITY):
        if seat not in turn.orders and turn.foreseeing:
            continue
        free = free_kingdoms(table, seat, CITY)
        placed = _decided(table, turn, seat, TILE, free, table.kingdoms[seat].tiles)
        table = _with_tile(table, turn, seat, placed) if placed else table
    return table


def place_investments(table: Table, turn: Turn) -> Table:
    """Phase 3: each seat places a coin, face down, on a city that has none."""
    for seat in deciding(turn.before, turn.rules, INVESTMENT):
        if seat not in turn.orders and turn.foreseeing:
            continue
        free = free_kingdoms(table, seat, INVESTMENT, turn.foreseeing)
        placed = _decided(table, turn, seat, COIN, free, table.kingdoms[seat].coins)
        if placed and open_city(table.kingdoms[placed.kingdom]):
            table = _with_coin(table, turn, seat, placed)
    return table


def free_kingdoms(table: Table, seat: str, phase: str, foreseeing: bool = True) -> list[str]:
    """The kingdoms that can still get a piece in this phase, the seat's own first.

    foreseeing: kingdoms whose city of this round is not placed yet can get a coin too.
    """
    kingdoms, seats = table.kingdoms, clockwise(table, seat)
    if phase == CITY:
        return [name for name in seats if len(kingdoms[name].cities) < table.round]
    to_come = table.round if foreseeing else 0
    return [name for name in seats if len(kingdoms[name].cities) < to_come or open_city(kingdoms[name])]


def _to_come(table: Table, turn: Turn, seat: str) -> bool:
    """Whether this is a forecast and nobody has placed the kingdom's city of this round yet."""
    return turn.foreseeing and len(table.kingdoms[seat].cities) < table.round


def _decided(
    table: Table, turn: Turn, seat: str, piece: Piece, free: list[str], reserve: tuple[int, ...]
) -> Placed | None:
    """The placement of the first possible order; if there is none, the one that the rules make for the seat. None if nothing is free."""
    orders = turn.orders.get(seat, {})
    for path, order in listed(orders.get(KEYS[piece.phase]), KEYS[piece.phase]):
        placed = Placed(order["kingdom"], order[piece.word])
        if _is_possible(table, turn, seat, piece, path, order, placed, free, reserve):
            used(turn, seat, path)
            return placed
    if not free or not reserve:
        return None
    pick = reserve[0] if turn.rules.missing_orders.piece == "lowest" else reserve[-1]
    placed = Placed([*free[1:], free[0]][0] if free[0] == seat else free[0], pick)
    why = "None of your orders was possible" if orders.get(KEYS[piece.phase]) else "You named none"
    tell(turn, seat, f"{why}: your {piece.word} {placed.value} was placed for you (ruling missing_orders).")
    return placed


def _is_possible(
    table: Table, turn: Turn, seat: str, piece: Piece, path: str, order: Placement, placed: Placed,
    free: list[str], reserve: tuple[int, ...],
) -> bool:  # fmt: skip
    """Whether the order can be carried out. If not, tell the seat why."""
    kingdoms = table.kingdoms
    if placed.kingdom not in free:
        names = ", ".join(free) or "none"
        turn.refuse(seat, path, "kingdom_taken", kingdom=placed.kingdom, piece=piece.word, free=names)
    elif placed.value not in reserve:
        facts = {"piece": piece.word, "value": placed.value, "whose": seat, "there": joined(reserve)}
        turn.refuse(seat, path, "piece_not_in_reserve", **facts)
    elif piece is COIN and _to_come(table, turn, placed.kingdom):
        return True  # its condition is for a city that nobody knows yet
    elif not holds(order.get("if"), seat, kingdoms[seat].vetoes, kingdoms[placed.kingdom]):
        turn.tell(seat, "passed", order=path, text="Its condition did not hold; the next alternative counts.")
    else:
        return True
    return False


def _with_tile(table: Table, turn: Turn, seat: str, placed: Placed) -> Table:
    mine = table.kingdoms[seat]
    table = booked(
        turn, table, seat, replace(mine, tiles=without(mine.tiles, placed.value)), "city", f"tile {placed.value} placed"
    )
    theirs = table.kingdoms[placed.kingdom]
    theirs = replace(theirs, cities=(*theirs.cities, City(placed.value, seat)))
    number = len(theirs.cities)
    tell(turn, ALL, f"{seat} placed tile {placed.value} as city {number} of {placed.kingdom}.")
    return booked(turn, table, placed.kingdom, theirs, "city", f"city {number} by {seat}: tile {placed.value}")


def _with_coin(table: Table, turn: Turn, seat: str, placed: Placed) -> Table:
    mine = table.kingdoms[seat]
    table = booked(
        turn,
        table,
        seat,
        replace(mine, coins=without(mine.coins, placed.value)),
        "investment",
        f"a coin for {placed.kingdom}",
    )
    theirs = table.kingdoms[placed.kingdom]
    number = open_city(theirs)
    city = replace(theirs.cities[number - 1], coin=placed.value, coin_by=seat, seen_by=(seat,))
    tell(turn, ALL, f"{seat} invested in city {number} of {placed.kingdom}.", besides=[seat])
    tell(turn, seat, f"You put your coin {placed.value} on city {number} of {placed.kingdom}.")
    return booked(
        turn, table, placed.kingdom, with_city(theirs, number, city), "investment", f"city {number}: a coin by {seat}"
    )
