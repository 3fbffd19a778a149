"""Income phase: trade between neighbours and along routes, smuggling, and what raiders take of it.

Rulings: trade, smuggling, trade_route, blockade, raid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Kingdom, Route, World, with_kingdoms
from kingdom.games.realm.steps.land.reach import borders
from kingdom.games.realm.steps.shared import in_anarchy, listed, orders_of
from kingdom.games.realm.steps.trade.doors import smuggle_problem
from kingdom.games.realm.steps.trade.open_routes import Raider, is_blockaded, raiders_of, split, threats_in, watch
from kingdom.games.realm.steps.trade.takings import Takings
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


class Attempt(NamedTuple):
    """A roll term by term: total = die + value + by_size; margin = total - dc. bp: what it pays."""

    die: int
    value: int
    by_size: int
    total: int
    dc: int
    margin: int
    bp: int


def trade_by_size(size: int, other: int, rules: Rules) -> int:
    """What the sizes add to the roll of the first. Ruling: trade."""
    return abs(size - other) // in_force(rules.trade).size_per_point * (1 if size >= other else -1)


def trade_bp(margin: int, rules: Rules) -> int:
    """The BP by the margin of a roll, 0 where it failed. Ruling: trade."""
    return max(in_force(rules.trade).least, -(-margin // in_force(rules.trade).margin_per_bp)) if margin >= 0 else 0


def traded(seat: str, other: str, robbed: bool, world: World, turn: Turn) -> int:
    """What the seat's trade with the other comes to: its Opulence against the other's size. robbed: raiders take it."""
    made = _attempt(seat, other, "opulence", len(world.kingdoms[other].hexes), world, turn)
    if made is None:
        return 0
    name = world.kingdoms[other].name
    turn.tell(
        seat, "check", name=f"trade-{other}", attribute="opulence", die=made.die, value=made.value, unrest=0,
        bonus=made.by_size, by_size=made.by_size, total=made.total, dc=made.dc, success=made.margin >= 0, margin=made.margin,
    )  # fmt: skip
    did = f"{made.bp} BP, taken by raiders" if robbed and made.bp else f"{made.bp} BP" if made.bp else "nothing"
    turn.tell(seat, "trade", to=other, bp=made.bp, did=did, text=f"Trade with {name}: {did}.")
    return made.bp


def smuggled(seat: str, other: str, world: World, turn: Turn) -> int:
    """What smuggling comes to: Debauchery against the other's Vigilance, which the smuggler is not told."""
    vigilance = accounts(world.kingdoms[other], world.hexes, turn.rules)["vigilance"]
    made = _attempt(seat, other, "debauchery", vigilance, world, turn)
    if made is None:
        return 0
    rolled = f"{made.die} {made.value:+d} Debauchery{f' {made.by_size:+d} size' if made.by_size else ''} = {made.total}"
    what = f"{made.bp} BP" if made.margin >= 0 else "failed"
    text = f"Smuggling into {world.kingdoms[other].name}: {rolled}: {what} (ruling smuggling)."
    turn.tell(seat, "smuggling", to=other, bp=made.bp, success=made.margin >= 0, total=made.total, text=text)
    if -made.margin >= in_force(turn.rules.smuggling).told_by:
        text = f"Smugglers from {world.kingdoms[seat].name} were caught at the border (ruling smuggling)."
        turn.tell(other, "news", text=text)
    return made.bp


def _attempt(seat: str, other: str, attribute: str, dc: int, world: World, turn: Turn) -> Attempt | None:
    """The roll `trade-OTHER` of the seat; None where the turn is only foreseen."""
    rules: Rules = turn.rules
    kingdom = world.kingdoms[seat]
    die = turn.roll(seat, f"trade-{other}", in_force(rules.trade).die)
    if die is None:
        return None
    value = accounts(kingdom, world.hexes, rules)[attribute]
    by_size = trade_by_size(len(kingdom.hexes), len(world.kingdoms[other].hexes), rules)
    total = die + value + by_size
    return Attempt(die, value, by_size, total, dc, total - dc, trade_bp(total - dc, rules))
