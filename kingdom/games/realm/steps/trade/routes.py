"""Trade routes on the sheets of kingdoms, and the land that a caravan may go over; orders/trade_routes.py sends them. Ruling: trade_route."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.games.realm.hexmap import neighbours, piers_of, points_along, way
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Kingdom, Route, World, owners, replace
from kingdom.games.realm.visibility.known import known, known_all_turn

ROUTE, SHARE = "trade_route", "share_route"  # prefixes of the keys of routes and of questions about them

CAUSES = {"trade_route": "a trade route: what its caravan costs, what it costs as Consumption, what it pays"}


def routes_with(other: str | None, kingdom: Kingdom) -> int:
    """How many open routes the kingdom has with another, whoever founded them."""
    own = sum(route.open and route.to == other for route in kingdom.routes.values())
    return own + sum(guest.by == other for guest in kingdom.guests.values())


def without_route(kingdom: Kingdom, key: str) -> Kingdom:
    """The kingdom without that route."""
    return replace(kingdom, routes={other: route for other, route in kingdom.routes.items() if other != key})


def with_route(kingdom: Kingdom, key: str, route: Route) -> Kingdom:
    """The kingdom with that route in place of the old one."""
    return replace(kingdom, routes={**kingdom.routes, key: route})


def known_to(world: World, before: World, seat: str, rules: Rules) -> World:
    """The world as the seat knows it, without hexes of unknown terrain, so that choices made in it reveal no secret.

    before: the world as it was when the turn began, as the last report showed it.
    """
    whole_turn = in_force(rules.trade_route).whole_turn
    return without_unseen(
        known_all_turn(world, before, seat, rules) if whole_turn else known(world, seat, rules), rules
    )


def without_unseen(seen: World, rules: Rules) -> World:
    """The world without the hexes whose terrain the seat does not know."""
    hexes = {label: hex for label, hex in seen.hexes.items() if not rules.terrain[hex.terrain].unseen}
    return World(seen.turn, hexes, seen.kingdoms)


def is_free(seen: World, seat: str, label: str) -> bool:
    """Whether a caravan of the seat may be sent over the hex: known, without known monsters, and no other kingdom's."""
    return label in seen.hexes and not seen.hexes[label].monsters and _holder(seen, seat, label) in ("", seat)


def beside_land_of(seen: World, seat: str, other: str) -> list[str]:
    """The free hexes beside known land of the other kingdom, where a caravan to that kingdom may end."""
    remembered = {label for label, sighting in seen.kingdoms[seat].memory.items() if sighting.holder == other}
    land = remembered.union(seen.kingdoms[other].hexes)
    near = {label for held in land if _holder(seen, seat, held) == other for label in neighbours(held)}
    return sorted(label for label in near if is_free(seen, seat, label))


def _holder(seen: World, seat: str, label: str) -> str:
    """The holder of the hex as far as the seat knows: as it sees the hex now, else as it remembers the hex."""
    sighting = seen.kingdoms[seat].memory.get(label)
    return owners(seen).get(label) or (sighting.holder if sighting else "")


def best_path(seen: World, seat: str, kingdom: Kingdom, goals: Iterable[str], rules: Rules) -> tuple[str, ...] | None:
    """The cheapest way from any settlement of the kingdom to any of these hexes; between equals by settlement name, then by
    label."""
    piers = piers_of(kingdom, rules)
    found = []
    for name, settlement in kingdom.settlements.items():
        for goal in goals:
            path = way(settlement.hex, goal, seen, rules, lambda label: is_free(seen, seat, label), piers)
            if path:
                found.append((points_along(path, seen, rules), name, goal, path))
    return tuple(min(found)[3]) if found else None
