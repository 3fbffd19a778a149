"""Edict phase, steps 6 and 7: special edicts. Sending aid is played; what does not exist yet is refused in its place."""

from __future__ import annotations

from typing import Any, NamedTuple

from kingdom.games.realm import effects
from kingdom.games.realm.borders import borders
from kingdom.games.realm.rules import MoreSpecialEdicts, Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Kingdom, Modifier, World, replace, with_kingdoms
from kingdom.games.realm.steps import affordable, book, listed, orders_of
from kingdom.turn import Turn

CAUSES = {"aid": "aid for another kingdom, paid or received"}
REFUSALS = {
    "armies_not_yet": "Army orders are not played yet (Edict step 6); leave the order out.",
    "special_edict_not_yet": "The edict {edict} is not played yet (Special Edicts); of these only aid is. "
    "Leave the order out.",
    "plan_not_yet": "A plan is not worked off yet (Edict steps 2 to 4); give the orders themselves, turn by turn.",
    "doors_not_yet": "There is no trade to open or close doors to yet (Trade Route); leave the order out.",
    "smuggle_not_yet": "Smuggling is not played yet (Trade Route); leave the order out.",
    "special_edicts_cap": "The special edicts of this turn are used up: {most} (ruling special_edicts). Send it next turn; a Palace "
    "allows {palace} a turn.",
    "aid_self": "A kingdom can't send aid to itself (ruling send_aid); name one that touches yours (now: {touching}).",
    "aid_not_in_play": "There is no kingdom {to} in play (ruling send_aid); name one that touches yours (now: {touching}).",
    "aid_no_border": "{to} has no border with this kingdom (Sending Aid); name one that touches yours (now: {touching}).",
    "aid_cost": "Aid costs {cost} BP and the treasury holds {treasury} (Sending Aid, ruling affordable); keep {cost} BP for it.",
}


class Aid(NamedTuple):
    """An edict of aid that is paid for; `path` is that of its order."""

    path: str
    sender: str
    to: str
    attribute: str


def armies(world: World, turn: Turn) -> World:
    """Edict step 6, the place of armies in the turn: their orders are refused until there are any."""
    for seat, kingdom in _in_play(world):
        orders = orders_of(turn, seat, kingdom)
        for path, _ in listed(orders, "armies"):
            turn.refuse(seat, path, "armies_not_yet")
        for key in ("plan", "reserve"):
            if key in orders:
                turn.refuse(seat, key, "plan_not_yet")
    return world


def special_edicts(world: World, turn: Turn) -> World:
    """Edict step 7: every kingdom issues and pays its special edicts, then all aid is rolled for and handed over.

    One step over the whole world: sizes and borders are the same for all. Rulings: special_edicts, send_aid.
    """
    touching: dict[str, frozenset[str]] = {}
    issued: list[Aid] = []
    changed: dict[str, Kingdom] = {}
    for seat, kingdom in _in_play(world):
        orders = orders_of(turn, seat, kingdom)
        _refuse_what_is_not_played(seat, orders, turn)
        if orders.get("special"):
            touching = touching or borders(world)
            changed[seat], aids = _issue(seat, kingdom, world, turn, touching[seat])
            issued += aids
    received = _roll(issued, with_kingdoms(world, changed), turn)
    for seat, modifiers in received.items():
        kingdom = changed.get(seat, world.kingdoms[seat])
        changed[seat] = replace(kingdom, coming=kingdom.coming + tuple(modifiers))
    return with_kingdoms(world, changed)


def most_special_edicts(kingdom: Kingdom, rules: Rules) -> tuple[int, int]:
    """(how many special edicts a turn allows, what each check of them changes by where more than the usual are issued)."""
    more = [effect for _, _, effect in effects.standing(kingdom, rules) if isinstance(effect, MoreSpecialEdicts)]
    usual = rules.special_edicts.per_turn
    best = max(more, key=lambda effect: effect.count, default=None)
    return (best.count, best.check) if best and best.count > usual else (usual, 0)


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
    world: World, seat: str, kingdom: Kingdom, order: dict[str, Any], touching: frozenset[str], rules: Rules
) -> tuple[str, dict[str, Any]] | None:
    """Why this aid can't be sent, as (code, facts)."""
    to, cost = order["to"], aid_cost(len(kingdom.hexes), rules)
    facts = {"to": to, "touching": ", ".join(sorted(touching)) or "none"}
    if to == seat:
        return "aid_self", facts
    if to not in world.kingdoms or world.kingdoms[to].destroyed:
        return "aid_not_in_play", facts
    if to not in touching:
        return "aid_no_border", facts
    if not affordable(kingdom, cost):
        return "aid_cost", {"cost": cost, "treasury": kingdom.treasury}
    return None


