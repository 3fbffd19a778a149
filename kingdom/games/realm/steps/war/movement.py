"""Edict phase, after the edicts: armies move, all at once, and are told what to do. Rulings: movement, crossing.

An order `army` holds any of: the way (`move`), what the army does where it then stands (`then`, `target`) and how it
fights (`strategy`, `tactic`, `withdraw`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from kingdom.engine.refusal import Refusal
from kingdom.games.realm.armies import army_named, escorts, march_points, roused, with_army
from kingdom.games.realm.hexmap import Piers, neighbours, piers_of, step_along, step_cost, way
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, BattleOrders, Kingdom, World, replace
from kingdom.games.realm.steps.exploring.hazards import CLEAR, clear_problem
from kingdom.games.realm.steps.shared import book, each, listed, orders_of, with_revealed
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.sight import sees

if TYPE_CHECKING:
    from kingdom.games.realm.orders.to_armies import ArmiesArmy

REFUSALS = {
    "march_again": "{army} has its way already by an order before this one (ruling movement); give it one way a turn.",
    "army_escorting": "{army} escorts the expedition {expedition} and goes where that goes (ruling exploration); order "
    "it about when the expedition is back.",
    "march_unknown_hex": "There is no hex {hex} on the map (ruling movement); send {army} to one that is.",
    "march_not_adjacent": "{hex} is not beside {before} (ruling movement); name every hex of the way, each beside the "
    "one before, or the last hex alone.",
    "march_no_way": "No way that you know leads {army} from {here} to {hex} (ruling movement); name the hexes of the "
    "way one by one.",
    "march_water": "{army} can't put out to {hex}, which is water (ruling movement); go by a settlement of yours with "
    "a {buildings}.",
    "march_routed": "{army} was routed and begins no fight until a Loyalty check in Upkeep steadies it (ruling army_upkeep); "
    "let it garrison until then.",
    "march_reserve": "{army} rests in reserve, from which it can only garrison (ruling reserves); move it out, or "
    "disband it.",
    "march_mustered": "{army} was recruited or changed in this turn, so it stays in {hex} (ruling muster); send it from the next turn "
    "on. Until then it can do one of these: {deeds}.",
    "march_target_idle": "A target is for the deed attack, and {army} does not attack (ruling battle_order); write "
    "`then: attack` beside it.",
    "march_target_self": "{army} can't attack its own kingdom (ruling battle_order); name another kingdom, or "
    "monsters.",
    "march_target_gone": "There is no kingdom {target} in play (ruling battle_order); name one that is, or monsters.",
    "march_tactic": "{army} does not know the tactic {tactic} (ruling army_figures); it knows: {known}.",
}


ATTACK, GARRISON, MONSTERS = "attack", "garrison", "monsters"
HOSTILE = (ATTACK, "raid", "blockade")  # deeds that begin or provoke a fight


def army_problem(seat: str, kingdom: Kingdom, order: ArmiesArmy, world: World, rules: Rules) -> Refusal | None:
    """Why this order can't be given to the army, apart from its way."""
    if not rules.movement:
        return Refusal("armies_off", {})
    name = army_named(kingdom, order["army"])
    if not name:
        return Refusal("army_unknown", {"name": order["army"], "known": ", ".join(kingdom.armies) or "none"})
    army, deed = kingdom.armies[name], order.get("then")
    if key := escorts(kingdom, name):
        return Refusal("army_escorting", {"army": name, "expedition": key})
    if army.routed and deed in HOSTILE:
        return Refusal("march_routed", {"army": name})
    if army.mustered and rules.muster and (order.get("move") or deed not in (None, *rules.muster.deeds)):
        return Refusal("march_mustered", {"army": name, "hex": army.hex, "deeds": ", ".join(rules.muster.deeds)})
    if army.reserve and not order.get("move") and deed not in (None, GARRISON):
        return Refusal("march_reserve", {"army": name})
    if deed == CLEAR:
        there = (order.get("move") or [army.hex])[-1]
        if refusal := clear_problem(name, there, world, seat, rules):
            return refusal
    return _target_problem(seat, name, army, order, world) or _tactic_problem(name, army, order, rules)


def _target_problem(seat: str, name: str, army: Army, order: ArmiesArmy, world: World) -> Refusal | None:
    target = order.get("target")
    if not target:
        return None
    if (order.get("then") or army.deed) != ATTACK:
        return Refusal("march_target_idle", {"army": name})
    if target == seat:
        return Refusal("march_target_self", {"army": name})
    if target != MONSTERS and (target not in world.kingdoms or world.kingdoms[target].destroyed):
        return Refusal("march_target_gone", {"target": target})
    return None


def _tactic_problem(name: str, army: Army, order: ArmiesArmy, rules: Rules) -> Refusal | None:
    tactic = order.get("tactic")
    known = [word for word in rules.tactics if knows(army, word, rules)]
    if tactic and tactic not in known:
        return Refusal("march_tactic", {"army": name, "tactic": tactic, "known": ", ".join(known)})
    return None


