"""What a forecast leaves out of account, of all that may come to a kingdom: what others decide, and every other die."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.engine.step import Orders
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.report.event_words import titled
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, owners
from kingdom.games.realm.steps.workplan import CLAIM, planned


def left_out(seen: World, seat: str, rules: Rules, orders: Orders, turns: int) -> list[str]:
    """What of it applies to this kingdom in so many turns, a sentence each. seen: what the seat knows."""
    kingdom = seen.kingdoms[seat]
    if kingdom.anarchy == seen.turn + 1:
        orders = {}
    found = ["What other kingdoms and the GM do: all of them stand still."]
    found += _of_orders(seen, kingdom, rules, orders)
    found += _of_events(kingdom, rules)
    found += _of_trade(seen, seat, kingdom, rules)
    found += _of_war(seen, seat, kingdom, orders)
    return found + (_of_later_turns(seen, kingdom, rules) if turns > 1 else [])


def _of_orders(seen: World, kingdom: Kingdom, rules: Rules, orders: Orders) -> Iterator[str]:
    plan = [planned(text, rules) for text in orders.get("plan", kingdom.plan)]
    claims = [
        *(label for label in orders.get("claim", ()) if label),
        *(order[CLAIM] for kind, order in plan if kind == CLAIM),
    ]
    if claims:
        yield f"Whether others claim the same land: {', '.join(claims)} (ruling contested_claim)."
    cities = [label for label in claims if label in seen.hexes and seen.hexes[label].free_city]
    if cities:
        yield f"The checks by which free cities join: {', '.join(cities)} (ruling free_city)."
    if orders.get("capital"):
        yield "The check of the capital's move, and its Unrest (ruling capital_move)."
    if orders.get("smuggle"):
        yield "What smugglers bring home (ruling smuggling)."


def _of_events(kingdom: Kingdom, rules: Rules) -> Iterator[str]:
    standing = [event for event in kingdom.events.values() if not event.done and event.kind in rules.event_kinds]
    if standing:
        titles = ", ".join(dict.fromkeys(titled(event, rules) for event in standing))
        yield f"The dice of the events that stand, and what hangs on them: {titles}."


def _of_trade(seen: World, seat: str, kingdom: Kingdom, rules: Rules) -> Iterator[str]:
    held = owners(seen)
    beside = {held[near] for label in kingdom.hexes for near in neighbours(label) if near in held} - {seat}
    partners = beside if rules.trade and rules.trade.between_neighbours else set()
    partners |= {route.to for route in kingdom.routes.values() if route.open} | {
        guest.by for guest in kingdom.guests.values()
    }
    names = sorted(seen.kingdoms[other].name for other in partners if other in seen.kingdoms)
    if names and rules.trade:
        yield f"What trade brings, which is rolled for: with {', '.join(names)} (ruling trade)."
    if any(not route.open for route in kingdom.routes.values()):
        yield "Whether caravans on the road arrive and are let in (ruling trade_route)."


def _of_war(seen: World, seat: str, kingdom: Kingdom, orders: Orders) -> Iterator[str]:
    strangers = any(other.armies for name, other in seen.kingdoms.items() if name != seat)
    if kingdom.armies or orders.get("armies") or strangers:
        yield "Battles, sieges and what armies win or lose in them."
    away = {order.get("edict") for order in orders.get("special", ()) if order}
    if kingdom.expeditions or "explore" in away:
        yield "What expeditions meet and find."
    if kingdom.parties or "adventurers" in away:
        yield "What hired adventurers come to."


def _of_later_turns(seen: World, kingdom: Kingdom, rules: Rules) -> list[str]:
    found = ["In the turns after the first: all orders, answers and plans; the edicts stay as they are."]
    chance = seen.chance or rules.events.chance
    if rules.event_kinds and (chance.normal or chance.after_quiet_turn):
        found.append("Events that come up in these turns, and aid from others.")
    else:
        found.append("Aid from others.")
    if kingdom.events:
        found.append("In the turns after the first: the events that stand now, but for what of them holds already.")
    return found
