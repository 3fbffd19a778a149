"""Edict step 7: whose trade is let in, and where smugglers are sent. Rulings: trade_route, trade, smuggling."""

from __future__ import annotations

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.land.reach import borders
from kingdom.games.realm.steps.shared import listed, orders_of
from kingdom.games.realm.steps.trade.open_routes import partners
from kingdom.games.realm.types import Turn

CLOSED = "closed"

REFUSALS = {
    "doors_off": "Trade is not among the rules that this campaign plays by (Trade Route); leave the order out.",
    "doors_to": "There is no other kingdom {to} in play (Trade Route); name one that is.",
    "smuggle_off": "Neighbours do not trade in this campaign, so nothing is smuggled across borders "
    "(ruling smuggling); leave the order out.",
    "smuggle_no_border": "{to} has no border with this kingdom (ruling smuggling: across a shared border only); "
    "name one that touches yours (now: {touching}).",
}


def doors(world: World, turn: Turn) -> World:
    """Edict step 7: whose trade is let in from now on, and which smugglers find no border to cross."""
    changed: dict[str, Kingdom] = {}
    touching: dict[str, frozenset[str]] = {}
    for seat, kingdom in world.kingdoms.items():
        orders = {} if kingdom.destroyed else orders_of(turn, seat, kingdom)
        if not orders.get("doors") and not orders.get("smuggle"):
            continue
        touching = touching or borders(world)
        for path, to in listed(orders, "smuggle"):
            refusal = smuggle_problem(seat, to, world, touching[seat], turn.rules)
            if refusal:
                turn.refuse(seat, path, refusal.code, **refusal.facts)
        for to, door in orders.get("doors", {}).items():
            kingdom = _set(seat, kingdom, to, door, world, touching[seat], turn)
        changed[seat] = kingdom
    return with_kingdoms(world, changed)


def smuggle_problem(seat: str, to: str, world: World, touching: frozenset[str], rules: Rules) -> Refusal | None:
    """Why nothing can be smuggled there."""
    if rules.trade is None or rules.smuggling is None:
        return Refusal("doors_off", {})
    if not rules.trade.between_neighbours:
        return Refusal("smuggle_off", {})
    if to not in touching:
        return Refusal("smuggle_no_border", {"to": to, "touching": ", ".join(sorted(touching)) or "none"})
    return None


def _set(
    seat: str, kingdom: Kingdom, to: str, door: str, world: World, touching: frozenset[str], turn: Turn
) -> Kingdom:
    """The kingdom with that door open or closed; who trades with it learns of it."""
    if turn.rules.trade is None:
        turn.refuse(seat, f"doors.{to}", "doors_off")
    elif to == seat or to not in world.kingdoms or world.kingdoms[to].destroyed:
        turn.refuse(seat, f"doors.{to}", "doors_to", to=to)
    elif (to in kingdom.doors) != (door == CLOSED):
        others = tuple(other for other in kingdom.doors if other != to)
        kingdom = replace(kingdom, doors=tuple(sorted((*others, to))) if door == CLOSED else others)
        if to in touching or to in partners(kingdom):
            how = "closes its doors to" if door == CLOSED else "opens its doors again to"
            turn.tell(to, "news", text=f"{kingdom.name} {how} your trade.")
    return kingdom
