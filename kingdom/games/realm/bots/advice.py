"""Advice for a seat: the planner's best plans by three aims, each with its orders, its price and what it makes of the odds.

What threatens within the next turns decides which aim comes first. It is worked out from what the seat knows, and files nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace as changed

from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.bots.planner import Plan, planned
from kingdom.games.realm.bots.worth import KEEPER, STEADY, Weights, passes
from kingdom.games.realm.forecast.ahead import chances_ahead
from kingdom.games.realm.forecast.courses import Standing
from kingdom.games.realm.offers.course import course
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.state import World
from kingdom.orders import orders_file as filing

TURNS = 4  # for which the dangers are told
LIKELY = 0.05  # a danger from which on safety comes first
LAST_STEP = "caravans"  # of the Edict phase


class Aim(Struct, frozen=True):
    """What a ruler is after. what: in words."""

    name: str
    what: str
    weights: Weights


AIMS = (
    Aim("Grow", "more land, and what it can carry", STEADY),
    Aim("Secure", "checks that succeed, and calm", changed(KEEPER, size=4)),
    Aim("Prepare", "a treasury and an income for what comes", changed(STEADY, size=8, flow=16, economy=60)),
)


class Chance(TypedDict):
    """A chance of 0 to 1, without these orders and with them."""

    what: str
    before: float
    after: float


class Number(TypedDict):
    """A number at the end of the Edict phase, without these orders and with them."""

    account: str
    before: int
    after: int


class Advised(TypedDict):
    """A plan. orders: a text that can be filed; bp: what it spends at once; reasons: what is ordered for land and towns, in words."""

    aim: str
    what: str
    orders: str
    bp: int
    checks: list[Chance]
    dangers: list[Chance]
    numbers: list[Number]
    reasons: list[str]


def advice(known: World, seat: str, rules: Rules) -> list[Advised]:
    """Return at most three plans for the turn after `known`, which is what the seat knows, no two of them alike. There is none
    for a turn of anarchy and for a kingdom that is destroyed."""
    kingdom = known.kingdoms[seat]
    if kingdom.destroyed or kingdom.anarchy == known.turn + 1:
        return []
    threatens = dangers(known, seat, rules, {})
    aims = sorted(AIMS, key=lambda aim: aim.name != "Secure") if max(threatens.values()) > LIKELY else list(AIMS)
    found: list[Advised] = []
    for aim in aims:
        plan = planned(known, seat, rules, aim.weights)
        if plan.orders.keys() - {"kingdom", "turn"} and all(
            filing.write(plan.orders) != each["orders"] for each in found
        ):
            found.append(_advised(aim, plan, threatens, dangers(known, seat, rules, plan.orders), rules))
    return found


def dangers(known: World, seat: str, rules: Rules, orders: Mapping[str, object]) -> dict[str, float]:
    """Return what may befall the kingdom -> the chance that it does within TURNS turns, with these orders and none after them."""
    after = course(known, seat, rules, orders).after[LAST_STEP]
    standing = Standing(seat, after.kingdoms[seat], after.hexes, known.turn + 1)
    loyalty = next(iter(orders.get("loyalty") or ("",)))  # type: ignore[call-overload]
    return chances_ahead(standing, rules, TURNS, loyalty)


def _advised(aim: Aim, plan: Plan, before: Mapping[str, float], after: Mapping[str, float], rules: Rules) -> Advised:
    views = (plan.before, plan.after)
    checks = {name: [passes(name, view, view.unrest, rules) for view in views] for name in ATTRIBUTES}
    numbers: dict[str, list[int]] = {
        "treasury": [view.treasury for view in views],
        "unrest": [view.unrest for view in views],
        "size": [view.size for view in views],
        "consumption": [max(0, view.raw) for view in views],
    }
    numbers |= {str(name): [view.attributes[name] for view in views] for name in ATTRIBUTES}
    return {
        "aim": aim.name,
        "what": aim.what,
        "orders": filing.write(plan.orders),
        "bp": plan.before.treasury - plan.after.treasury,
        "checks": [{"what": name, "before": was, "after": now} for name, (was, now) in checks.items()],
        "dangers": [{"what": name, "before": before[name], "after": after[name]} for name in before],
        "numbers": [
            {"account": name, "before": was, "after": now} for name, (was, now) in numbers.items() if was != now
        ],
        "reasons": [choice.offer.text for choice in plan.choices],
    }
