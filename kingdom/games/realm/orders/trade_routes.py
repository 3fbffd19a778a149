"""The special edicts `trade_route`, `share_route` and `close_route`. Edict step 7. Rulings: trade_route, one_route.

A caravan travels and is let in by steps/trade/caravans.py.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Annotated, Literal, TypedDict

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.hexmap import distance, piers_of, ways
from kingdom.games.realm.orders.answers import ANSWERS
from kingdom.games.realm.orders.kind import KEPT, PIERS, F, Now, answered, held, named
from kingdom.games.realm.orders.leaving import ABANDON
from kingdom.games.realm.orders.special_edict import Edict
from kingdom.games.realm.orders.words import KIND_N, ROUTES, a_hex, a_kingdom
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Guest, Kingdom, Route, World, counted, replace, with_kingdoms
from kingdom.games.realm.steps.shared import USED, affordable, book
from kingdom.games.realm.steps.trade.caravans import REJECT
from kingdom.games.realm.steps.trade.open_routes import open_route_with
from kingdom.games.realm.steps.trade.routes import (
    ROUTE,
    SHARE,
    beside_land_of,
    best_path,
    is_free,
    known_to,
    routes_with,
    with_route,
    without_route,
)
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.known import others
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap, Pick
from kingdom.orders.schema import Text

GROUP = "Trade routes"
_NAMED = "a trade route, named as on its founder's sheet"
_ROUTE = Text(_NAMED, "trade_route-2", 50, pattern=KIND_N, case="lower", offered=ROUTES)


class SpecialTradeRoute(TypedDict):
    """A new trade route."""

    edict: Annotated[Literal["trade_route"], None]
    to: Annotated[str, a_kingdom("the kingdom to trade with")]
    hex: Annotated[str, a_hex("the hex where it ends")]


class SpecialShareRoute(TypedDict):
    """A share that is asked of another's route."""

    edict: Annotated[Literal["share_route"], None]
    to: Annotated[str, a_kingdom("the kingdom")]


class SpecialCloseRoute(TypedDict):
    """A route that is closed."""

    edict: Annotated[Literal["close_route"], None]
    route: Annotated[str, _ROUTE]


class _Caravan(Edict[F]):
    """An edict that sends a caravan."""

    def cost(self, now: Now) -> int:
        """What a caravan costs in BP a turn; -1 if the kingdom can send none."""
        ruling, kingdom = now.rules.trade_route, now.state.kingdoms[now.seat]
        able = ruling and kingdom.settlements and kingdom.treasury >= ruling.bp_per_turn
        return ruling.bp_per_turn if ruling and able else -1

    def barred(self, now: Now, to: str) -> Refusal | None:
        """Why no caravan can be sent to that kingdom."""
        ruling, kingdoms, kingdom = now.rules.trade_route, now.state.kingdoms, now.state.kingdoms[now.seat]
        if ruling is None:
            return Refusal("special_edict_off", {"edict": self.word})
        if to == now.seat or to not in kingdoms or kingdoms[to].destroyed:
            return Refusal("route_to", {"to": to})
        if not kingdom.settlements:
            return Refusal("route_no_settlement", {})
        if not affordable(kingdom, ruling.bp_per_turn):
            return Refusal("route_cost", {"cost": ruling.bp_per_turn, "treasury": kingdom.treasury})
        return None

    def sent(self, now: Now, kingdom: Kingdom, key: str, route: Route, turn: Turn) -> Kingdom:
        """The kingdom with the caravan under way, its first turn paid."""
        cost = in_force(turn.rules.trade_route).bp_per_turn
        kingdom = with_route(replace(kingdom, treasury=kingdom.treasury - cost), key, replace(route, bp=cost))
        name = now.state.kingdoms[route.to].name
        return book(turn, now.seat, kingdom, now.state.hexes, "trade_route", f"{key}: a caravan sent to {name}")

    def on_form(self, now: Now, id: str, order: object, text: str, picks: dict[str, Pick]) -> Candidate:
        """The order on the page: it needs a settlement, and that nothing was lost from which the kingdom sees its way."""
        towns = [[PIERS], [KEPT], [held(town.hex) for town in now.state.kingdoms[now.seat].settlements.values()]]
        costs = {"treasury": max(0, self.cost(now))}
        return Candidate(id, order, text, picks, costs=costs, limits={USED: 1}, group=GROUP, needs=towns, uses={id: 1})


