"""Caravans, at the end of the Edict phase: they are paid for and travel; those that arrive ask to be let in.

At the start of the next turn their hosts answer, and routes to a destroyed kingdom end. Rulings: trade_route, one_route.
"""

from __future__ import annotations

from kingdom.games.realm.hexmap import step_along
from kingdom.games.realm.orders.customs import close_doors
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Guest, Kingdom, Pending, Route, World, counted, owners, replace, with_kingdoms
from kingdom.games.realm.steps.shared import affordable, book, each, word_settled
from kingdom.games.realm.steps.trade.open_routes import Threats, threats_in
from kingdom.games.realm.steps.trade.pairs import Founded, by_pair, end_surplus, first_of, turn_back
from kingdom.games.realm.steps.trade.routes import ROUTE, SHARE, with_route, without_route
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.known import sightings

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
    """The kingdom after paying for a caravan's turn; an unpaid caravan is lost. The order already paid for its first turn.
    Ruling: affordable."""
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
    return book(turn, seat, kingdom, world.hexes, "trade_route", f"{key}: its caravan to {name} is under way")


def _moved(seat: str, key: str, route: Route, threats: Threats, world: World, turn: Turn) -> Route:
    """The caravan after this turn's travel; its path ends at the host's border."""
    held, reach = (
        owners(world),
        step_along(route.path, route.at, in_force(turn.rules.trade_route).movement, world, turn.rules),
    )
    for place in range(route.at + 1, reach + 1):
        label = route.path[place]
        if held.get(label) == route.to:
            return replace(route, at=place - 1, path=route.path[:place])
        if barrier := _barrier(seat, label, held.get(label, seat), threats, world):
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
    """Put the question to the hosts of the caravans that arrived; a share is asked of the founder. Questions are numbered in
    the order of the caravans' paths, which favours no name; without the ruling nobody_first, by their kingdoms' names."""
    kingdoms = dict(world.kingdoms)
    arrived = [
        (seat, key, route)
        for seat, kingdom in world.kingdoms.items()
        for key, route in kingdom.routes.items()
        if under_way(route) and route.at == len(route.path) - 1 and route.to in kingdoms
    ]
    if turn.rules.nobody_first:
        arrived.sort(key=lambda caravan: caravan[2].path)
    for seat, key, route in arrived:
        name = world.kingdoms[seat].name
        host, number = counted(kingdoms[route.to], SHARE if route.shares else ROUTE)
        default = in_force(turn.rules.trade_route).silent_host if host.lets_in(seat) else REJECT
        asked = f"A caravan of {name} has come to {route.path[-1]} for a trade route: is it let in?"
        if route.shares:
            share = f"a share of {route.shares}, half its cost and half its gain"
            asked = f"A caravan of {name} asks for {share}: is it granted?"
        question = Pending(number, asked, (ACCEPT, REJECT), default)
        kingdoms[route.to] = replace(host, pending=(*host.pending, question))
        kingdoms[seat] = with_route(kingdoms[seat], key, replace(route, asked=question.key))
        text = f"The caravan of {key} has reached {host.name}, which answers with its next orders."
        turn.tell(seat, "news", hex=route.path[-1], text=text)
    return with_kingdoms(world, kingdoms)


# --- their hosts ------------------------------------------------------------------------------------------------------


def route_answers(world: World, turn: Turn) -> World:
    """The start of a turn: hosts answer the caravans that arrived, founders answer those who ask for a share. Before that,
    doors close to kingdoms that raided a route of their own."""
    if turn.rules.trade_route is None:
        return world
    world = close_doors(end_dead_routes(world, turn), turn)
    world = end_surplus(world, turn) if turn.rules.one_route else world
    kingdoms = dict(world.kingdoms)
    let_in: list[Founded] = []
    for seat, kingdom in world.kingdoms.items():
        for key, route in kingdom.routes.items():
            answer = word_settled(turn, route.to, route.asked, "") if route.asked and not route.open else ""
            if answer == "accept" and route.shares:
                _share(seat, key, kingdoms, world, turn)
            elif answer == "accept" and turn.rules.one_route:
                let_in.append(Founded(seat, key, route))
            elif answer == "accept":
                _open(seat, key, kingdoms, world, turn)
            elif answer:  # no answer if the turn is only foreseen
                _lose(seat, key, kingdoms, turn)
    for pair, arrived in by_pair(let_in).items():
        _open_one(pair, arrived, kingdoms, world, turn)
    return with_kingdoms(world, kingdoms)


def _open_one(
    pair: tuple[str, str], arrived: list[Founded], kingdoms: dict[str, Kingdom], world: World, turn: Turn
) -> None:
    """When two kingdoms let in each other's caravans in one turn, one caravan opens the route and the other kingdom's first
    caravan gets a share."""
    first = first_of(arrived, turn)
    _open(first.founder, first.key, kingdoms, world, turn)
    for other in [one for one in arrived if one.founder != first.founder][:1]:
        text = "Your caravan and that of {} arrived in the same turn, so you share one route (ruling one_route)."
        for seat, partner in (pair, reversed(pair)):
            turn.tell(seat, "news", text=text.format(world.kingdoms[partner].name))
        kingdom, share = counted(without_route(kingdoms[other.founder], other.key), SHARE)
        kingdoms[other.founder] = with_route(kingdom, share, replace(other.route, shares=first.key))
        _share(other.founder, share, kingdoms, world, turn)
    turn_back(pair, kingdoms, turn)


