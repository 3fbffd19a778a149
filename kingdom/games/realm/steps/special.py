"""Edict phase, step 7: special edicts, each in its own module; here they are counted, issued and paid in the order listed."""

from __future__ import annotations

from collections.abc import Callable

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.state import Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps import aid
from kingdom.games.realm.steps.checks import USED, most_special_edicts, with_palace
from kingdom.games.realm.steps.exploring import adventurers, expeditions
from kingdom.games.realm.steps.land.reach import borders
from kingdom.games.realm.steps.shared import listed, orders_of
from kingdom.games.realm.steps.trade import routes
from kingdom.games.realm.steps.trade.open_routes import partners
from kingdom.games.realm.types import Turn

REFUSALS = {
    "special_edict_off": "The edict {edict} is not among the rules that this campaign plays by (Special Edicts); leave the order out.",
    "special_edicts_cap": "The special edicts of this turn are used up: {most} (ruling special_edicts). Send it next turn; a Palace "
    "allows {palace} a turn.",
}

# word of the edict -> (seat, kingdom, order, world, turn) -> why it can't be issued now
PROBLEMS: dict[str, Callable[..., Refusal | None]] = {
    "explore": expeditions.explore_problem,
    "adventurers": adventurers.adventurers_problem,
    "trade_route": routes.trade_route_problem,
    "share_route": routes.share_route_problem,
    "close_route": routes.close_route_problem,
}
# word of the edict -> (seat, kingdom, order, world, turn) -> the kingdom that issued and paid it, booked
ISSUE: dict[str, Callable[..., Kingdom]] = {
    "explore": expeditions.explore,
    "adventurers": adventurers.hire,
    "trade_route": routes.found_route,
    "share_route": routes.share_route,
    "close_route": routes.close_route,
}
FREE = ("close_route",)  # uses no edict


def special_edicts(world: World, turn: Turn) -> World:
    """Edict step 7: every kingdom issues and pays its special edicts, then all aid is rolled for and handed over.

    One step over the whole world: sizes and borders are the same for all. Rulings: special_edicts, send_aid.
    """
    touching: dict[str, frozenset[str]] = {}
    sent: list[aid.Aid] = []
    changed: dict[str, Kingdom] = {}
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed and orders_of(turn, seat, kingdom).get("special"):
            touching = touching or borders(world)
            changed[seat], aids = _issue(seat, kingdom, world, turn, touching[seat])
            sent += aids
    for seat, modifiers in aid.received(sent, with_kingdoms(world, changed), turn).items():
        kingdom = changed.get(seat, world.kingdoms[seat])
        changed[seat] = replace(kingdom, coming=kingdom.coming + tuple(modifiers))
    return with_kingdoms(world, changed)


def _issue(
    seat: str, kingdom: Kingdom, world: World, turn: Turn, touching: frozenset[str]
) -> tuple[Kingdom, list[aid.Aid]]:
    """Issue the seat's edicts in the order listed, as far as they are allowed; what it sends in aid is still to be rolled for."""
    most, _ = most_special_edicts(kingdom, turn.rules)
    sent: list[aid.Aid] = []
    for path, order in listed(orders_of(turn, seat, kingdom), "special"):
        edict = order["edict"]
        near = touching | partners(kingdom)
        refusal = (
            aid.aid_problem(world, seat, kingdom, order, near, turn.rules)
            if edict == "aid"
            else PROBLEMS[edict](seat, kingdom, order, world, turn)
        )
        if refusal is None and edict not in FREE and kingdom.used.get(USED, 0) >= most:
            refusal = Refusal("special_edicts_cap", {"most": most, "palace": with_palace(turn.rules)})
        if refusal:
            turn.refuse(seat, path, refusal.code, **refusal.facts)
            continue
        if edict not in FREE:
            kingdom = replace(kingdom, used={**kingdom.used, USED: kingdom.used.get(USED, 0) + 1})
        if edict == "aid":
            kingdom, one = aid.send(path, seat, kingdom, order, world, turn)
            sent.append(one)
        else:
            kingdom = ISSUE[edict](seat, kingdom, order, world, turn)
    return kingdom, sent
