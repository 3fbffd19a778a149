"""Edict phase, last: caravans under way are paid for and travel; those that arrive ask to be let in. Ruling: trade_route."""

from __future__ import annotations

from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Kingdom, Pending, Route, World, counted, owners, replace, with_kingdoms
from kingdom.games.realm.steps.shared import affordable, book, each
from kingdom.games.realm.steps.trade.hosts import end_dead_routes
from kingdom.games.realm.steps.trade.open_routes import Threats, threats_in
from kingdom.games.realm.steps.trade.routes import ROUTE, SHARE, with_route, without_route
from kingdom.games.realm.travel import step_along
from kingdom.games.realm.types import Turn

ACCEPT, REJECT = "accept", "reject"


def caravans(world: World, turn: Turn) -> World:
    """Caravans travel and are paid for; those that arrive ask to be let in."""
    if turn.rules.trade_route is None:
        return world
    world = end_dead_routes(world, turn)
    if not any(under_way(route) for kingdom in world.kingdoms.values() for route in kingdom.routes.values()):
        return world
    threats = threats_in(world)

    def travel(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
        for key in [key for key, route in kingdom.routes.items() if under_way(route)]:
            kingdom = _paid(seat, kingdom, key, world, turn)
            if key in kingdom.routes:
                kingdom = with_route(kingdom, key, _moved(seat, key, kingdom.routes[key], threats, world, turn))
        return kingdom

    return _ask(each(world, turn, travel), turn)


def under_way(route: Route) -> bool:
    """Whether the caravan has not arrived yet."""
    return not route.open and not route.asked


def _paid(seat: str, kingdom: Kingdom, key: str, world: World, turn: Turn) -> Kingdom:
    """The caravan's turn paid; one that can't be paid is lost. The turn of the order was paid with it. Ruling: affordable."""
    route, cost = kingdom.routes[key], in_force(turn.rules.trade_route).bp_per_turn
    if route.sent == turn.number:
        return kingdom
    name = world.kingdoms[route.to].name if route.to in world.kingdoms else route.to
    if not affordable(kingdom, cost):
        turn.tell(
            seat, "news", text=f"The caravan of {key} to {name} could not be paid and is lost (ruling affordable)."
        )
        return without_route(kingdom, key)
    kingdom = replace(kingdom, treasury=kingdom.treasury - cost)
    kingdom = with_route(kingdom, key, replace(route, bp=route.bp + cost))
    book(turn, seat, kingdom, world.hexes, "trade_route", f"{key}: its caravan to {name} is under way")
    return kingdom


def _moved(seat: str, key: str, route: Route, threats: Threats, world: World, turn: Turn) -> Route:
    """The caravan as far as it gets this turn; at the host's border its path ends."""
    held, reach = (
        owners(world),
        step_along(route.path, route.at, in_force(turn.rules.trade_route).movement, world, turn.rules),
    )
    for place in range(route.at + 1, reach + 1):
        label = route.path[place]
        if held.get(label) == route.to:
            return replace(route, at=place - 1, path=route.path[:place])
        barrier = _barrier(seat, label, held.get(label, seat), threats, world)
        if barrier:
            text = f"The caravan of {key} waits in {route.path[place - 1]}: {barrier} in {label} (ruling trade_route)."
            turn.tell(seat, "news", hex=label, text=text)
            return replace(route, at=place - 1)
    return replace(route, at=reach)


def _barrier(seat: str, label: str, holder: str, threats: Threats, world: World) -> str:
    """What keeps a caravan of the seat from entering the hex, "" where nothing does."""
    if label in world.hexes and world.hexes[label].monsters:
        return "there are monsters"
    if holder != seat:
        return f"the border of {world.kingdoms[holder].name} lies"
    return "an army bars the way" if label in threats.blockading or label in threats.raiding else ""


def _ask(world: World, turn: Turn) -> World:
    """Put the question to the hosts of the caravans that arrived; a share is asked of the founder."""
    kingdoms = dict(world.kingdoms)
    for seat, kingdom in world.kingdoms.items():
        for key, route in kingdom.routes.items():
            if under_way(route) and route.at == len(route.path) - 1 and route.to in kingdoms:
                host, question = _question(seat, kingdom, route, kingdoms[route.to], turn)
                kingdoms[route.to] = replace(host, pending=(*host.pending, question))
                kingdoms[seat] = with_route(kingdoms[seat], key, replace(route, asked=question.key))
                text = f"The caravan of {key} has reached {host.name}, which answers with its next orders."
                turn.tell(seat, "news", hex=route.path[-1], text=text)
    return with_kingdoms(world, {seat: each for seat, each in kingdoms.items() if each is not world.kingdoms[seat]})


def _question(seat: str, kingdom: Kingdom, route: Route, host: Kingdom, turn: Turn) -> tuple[Kingdom, Pending]:
    """(the host with one more question counted, the question)."""
    host, key = counted(host, SHARE if route.shares else ROUTE)
    default = REJECT if seat in host.doors else in_force(turn.rules.trade_route).silent_host
    text = f"A caravan of {kingdom.name} has come to {route.path[-1]} for a trade route: is it let in?"
    if route.shares:
        share = f"a share of {route.shares}, half its cost and half its gain"
        text = f"A caravan of {kingdom.name} asks for {share}: is it granted?"
    return host, Pending(key, text, (ACCEPT, REJECT), default)
