"""Random play: whatever is legal, one as likely as the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS, Table

VETO_ONE_IN = 4  # times that it may veto something, it does


def wanted(
    known: Table, seat: str, rules: Rules, window: Sequence[str], chance: Callable[[str, int], int]
) -> dict[str, Any]:
    """Its orders for the phases of the window."""
    mine, found = known.kingdoms[seat], {}

    def one_of(name: str, values: Sequence[Any]) -> Any:
        return values[chance(name, len(values)) - 1]

    def vetoes(name: str) -> bool:
        return mine.vetoes > 0 and chance(name, VETO_ONE_IN) == 1

    if CITY in window:
        found["city"] = [
            {"kingdom": each, "tile": one_of("tile", mine.tiles)} for each in _shuffled(list(known.kingdoms), chance)
        ]
    tiles = [tile for tile in mine.tiles if CITY not in window or all(each["tile"] != tile for each in found["city"])]
    others = [number for number in range(1, len(mine.cities) + 1) if number != mine.king]
    if CITY_VETO in window and tiles and others and vetoes("city_veto"):
        found["city_veto"] = [{"city": one_of("vetoed_city", others), "replace_with": one_of("swapped_tile", tiles)}]
    if INVESTMENT in window:
        found["invest"] = [
            {"kingdom": each, "coin": one_of("coin", mine.coins)} for each in _shuffled(list(known.kingdoms), chance)
        ]
    others = [number for number in others if mine.cities[number - 1].coin is not None]
    if INVESTMENT_VETO in window and len(mine.coins) > 1 and others and vetoes("investment_veto"):
        found["investment_veto"] = {
            "city": one_of("vetoed_coin", others),
            "swap": {"default": one_of("swapped_coin", mine.coins)},
        }
    if PROGRESS in window and known.round > 1 and vetoes("progress"):
        found["progress"] = {"veto": ""}
    return found


def _shuffled(seats: list[str], chance: Callable[[str, int], int]) -> list[str]:
    for last in range(len(seats) - 1, 0, -1):
        other = chance("shuffle", last + 1) - 1
        seats[last], seats[other] = seats[other], seats[last]
    return seats
