"""Edict step 7: trade routes founded, shared and closed by special edict. Ruling: trade_route."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.hexmap import neighbours, piers_of, points_along, way
from kingdom.games.realm.orders.kind import Now
from kingdom.games.realm.orders.leaving import ABANDON
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Guest, Kingdom, Route, World, counted, owners, replace
from kingdom.games.realm.steps.shared import affordable, book
from kingdom.games.realm.steps.trade.open_routes import open_route_with
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.known import known, known_all_turn

if TYPE_CHECKING:
    from kingdom.games.realm.orders.special import SpecialCloseRoute, SpecialShareRoute, SpecialTradeRoute

REFUSALS = {
    "route_to": "There is no other kingdom {to} in play (Trade Route); name one that is.",
    "route_hex_held": "{hex} is not free for a caravan (Trade Route): it must be known to you, without monsters, and "
    "of no other kingdom; name a free hex beside the land of {to}{known}.",
    "route_hex_apart": "{hex} lies beside no land of {to} that you know of (Trade Route); "
    "name a free hex that does{known}.",
    "route_open": "You and {to} have an open trade route already: {route} (ruling one_route: one for a pair). "
    "Close it first, or send the caravan to another kingdom.",
    "route_let_in": "You and {to} have an open trade route already: {route}, which {to} founded (ruling one_route: one for a pair). "
    "Ask for a share of it, or send the caravan to another kingdom.",
    "route_no_settlement": "A caravan starts from a settlement and you have none (Trade Route); found one first.",
    "route_no_way": "No way leads from a settlement of yours to {goal} over known hexes without monsters "
    "or other kingdoms' land (ruling trade_route); explore or clear one first.",
    "route_cost": "A caravan costs {cost} BP a turn and the treasury holds {treasury} "
    "(ruling trade_route, ruling affordable); keep {cost} BP for it.",
    "share_no_route": "{to} has no open route to you that you do not share already (Trade Route); "
    "{to} must found one first.",
    "route_unknown": "You have no route {route} (Trade Route); yours are: {routes}.",
}


ROUTE, SHARE = "trade_route", "share_route"  # what keys of routes and of questions about them begin with

CAUSES = {"trade_route": "a trade route: what its caravan costs, what it costs as Consumption, what it pays"}


def trade_route_problem(
    seat: str, kingdom: Kingdom, order: SpecialTradeRoute, world: World, turn: Turn
) -> Refusal | None:
    """Why that route can't be founded."""
    refusal = _common_problem(seat, kingdom, order, world, turn.rules)
    if refusal:
        return refusal
    refusal = pair_problem(kingdom, order["to"], turn.rules)
    if refusal:
        return refusal
    seen, to, goal = known_to(world, turn.before, seat, turn.rules), order["to"], order["hex"]
    free = beside_land_of(seen, seat, to)
    facts = {"hex": goal, "to": to, "goal": goal, "known": f" ({', '.join(free)})" if free else ""}
    if not is_free(seen, seat, goal):
        return Refusal("route_hex_held", facts)
    if goal not in free:
        return Refusal("route_hex_apart", facts)
    return None if best_path(seen, seat, kingdom, [goal], turn.rules) else Refusal("route_no_way", facts)


def routes_with(other: str | None, kingdom: Kingdom) -> int:
    """How many open routes the kingdom has with another, whoever founded them."""
    own = sum(route.open and route.to == other for route in kingdom.routes.values())
    return own + sum(guest.by == other for guest in kingdom.guests.values())


def pair_problem(kingdom: Kingdom, to: str, rules: Rules) -> Refusal | None:
    """Why the kingdom founds no route to that one while another is open between them. Ruling: one_route."""
    key = open_route_with(kingdom, to) if rules.one_route else ""
    if not key:
        return None
    return Refusal("route_open" if key in kingdom.routes else "route_let_in", {"to": to, "route": key})


