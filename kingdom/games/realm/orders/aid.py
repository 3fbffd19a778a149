"""The special edict `aid`: help for another kingdom's next turn, over a border or along a route. Edict step 7. Rulings: send_aid, blockade.

Its price is paid when it is issued; it is rolled for when every kingdom has issued its edicts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypedDict

from msgspec import Struct

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.orders.kind import Now, held, named
from kingdom.games.realm.orders.special_edict import Edict
from kingdom.games.realm.orders.words import a_kingdom, an_attribute
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.rules.types import Attribute
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Kingdom, Modifier, Route, World, replace
from kingdom.games.realm.steps.land.ground import borders_of, hexes_beside
from kingdom.games.realm.steps.shared import USED, affordable, book, by_margin, by_sizes, harder_by, tell_roll
from kingdom.games.realm.steps.trade.open_routes import is_blockaded, partners, threats_in
from kingdom.games.realm.types import Turn
from kingdom.orders import kit
from kingdom.orders.kit import Candidate, Gap, Pick


class SpecialAid(TypedDict):
    """Aid to a kingdom."""

    edict: Annotated[Literal["aid"], None]
    to: Annotated[str, a_kingdom("the kingdom that gets it")]
    attribute: Annotated[Attribute, an_attribute("the attribute that it is for")]


class Aid(Edict[SpecialAid]):
    """`special: aid economy to borderia`."""

    word, name = "aid", "aid"
    record = kit.record(SpecialAid, "aid to a kingdom", ("{attribute} to {to}",))
    causes = {"aid": "aid for another kingdom, paid or received"}
    refusals = {
        "aid_self": "A kingdom can't send aid to itself (ruling send_aid); name one that touches yours (now: {touching}).",
        "aid_not_in_play": "There is no kingdom {to} in play (ruling send_aid); name one that touches yours (now: {touching}).",
        "aid_no_border": "{to} has neither a border nor an open trade route with this kingdom (Sending Aid); name one that has (now: {touching}).",
        "aid_blockaded": "The trade route with {to} is blockaded and you have no common border (ruling blockade); drive the blockade off first, "
        "or name one that aid reaches (now: {touching}).",
        "aid_helped": "You were helped last turn ({helped}), and who was helped may not help in the next (ruling send_aid); send it next turn.",
        "aid_cost": "Aid costs {cost} BP and the treasury holds {treasury} (Sending Aid, ruling affordable); keep {cost} BP for it.",
    }

    def candidates(self, now: Now) -> Iterator[Candidate]:
        cost = aid_cost(len(now.state.kingdoms[now.seat].hexes), now.rules)
        for other in sorted(reached(now)):
            for attribute in ATTRIBUTES:
                order: SpecialAid = {"edict": "aid", "to": other, "attribute": attribute}
                text = f"Send aid to {named(other, now.state)}, for {attribute.capitalize()}"
                yield self.candidate(order, text, cost)

    def on_page(self, now: Now) -> Iterator[Candidate]:
        kingdom, world = now.state.kingdoms[now.seat], now.state
        along = tied_for_aid(kingdom, world, now.rules, now.foreseeing)
        costs = {size: aid_cost(size, now.rules) for size in range(len(kingdom.hexes) + 20)}
        attribute = Pick("For its", ATTRIBUTES, texts={name: name.capitalize() for name in ATTRIBUTES})
        for other in sorted(reached(now)):
            if self.objection(now, {"edict": "aid", "to": other, "attribute": ATTRIBUTES[0]}) is None:
                touching = [held(label) for label in hexes_beside(world, now.seat, other)]
                yield Candidate(
                    f"aid {other}", {"edict": "aid", "to": other, "attribute": Gap("attribute")}, f"Send aid to {named(other, world)}",
                    picks={"attribute": attribute}, limits={USED: 1}, group="Aid",
                    needs=[[*touching, *[f"tied {other}"] * (other in along)]],
                    deed={"sized": {"counter": "treasury", "by": "size", "costs": costs}},
                )  # fmt: skip

    def problem(self, now: Now, order: SpecialAid) -> Refusal | None:
        world, kingdom = now.state, now.state.kingdoms[now.seat]
        to, cost, touching = order["to"], aid_cost(len(kingdom.hexes), now.rules), reached(now)
        facts = {"to": to, "touching": ", ".join(sorted(touching)) or "none"}
        if to == now.seat:
            return Refusal("aid_self", facts)
        if to not in world.kingdoms or world.kingdoms[to].destroyed:
            return Refusal("aid_not_in_play", facts)
        if to not in touching:
            return Refusal("aid_blockaded" if to in partners(kingdom) else "aid_no_border", facts)
        helped = [modifier.text for modifier in kingdom.modifiers if modifier.cause == "aid"]
        if helped and now.rules.send_aid.helped_waits:
            return Refusal("aid_helped", {"helped": ", ".join(helped)})
        if not affordable(kingdom, cost):
            return Refusal("aid_cost", {"cost": cost, "treasury": kingdom.treasury})
        return None

    def issue(self, now: Now, order: SpecialAid, turn: Turn) -> Kingdom:
        world, kingdom = now.state, now.state.kingdoms[now.seat]
        kingdom = replace(kingdom, treasury=kingdom.treasury - aid_cost(len(kingdom.hexes), now.rules))
        detail = f"sent to {_name(world, order['to'])} for {order['attribute']}"
        return book(turn, now.seat, kingdom, world.hexes, "aid", detail)


AID = Aid()


def reached(now: Now) -> frozenset[str]:
    """The kingdoms that the seat's aid reaches, over a border or along a route."""
    along = tied_for_aid(now.state.kingdoms[now.seat], now.state, now.rules, now.foreseeing)
    return borders_of(now.state, now.seat) | along


