"""What routes tie together, and how their costs and gains are split among founder and sharers. Ruling: trade_route."""

from __future__ import annotations

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, Route


def partners(kingdom: Kingdom) -> frozenset[str]:
    """The seats that an open route ties to the kingdom, whoever of them founded it."""
    if not kingdom.routes and not kingdom.guests:
        return frozenset()
    founders = {guest.by for guest in kingdom.guests.values()}
    return frozenset(founders.union(route.to for route in kingdom.routes.values() if route.open))


def split(amount: int, sharers: int) -> tuple[int, int]:
    """(the founder's part, that of each of so many sharers): even, rounded down, and the rest is the founder's."""
    each = amount // (sharers + 1)
    return amount - sharers * each, each


def consumption_of(route: Route, rules: Rules) -> int:
    """What the route, or the share of one, adds to the Consumption of the kingdom on whose sheet it stands."""
    if not route.open or rules.trade_route is None:
        return 0
    founders, sharers = split(rules.trade_route.consumption, len(route.sharers))
    return sharers if route.shares else founders