def share_route_problem(
    seat: str, kingdom: Kingdom, order: SpecialShareRoute, world: World, turn: Turn
) -> Refusal | None:
    """Why that route can't be shared."""
    refusal = _common_problem(seat, kingdom, order, world, turn.rules)
    if refusal:
        return refusal
    if not _to_share(kingdom, order["to"]):
        return Refusal("share_no_route", {"to": order["to"]})
    if _way_to_founder(seat, kingdom, order["to"], world, turn) is None:
        return Refusal("route_no_way", {"goal": f"the land of {order['to']}"})
    return None


def close_route_problem(
    seat: str, kingdom: Kingdom, order: SpecialCloseRoute, world: World, turn: Turn
) -> Refusal | None:
    """Why that route can't be closed."""
    if turn.rules.trade_route is None:
        return Refusal("special_edict_off", {"edict": order["edict"]})
    if not _named(kingdom, order["route"]):
        return Refusal("route_unknown", {"route": order["route"], "routes": ", ".join(kingdom.routes) or "none"})
    return None


def found_route(seat: str, kingdom: Kingdom, order: SpecialTradeRoute, world: World, turn: Turn) -> Kingdom:
    """A caravan is sent out to found a route."""
    seen = known_to(world, turn.before, seat, turn.rules)
    path = best_path(seen, seat, kingdom, [order["hex"]], turn.rules) or ()
    kingdom, key = counted(kingdom, ROUTE)
    # the report says why a caravan goes over land that the kingdom no longer holds
    abandoned = {label for _, label in ABANDON.ordered(Now(world, seat, turn.rules), turn)}
    held = turn.before.kingdoms[seat].hexes if in_force(turn.rules.trade_route).whole_turn else {}
    for label in path:
        if label in held and label not in kingdom.hexes:
            then = "abandoned" if label in abandoned else "lost"
            text = f"The caravan of {key} goes over {label}, a part of your kingdom that you then {then} (ruling trade_route)."
            turn.tell(seat, "news", hex=label, text=text)
    return _sent(seat, kingdom, key, Route(order["to"], path, sent=turn.number), world, turn)


def share_route(seat: str, kingdom: Kingdom, order: SpecialShareRoute, world: World, turn: Turn) -> Kingdom:
    """A caravan is sent out to share a route: the first one open from that kingdom that is not shared yet."""
    path = _way_to_founder(seat, kingdom, order["to"], world, turn) or ()
    guest = _to_share(kingdom, order["to"])[0]
    kingdom, key = counted(kingdom, SHARE)
    return _sent(seat, kingdom, key, Route(order["to"], path, sent=turn.number, shares=guest.route), world, turn)


def close_route(seat: str, kingdom: Kingdom, order: SpecialCloseRoute, world: World, turn: Turn) -> Kingdom:
    """A route is closed, or a share of one: it gives nothing back and costs nothing more."""
    key = _named(kingdom, order["route"])
    kingdom = without_route(kingdom, key)
    book(turn, seat, kingdom, world.hexes, "trade_route", f"{key} closed")
    turn.tell(seat, "news", text=f"{key} is closed; what it cost is gone (ruling trade_route).")
    return kingdom


def without_route(kingdom: Kingdom, key: str) -> Kingdom:
    """The kingdom without that route."""
    return replace(kingdom, routes={other: route for other, route in kingdom.routes.items() if other != key})


def with_route(kingdom: Kingdom, key: str, route: Route) -> Kingdom:
    """The kingdom with that route in place of what it was."""
    return replace(kingdom, routes={**kingdom.routes, key: route})


def _common_problem(
    seat: str, kingdom: Kingdom, order: SpecialTradeRoute | SpecialShareRoute, world: World, rules: Rules
) -> Refusal | None:
    ruling, to = rules.trade_route, order["to"]
    if ruling is None:
        return Refusal("special_edict_off", {"edict": order["edict"]})
    if to == seat or to not in world.kingdoms or world.kingdoms[to].destroyed:
        return Refusal("route_to", {"to": to})
    if not kingdom.settlements:
        return Refusal("route_no_settlement", {})
    if not affordable(kingdom, ruling.bp_per_turn):
        return Refusal("route_cost", {"cost": ruling.bp_per_turn, "treasury": kingdom.treasury})
    return None


