"""Commanders without an army: killed, captured and ransomed, or free to take over another one. Ruling: battle_order.

Only one who has learned something is worth it: the others are replaced by men like them.
"""

from __future__ import annotations

from kingdom.games.realm.state import Army, Captive, Commander, Kingdom, Pending, World, counted, replace, with_kingdoms
from kingdom.games.realm.steps.shared import affordable, book, in_anarchy, settled
from kingdom.games.realm.steps.war.army_figures import consumption
from kingdom.games.realm.steps.war.battle_sides import ruling
from kingdom.games.realm.types import Turn

CAUSES = {
    "ransom": "the ransom of a captured commander",
    "commander": "a commander who takes over an army",
}
REFUSALS = {
    "ransom_unpaid": "The ransom costs {cost} BP and the treasury holds {treasury} (ruling affordable); the captive is given up. "
    "Have as much in the treasury when you promise to pay.",
}
PAY, REFUSE = "pay", "refuse"


def lose_commander(name: str, army: Army, seat: str, kingdom: Kingdom, victor: str, label: str, turn: Turn) -> Kingdom:
    """The fate of the commander of an army that is destroyed, by percentile (roll `battle_commander-LABEL`).

    victor: the kingdom that may have captured him, "" for none: monsters take no ransom.
    """
    battle, leader = ruling(turn.rules), army.commander
    die = turn.roll(seat, f"battle_commander-{label}", battle.commander_die)
    fate = next(row.fate for row in battle.commander if (die or 1) <= row.up_to)
    fate = "killed" if fate == "captured" and not victor else fate
    turn.tell(seat, "news", text=f"The commander of {name}: {_FATES[fate]} (ruling battle_order).")
    if fate == "killed" or not leader.boons:
        return kingdom
    leader = replace(leader, unlucky=True)
    if fate == "escapes":
        return replace(kingdom, commanders=(*kingdom.commanders, leader))
    cost = consumption(replace(army, fed=0), turn.rules)
    kingdom, key = counted(kingdom, "ransom")
    question = f"{victor} holds the commander of {name} and wants {cost} BP for him."
    asked = Pending(key, question, (PAY, REFUSE), REFUSE)
    captive = Captive(leader, victor, cost)
    return replace(kingdom, pending=(*kingdom.pending, asked), captives={**kingdom.captives, key: captive})


_FATES = {"killed": "he is dead", "captured": "he is a captive", "escapes": "he got away"}


def ransoms(world: World, turn: Turn) -> World:
    """Event phase: captives are bought free or given up, and commanders without an army take over one that needs them."""
    for seat in world.kingdoms:
        for key in world.kingdoms[seat].captives:
            world = _settle(seat, key, world, turn)
    changed = {
        seat: _take_over(seat, kingdom, world, turn)
        for seat, kingdom in world.kingdoms.items()
        if kingdom.commanders and kingdom.armies
    }
    return with_kingdoms(world, changed)


def _settle(seat: str, key: str, world: World, turn: Turn) -> World:
    kingdom = world.kingdoms[seat]
    captive = kingdom.captives[key]
    answer = REFUSE if in_anarchy(kingdom, turn) else settled(turn, seat, key, REFUSE)
    kingdom = replace(kingdom, captives={other: each for other, each in kingdom.captives.items() if other != key})
    if answer == PAY and not affordable(kingdom, captive.bp):
        turn.refuse(seat, f"answers.{key}", "ransom_unpaid", cost=captive.bp, treasury=kingdom.treasury)
        answer = REFUSE
    if answer != PAY:
        return with_kingdoms(world, {seat: kingdom})
    kingdom = replace(
        kingdom, treasury=kingdom.treasury - captive.bp, commanders=(*kingdom.commanders, captive.commander)
    )
    book(turn, seat, kingdom, world.hexes, "ransom", f"a commander bought free from {captive.by} (ruling battle_order)")
    changed = {seat: kingdom}
    captor = world.kingdoms.get(captive.by)
    if captor and not captor.destroyed:
        changed[captive.by] = replace(captor, treasury=captor.treasury + captive.bp)
        detail = f"{seat} buys a commander free (ruling battle_order)"
        book(turn, captive.by, changed[captive.by], world.hexes, "ransom", detail)
    return with_kingdoms(world, changed)


def _take_over(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    """Commanders in the order in which they came free; armies led by nobody of note, first by name."""
    waiting = list(kingdom.commanders)
    armies = dict(kingdom.armies)
    for name in sorted(name for name, army in armies.items() if army.commander == Commander()):
        if waiting:
            armies[name] = replace(armies[name], commander=waiting.pop(0))
            turn.tell(seat, "news", text=f"{name} has a commander who was in battle before (ruling battle_order).")
    kingdom = replace(kingdom, armies=armies, commanders=tuple(waiting))
    book(turn, seat, kingdom, world.hexes, "commander", "a commander takes over an army (ruling battle_order)")
    return kingdom
