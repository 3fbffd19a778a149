"""The chancellor, a sensible bot: high tiles and coins on the way of its own King, low ones for the others; vetoes if they pay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from kingdom.engine.game import Chance
from kingdom.games.kings_progress import state
from kingdom.games.kings_progress.placing import NEWEST, Invested, Placed
from kingdom.games.kings_progress.rounds import due
from kingdom.games.kings_progress.rules import Rules, rounds
from kingdom.games.kings_progress.state import City, Kingdom, Table
from kingdom.games.kings_progress.vetoes import CoinVeto, TileVeto

Wanted: TypeAlias = dict[str, object]  # key -> the order or orders under it, in the long form
# the lowest tile of a city that is worth an investment; the highest tile of a city that is worth none
GOOD, POOR = (3, 1)


def orders(known: Table, seat: str, rules: Rules, chance: Chance) -> Wanted:
    """The orders of the sensible bot."""
    window = [phase for phase, seats in due(known, rules).items() if seat in seats]
    mine = known.seats[seat]
    wanted: Wanted = {}
    if state.CITY in window:
        wanted["city"] = _cities(known, seat)
    if state.CITY_VETO in window and mine.vetoes:
        wanted["city_veto"] = _city_vetoes(mine, rules, state.CITY in window)
    if state.INVESTMENT in window:
        wanted["invest"] = _investments(known, seat, state.CITY in window)
    if state.INVESTMENT_VETO in window and mine.vetoes:
        wanted["investment_veto"] = _investment_veto(mine, seat, rules, state.CITY in window)
    if state.PROGRESS in window and known.round > 1 and mine.vetoes:
        wanted["progress"] = _progress(known, mine, rules)
    return {key: value for key, value in wanted.items() if value}


def worth(city: City, unseen: float = 2.5) -> float:
    """What a city scores as far as the seat knows. unseen: the value taken for a coin that it has not seen."""
    return city.tile * (unseen if city.coin in (None, state.HIDDEN) else city.coin or 0)


def _rivals(known: Table, seat: str) -> list[str]:
    """The other seats, the one with the best cities first."""
    others = [other for other in known.seats if other != seat]
    return sorted(others, key=lambda other: -sum(map(worth, known.seats[other].cities)))


def _cities(known: Table, seat: str) -> list[Placed]:
    """The best tile for the own kingdom, or else the worst tile for the best of the other kingdoms."""
    tiles = known.seats[seat].tiles
    others: list[Placed] = [{"kingdom": rival, "tile": tiles[0]} for rival in _rivals(known, seat)]
    own: Placed = {"kingdom": seat, "tile": tiles[-1]}
    return [own, *others] if tiles[-1] >= GOOD else [*others, own]


def _city_vetoes(mine: Kingdom, rules: Rules, unplaced: bool) -> list[TileVeto]:
    """A good tile for a poor newest city. unplaced: the tiles of this round are not on the table yet."""
    if not mine.tiles or mine.tiles[-1] < GOOD or len(rules.box.values) == len(mine.cities):
        return []
    best = mine.tiles[-2] if unplaced and len(mine.tiles) > 1 else mine.tiles[-1]
    veto: TileVeto = {"if": {"city": NEWEST, "tile_max": POOR, "taken_by_me": False}, "replace_with": best}
    return [veto] if best >= GOOD else []


def _investments(known: Table, seat: str, unplaced: bool) -> list[Invested]:
    """The best coin on the own newest city if that is good, or else the worst coin on the best newest city of another kingdom."""
    coins, mine = known.seats[seat].coins, known.seats[seat]
    newest = {name: kingdom.cities[-1].tile if kingdom.cities else 0 for name, kingdom in known.seats.items()}
    rivals = _rivals(known, seat) if unplaced else sorted(_rivals(known, seat), key=lambda rival: -newest[rival])
    others: list[Invested] = [{"kingdom": rival, "coin": coins[0]} for rival in rivals]
    own: Invested = {"kingdom": seat, "coin": coins[-1]}
    last: Invested = {"kingdom": seat, "coin": coins[0]}
    if unplaced:
        return [{**own, "if": {"tile_min": GOOD}}, *others, last]
    return [own, *others] if mine.cities and newest[seat] >= GOOD else [*others, last]


def _investment_veto(mine: Kingdom, seat: str, rules: Rules, unplaced: bool) -> CoinVeto | None:
    """The best coin into the city in which it gains most, if the gain is more than the veto is worth."""
    if not mine.coins:
        return None
    best = mine.coins[-2] if unplaced and len(mine.coins) > 1 else mine.coins[-1]
    gains = {
        number: city.tile * (best - (city.coin if city.coin not in (None, state.HIDDEN) else 1))
        for number, city in enumerate(mine.cities, 1)
        if number != mine.king and city.coin is not None and city.coin_by != seat
    }
    if gains and max(gains.values()) > 4:
        number = max(gains, key=lambda city: (gains[city], city))
        return {"city": number, "swap": {str(value): best for value in range(best)} | {"default": mine.coins[0]}}
    if not unplaced or best < GOOD:
        return None
    return {"city": {"newest_if_tile_min": GOOD + 1}, "if": {"taken_by_me": False}, "swap": {"default": best}}


def _progress(known: Table, mine: Kingdom, rules: Rules) -> dict[str, str] | None:
    """The King stays if it pays to have him there to the end, and the vetoes last as long."""
    turns = rounds(rules) - known.round + 1  # moves to come, this one included
    here = worth(mine.cities[mine.king - 1])
    ahead = [worth(city) for city in mine.cities[mine.king : mine.king + turns]]
    ahead += [6.0] * (turns - len(ahead))
    gain = [value - (turns - 1 - index) for index, value in enumerate(ahead)]  # less the vetoes to end there
    if mine.vetoes >= turns and here - turns > max(gain):
        return {"veto": ""}
    return None


def likely(known: Table, seat: str, rules: Rules) -> dict[str, Sequence[object]]:
    """What random orders name more often: pieces that the seat has, and cities that there are."""
    mine = known.seats[seat]
    cities = [NEWEST, *range(1, len(mine.cities) + 1)]
    return {"tile": mine.tiles, "coin": mine.coins, "replace_with": mine.tiles, "city": cities}