def _to_share(kingdom: Kingdom, founder: str) -> list[Guest]:
    """The open routes from that kingdom of which this one has and seeks no share."""
    shared = {route.shares for route in kingdom.routes.values() if route.to == founder}
    return [guest for guest in kingdom.guests.values() if guest.by == founder and guest.route not in shared]


def _way_to_founder(seat: str, kingdom: Kingdom, founder: str, world: World, turn: Turn) -> tuple[str, ...] | None:
    """The cheapest way to a hex beside the founder's land, on the route that is to be shared where that comes so far."""
    seen = known_to(world, turn.before, seat, turn.rules)
    on_route = set(_to_share(kingdom, founder)[0].path)
    goals = beside_land_of(seen, seat, founder)
    return best_path(seen, seat, kingdom, [goal for goal in goals if goal in on_route] or goals, turn.rules)


def _named(kingdom: Kingdom, word: str) -> str:
    """The key of the route that an order names: its own, or of a share that on the founder's; "" for none."""
    if word in kingdom.routes:
        return word
    return next((key for key, route in kingdom.routes.items() if route.shares == word), "")


def _sent(seat: str, kingdom: Kingdom, key: str, route: Route, world: World, turn: Turn) -> Kingdom:
    """The kingdom with the caravan under way, its first turn paid."""
    cost = in_force(turn.rules.trade_route).bp_per_turn
    kingdom = with_route(replace(kingdom, treasury=kingdom.treasury - cost), key, replace(route, bp=cost))
    book(turn, seat, kingdom, world.hexes, "trade_route", f"{key}: a caravan sent to {world.kingdoms[route.to].name}")
    return kingdom


def known_to(world: World, before: World, seat: str, rules: Rules) -> World:
    """The world as the seat knows it, the hexes of unknown terrain left out: whatever is weighed in it gives nothing away.

    before: the world as the turn found it, and the last report showed it.
    """
    whole_turn = in_force(rules.trade_route).whole_turn
    return without_unseen(
        known_all_turn(world, before, seat, rules) if whole_turn else known(world, seat, rules), rules
    )


def without_unseen(seen: World, rules: Rules) -> World:
    """What a seat knows without the hexes of unknown terrain."""
    hexes = {label: hex for label, hex in seen.hexes.items() if not rules.terrain[hex.terrain].unseen}
    return World(seen.turn, hexes, seen.kingdoms)


def is_free(seen: World, seat: str, label: str) -> bool:
    """Whether a caravan of the seat may be sent over the hex: known, without known monsters, and no other kingdom's."""
    return label in seen.hexes and not seen.hexes[label].monsters and _holder(seen, seat, label) in ("", seat)


def beside_land_of(seen: World, seat: str, other: str) -> list[str]:
    """The free hexes beside known land of the other kingdom: where a caravan to it may end."""
    remembered = {label for label, sighting in seen.kingdoms[seat].memory.items() if sighting.holder == other}
    land = remembered.union(seen.kingdoms[other].hexes)
    near = {label for held in land if _holder(seen, seat, held) == other for label in neighbours(held)}
    return sorted(label for label in near if is_free(seen, seat, label))


def _holder(seen: World, seat: str, label: str) -> str:
    """Who holds the hex as far as the seat knows: by what it sees, and where it sees nothing by what it remembers."""
    sighting = seen.kingdoms[seat].memory.get(label)
    return owners(seen).get(label) or (sighting.holder if sighting else "")


def best_path(seen: World, seat: str, kingdom: Kingdom, goals: Iterable[str], rules: Rules) -> tuple[str, ...] | None:
    """The cheapest way from any settlement of the kingdom to any of these hexes: then by the settlement's name, then by label."""
    piers = piers_of(kingdom, rules)
    found = []
    for name, settlement in kingdom.settlements.items():
        for goal in goals:
            path = way(settlement.hex, goal, seen, rules, lambda label: is_free(seen, seat, label), piers)
            if path:
                found.append((points_along(path, seen, rules), name, goal, path))
    return tuple(min(found)[3]) if found else None