def aid_cost(size: int, rules: Rules) -> int:
    """What sending aid costs a kingdom of that size, in BP: rounded up. Ruling: send_aid."""
    return -(-size // rules.send_aid.size_per_bp)


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


# --- what is sent arrives ----------------------------------------------------------------------------------------------


class Sent(Struct, frozen=True):
    """An edict of aid that is paid for; `path` is that of its order."""

    path: str
    sender: str
    to: str
    attribute: str


def received(issued: list[Sent], world: World, turn: Turn) -> dict[str, list[Modifier]]:
    """Roll for each aid; what comes of it, by the seat that receives it."""
    found: dict[str, list[Modifier]] = {}
    for aid in issued:
        if bonus := _sent(aid, world, turn):
            text = f"aid from {_name(world, aid.sender)}"
            found.setdefault(aid.to, []).append(Modifier(aid.attribute, bonus, "aid", text))
    return found


def _sent(aid: Sent, world: World, turn: Turn) -> int:
    """The bonus that one aid comes to, 0 where it fails: d20 + Opulence + sizes against the recipient's size."""
    rules: Rules = turn.rules
    sender, other = world.kingdoms[aid.sender], len(world.kingdoms[aid.to].hexes)
    by_size = by_sizes(len(sender.hexes), other, rules.send_aid.size_per_point)
    by_count = harder_by(sender, rules)
    opulence = accounts(sender, world.hexes, rules)["opulence"]
    by_feast = sum(each.by for each in sender.modifiers if each.account == "edict_checks" and each.partner == aid.to)
    die = turn.roll(aid.sender, f"aid-{aid.to}", rules.send_aid.die)
    if die is None:
        return 0
    total = tell_roll(
        turn, aid.sender, f"aid-{aid.to}", "opulence", die, opulence, other, by_size=by_size, by_count=by_count, by_feast=by_feast
    )  # fmt: skip
    bonus = by_margin(total - other, rules.send_aid.margin_per_point, rules.send_aid.least)
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