class TradeRoute(_Caravan[SpecialTradeRoute]):
    """`special: trade_route to borderia at 0404`."""

    word, name = "trade_route", "a trade route"
    record = kit.record(SpecialTradeRoute, "a new trade route", ("to {to} at {hex}",))
    refusals = {
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
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        """Yield caravans to each free hex beside the land of another kingdom to which a way is known."""
        seen, cost = now.before or now.state, self.cost(now)
        near = (other for other, kingdom in seen.kingdoms.items() if other != now.seat and not kingdom.destroyed)
        for other, ends in self.ends(now, near).items() if cost >= 0 and not self.used_up(now) else ():
            for label in ends:
                order: SpecialTradeRoute = {"edict": "trade_route", "to": other, "hex": label}
                yield self.candidate(order, f"Send a caravan to {named(other, seen)}, to {label}", cost, checked=True)

    def on_page(self, now: Now) -> Iterator[Candidate]:
        """Yield those too to who waits to be let in, behind the answer no."""
        near = others(now.before or now.state, now.seat, now.rules) if now.rules.trade_route else ()
        waiting = {other: keys for other in near if (keys := _questions_of(other, now))}
        yield from self._to(now, [other for other in near if other not in waiting]) if near else ()
        for other, keys in waiting.items():
            then = now.foresee({ANSWERS.key: dict.fromkeys(keys, REJECT)}) if now.foresee else None
            if then:
                alone = with_kingdoms(now.state, {now.seat: then.kingdoms[now.seat]})
                for candidate in self._to(now._replace(state=alone), [other]):
                    yield candidate._replace(needs=[*candidate.needs, *([answered(key, REJECT)] for key in keys)])

    def _to(self, now: Now, others: Iterable[str]) -> Iterator[Candidate]:
        towns = [town.hex for town in now.state.kingdoms[now.seat].settlements.values()]
        for other, ends in self.ends(now, others).items():
            order = {"edict": "trade_route", "to": other, "hex": Gap("hex")}
            if self.objection(now, {"edict": "trade_route", "to": other, "hex": ends[0]}) is None:
                near = min(ends, key=lambda end: min((distance(end, town) for town in towns), default=0))
                hex = Pick("To the hex", ends, near, on_map=True)
                yield self.on_form(
                    now, f"route {other}", order, f"Send a caravan to {named(other, now.state)}", {"hex": hex}
                )

    def ends(self, now: Now, others: Iterable[str]) -> dict[str, list[str]]:
        """The kingdoms among those to which a caravan may be sent -> the hexes where it may end and finds a known way to."""
        kingdom, land = now.state.kingdoms[now.seat], known_to(now.state, now.before or now.state, now.seat, now.rules)
        reach = free_to_go(now.seat, land, kingdom, now.rules)
        free = [other for other in others if not pair_problem(kingdom, other, now.rules)]
        in_reach = {
            other: [label for label in beside_land_of(land, now.seat, other) if label in reach] for other in free
        }
        return {other: ends for other, ends in in_reach.items() if ends}

    def problem(self, now: Now, order: SpecialTradeRoute) -> Refusal | None:
        kingdom, to, goal = now.state.kingdoms[now.seat], order["to"], order["hex"]
        if refusal := self.barred(now, to) or pair_problem(kingdom, to, now.rules):
            return refusal
        seen = known_to(now.state, now.before or now.state, now.seat, now.rules)
        free = beside_land_of(seen, now.seat, to)
        facts = {"hex": goal, "to": to, "goal": goal, "known": f" ({', '.join(free)})" if free else ""}
        if not is_free(seen, now.seat, goal):
            return Refusal("route_hex_held", facts)
        if goal not in free:
            return Refusal("route_hex_apart", facts)
        return None if best_path(seen, now.seat, kingdom, [goal], now.rules) else Refusal("route_no_way", facts)

    def issue(self, now: Now, order: SpecialTradeRoute, turn: Turn) -> Kingdom:
        """A caravan is sent out to found a route."""
        world, seat, before = now.state, now.seat, now.before or now.state
        kingdom, key = counted(world.kingdoms[seat], ROUTE)
        path = best_path(known_to(world, before, seat, turn.rules), seat, kingdom, [order["hex"]], turn.rules) or ()
        # the report says why a caravan goes over land that the kingdom no longer holds
        abandoned = {label for _, label in ABANDON.ordered(now, turn)}
        had = before.kingdoms[seat].hexes if in_force(turn.rules.trade_route).whole_turn else {}
        for label in path:
            if label in had and label not in kingdom.hexes:
                then = "abandoned" if label in abandoned else "lost"
                text = f"The caravan of {key} goes over {label}, a part of your kingdom that you then {then} (ruling trade_route)."
                turn.tell(seat, "news", hex=label, text=text)
        return self.sent(now, kingdom, key, Route(order["to"], path, sent=turn.number), turn)


class ShareRoute(_Caravan[SpecialShareRoute]):
    """`special: share_route with borderia`."""

    word, name = "share_route", "a share of a route"
    record = kit.record(SpecialShareRoute, "a route to share", ("with {to}",))
    refusals = {
        "share_no_route": "{to} has no open route to you that you do not share already (Trade Route); "
        "{to} must found one first.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        cost, kingdom = self.cost(now), now.state.kingdoms[now.seat]
        for other in sorted({guest.by for guest in kingdom.guests.values()}) if cost >= 0 else ():
            text = f"Ask {named(other, now.state)} for a share of its route"
            yield self.candidate({"edict": "share_route", "to": other}, text, cost)

    def on_page(self, now: Now) -> Iterator[Candidate]:
        for candidate in kit.possible(self, now):
            other = candidate.order["to"]
            if not _unsure(other, now):
                yield self.on_form(now, f"share {other}", candidate.order, candidate.text, {})

    def problem(self, now: Now, order: SpecialShareRoute) -> Refusal | None:
        to = order["to"]
        if refusal := self.barred(now, to):
            return refusal
        if not _to_share(now.state.kingdoms[now.seat], to):
            return Refusal("share_no_route", {"to": to})
        return None if self.way(now, to) else Refusal("route_no_way", {"goal": f"the land of {to}"})

    def issue(self, now: Now, order: SpecialShareRoute, turn: Turn) -> Kingdom:
        """A caravan is sent out to share a route: the first one open from that kingdom that is not shared yet."""
        to = order["to"]
        guest = _to_share(now.state.kingdoms[now.seat], to)[0]
        kingdom, key = counted(now.state.kingdoms[now.seat], SHARE)
        route = Route(to, self.way(now, to), sent=turn.number, shares=guest.route)
        return self.sent(now, kingdom, key, route, turn)

    def way(self, now: Now, founder: str) -> tuple[str, ...]:
        """The cheapest way to a hex beside the founder's land, on the route that is to be shared where that comes so far; () for none."""
        seen, kingdom = known_to(now.state, now.before or now.state, now.seat, now.rules), now.state.kingdoms[now.seat]
        on_route, goals = set(_to_share(kingdom, founder)[0].path), beside_land_of(seen, now.seat, founder)
        goals = [goal for goal in goals if goal in on_route] or goals
        return best_path(seen, now.seat, kingdom, goals, now.rules) or ()


class CloseRoute(Edict[SpecialCloseRoute]):
    """`special: close_route trade_route-2`."""

    word, name = "close_route", "a route closed"
    free = True
    record = kit.record(SpecialCloseRoute, "a route to close", ("{route}",))
    refusals = {
        "route_unknown": "You have no route {route} (Trade Route); yours are: {routes}.",
    }

    def ranked(self, order: SpecialCloseRoute) -> str:
        return self.word

    def candidates(self, now: Now) -> Iterator[Candidate]:
        for key in sorted(now.state.kingdoms[now.seat].routes):
            yield self.candidate({"edict": "close_route", "route": key}, f"Close {key}")

    def on_page(self, now: Now) -> Iterator[Candidate]:
        for candidate in self.candidates(now):
            key = candidate.order["route"]
            route = now.state.kingdoms[now.seat].routes[key]
            if not (route.open and _unsure(route.to, now)):
                yield candidate._replace(id=f"close {key}", group=GROUP, more=f"to {named(route.to, now.state)}",
                                         uses={f"close {key}": 1}, ends=[KEPT])  # fmt: skip

    def problem(self, now: Now, order: SpecialCloseRoute) -> Refusal | None:
        kingdom, route = now.state.kingdoms[now.seat], order["route"]
        if now.rules.trade_route is None:
            return Refusal("special_edict_off", {"edict": order["edict"]})
        if not _named(kingdom, route):
            return Refusal("route_unknown", {"route": route, "routes": ", ".join(kingdom.routes) or "none"})
        return None

    def issue(self, now: Now, order: SpecialCloseRoute, turn: Turn) -> Kingdom:
        """A route is closed, or a share of one: it gives nothing back and costs nothing more."""
        kingdom = now.state.kingdoms[now.seat]
        key = _named(kingdom, order["route"])
        kingdom = without_route(kingdom, key)
        book(turn, now.seat, kingdom, now.state.hexes, "trade_route", f"{key} closed")
        turn.tell(now.seat, "news", text=f"{key} is closed; what it cost is gone (ruling trade_route).")
        return kingdom


TRADE_ROUTE, SHARE_ROUTE, CLOSE_ROUTE = TradeRoute(), ShareRoute(), CloseRoute()


def _unsure(other: str, now: Now) -> bool:
    """Whether that pair has several routes: the start of the turn ends all but one; which, a kingdom does not know. Ruling: one_route."""
    return now.rules.one_route is not None and routes_with(other, now.state.kingdoms[now.seat]) > 1


def _questions_of(other: str, now: Now) -> list[str]:
    """The questions whether caravans of that kingdom are let in, as they are unless the answer is no. Ruling: one_route."""
    seen = now.before or now.state
    asked = {pending.key for pending in seen.kingdoms[now.seat].pending}
    routes = seen.kingdoms[other].routes.values() if now.rules.one_route else ()
    return [route.asked for route in routes if route.to == now.seat and route.asked in asked]


def pair_problem(kingdom: Kingdom, to: str, rules: Rules) -> Refusal | None:
    """Why the kingdom founds no route to that one while another is open between them. Ruling: one_route."""
    key = open_route_with(kingdom, to) if rules.one_route else ""
    if not key:
        return None
    return Refusal("route_open" if key in kingdom.routes else "route_let_in", {"to": to, "route": key})


def _to_share(kingdom: Kingdom, founder: str) -> list[Guest]:
    """The open routes from that kingdom of which this one has and seeks no share."""
    shared = {route.shares for route in kingdom.routes.values() if route.to == founder}
    return [guest for guest in kingdom.guests.values() if guest.by == founder and guest.route not in shared]


def _named(kingdom: Kingdom, word: str) -> str:
    """The key of the route that an order names: its own, or of a share that on the founder's; "" for none."""
    if word in kingdom.routes:
        return word
    return next((key for key, route in kingdom.routes.items() if route.shares == word), "")


def free_to_go(seat: str, land: World, kingdom: Kingdom, rules: Rules) -> Container[str]:
    """The hexes to which a caravan finds a way over known land that is free."""
    barred = {label for label in land.hexes if not is_free(land, seat, label)}
    farthest = sum(terrain.movement or 0 for terrain in rules.terrain.values()) * len(land.hexes)
    starts = {town.hex: 0 for town in kingdom.settlements.values()}
    return ways(starts, farthest, land, rules, barred, piers_of(kingdom, rules))