def _issue(seat: str, kingdom: Kingdom, world: World, turn: Turn, touching: frozenset[str]) -> tuple[Kingdom, list[Aid]]:
    """Pay for the seat's edicts in the order listed, as far as they are allowed."""
    rules: Rules = turn.rules
    most, _ = most_special_edicts(kingdom, rules)
    issued: list[Aid] = []
    for path, order in listed(orders_of(turn, seat, kingdom), "special"):
        if order["edict"] != "aid":
            turn.refuse(seat, path, "special_edict_not_yet", edict=order["edict"])
            continue
        problem = aid_problem(world, seat, kingdom, order, touching, rules)
        if problem is None and len(issued) >= most:
            problem = "special_edicts_cap", {"most": most, "palace": _with_palace(rules)}
        if problem:
            turn.refuse(seat, path, problem[0], **problem[1])
            continue
        issued.append(Aid(path, seat, order["to"], order["attribute"]))
        kingdom = replace(
            kingdom,
            treasury=kingdom.treasury - aid_cost(len(kingdom.hexes), rules),
            used={**kingdom.used, "special_edicts": len(issued)},
        )
        book(turn, seat, kingdom, world.hexes, "aid", f"sent to {_name(world, order['to'])} for {order['attribute']}")
    return kingdom, issued


def _roll(issued: list[Aid], world: World, turn: Turn) -> dict[str, list[Modifier]]:
    """Roll for each aid; what comes of it, by the seat that receives it."""
    received: dict[str, list[Modifier]] = {}
    for aid in issued:
        bonus = _sent(aid, world.kingdoms[aid.sender].used["special_edicts"], world, turn)
        if bonus:
            text = f"aid from {_name(world, aid.sender)}"
            received.setdefault(aid.to, []).append(Modifier(aid.attribute, bonus, "aid", text))
    return received


def _sent(aid: Aid, issued: int, world: World, turn: Turn) -> int:
    """The bonus that one aid comes to, 0 where it fails: d20 + Opulence + sizes against the recipient's size."""
    rules: Rules = turn.rules
    sender, other = world.kingdoms[aid.sender], len(world.kingdoms[aid.to].hexes)
    by_size = aid_by_size(len(sender.hexes), other, rules)
    by_count = most_special_edicts(sender, rules)[1] if issued > rules.special_edicts.per_turn else 0
    opulence = accounts(sender, world.hexes, rules)["opulence"]
    die = turn.roll(aid.sender, f"aid-{aid.to}", rules.send_aid.die)
    if die is None:
        return 0
    total = die + opulence + by_size + by_count
    margin = total - other
    bonus = aid_bonus(margin, rules)
    turn.tell(
        aid.sender, "check", name=f"aid-{aid.to}", attribute="opulence", die=die, value=opulence, unrest=0,
        bonus=by_size + by_count, by_size=by_size, by_count=by_count, total=total, dc=other, success=margin >= 0, margin=margin,
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


def _refuse_what_is_not_played(seat: str, orders: dict[str, Any], turn: Turn) -> None:
    for other in orders.get("doors", {}):
        turn.refuse(seat, f"doors.{other}", "doors_not_yet")
    for path, _ in listed(orders, "smuggle"):
        turn.refuse(seat, path, "smuggle_not_yet")


def _with_palace(rules: Rules) -> int:
    kinds = rules.buildings.values()
    counts = [effect.count for kind in kinds for effect in kind.effects if isinstance(effect, MoreSpecialEdicts)]
    return max(counts, default=rules.special_edicts.per_turn)


def _in_play(world: World) -> list[tuple[str, Kingdom]]:
    return [(seat, kingdom) for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed]


def _name(world: World, seat: str) -> str:
    return world.kingdoms[seat].name