def _open(seat: str, key: str, kingdoms: dict[str, Kingdom], world: World, turn: Turn) -> None:
    """Open the route: from now on it costs Consumption and is on the host's map."""
    kingdom, route = kingdoms[seat], kingdoms[seat].routes[key]
    host = kingdoms[route.to]
    kingdoms[seat] = with_route(kingdom, key, replace(route, open=True))
    shown = sightings([label for label in route.path if label in world.hexes], world, route.to, turn.number, turn.rules)
    guests = {**host.guests, route.asked: Guest(seat, key, route.path)}
    kingdoms[route.to] = replace(host, guests=guests, memory={**host.memory, **shown})
    book(turn, seat, kingdoms[seat], world.hexes, "trade_route", f"{key}, open to {host.name}")
    turn.tell(seat, "news", text=f"{host.name} lets the caravan of {key} in: the route is open.")
    turn.tell(route.to, "news", text=f"The trade route of {kingdom.name}, {route.asked}, is open.")


def _share(seat: str, key: str, kingdoms: dict[str, Kingdom], world: World, turn: Turn) -> None:
    """Share the route from now on: cost and gain are split. If the founder has closed it, the caravan is lost."""
    share = kingdoms[seat].routes[key]
    founder = kingdoms[share.to]
    route = founder.routes.get(share.shares)
    if route is None:
        _lose(seat, key, kingdoms, turn)
        return
    sharers = (*route.sharers, seat)
    kingdoms[share.to] = with_route(founder, share.shares, replace(route, sharers=sharers))
    kingdoms[seat] = with_route(kingdoms[seat], key, replace(share, open=True))
    _share_costs(share.to, share.shares, kingdoms, world, turn)
    turn.tell(seat, "news", text=f"{founder.name} shares its route {share.shares} with you: {key}.")
    turn.tell(share.to, "news", text=f"{share.shares} is shared with {kingdoms[seat].name} now.")


def _share_costs(founder: str, key: str, kingdoms: dict[str, Kingdom], world: World, turn: Turn) -> None:
    """Record the sharers of a route on the founder's and every sharer's sheet, since each one's cost depends on it, and book
    the changes."""
    route = kingdoms[founder].routes[key]
    for seat in route.sharers:
        shares = {
            own: replace(share, sharers=route.sharers)
            for own, share in kingdoms[seat].routes.items()
            if (share.to, share.shares) == (founder, key)
        }
        kingdoms[seat] = replace(kingdoms[seat], routes={**kingdoms[seat].routes, **shares})
        book(turn, seat, kingdoms[seat], world.hexes, "trade_route", f"a share of {key} of {kingdoms[founder].name}")
    book(turn, founder, kingdoms[founder], world.hexes, "trade_route", f"{key}, shared by {len(route.sharers) + 1}")


def _lose(seat: str, key: str, kingdoms: dict[str, Kingdom], turn: Turn) -> None:
    route = kingdoms[seat].routes[key]
    kingdoms[seat] = without_route(kingdoms[seat], key)
    text = (
        f"{kingdoms[route.to].name} turns the caravan of {key} away; its {route.bp} BP are lost (ruling trade_route)."
    )
    turn.tell(seat, "news", text=text)


def end_dead_routes(world: World, turn: Turn) -> World:
    """End routes whose other kingdom is destroyed, shares of routes that ended, and hosts' records of routes that ended.

    A forecast leaves it out, as it does not know the other kingdoms' sheets.
    """
    if turn.foreseeing:
        return world
    kingdoms = dict(world.kingdoms)
    for seat, kingdom in world.kingdoms.items():
        if (kingdom.routes or kingdom.guests) and not kingdom.destroyed:
            for key, route in kingdom.routes.items():
                _end_dead_route(seat, key, route, kingdoms, world, turn)
            _end_dead_guests(seat, kingdoms, world, turn)
    return with_kingdoms(world, kingdoms)


def _end_dead_route(seat: str, key: str, route: Route, kingdoms: dict[str, Kingdom], world: World, turn: Turn) -> None:
    other = world.kingdoms[route.to]
    origin = other.routes.get(route.shares) if route.shares else route
    if other.destroyed or origin is None:
        why = f"{other.name} is destroyed" if other.destroyed else f"{other.name} closed it"
        kingdoms[seat] = without_route(kingdoms[seat], key)
        book(turn, seat, kingdoms[seat], world.hexes, "trade_route", f"{key} ends: {why}")
        turn.tell(seat, "news", text=f"{key} ends: {why} (ruling trade_route).")
        return
    sharers = tuple(each for each in route.sharers if _shares(each, seat, key, world))
    if not route.shares and sharers != route.sharers:
        kingdoms[seat] = with_route(kingdoms[seat], key, replace(route, sharers=sharers))
        _share_costs(seat, key, kingdoms, world, turn)
        gone = ", ".join(world.kingdoms[each].name for each in route.sharers if each not in sharers)
        turn.tell(seat, "news", text=f"{key} is no longer shared with {gone}.")


def _shares(sharer: str, founder: str, key: str, world: World) -> bool:
    kingdom = world.kingdoms[sharer]
    return not kingdom.destroyed and any(
        (share.to, share.shares) == (founder, key) for share in kingdom.routes.values()
    )


def _end_dead_guests(seat: str, kingdoms: dict[str, Kingdom], world: World, turn: Turn) -> None:
    """Take ended routes of other kingdoms off the host's map."""
    gone = {
        key: guest
        for key, guest in kingdoms[seat].guests.items()
        if world.kingdoms[guest.by].destroyed or guest.route not in world.kingdoms[guest.by].routes
    }
    for key, guest in gone.items():
        text = f"The trade route of {world.kingdoms[guest.by].name}, {key}, is no more (ruling trade_route)."
        turn.tell(seat, "news", text=text)
    if gone:
        rest = {key: guest for key, guest in kingdoms[seat].guests.items() if key not in gone}
        kingdoms[seat] = replace(kingdoms[seat], guests=rest)
