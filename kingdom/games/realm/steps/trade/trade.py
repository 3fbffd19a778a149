"""Income phase: trade between neighbours and along routes, smuggling, and what raiders take of it.

Rulings: trade, smuggling, trade_route, blockade, raid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Kingdom, Route, World, with_kingdoms
from kingdom.games.realm.steps.land.reach import borders
from kingdom.games.realm.steps.shared import in_anarchy, listed, orders_of
from kingdom.games.realm.steps.trade.doors import smuggle_problem
from kingdom.games.realm.steps.trade.parts import split
from kingdom.games.realm.steps.trade.rolls import smuggled, traded
from kingdom.games.realm.steps.trade.takings import Takings
from kingdom.games.realm.steps.trade.threats import Raider, is_blockaded, raiders_of, threats_in, watch
from kingdom.games.realm.types import Turn

CAUSES = {
    "trade": "trade with another kingdom",
    "smuggling": "what was smuggled into another kingdom",
    "raid": "what an army took of a trade route",
}


class Tie(NamedTuple):
    """An open route, as one that ties two kingdoms: its founder, its key there, and who preys on it this turn."""

    founder: str
    key: str
    route: Route
    blockaded: bool
    raiders: tuple[Raider, ...]


class Pair(NamedTuple):
    """Two kingdoms that may trade. border: they do across it."""

    seats: tuple[str, str]
    border: bool
    ties: tuple[Tie, ...]


def trade(world: World, turn: Turn) -> World:
    """Income, before the taxes: every pair that touches or is tied by an open route trades once."""
    if turn.rules.trade is None or turn.rules.trade_route is None:
        return world
    ties = _ties(world)
    world = watch(world, {(tie.founder, tie.key): tie.blockaded for tie in ties}, turn)
    smugglers = _smugglers(world, turn)
    takings = Takings(world, turn)
    for pair in _pairs(world, ties, turn):
        if all(_trades(world.kingdoms[seat], turn) for seat in pair.seats):
            _trade(pair, smugglers, takings, world, turn)
    return with_kingdoms(world, takings.close())


def _trades(kingdom: Kingdom, turn: Turn) -> bool:
    """Whether the kingdom trades at all this turn: with land, and not in anarchy."""
    return bool(kingdom.hexes) and not kingdom.destroyed and not in_anarchy(kingdom, turn)


def _ties(world: World) -> list[Tie]:
    """Every open route, in the order of founders and keys."""
    found = [(seat, key, route) for seat, kingdom in world.kingdoms.items() for key, route in kingdom.routes.items()]
    founded = [(seat, key, route) for seat, key, route in found if route.open and not route.shares]
    if not founded:
        return []
    threats = threats_in(world)
    return [
        Tie(seat, key, route, is_blockaded(route, threats, world), raiders_of(route, threats))
        for seat, key, route in founded
    ]


def _pairs(world: World, ties: list[Tie], turn: Turn) -> Iterator[Pair]:
    """Each pair of kingdoms that touch, where neighbours trade, or that a route ties, once."""
    neighbours = in_force(turn.rules.trade).between_neighbours
    touching = {seat: others for seat, others in borders(world).items() if others} if neighbours else {}
    tied: dict[tuple[str, str], tuple[Tie, ...]] = {}
    for tie in ties:
        pair = min(tie.founder, tie.route.to), max(tie.founder, tie.route.to)
        tied[pair] = (*tied.get(pair, ()), tie)
    beside = {(seat, other) for seat, others in touching.items() for other in others if seat < other}
    for pair in sorted(beside.union(tied)):
        yield Pair(pair, pair in beside, tied.get(pair, ()))


def _smugglers(world: World, turn: Turn) -> set[tuple[str, str]]:
    """(who smuggles, where to), for every order to smuggle that can be carried out with the borders as they are now."""
    given = {
        seat: orders_of(turn, seat, kingdom).get("smuggle", ())
        for seat, kingdom in world.kingdoms.items()
        if not kingdom.destroyed
    }
    if not any(given.values()):
        return set()
    touching = borders(world)
    return {
        (seat, to)
        for seat in given
        for _, to in listed({"smuggle": given[seat]}, "smuggle")
        if not smuggle_problem(seat, to, world, touching[seat], turn.rules)
    }


def _trade(pair: Pair, smugglers: set[tuple[str, str]], takings: Takings, world: World, turn: Turn) -> None:
    """One pair: each trades over the border, or else over a free route, or else over one that is raided; or it smuggles."""
    free = [tie for tie in pair.ties if not tie.blockaded]
    shut = any(other in world.kingdoms[seat].doors for seat, other in _both_ways(pair))
    carried = not shut and (pair.border or bool(free))
    robbed = carried and not pair.border and all(tie.raiders for tie in free)
    raiders = free[0].raiders if robbed else ()
    taken: list[int] = []
    for seat, other in _both_ways(pair):
        if (seat, other) in smugglers:
            takings.smuggled(seat, other, smuggled(seat, other, world, turn))
        elif carried:
            taken.append(traded(seat, other, bool(raiders), world, turn))
            if not raiders:
                takings.traded(seat, other, taken[-1], over_route=not pair.border)
    if raiders:
        takings.raided(free[0].founder, free[0].key, free[0].route, raiders, sum(taken))
    for tie in free if carried else ():
        _gain(tie, in_force(turn.rules.trade_route).gain if any(taken) else 0, takings)


def _both_ways(pair: Pair) -> tuple[tuple[str, str], tuple[str, str]]:
    one, other = pair.seats
    return (one, other), (other, one)


def _gain(tie: Tie, gain: int, takings: Takings) -> None:
    """What a route pays: to the founder and those who share it, or to those who raid it."""
    if tie.raiders:
        takings.raided(tie.founder, tie.key, tie.route, tie.raiders, gain)
        return
    founders, sharers = split(gain, len(tie.route.sharers))
    takings.route_paid(tie.founder, tie.key, tie.route.to, founders)
    for seat in tie.route.sharers:
        takings.route_paid(seat, tie.key, tie.founder, sharers)
