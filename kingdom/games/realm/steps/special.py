"""Edict phase, step 7: special edicts are counted, issued and paid in the order listed; then aid is rolled for. Ruling: send_aid."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Kingdom, Modifier, World, replace, with_kingdoms
from kingdom.games.realm.steps.exploring import adventurers, expeditions
from kingdom.games.realm.steps.land.ground import borders
from kingdom.games.realm.steps.shared import (
    USED,
    affordable,
    book,
    harder_by,
    listed,
    most_special_edicts,
    orders_of,
    with_palace,
)
from kingdom.games.realm.steps.trade import routes
from kingdom.games.realm.steps.trade.open_routes import partners
from kingdom.games.realm.types import Order, Turn

REFUSALS = {
    "special_edict_off": "The edict {edict} is not among the rules that this campaign plays by (Special Edicts); leave the order out.",
    "special_edicts_cap": "The special edicts of this turn are used up: {most} (ruling special_edicts). Send it next turn; a Palace "
    "allows {palace} a turn.",
    "aid_self": "A kingdom can't send aid to itself (ruling send_aid); name one that touches yours (now: {touching}).",
    "aid_not_in_play": "There is no kingdom {to} in play (ruling send_aid); name one that touches yours (now: {touching}).",
    "aid_no_border": "{to} has neither a border nor an open trade route with this kingdom (Sending Aid); name one that has (now: {touching}).",
    "aid_cost": "Aid costs {cost} BP and the treasury holds {treasury} (Sending Aid, ruling affordable); keep {cost} BP for it.",
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
    sent: list[Aid] = []
    changed: dict[str, Kingdom] = {}
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed and orders_of(turn, seat, kingdom).get("special"):
            touching = touching or borders(world)
            changed[seat], aids = _issue(seat, kingdom, world, turn, touching[seat])
            sent += aids
    for seat, modifiers in received(sent, with_kingdoms(world, changed), turn).items():
        kingdom = changed.get(seat, world.kingdoms[seat])
        changed[seat] = replace(kingdom, coming=kingdom.coming + tuple(modifiers))
    return with_kingdoms(world, changed)


def _issue(
    seat: str, kingdom: Kingdom, world: World, turn: Turn, touching: frozenset[str]
) -> tuple[Kingdom, list[Aid]]:
    """Issue the seat's edicts in the order listed, as far as they are allowed; what it sends in aid is still to be rolled for."""
    most, _ = most_special_edicts(kingdom, turn.rules)
    sent: list[Aid] = []
    for path, order in listed(orders_of(turn, seat, kingdom), "special"):
        edict = order["edict"]
        near = touching | partners(kingdom)
        refusal = (
            aid_problem(world, seat, kingdom, order, near, turn.rules)
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
            kingdom, one = send(path, seat, kingdom, order, world, turn)
            sent.append(one)
        else:
            kingdom = ISSUE[edict](seat, kingdom, order, world, turn)
    return kingdom, sent


# --- sending aid ------------------------------------------------------------------------------------------------------


CAUSES = {"aid": "aid for another kingdom, paid or received"}


class Aid(NamedTuple):
    """An edict of aid that is paid for; `path` is that of its order."""

    path: str
    sender: str
    to: str
    attribute: str


def aid_cost(size: int, rules: Rules) -> int:
    """What sending aid costs a kingdom of that size, in BP: rounded up. Ruling: send_aid."""
    return -(-size // rules.send_aid.size_per_bp)


def aid_by_size(size: int, other: int, rules: Rules) -> int:
    """What the sizes of sender and recipient add to the roll. Ruling: send_aid."""
    return abs(size - other) // rules.send_aid.size_per_point * (1 if size >= other else -1)


def aid_bonus(margin: int, rules: Rules) -> int:
    """The points that aid comes to by the margin of its roll, 0 where that failed. Ruling: send_aid."""
    return max(rules.send_aid.least, -(-margin // rules.send_aid.margin_per_point)) if margin >= 0 else 0


def aid_problem(
    world: World, seat: str, kingdom: Kingdom, order: Order, touching: frozenset[str], rules: Rules
) -> Refusal | None:
    """Why this aid can't be sent."""
    to, cost = order["to"], aid_cost(len(kingdom.hexes), rules)
    facts = {"to": to, "touching": ", ".join(sorted(touching)) or "none"}
    if to == seat:
        return Refusal("aid_self", facts)
    if to not in world.kingdoms or world.kingdoms[to].destroyed:
        return Refusal("aid_not_in_play", facts)
    if to not in touching:
        return Refusal("aid_no_border", facts)
    if not affordable(kingdom, cost):
        return Refusal("aid_cost", {"cost": cost, "treasury": kingdom.treasury})
    return None


def send(path: str, seat: str, kingdom: Kingdom, order: Order, world: World, turn: Turn) -> tuple[Kingdom, Aid]:
    """Pay for an aid that nothing speaks against; it is rolled for when every kingdom has issued its edicts."""
    kingdom = replace(kingdom, treasury=kingdom.treasury - aid_cost(len(kingdom.hexes), turn.rules))
    book(turn, seat, kingdom, world.hexes, "aid", f"sent to {_name(world, order['to'])} for {order['attribute']}")
    return kingdom, Aid(path, seat, order["to"], order["attribute"])


def received(issued: list[Aid], world: World, turn: Turn) -> dict[str, list[Modifier]]:
    """Roll for each aid; what comes of it, by the seat that receives it."""
    found: dict[str, list[Modifier]] = {}
    for aid in issued:
        bonus = _sent(aid, world, turn)
        if bonus:
            text = f"aid from {_name(world, aid.sender)}"
            found.setdefault(aid.to, []).append(Modifier(aid.attribute, bonus, "aid", text))
    return found


def _sent(aid: Aid, world: World, turn: Turn) -> int:
    """The bonus that one aid comes to, 0 where it fails: d20 + Opulence + sizes against the recipient's size."""
    rules: Rules = turn.rules
    sender, other = world.kingdoms[aid.sender], len(world.kingdoms[aid.to].hexes)
    by_size = aid_by_size(len(sender.hexes), other, rules)
    by_count = harder_by(sender, rules)
    opulence = accounts(sender, world.hexes, rules)["opulence"]
    by_feast = sum(each.by for each in sender.modifiers if each.account == "edict_checks" and each.partner == aid.to)
    die = turn.roll(aid.sender, f"aid-{aid.to}", rules.send_aid.die)
    if die is None:
        return 0
    total = die + opulence + by_size + by_count + by_feast
    margin = total - other
    bonus = aid_bonus(margin, rules)
    turn.tell(
        aid.sender, "check", name=f"aid-{aid.to}", attribute="opulence", die=die, value=opulence, unrest=0,
        bonus=by_size + by_count + by_feast, by_size=by_size, by_count=by_count, by_feast=by_feast, total=total, dc=other,
        success=margin >= 0, margin=margin,
    )  # fmt: skip
    _tell(aid, bonus, world, turn)
    return bonus


def _tell(aid: Aid, bonus: int, world: World, turn: Turn) -> None:
    """News for both; the recipient learns what it gets, not what the sender's wealth is."""
    result = f"+{bonus} to {aid.attribute} next turn" if bonus else "it came to nothing"
    sender, to = _name(world, aid.sender), _name(world, aid.to)
    facts = {"attribute": aid.attribute, "bonus": bonus}
    turn.tell(aid.sender, "aid", order=aid.path, to=aid.to, **facts, text=f"Aid to {to} for {aid.attribute}: {result}.")
    turn.tell(aid.to, "aid", sender=aid.sender, **facts, text=f"Aid from {sender} for {aid.attribute}: {result}.")


def _name(world: World, seat: str) -> str:
    return world.kingdoms[seat].name
