"""Edict phase, last: the items of each plan are carried out after the orders of the turn.

A plan is a list of texts in short forms. Each is tried in the order listed, by the functions that carry out orders, within what
is left of this turn's limits and of the treasury less the reserve. Items that are done leave the plan; the others wait. Claims
in a row are one round over the whole world: plans contest a hex as orders do (ruling contested_claim).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from kingdom.engine.refusal import Refusal
from kingdom.games.kit.memo import remember
from kingdom.games.realm.orders.building import CONSTRUCT, work_ordered, worked
from kingdom.games.realm.orders.declaration import CLAIM, IMPROVE, PLANNED, SETTLE, names
from kingdom.games.realm.orders.kind import Each, Now
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Building, Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.steps.land.claims import settle_claims
from kingdom.games.realm.steps.shared import each, in_anarchy, listed, orders_of
from kingdom.games.realm.steps.towns.construction import PLANNED as MADE_BY_PLAN
from kingdom.games.realm.types import Turn
from kingdom.orders import reading
from kingdom.orders.yaml_text import TEXT, Node

if TYPE_CHECKING:
    from kingdom.games.realm.orders.works import Build

DONE, WAITS = "done", "waits"  # what becomes of an item in a turn
LOST = "It was contested, and another kingdom won it or nobody did (ruling contested_claim)."
STRANGE = "That is no order by the rules of today; file another plan."
ALREADY = "That stands already."
FULFILLED = ("claim_own", "improve_already")  # refusals which mean that an item needs no doing any more

REFUSALS = {
    "plan_off": "Plans are not among the rules that this campaign plays by (ruling work_plan); give the orders themselves.",
}


class Item(Struct, frozen=True):
    """An item of a plan. path: its place in the plan, `plan[0]`; kind: the key of its order, "" if it can't be read; order: as
    the steps get it."""

    path: str
    text: str
    kind: str
    order: Any


class Ends(Struct, frozen=True):
    """How an item ended: done or waiting, with the reason if one is needed."""

    item: Item
    outcome: str
    why: str = ""


def work_off_plans(world: World, turn: Turn) -> World:
    """Carry out the items of every plan that can be done now; the rest wait. In anarchy nothing is done.

    Everybody's items up to the next claims come first, then everybody's claims in one round, and so on to the end of all plans.
    """
    if turn.rules.work_plan is None:
        return each(world, turn, _off)
    world = each(world, turn, _filed)
    plans = {
        seat: _items(kingdom, turn.rules)
        for seat, kingdom in world.kingdoms.items()
        if kingdom.plan and not kingdom.destroyed and not in_anarchy(kingdom, turn)
    }
    if not plans:
        return world
    ends: dict[str, list[Ends]] = {seat: [] for seat in plans}
    while any(plans.values()):
        plans = {seat: items for seat, items in plans.items() if items}
        world = _round_at_home(world, turn, plans, ends)
        world = _round_of_claims(world, turn, plans, ends)
    return with_kingdoms(world, {seat: _told(seat, world.kingdoms[seat], ended, turn) for seat, ended in ends.items()})


def _off(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    for key in ("plan", "reserve"):
        if key in orders_of(turn, seat, kingdom):
            turn.refuse(seat, key, "plan_off")
    return kingdom


def _filed(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    """The kingdom with the plan and the reserve that it filed this turn, if any; an empty plan ends the old one."""
    orders = orders_of(turn, seat, kingdom)
    if "plan" in orders:
        kingdom = replace(kingdom, plan=tuple(text for _, text in listed(orders.get("plan"), "plan")))
    return replace(kingdom, reserve=orders["reserve"]) if "reserve" in orders else kingdom


def _items(kingdom: Kingdom, rules: Rules) -> list[Item]:
    return [Item(f"plan[{index}]", text, *planned(text, rules)) for index, text in enumerate(kingdom.plan)]


@remember(lambda text, rules: ((rules,), text))
def planned(text: str, rules: Rules) -> tuple[str, Any]:
    """(kind of order, the order as its step gets it) of an item of a plan; ("", {}) where today's rules don't know it."""
    order, problems = reading.read(PLANNED, Node(TEXT, text, 1, 1, True), names(rules), "plan")
    return ("", {}) if problems else _as_order(order)


def _as_order(order: Mapping[str, Any]) -> tuple[str, Any]:
    if CLAIM.key in order:
        return CLAIM.key, order[CLAIM.key]
    if IMPROVE.key in order:
        return IMPROVE.key, {"hex": order["hex"], "build": order["improve"]}
    if SETTLE.key in order:
        return SETTLE.key, {"hex": order["hex"], "name": order["settle"]}
    return CONSTRUCT.key, order


def _purse(kingdom: Kingdom) -> Kingdom:
    """The kingdom with its treasury cut to what its plan may spend."""
    return replace(kingdom, treasury=kingdom.treasury - kingdom.reserve, used={**kingdom.used, MADE_BY_PLAN: 1})


# --- at home ---------------------------------------------------------------------------------------------------------------


def _round_at_home(world: World, turn: Turn, plans: dict[str, list[Item]], ends: dict[str, list[Ends]]) -> World:
    """Carry out every kingdom's items up to the next hex that it claims, and remove them from `plans`."""
    changed = {}
    for seat, items in plans.items():
        if now := list(takewhile(lambda item: item.kind != CLAIM.key, items)):
            plans[seat] = items[len(now) :]
            kingdom = world.kingdoms[seat]
            built: list[tuple[str, Building]] = []
            for number, item in enumerate(now, 1):
                if not item.kind:
                    ends[seat].append(Ends(item, WAITS, STRANGE))
                    continue
                builds = takewhile(lambda other: other.kind == CONSTRUCT.key, now[number:])
                later = [cast("Build", other.order) for other in builds]
                kingdom, refusal = _carried_out(item, seat, kingdom, world, turn, built, later)
                ends[seat].append(_ended(item, refusal, kingdom.reserve, turn))
            changed[seat] = kingdom
    return with_kingdoms(world, changed)


