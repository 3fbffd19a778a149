"""The trade routes of a kingdom and the trade of a turn as rows for a report."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.report.story import Part
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Guest, Kingdom, Route, World
from kingdom.games.realm.steps.trade.open_routes import consumption_of, split
from kingdom.games.realm.types import Result

TRADED = ("trade", "smuggling")  # the notices that say what a kingdom's own trade came to


def routes(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[dict[str, Any]]:
    """What a report shows of routes, for one seat. part: its part of the turn; seen: what it knows after it (known.py).

    Rows of a title and notes: its own routes and shares, those that it let in, this turn's trade, its closed doors.
    """
    kingdom = result.after.kingdoms[seat]
    rows = [_own(key, route, seen, rules) for key, route in kingdom.routes.items()]
    rows += [_let_in(key, guest, kingdom, seen) for key, guest in kingdom.guests.items()]
    traded = [notice.facts["text"] for notice in part.notices if notice.kind in TRADED]
    rows += [{"title": "Trade this turn", "notes": traded}] if traded else []
    shut = ", ".join(seen.kingdoms[other].name for other in kingdom.doors if other in seen.kingdoms)
    return rows + ([{"title": f"Doors closed to the trade of {shut}", "notes": []}] if shut else [])


def _own(key: str, route: Route, seen: World, rules: Rules) -> dict[str, Any]:
    other = seen.kingdoms[route.to].name
    title = f"{key}, a share of {route.shares} of {other}" if route.shares else f"{key} to {other}"
    if route.open:
        more = [] if route.shares else _open(route, seen, rules)
        return {"title": f"{title}: open", "notes": [_worth(route, rules), *more]}
    if route.asked:
        wish = "grant it" if route.shares else "let it in"
        return {"title": f"{title}: {other} is asked to {wish}", "notes": [_way(route.path)]}
    left = len(route.path) - 1 - route.at
    cost = rules.trade_route.bp_per_turn if rules.trade_route else 0
    where = f"The caravan is in {route.path[route.at]}, {left} hex{'es' if left > 1 else ''} from its end."
    spent = f"{route.bp} BP were spent on it, {cost} more each turn until it arrives."
    return {"title": f"{title}: under way", "notes": [where, spent, _way(route.path)]}


def _open(route: Route, seen: World, rules: Rules) -> list[str]:
    """Who shares an open route, what stands on it and what threatens it."""
    notes = [f"Shared with {', '.join(seen.kingdoms[other].name for other in route.sharers)}."] if route.sharers else []
    if route.towers:
        notes.append(f"Watchtowers in {', '.join(route.towers)}.")
    if route.watched:
        more = route.watched * rules.blockade.vigilance if rules.blockade else 0
        notes.append(f"Blockaded: it pays nobody; Vigilance along it counts {more} more (ruling blockade).")
    return [*notes, _way(route.path)]


def _worth(route: Route, rules: Rules) -> str:
    """What an open route, or a share of one, costs and pays."""
    founders, sharers = split(rules.trade_route.gain if rules.trade_route else 0, len(route.sharers))
    bp = sharers if route.shares else founders
    return f"Consumption {consumption_of(route, rules)}; pays {bp} BP in a turn in which either side gains by trade."


def _let_in(key: str, guest: Guest, kingdom: Kingdom, seen: World) -> dict[str, Any]:
    shared = any((route.to, route.shares) == (guest.by, guest.route) for route in kingdom.routes.values())
    name = f"{key}, founded by {seen.kingdoms[guest.by].name} as {guest.route}"
    notes = [] if shared else ["You may ask for a share of its cost and its gain."]
    return {"title": f"{name}: open", "notes": [*notes, _way(guest.path)]}


def _way(path: tuple[str, ...]) -> str:
    return f"Way: {' '.join(path)}"
