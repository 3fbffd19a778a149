"""Edict phase, steps 1 and 7: the leadership bonus; special edicts, which are counted, issued and paid in the order listed, and aid,
which is rolled for. Rulings: leadership_bonus, special_edicts, send_aid, blockade.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts, led
from kingdom.games.realm.state import Kingdom, Modifier, Route, World, replace, with_kingdoms
from kingdom.games.realm.steps.exploring import adventurers, expeditions
from kingdom.games.realm.steps.land.ground import borders
from kingdom.games.realm.steps.shared import (
    USED,
    affordable,
    book,
    each,
    harder_by,
    listed,
    most_special_edicts,
    orders_of,
    with_palace,
)
from kingdom.games.realm.steps.trade import routes
from kingdom.games.realm.steps.trade.open_routes import is_blockaded, partners, threats_in
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.orders.special import SpecialAid

REFUSALS = {
    "special_edict_off": "The edict {edict} is not among the rules that this campaign plays by (Special Edicts); leave the order out.",
    "special_edicts_cap": "The special edicts of this turn are used up: {most} (ruling special_edicts). Send it next turn; a Palace "
    "allows {palace} a turn.",
    "aid_self": "A kingdom can't send aid to itself (ruling send_aid); name one that touches yours (now: {touching}).",
    "aid_not_in_play": "There is no kingdom {to} in play (ruling send_aid); name one that touches yours (now: {touching}).",
    "aid_no_border": "{to} has neither a border nor an open trade route with this kingdom (Sending Aid); name one that has (now: {touching}).",
    "aid_blockaded": "The trade route with {to} is blockaded and you have no common border (ruling blockade); drive the blockade off first, "
    "or name one that aid reaches (now: {touching}).",
    "aid_helped": "You were helped last turn ({helped}), and who was helped may not help in the next (ruling send_aid); send it next turn.",
    "aid_cost": "Aid costs {cost} BP and the treasury holds {treasury} (Sending Aid, ruling affordable); keep {cost} BP for it.",
}

CAUSES = {
    "leadership": "the leadership bonus, as it is assigned and as the kingdom's size lets it grow",
    "aid": "aid for another kingdom, paid or received",
}


def leadership_bonus(world: World, turn: Turn) -> World:
    """Edict step 1: take the size that caps and bonus go by this turn, and assign the bonus.

    Rulings: caps_at_start, leadership_default.
    """
    return each(world, turn, _led)


def _led(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    named = tuple(
        dict.fromkeys(order for _, order in listed(orders_of(turn, seat, kingdom).get("leadership"), "leadership"))
    )
    chosen, before = named or kingdom.leadership, kingdom
    if len(kingdom.hexes) != kingdom.edict_size or chosen != kingdom.leadership:
        kingdom = replace(kingdom, edict_size=len(kingdom.hexes), leadership=chosen)
    bonus_to = led(kingdom, turn.rules)
    left_out = [name for name in named if name not in bonus_to]
    if left_out:
        text = (
            f"The leadership bonus goes to {_list(bonus_to)}, not to {_list(left_out)}: the kingdom is not large enough"
        )
        turn.tell(seat, "changed", order="leadership", text=f"{text} (ruling leadership_default).")
    if kingdom is not before:
        book(turn, seat, kingdom, world.hexes, "leadership", f"to {_list(bonus_to)}, size {kingdom.edict_size}")
    return kingdom


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)


# --- special edicts ---------------------------------------------------------------------------------------------------


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
    for path, order in listed(orders_of(turn, seat, kingdom).get("special"), "special"):
        if order["edict"] == "aid":
            reached = touching | tied_for_aid(kingdom, world, turn.rules, turn.foreseeing)
            refusal = aid_problem(world, seat, kingdom, order, reached, turn.rules)
        else:
            refusal = PROBLEMS[order["edict"]](seat, kingdom, order, world, turn)
        if refusal is None and order["edict"] not in FREE and kingdom.used.get(USED, 0) >= most:
            refusal = Refusal("special_edicts_cap", {"most": most, "palace": with_palace(turn.rules)})
        if refusal:
            turn.refuse(seat, path, refusal.code, **refusal.facts)
            continue
        if order["edict"] not in FREE:
            kingdom = replace(kingdom, used={**kingdom.used, USED: kingdom.used.get(USED, 0) + 1})
        if order["edict"] == "aid":
            kingdom, one = send(path, seat, kingdom, order, world, turn)
            sent.append(one)
        else:
            kingdom = ISSUE[order["edict"]](seat, kingdom, order, world, turn)
    return kingdom, sent


# --- sending aid ------------------------------------------------------------------------------------------------------


class Aid(Struct, frozen=True):
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


def tied_for_aid(kingdom: Kingdom, world: World, rules: Rules, foreseen: bool) -> frozenset[str]:
    """The kingdoms that aid reaches along an open route. foreseen: of foreign armies it is only known that the route was blockaded.

    Monsters that raid in some turns stop it if they blockaded in the turn before.
    """
    if rules.blockade is None or not rules.blockade.stops_aid:
        return partners(kingdom)
    if not kingdom.routes and not kingdom.guests:
        return frozenset()
    threats = threats_in(world)
    own = [(route.to, route) for route in kingdom.routes.values() if route.open and not route.shares]
    let_in = [(guest.by, world.kingdoms[guest.by].routes.get(guest.route)) for guest in kingdom.guests.values()]
    return frozenset(
        other
        for other, route in (*own, *let_in)
        if route
        and not is_blockaded(route, threats, world, _raided_before(route, rules))
        and not (foreseen and route.watched)
    )


def _raided_before(route: Route, rules: Rules) -> tuple[str, ...]:
    """The hexes of a route whose monsters did not blockade it in the turn before."""
    always = rules.blockade is None or rules.blockade.monsters_raid is None
    return () if always or route.watched else route.path


def aid_problem(
    world: World, seat: str, kingdom: Kingdom, order: SpecialAid, touching: frozenset[str], rules: Rules
) -> Refusal | None:
    """Why this aid can't be sent. touching: the kingdoms that it reaches, over a border or along a route."""
    to, cost = order["to"], aid_cost(len(kingdom.hexes), rules)
    facts = {"to": to, "touching": ", ".join(sorted(touching)) or "none"}
    if to == seat:
        return Refusal("aid_self", facts)
    if to not in world.kingdoms or world.kingdoms[to].destroyed:
        return Refusal("aid_not_in_play", facts)
    if to not in touching:
        return Refusal("aid_blockaded" if to in partners(kingdom) else "aid_no_border", facts)
    helped = [modifier.text for modifier in kingdom.modifiers if modifier.cause == "aid"]
    if helped and rules.send_aid.helped_waits:
        return Refusal("aid_helped", {"helped": ", ".join(helped)})
    if not affordable(kingdom, cost):
        return Refusal("aid_cost", {"cost": cost, "treasury": kingdom.treasury})
    return None


def send(path: str, seat: str, kingdom: Kingdom, order: SpecialAid, world: World, turn: Turn) -> tuple[Kingdom, Aid]:
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
    # news for both; the recipient learns what it gets, not what the sender's wealth is
    result = f"+{bonus} to {aid.attribute} next turn" if bonus else "it came to nothing"
    facts = {"attribute": aid.attribute, "bonus": bonus}
    text = f"Aid to {_name(world, aid.to)} for {aid.attribute}: {result}."
    turn.tell(aid.sender, "aid", order=aid.path, to=aid.to, **facts, text=text)
    text = f"Aid from {sender.name} for {aid.attribute}: {result}."
    turn.tell(aid.to, "aid", sender=aid.sender, **facts, text=text)
    return bonus


def _name(world: World, seat: str) -> str:
    return world.kingdoms[seat].name