_ON_LAND: dict[str, Each[Any]] = {IMPROVE.key: IMPROVE, SETTLE.key: SETTLE}


def _carried_out(
    item: Item,
    seat: str,
    kingdom: Kingdom,
    world: World,
    turn: Turn,
    built: list[tuple[str, Building]],
    later: list[Build],
) -> tuple[Kingdom, Refusal | None]:
    """(the kingdom after an item, why it was refused). built: the buildings that the plan completed earlier this turn; this item
    adds its own. later: the orders of `build` that follow it directly."""
    now = Now(with_kingdoms(world, {seat: kingdom}), seat, turn.rules)
    spends = now._replace(state=with_kingdoms(world, {seat: _purse(kingdom)}))
    if item.kind == CONSTRUCT.key:
        work = work_ordered(spends, item.order, built, later)
        if isinstance(work, Refusal):
            return kingdom, work
        built.extend([(work.name, work.built)] if work.built else [])
        return worked(now, work, turn), None
    objection = _ON_LAND[item.kind].objection(spends, item.order)
    if isinstance(objection, Refusal):
        return kingdom, objection
    return _ON_LAND[item.kind].carry_out(now, item.order, turn).kingdoms[seat], None


# --- claims ----------------------------------------------------------------------------------------------------------------


def _round_of_claims(world: World, turn: Turn, plans: dict[str, list[Item]], ends: dict[str, list[Ends]]) -> World:
    """Contest and carry out together every kingdom's claims up to its next other item, and remove them from `plans`."""
    now = {seat: list(takewhile(lambda item: item.kind == CLAIM.key, items)) for seat, items in plans.items()}
    now = {seat: items for seat, items in now.items() if items}
    if not now:
        return world
    refused: dict[tuple[str, str], Refusal] = {}

    def refuse(seat: str, path: str, code: str, **facts: object) -> None:
        refused[seat, path] = Refusal(code, facts)

    purses = with_kingdoms(world, {seat: _purse(world.kingdoms[seat]) for seat in now})
    claims = {seat: [(item.path, item.order) for item in items] for seat, items in now.items()}
    world, walks = settle_claims(world, turn, claims, purses, refuse)
    for seat, items in now.items():
        plans[seat] = plans[seat][len(items) :]
        for item in items:
            lost = item.path not in walks[seat].stands and (seat, item.path) not in refused
            ends[seat].append(
                Ends(item, WAITS, LOST)
                if lost
                else _ended(item, refused.get((seat, item.path)), world.kingdoms[seat].reserve, turn)
            )
    return world


# --- how it ended ----------------------------------------------------------------------------------------------------------


def _ended(item: Item, refusal: Refusal | None, reserve: int, turn: Turn) -> Ends:
    """How an item ended. The price was compared with what the plan may spend, but the reason gives the whole treasury."""
    if refusal is None:
        return Ends(item, DONE)
    code, facts = refusal.code, refusal.facts
    if code in FULFILLED or code == "settle_occupied" and facts["name"] == item.order["name"]:
        return Ends(item, DONE, ALREADY)
    spend, more = facts.get("treasury"), ""
    if reserve and isinstance(spend, int):
        facts = {**facts, "treasury": spend + reserve}
        more = f" A plan spends what is above the reserve, {reserve}: that is {max(0, spend)} BP."
    return Ends(item, WAITS, turn.reason(code, **facts) + more)


def _told(seat: str, kingdom: Kingdom, ended: list[Ends], turn: Turn) -> Kingdom:
    """The kingdom with the waiting items as its plan; each item's result is told in the order listed."""
    for end in ended:
        turn.tell(seat, "plan", item=end.item.text, outcome=end.outcome, why=end.why)
    return replace(kingdom, plan=tuple(end.item.text for end in ended if end.outcome == WAITS))
