"""Edict step 6: armies are recruited, expanded, equipped, repaired, disbanded and put in reserve.

Rulings: recruit_cost, reserves, caps_at_start, affordable. What such an order comes to is a Muster (muster.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.steps.shared import affordable, book, each, listed, orders_of
from kingdom.games.realm.steps.towns.construction import SETTLEMENTS
from kingdom.games.realm.steps.war.muster import KINDS, Muster, rules_of_armies
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.orders.to_armies import Armies

CAUSES = {
    "recruit": "an army recruited",
    "expand": "an army made larger",
    "equip": "an army equipped",
    "restore": "an army brought back to its full strength",
    "disband": "an army sent home, and what its resources were sold for",
    "reserve": "an army put in reserve, paid there, or roused from it",
}
REFUSALS = {
    "armies_off": "There are no armies in the rules of this campaign (ruling recruit_cost). Leave the order out.",
    "army_unknown": "{name} is no army of this kingdom (Edict step 6). Its armies: {known}.",
    "army_not_home": "{name} stands in {hex}, where no settlement of this kingdom is (Edict step 6). Bring it into one first.",
    "recruit_name_taken": "{name} is an army of this kingdom already (Edict step 6). Choose another name.",
    "recruit_unit": "{unit} can't be recruited (table units). What can: {known}.",
    "recruit_settlement": "{name} is no settlement of this kingdom (Edict step 6). Its settlements: {known}.",
    "recruit_limit": "It uses {slots} of this turn's settlements and armies, and {left} of {limit} are left at size {size} "
    "(ruling recruit_cost, ruling caps_at_start). Choose a smaller army, or order it next turn.",
    "recruit_unaffordable": "It costs {cost} BP and the treasury holds {treasury} (ruling recruit_cost, ruling affordable). "
    "Order it when there is enough, or leave out an order before it.",
    "expand_not_larger": "{name} is {size} already (Edict step 6). Name a larger size: {larger}.",
    "repair_whole": "{name} has all of its {hp} hit points (Edict step 6). Leave the order out.",
    "equip_needs": "{resource} needs one of these in {settlement} (table army_resources): {needs}. Build one there, or bring the "
    "army to a settlement that has one.",
    "equip_has": "{name} has {resource} already, and has no use for more (table army_resources). Leave the order out.",
    "disband_to_self": "{name} can't get its own resources (Edict step 6). Name another army, or leave `to` out.",
    "disband_to_elsewhere": "{other} stands in {there} and {name} in {hex}: resources are given on where both stand together "
    "(ruling army_figures). Name an army in {hex}, or leave `to` out: they are then sold.",
    "disband_to_larger": "{other} is {larger} and {name} {size}: resources go to an army of equal or smaller size (ruling army_figures). "
    "Name such a one, or leave `to` out: they are then sold.",
    "reserve_already": "{name} is in reserve already (ruling reserves). Leave the order out.",
    "reserve_no_room": "There is no room in {settlement} for a reserve army that is {size} (ruling reserves); rooms there: {rooms}, "
    "resting there: {resting}. Rooms are {holds}.",
}


def create_army_units(world: World, turn: Turn) -> World:
    """Edict step 6: every order that makes, changes or ends an army, in the order listed."""
    return each(world, turn, _muster_all)


def _muster_all(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    for path, order in listed(orders_of(turn, seat, kingdom).get("armies"), "armies"):
        kind = next((kind for kind in KINDS if kind in order), "")
        if not kind:  # an order to march and fight is for the steps that follow
            continue
        muster = muster_of(kingdom, kind, order, turn.rules)
        if isinstance(muster, Refusal):
            turn.refuse(seat, path, muster.code, **muster.facts)
            continue
        kingdom = mustered(kingdom, muster)
        book(turn, seat, kingdom, world.hexes, muster.cause, f"{muster.detail} (ruling {muster.ruling})")
    return kingdom


def muster_of(kingdom: Kingdom, kind: str, order: Armies, rules: Rules) -> Muster | Refusal:
    """What an order of that kind comes to, its limit and price included."""
    if not rules_of_armies(rules):
        return Refusal("armies_off", {})
    muster = KINDS[kind](kingdom, order, rules)
    return muster if isinstance(muster, Refusal) else _out_of_reach(kingdom, muster, rules) or muster


def _out_of_reach(kingdom: Kingdom, muster: Muster, rules: Rules) -> Refusal | None:
    limit = limits(kingdom, rules).settlements
    left = max(0, limit - kingdom.used.get(SETTLEMENTS, 0))
    if muster.slots > left:
        facts = {"slots": muster.slots, "left": left, "limit": limit, "size": kingdom.edict_size}
        return Refusal("recruit_limit", facts)
    if muster.cost > 0 and not affordable(kingdom, muster.cost):
        return Refusal("recruit_unaffordable", {"cost": muster.cost, "treasury": kingdom.treasury})
    return None


def mustered(kingdom: Kingdom, muster: Muster) -> Kingdom:
    """The kingdom after an order to an army: paid, counted against its limit. Not booked."""
    used = kingdom.used
    if muster.slots:
        used = {**used, SETTLEMENTS: used.get(SETTLEMENTS, 0) + muster.slots}
    return replace(kingdom, armies=muster.armies, treasury=kingdom.treasury - muster.cost, used=used)
