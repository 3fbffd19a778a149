"""The single open route of a pair of kingdoms: which caravan founds it, and when it ends because one kingdom shuts the other
out. Ruling: one_route."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec import Struct

from kingdom.engine.dice import GM
from kingdom.games.realm.orders.customs import stopped_by_doors
from kingdom.games.realm.state import Kingdom, Route, World, replace, with_kingdoms
from kingdom.games.realm.steps.shared import book, by_lot
from kingdom.games.realm.steps.trade.open_routes import parties_to
from kingdom.games.realm.steps.trade.routes import with_route, without_route
from kingdom.games.realm.types import Turn

Ends = tuple[str, str]  # the two kingdoms of a route, by id


class Founded(Struct, frozen=True):
    """A route or caravan as its founder's sheet has it."""

    founder: str
    key: str
    route: Route

    @property
    def pair(self) -> Ends:
        """The two kingdoms that the route ties, by id."""
        return min(self.founder, self.route.to), max(self.founder, self.route.to)


def founded(kingdoms: Mapping[str, Kingdom]) -> list[Founded]:
    """Every route and caravan, without shares."""
    return [
        Founded(seat, key, route)
        for seat, kingdom in kingdoms.items()
        for key, route in kingdom.routes.items()
        if not route.shares
    ]


One = TypeVar("One", bound=Founded)


def by_pair(routes: Iterable[One]) -> dict[Ends, list[One]]:
    """The routes between each two kingdoms."""
    found: dict[Ends, list[One]] = {}
    for one in routes:
        found.setdefault(one.pair, []).append(one)
    return found


def first_of(rivals: list[Founded], turn: Turn) -> Founded:
    """The route that counts, of several between two kingdoms: the one sent first; if both sent theirs in one turn, lots decide.
    Ruling: nobody_first; without it one roll."""
    sent = min(one.route.sent for one in rivals)
    earliest = {one.founder: one for one in reversed(rivals) if one.route.sent == sent}
    if len(earliest) == 1:
        return next(iter(earliest.values()))
    pair = rivals[0].pair
    if turn.rules.nobody_first:
        names = {seat: f"route-{other}" for seat, other in (pair, pair[::-1])}
        return earliest[by_lot(earliest, lambda seat, sides: turn.roll(seat, names[seat], sides), turn.rules)[0]]
    return earliest[pair[(turn.roll(GM, f"route-{pair[0]}-{pair[1]}", len(pair)) or 1) - 1]]


def turn_back(pair: Ends, kingdoms: dict[str, Kingdom], turn: Turn) -> None:
    """End the pair's other caravans to each other, now that a route between them is open."""
    for one in founded({seat: kingdoms[seat] for seat in pair}):
        if one.pair == pair and not one.route.open:
            kingdoms[one.founder] = without_route(kingdoms[one.founder], one.key)
            text = f"The caravan of {one.key} turns back, since a route between you and {kingdoms[one.route.to].name} is open: "
            turn.tell(one.founder, "news", text=f"{text}its {one.route.bp} BP are lost (ruling one_route).")


def end_surplus(world: World, turn: Turn) -> World:
    """End all but the first of a pair's open routes; several can stem from turns before the ruling."""
    kingdoms = dict(world.kingdoms)
    for open_ones in by_pair(one for one in founded(world.kingdoms) if one.route.open).values():
        if len(open_ones) > 1:
            kept = first_of(open_ones, turn)
            for one in open_ones:
                if one is not kept:
                    _end(one, f"one route counts for a pair, and {kept.key} is open", kingdoms, world, turn)
    return with_kingdoms(world, kingdoms)


def end_shut_routes(world: World, turn: Turn) -> World:
    """Count the turns in which an open route stands still because one kingdom no longer lets in the other's trade; end the
    route after as many as the ruling says."""
    ruling = turn.rules.one_route
    if ruling is None:
        return world
    kingdoms = dict(world.kingdoms)
    for one in founded(world.kingdoms):
        here, there = one.pair
        closed = not (world.kingdoms[here].lets_in(there) and world.kingdoms[there].lets_in(here))
        turns = one.route.shut + 1 if one.route.open and closed else 0
        if turns >= ruling.shut:
            _end(one, stopped_by_doors(f"{turns} turns"), kingdoms, world, turn)
        elif turns != one.route.shut:
            kingdoms[one.founder] = with_route(kingdoms[one.founder], one.key, replace(one.route, shut=turns))
    return with_kingdoms(world, kingdoms)


def _end(ended: Founded, why: str, kingdoms: dict[str, Kingdom], world: World, turn: Turn) -> None:
    """End the route on the sheets of all concerned, and tell them why."""
    founder, route = ended.founder, ended.route
    names = f"{ended.key} of {kingdoms[founder].name} with {kingdoms[route.to].name}"
    for seat in parties_to(founder, route):
        kingdom = kingdoms[seat]
        routes = {
            key: own
            for key, own in kingdom.routes.items()
            if (seat, key) != (founder, ended.key) and (own.to, own.shares) != (founder, ended.key)
        }
        guests = {
            key: guest for key, guest in kingdom.guests.items() if (guest.by, guest.route) != (founder, ended.key)
        }
        kingdoms[seat] = replace(kingdom, routes=routes, guests=guests)
        book(turn, seat, kingdoms[seat], world.hexes, "trade_route", f"{names} ends: {why} (ruling one_route)")
        turn.tell(seat, "news", text=f"{names} ends: {why} (ruling one_route).")
