"""Advice for a seat: the planner's best plans for three aims, each with its orders, its price and its effect on the odds.

The dangers of the next turns decide which aim comes first, and whether plans are made for a kingdom in need (need.py). The
first plan leaves out whatever makes a danger worse, and lowers the likeliest danger at least as much as the cure that reports
name. Advice uses only what the seat knows, and files nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace as changed

from kingdom.engine.offer import together
from kingdom.engine.step import Facts, Orders
from kingdom.games.realm.bots.agenda import Agenda
from kingdom.games.realm.bots.cures import ABOVE, FINE, Cures, worse
from kingdom.games.realm.bots.need import CALM_FIRST, PURSE_FIRST, Need, Straits, ways_out
from kingdom.games.realm.bots.planner import Plan, Thought, thought_out
from kingdom.games.realm.bots.worth import KEEPER, STEADY, Choice, Weights
from kingdom.games.realm.forecast.exact import odds
from kingdom.games.realm.forecast.threats import TURNS, Threats, threats
from kingdom.games.realm.forecast.turn_preview import preview, without_orders
from kingdom.games.realm.forecast.words import name_of, percent
from kingdom.games.realm.offers.offers import options
from kingdom.games.realm.orders.declaration import CLAIM, SETTLE
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.steps.war.movement import ATTACK, GARRISON
from kingdom.orders import orders_file as filing

NEED, RESTLESS = 0.5, 5  # from this danger or this Unrest on, plans are made for a kingdom in need
PLANS = 3  # at most
RICH = 15  # from this many BP on a plan that costs nothing says what it saves for
LEVELS = ("edicts", "leadership", "loyalty")  # orders of a plan that are not among its choices
HEAD = {"kingdom", "turn"}  # keys of a file that orders nothing
# number -> the direction that makes a danger worse
BEHIND = {"control_dc": 1, "consumption": 1, "treasury": -1} | dict.fromkeys(ATTRIBUTES, -1)
FELT = 0.005  # the least drop of a danger for which a plan is said to lower it
MOST = 8  # parts of a plan that are weighed one by one


class Aim(Struct, frozen=True):
    """An aim of a ruler: its weights, and its fears in need. what: the aim in words."""

    name: str
    what: str
    weights: Weights
    straits: Straits


# orders about land; the words for Grow in a plan without any
LAND, NO_LAND = ({CLAIM.key, SETTLE.key}, "what more land needs first")
GROW = Aim("Grow", "more land, and what it can carry", STEADY, CALM_FIRST)
AIMS = (
    GROW,
    Aim("Secure", "checks that succeed, and calm", changed(KEEPER, size=4, trade=0), CALM_FIRST),
    Aim(
        "Prepare", "a treasury and an income for what comes", changed(STEADY, size=8, flow=16, economy=60), PURSE_FIRST
    ),
)


def advice(known: World, seat: str, rules: Rules) -> list[Facts]:
    """Return at most three different plans for the turn after `known`, which is what the seat knows. The first makes no danger
    worse; each other one warns if it does, and changes some number. [] for a turn of anarchy and for a destroyed kingdom.

    orders: a text that can be filed; reasons: its orders for land and towns, in words; warning: the dangers that it makes worse, and why,
    or that it lowers none, or ""; saves: what it saves for, "" if it costs something or there is little to spend; the rest as in `weighed`.
    """
    kingdom = known.kingdoms[seat]
    if kingdom.destroyed or kingdom.anarchy == known.turn + 1:
        return []
    ahead, agenda = threats(known, seat, rules, {}), Agenda(known, seat, rules, at_once=True)
    before = _state(without_orders(known, seat, rules), seat, rules, ahead.chances)
    danger = max(before.dangers, key=lambda name: before.dangers[name])
    threatened = before.dangers[danger] > ABOVE
    stands = bool(kingdom.hexes and kingdom.settlements)  # else founding a settlement matters more than any danger
    in_need = stands and (before.dangers[danger] > NEED or kingdom.unrest >= RESTLESS or kingdom.treasury < 0)
    ways = list(ways_out(agenda)) if in_need else []
    plans: list[tuple[Aim, _Draft]] = []
    for aim in sorted(AIMS, key=lambda aim: aim.name != "Secure") if threatened else AIMS:
        if in_need and aim is GROW:
            continue  # a kingdom in need can't grow yet
        plan = thought_out(Need(agenda, aim.straits, ways) if in_need else Thought(agenda, aim.weights, ""))
        plan = changed(plan, orders=_of_peace(plan.orders, kingdom))
        draft = _drafted(plan.orders, plan.choices, agenda) if plans else _harmless(plan, agenda, before.dangers)
        if not stands and not (draft and "settle" in draft.orders):
            draft = _drafted(plan.orders, plan.choices, agenda)
        if draft and draft.orders.keys() - HEAD and not (plans and in_need and worse(before.dangers, draft.dangers)):
            plans.append((aim, draft))
    if threatened and stands:
        plans = _cured_first(plans, agenda, ahead, before.dangers)
    found: list[Facts] = []
    for aim, draft in plans:
        orders = filing.write(draft.orders)
        if all(orders != each["orders"] for each in found):
            what = aim.what if aim is not GROW or draft.orders.keys() & LAND else NO_LAND
            reasons = [choice.offer.text for choice in draft.choices]
            after = _state(draft.end, seat, rules, draft.dangers)
            if found and after.accounts == before.accounts:
                continue
            free = after.accounts["treasury"] >= before.accounts["treasury"]
            found.append(
                {
                    "aim": aim.name,
                    "what": what,
                    "warning": _warning(before, after, draft),
                    "saves": _saves(agenda, aim, draft) if free and kingdom.treasury >= RICH else "",
                    "orders": orders,
                    "reasons": reasons,
                    **_weighed(before, after),
                }
            )
    return found[:PLANS]


class _Draft(NamedTuple):
    """A plan, with the dangers that remain under it."""

    orders: dict[str, Any]
    choices: tuple[Choice, ...]
    end: World
    dangers: dict[str, float]


def _of_peace(orders: dict[str, Any], kingdom: Kingdom) -> dict[str, Any]:
    """The orders without those that call off an army attacking where it stands: land falls to the army only while it stays.
    Ruling: occupation."""
    attack = {name for name, army in kingdom.armies.items() if army.deed == ATTACK}
    sent = [each for each in orders.get("armies", ()) if each.get("then") != GARRISON or each["army"] not in attack]
    others = {key: order for key, order in orders.items() if key != "armies"}
    return {**others, "armies": sent} if sent else others


def _harmless(plan: Plan, agenda: Agenda, before: Mapping[str, float]) -> _Draft | None:
    """The plan, if it makes no danger worse; else its levels and then its choices, each only if no danger gets worse with it;
    None if nothing is left."""
    draft = _drafted(plan.orders, plan.choices, agenda)
    if draft and not worse(before, draft.dangers):
        return draft
    keys = {choice.offer.key for choice in plan.choices} | set(LEVELS)
    base = {key: order for key, order in plan.orders.items() if key not in keys}
    taken, last = tuple[Choice, ...](), _drafted(base, (), agenda)
    if last is None or worse(before, last.dangers):
        base, last = agenda.orders, None
    parts: list[dict[str, Any] | Choice] = [{key: plan.orders[key]} for key in LEVELS if key in plan.orders]
    parts += plan.choices
    for part in parts[:MOST]:
        orders = {**base, **part} if isinstance(part, dict) else together([part.offer], base)
        draft = _drafted(orders, taken if isinstance(part, dict) else (*taken, part), agenda)
        if draft and not worse(before, draft.dangers):
            base, taken, last = draft.orders, draft.choices, draft
    return last


def _drafted(orders: Mapping[str, Any], choices: tuple[Choice, ...], agenda: Agenda) -> _Draft | None:
    """The orders with their result, None if the rules refuse one."""
    course = agenda.course(orders)
    if course.refused and not agenda.first.refused:
        return None
    return _Draft(dict(orders), choices, course.end, threats(agenda.known, agenda.seat, agenda.rules, orders).chances)


def _cured_first(
    plans: list[tuple[Aim, _Draft]], agenda: Agenda, ahead: Threats, dangers: Mapping[str, float]
) -> list[tuple[Aim, _Draft]]:
    """The plans, the first of which lowers the likeliest danger at least as much as the cure that its danger line names. If
    there are no plans, a plan of that cure for the likeliest danger that has a cure."""
    known, seat, rules = agenda.known, agenda.seat, agenda.rules
    cures = Cures(known, seat, options(known, seat, rules), rules, ahead)
    for danger in sorted(dangers, key=lambda name: -dangers[name]):
        if dangers[danger] > ABOVE and not (ahead.met.calm and ahead.by_monsters[danger] > ahead.without[danger]):
            plans = _cured_of(danger, plans, agenda, cures)
        if plans:
            return plans
    return plans


def _cured_of(danger: str, plans: list[tuple[Aim, _Draft]], agenda: Agenda, cures: Cures) -> list[tuple[Aim, _Draft]]:
    """The plans, the first of which lowers that danger as much as the cure of its danger line. A cure that helps only a little
    comes first if the first plan lowers no danger."""
    best = cures.best(danger)
    before, little = cures.before.chances, best.chance is None
    if not best.cure or best.harms or (little and best.gain <= 0):
        return plans
    chance = before[danger] if best.chance is None else best.chance
    if any(_lowers(before, plan) if little else _answers(plan, danger, chance) for _, plan in plans[:1]):
        return plans
    cure, aim = cures.orders(best.cure), next(aim for aim in AIMS if aim.name == "Secure")
    drafts = [_drafted(_merged(plan.orders, cure), plan.choices, agenda) for _, plan in plans]
    drafts.append(_drafted({**agenda.orders, **cure}, (), agenda))
    tried = [plan for _, plan in plans[1:] if not little] + [draft for draft in drafts if draft]
    fits = [plan for plan in tried if _answers(plan, danger, chance) and not worse(before, plan.dangers)]
    return [(aim, fits[0]), *(each for each in plans if each[0] is not aim)] if fits else plans


def _lowers(before: Mapping[str, float], draft: _Draft) -> bool:
    return any(chance - draft.dangers[name] >= FELT for name, chance in before.items())


def _answers(plan: _Draft, danger: str, chance: float) -> bool:
    return round(plan.dangers[danger], FINE) <= round(chance, FINE)


def _merged(orders: Mapping[str, Any], cure: Mapping[str, Any]) -> dict[str, Any]:
    """The orders with the cure added."""
    merged = dict(orders)
    for key, value in cure.items():
        if isinstance(value, Mapping):
            merged[key] = {**merged.get(key, {}), **value}
        elif key in ("build", "improve", "armies"):
            merged[key] = [*value, *(each for each in merged.get(key, ()) if each not in value)]
        else:
            merged[key] = value
    return merged


def _warning(before: _State, after: _State, draft: _Draft) -> str:
    """A sentence on the dangers that a plan makes worse, and why, or on a plan that lowers none of the dangers; else ""."""
    names = worse(before.dangers, draft.dangers)
    if not names:
        return (
            "" if _lowers(before.dangers, draft) or max(before.dangers.values()) <= ABOVE else "This lowers no danger."
        )
    risen = [
        f"{name_of(name)} from {percent(before.dangers[name])} to {percent(draft.dangers[name])}" for name in names
    ]
    moved = [
        f"{name_of(name)} {was} to {after.accounts[name]}"
        for name, was in before.accounts.items()
        if (after.accounts[name] - was) * BEHIND.get(name, 0) > 0
    ]
    return f"This makes dangers worse: {', '.join(risen)}, by {', '.join(moved) or 'what may follow'}."


def _saves(agenda: Agenda, aim: Aim, draft: _Draft) -> str:
    """A sentence on what a plan without costs saves for; if that could be paid already, why it waits."""
    thought = Thought(agenda, aim.weights, "")
    wish = thought.wish(draft.orders)
    has, cost = thought.view.treasury, wish.offer.costs["treasury"] if wish else 0
    if wish is None or has - cost >= thought.kept:
        return "It saves: what you may order now is not worth its price to this plan, or makes a danger likelier."
    if cost > has:
        return f"It saves for: {wish.offer.text} ({cost} BP)."
    return (
        f"It saves for: {wish.offer.text} ({cost} BP). You can pay that now, but less than {thought.kept} BP would be left: "
        "two turns' Consumption, and a reserve for bad rolls."
    )


def weighed(known: World, seat: str, rules: Rules, orders: Orders) -> Facts:
    """Return the effect of these orders, in the long form, in the turn after `known`, which is what the seat knows.

    cost: BP that they spend at once; checks, and dangers of the next `turns`: the chance, 0 to 1, without these orders and with them;
    numbers: those that they move, at the end of the Edict phase.
    """
    before = _state(without_orders(known, seat, rules), seat, rules, threats(known, seat, rules, {}).chances)
    end = preview(known, seat, rules).course(orders).end
    return _weighed(before, _state(end, seat, rules, threats(known, seat, rules, orders).chances))


class _State(NamedTuple):
    """A kingdom before the next turn's checks: its accounts, and the chances of its checks and dangers."""

    accounts: Mapping[str, int]
    checks: Mapping[str, float]
    dangers: Mapping[str, float]


def _state(next_turn: World, seat: str, rules: Rules, dangers: Mapping[str, float]) -> _State:
    return _State(accounts(next_turn.kingdoms[seat], next_turn.hexes, rules), odds(next_turn, seat, rules), dangers)


def _weighed(before: _State, after: _State) -> Facts:
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


def _chances(before: Mapping[str, float], after: Mapping[str, float]) -> list[Facts]:
    return [{"what": name, "before": chance, "after": after[name]} for name, chance in before.items()]
