"""Advice for a seat: the planner's best plans by three aims, each with its orders, its price and what it makes of the odds.

What threatens within the next turns decides which aim comes first. It is worked out from what the seat knows, and files nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace as changed

from kingdom.engine.step import Orders
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.bots.agenda import Agenda
from kingdom.games.realm.bots.planner import planned
from kingdom.games.realm.bots.worth import KEEPER, STEADY, Weights
from kingdom.games.realm.forecast.exact import odds
from kingdom.games.realm.forecast.threats import TURNS, threats
from kingdom.games.realm.offers.turn_preview import course, without_orders
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import World
from kingdom.orders import orders_file as filing

LIKELY = 0.05  # a danger from which on safety comes first


class Aim(Struct, frozen=True):
    """What a ruler is after. what: in words."""

    name: str
    what: str
    weights: Weights


LAND, NO_LAND = (
    {"claim", "settle"},
    "what more land needs first",
)  # orders of land; what Grow is after where it takes none
GROW = Aim("Grow", "more land, and what it can carry", STEADY)
AIMS = (
    GROW,
    Aim("Secure", "checks that succeed, and calm", changed(KEEPER, size=4, trade=0)),
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


class Weighed(TypedDict):
    """What orders come to. cost: BP that they spend at once; dangers: of the next so many `turns`."""

    cost: int
    checks: list[Chance]
    dangers: list[Chance]
    turns: int
    numbers: list[Number]


class Advised(Weighed):
    """A plan. orders: a text that can be filed; reasons: what is ordered for land and towns, in words."""

    aim: str
    what: str
    orders: str
    reasons: list[str]


def advice(known: World, seat: str, rules: Rules) -> list[Advised]:
    """Return at most three plans for the turn after `known`, which is what the seat knows, no two of them alike. There is none
    for a turn of anarchy and for a kingdom that is destroyed."""
    kingdom = known.kingdoms[seat]
    if kingdom.destroyed or kingdom.anarchy == known.turn + 1:
        return []
    before = _state(known, without_orders(known, seat, rules), seat, rules, {})
    safe_first = max(before.dangers.values()) > LIKELY
    found: list[Advised] = []
    agenda = Agenda(known, seat, rules)
    for aim in sorted(AIMS, key=lambda aim: aim.name != "Secure") if safe_first else AIMS:
        plan = planned(agenda, aim.weights)
        orders = filing.write(plan.orders)
        if plan.orders.keys() - {"kingdom", "turn"} and all(orders != each["orders"] for each in found):
            after = _state(known, plan.end, seat, rules, plan.orders)
            reasons = [choice.offer.text for choice in plan.choices]
            row = _weighed(before, after)
            what = aim.what if aim is not GROW or plan.orders.keys() & LAND else NO_LAND
            found.append({"aim": aim.name, "what": what, "orders": orders, "reasons": reasons, **row})
    return found


def weighed(known: World, seat: str, rules: Rules, orders: Orders) -> Weighed:
    """Return what these orders, in the long form, come to in the turn after `known`, which is what the seat knows."""
    before = _state(known, without_orders(known, seat, rules), seat, rules, {})
    return _weighed(before, _state(known, course(known, seat, rules, orders).end, seat, rules, orders))


class _State(NamedTuple):
    """A kingdom as the next turn's checks find it: its accounts, and the chances of its checks and dangers."""

    accounts: Mapping[str, int]
    checks: Mapping[str, float]
    dangers: Mapping[str, float]


def _state(known: World, next_turn: World, seat: str, rules: Rules, orders: Orders) -> _State:
    numbers = accounts(next_turn.kingdoms[seat], next_turn.hexes, rules)
    return _State(numbers, odds(next_turn, seat, rules), threats(known, seat, rules, orders).chances)


def _weighed(before: _State, after: _State) -> Weighed:
    return {
        "cost": before.accounts["treasury"] - after.accounts["treasury"],
        "checks": _chances(before.checks, after.checks),
        "dangers": _chances(before.dangers, after.dangers),
        "turns": TURNS,
        "numbers": [
            {"account": name, "before": was, "after": after.accounts[name]}
            for name, was in before.accounts.items()
            if was != after.accounts[name]
        ],
    }


def _chances(before: Mapping[str, float], after: Mapping[str, float]) -> list[Chance]:
    return [{"what": name, "before": chance, "after": after[name]} for name, chance in before.items()]