def knows(army: Army, tactic: str, rules: Rules) -> bool:
    """Whether the army knows the tactic: every army knows it, its unit does, or the army learned it."""
    return rules.tactics[tactic].default or tactic in army.tactics or tactic in rules.units[army.unit].tactics


def told(army: Army, order: ArmiesArmy) -> Army:
    """The army with the order's deed, target and battle orders, which hold until another order changes them."""
    battle = BattleOrders(
        order.get("strategy", army.battle.strategy),
        order.get("tactic", army.battle.tactic),
        order.get("withdraw", army.battle.withdraw),
    )
    deed, target = order.get("then", army.deed), order.get("target")
    if target is None:
        target = "" if "then" in order else army.target
    return replace(army, battle=battle, deed=deed, target=target)


def whole_way(
    seat: str, kingdom: Kingdom, name: str, labels: Sequence[str], world: World, rules: Rules, foreseeing: bool = False
) -> list[str] | Refusal:
    """The hexes of the army's way, with its own hex and the goal; or why it can't go.

    labels: every hex of the way, or a single distant hex, which it reaches by the cheapest way over land that its kingdom
    knows. foreseeing: in a forecast, a label that the seat does not know may still be a hex.
    """
    here, piers = kingdom.armies[name].hex, piers_of(kingdom, rules)
    labels = list(labels[1:] if labels[0] == here else labels)
    missing = next((label for label in labels if label not in world.hexes), None)
    if missing and (not foreseeing or missing in neighbours(here)):  # an army would see it
        return Refusal("march_unknown_hex", {"army": name, "hex": missing})
    if len(labels) == 1 and labels[0] not in neighbours(here):
        path = _known_way(seat, kingdom, here, labels[0], world, rules, piers)
        return path or Refusal("march_no_way", {"army": name, "here": here, "hex": labels[0]})
    for before, label in pairwise([here, *labels]):
        if label not in neighbours(before):
            return Refusal("march_not_adjacent", {"before": before, "hex": label})
        if label in world.hexes and step_cost(before, label, world, rules, piers) is None:
            names = [rules.buildings[each].name for each in rules.water_hexes.buildings]
            return Refusal("march_water", {"army": name, "hex": label, "buildings": " or ".join(names)})
    return [here, *labels]


def _known_way(
    seat: str, kingdom: Kingdom, here: str, goal: str, world: World, rules: Rules, piers: Piers
) -> list[str] | None:
    """The cheapest way over hexes that the seat knows, avoiding known monsters."""
    seen = sees(world, seat, rules).union(kingdom.memory)

    def allowed(label: str) -> bool:
        return label in seen and (label == goal or not (label in kingdom.revealed and world.hexes[label].monsters))

    return way(here, goal, world, rules, allowed, piers)


def move_armies(world: World, turn: Turn) -> World:
    """Move every army that was sent somewhere as far as its points reach. On a longer way it needs a new order to go on. Its
    deed holds until another order changes it. Ruling: movement."""
    return each(world, turn, _move_all)


def _move_all(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    sent: set[str] = set()
    for path, order in listed(orders_of(turn, seat, kingdom).get("armies"), "armies"):
        if "army" in order:
            kingdom = _order(seat, kingdom, path, cast("ArmiesArmy", order), sent, world, turn)
    return kingdom


def _order(
    seat: str, kingdom: Kingdom, path: str, order: ArmiesArmy, sent: set[str], world: World, turn: Turn
) -> Kingdom:
    """The kingdom after the army carried out the order; `sent` holds the armies that have already moved this turn."""
    if refusal := army_problem(seat, kingdom, order, world, turn.rules):
        turn.refuse(seat, path, refusal.code, **refusal.facts)
        return kingdom
    name, labels = army_named(kingdom, order["army"]), order.get("move")
    if not labels:
        return with_army(kingdom, name, told(kingdom.armies[name], order))
    if name in sent:
        turn.refuse(seat, path, "march_again", army=name)
        return kingdom
    route = whole_way(seat, kingdom, name, labels, world, turn.rules, turn.foreseeing)
    if isinstance(route, Refusal):
        turn.refuse(seat, path, route.code, **route.facts)
        return kingdom
    sent.add(name)
    army = told(kingdom.armies[name], order)
    # the army goes as far as its points reach, but the first monsters stop it
    points = march_points(army, turn.rules)
    reached = step_along(route, 0, points, world, turn.rules)
    stop = next((place for place in range(1, reached) if world.hexes[route[place]].monsters), None)
    at = route[reached if stop is None else stop]
    if at != route[-1]:
        why = f"its {points} points took it no farther" if stop is None else "where it met monsters"
        text = f"{name} got as far as {at}: {why} (ruling movement). Order it on if it is to go on."
        turn.tell(seat, "changed", order=path, text=text)
    if at == army.hex:
        return with_army(kingdom, name, army)
    kingdom = with_army(kingdom, name, replace(roused(army), hex=at, came=army.hex))
    if army.reserve:
        book(turn, seat, kingdom, world.hexes, "reserve", f"{name} roused, it marches (ruling reserves)")
    return with_revealed(kingdom, at) if at in world.hexes and world.hexes[at].monsters else kingdom
