"""The consequences of a battle for a kingdom: wounded armies, lessons of victory, the price of defeat, lost commanders.

A commander who lost an army is killed, or captured and ransomed, or free to take over another army. Only commanders who have
learned something count; the others are simply replaced. Rulings: battle_order, defeat_lasting. Its kingdom checks are rolled as
`battle_loyalty-LABEL`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kingdom.engine.dice import GM
from kingdom.games.realm.armies import consumption, most_tactics, with_army, without_army
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.games.realm.state import (
    Army,
    Captive,
    Commander,
    Hex,
    Kingdom,
    Modifier,
    Pending,
    World,
    counted,
    replace,
    with_kingdoms,
)
from kingdom.games.realm.steps.shared import affordable, attempt, book, in_anarchy, most, word_settled
from kingdom.games.realm.steps.war.battle_sides import ARMY, OUTCOMES, ruling
from kingdom.games.realm.types import Turn

if TYPE_CHECKING:
    from kingdom.games.realm.steps.war.battle import Battle, Left

REFUSALS: dict[str, str] = {
    "ransom_unpaid": "The ransom costs {cost} BP and the treasury holds {treasury} (ruling affordable); the captive is given up. "
    "Have as much in the treasury when you promise to pay.",
}

DEFEATED = "army_defeated"
CAUSES = {
    "battle": "what a battle made of an army: its Consumption in this turn, or an army less",
    "army_defeated": "a lasting loss by the defeat of an army",
    "ransom": "the ransom of a captured commander",
    "commander": "a commander who takes over an army",
}


LOST = ("defeated", "surrendered")


def after_battle(
    seat: str, kingdom: Kingdom, battle: Battle, hexes: dict[str, Hex], turn: Turn, learns: bool = True
) -> Kingdom:
    """The kingdom after the battle: each of its armies that fought, as the battle left it, with all consequences booked and
    told.

    The caller moves the armies, and with `learns` False also applies the lessons of victory.
    """
    for left in battle.left.values():
        if left.seat == seat and left.kind == ARMY:
            kingdom = _after(left, seat, kingdom, battle, hexes, turn)
            if learns and left.outcome == "victorious" and left.name in kingdom.armies:
                kingdom = taught(left.name, seat, kingdom, battle.label, hexes, turn)
    return kingdom


def tell_battle(battle: Battle, turn: Turn) -> None:
    """Tell the battle, round by round, to every seat that took part, and to the GM: the notice `battle`."""
    ends = [f"{left.name} ({left.seat}) {left.outcome}" for left in battle.left.values()]
    left = [
        {"seat": each.seat, "name": each.name, "hp": each.hp, "outcome": each.outcome} for each in battle.left.values()
    ]
    facts: dict[str, object] = {"hex": battle.label, "rounds": list(battle.rounds), "left": left}
    for seat in sorted({each.seat for each in battle.left.values()} | {GM}):
        turn.tell(seat, "battle", text=f"Battle in {battle.label}: {', '.join(ends)} (ruling battle_order).", **facts)


def _after(left: Left, seat: str, kingdom: Kingdom, battle: Battle, hexes: dict[str, Hex], turn: Turn) -> Kingdom:
    army = kingdom.armies[left.name]
    if left.outcome in LOST:
        return _destroyed(left, army, seat, kingdom, battle, hexes, turn)
    army = replace(
        army, hp=left.hp, morale=army.morale + left.morale, resources=dict(left.resources), illness=army.illness + left.illness,
        fed=army.fed + left.fed, busy=True, rested=0, reserve=False, routed=army.routed or left.outcome == "routed",
    )  # fmt: skip
    kingdom = with_army(kingdom, left.name, army)
    if army.morale <= ruling(turn.rules).disbands_at:
        kingdom = without_army(kingdom, left.name)
        text = f"{left.name} goes home after its rout: its morale is {army.morale} (ruling battle_order)."
        turn.tell(seat, "news", text=text)
    detail = f"{left.name} {left.outcome} in {battle.label} (ruling battle_order)"
    return book(turn, seat, kingdom, hexes, "battle", detail)


# --- victory


def taught(army_name: str, seat: str, kingdom: Kingdom, label: str, hexes: dict[str, Hex], turn: Turn) -> Kingdom:
    """The kingdom after an army learned from a victory. Two Loyalty checks, each only if there is room for the lesson: the army
    learns a tactic or gains morale, and its commander learns a boon."""
    army, name = kingdom.armies[army_name], f"battle_loyalty-{label}"
    known = {*army.tactics, *turn.rules.units[army.unit].tactics}
    unknown = [word for word, tactic in turn.rules.tactics.items() if not tactic.default and word not in known]
    if len(known) >= most_tactics(army, turn.rules):
        unknown = []
    room = unknown or army.morale < ruling(turn.rules).most_morale
    if room and attempt(turn, seat, kingdom, hexes, "loyalty", name).success:
        army = _wiser(army_name, army, unknown, seat, label, turn)
        kingdom = with_army(kingdom, army_name, army)
    boons = [word for word in turn.rules.boons if word not in army.commander.boons]
    room = boons and len(army.commander.boons) < ruling(turn.rules).most_boons
    if room and attempt(turn, seat, kingdom, hexes, "loyalty", name).success:
        boon = _one_of(boons, seat, f"battle_boon-{label}", turn)
        army = replace(army, commander=replace(army.commander, boons=(*army.commander.boons, boon)))
        kingdom = with_army(kingdom, army_name, army)
        title = turn.rules.boons[boon].name
        turn.tell(seat, "news", text=f"The commander of {army_name} has learned: {title} (ruling battle_order).")
        detail = f"the commander of {army_name} knows {title} (ruling battle_order)"
        book(turn, seat, kingdom, hexes, "battle", detail)
    return kingdom


def _wiser(name: str, army: Army, unknown: list[str], seat: str, label: str, turn: Turn) -> Army:
    if unknown:
        tactic = _one_of(unknown, seat, f"battle_tactic-{label}", turn)
        turn.tell(seat, "news", text=f"{name} has learned: {turn.rules.tactics[tactic].name} (ruling battle_order).")
        return replace(army, tactics=(*army.tactics, tactic))
    battle = ruling(turn.rules)
    morale = min(battle.most_morale, army.morale + battle.victory_morale)
    turn.tell(seat, "news", text=f"{name} takes heart from its victory: morale {morale:+d} (ruling battle_order).")
    return replace(army, morale=morale)


def _one_of(words: list[str], seat: str, name: str, turn: Turn) -> str:
    return words[(turn.roll(seat, name, len(words)) or 1) - 1]


# --- defeat


def _destroyed(
    left: Left, army: Army, seat: str, kingdom: Kingdom, battle: Battle, hexes: dict[str, Hex], turn: Turn
) -> Kingdom:
    """The kingdom after losing an army: the price depends on the army's size, and a roll decides the commander's fate."""
    label = battle.label
    kingdom = without_army(kingdom, left.name)
    book(turn, seat, kingdom, hexes, "battle", f"{left.name} {left.outcome} in {label} (ruling battle_order)")
    text = f"{left.name}, {left.outcome} in {label}: {OUTCOMES[left.outcome]} (ruling battle_order)"
    modifiers = _price_of_defeat(army, kingdom, text, turn)
    turn.tell(seat, "news", text=f"{text}.{_until(modifiers)}")
    if modifiers:
        kingdom = replace(kingdom, modifiers=kingdom.modifiers + modifiers)
        book(turn, seat, kingdom, hexes, DEFEATED, f"{left.name} lost in {label} (ruling battle_order)")
    return lose_commander(left.name, army, seat, kingdom, _captor(left, seat, battle, turn), label, turn)


def _captor(left: Left, seat: str, battle: Battle, turn: Turn) -> str:
    """The kingdom that may capture the commander of a lost army, "" for none. Ruling: nobody_first."""
    victors = {each.seat for each in battle.left.values() if each.outcome == "victorious"} - {GM, seat}
    if turn.rules.nobody_first is None:
        return min(victors, default="")
    return most({victor: left.wounded_by.get(victor, 0) for victor in victors}, f"captor-{battle.label}-{seat}", turn)


def _price_of_defeat(army: Army, kingdom: Kingdom, text: str, turn: Turn) -> tuple[Modifier, ...]:
    """The kingdom with the loss of attributes that a lost army costs, and its end. Ruling: defeat_lasting."""
    ruling, price = turn.rules.defeat_lasting, turn.rules.army_sizes[army.size].defeat
    by = {attribute: getattr(price, attribute) for attribute in ATTRIBUTES}
    if ruling is None or ruling.changes == "for_ever":
        return tuple(Modifier(name, loss, DEFEATED, text, lasting=True) for name, loss in by.items() if loss)
    if ruling.most:
        for name in by:
            lost = sum(each.by for each in kingdom.modifiers if (each.cause, each.account) == (DEFEATED, name))
            by[name] = max(by[name], min(0, -ruling.most - lost))
    ends = turn.number + ruling.turns
    return tuple(Modifier(name, loss, DEFEATED, text, ends=ends) for name, loss in by.items() if loss)


def _until(modifiers: tuple[Modifier, ...]) -> str:
    """The cost of a defeat and its end, as told to the player; "" if the cost has no end."""
    if not modifiers or not modifiers[0].ends:
        return ""
    *others, last = [f"{modifier.account.capitalize()} {modifier.by:+d}" for modifier in modifiers]
    cost = f"{', '.join(others)} and {last}" if others else last
    return f" It costs {cost} until turn {modifiers[0].ends} begins (ruling defeat_lasting)."


# --- commanders -------------------------------------------------------------------------------------------------------


PAY, REFUSE = "pay", "refuse"


def lose_commander(name: str, army: Army, seat: str, kingdom: Kingdom, victor: str, label: str, turn: Turn) -> Kingdom:
    """The fate of the commander of an army that is destroyed, by percentile (roll `battle_commander-LABEL`).

    victor: the kingdom that may have captured the commander, "" for none: monsters take no ransom.
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
    """Event phase: captives are bought free or given up, and free commanders take over armies without a commander of note."""
    income: dict[str, int] = {}
    for seat in world.kingdoms:
        for key in world.kingdoms[seat].captives:
            # ransoms received this turn can't be spent before the next turn
            unspent = income.get(seat, 0) if turn.rules.nobody_first else 0
            world = _settle(seat, key, world, turn, unspent, income)
    changed = {
        seat: _take_over(seat, kingdom, world, turn)
        for seat, kingdom in world.kingdoms.items()
        if kingdom.commanders and kingdom.armies
    }
    return with_kingdoms(world, changed)


def _settle(seat: str, key: str, world: World, turn: Turn, unspent: int, income: dict[str, int]) -> World:
    """The world with one captive bought free or given up. unspent: BP of the treasury that may not be spent on it; income: seat
    -> ransoms received so far, to which this one is added."""
    kingdom = world.kingdoms[seat]
    captive = kingdom.captives[key]
    answer = REFUSE if in_anarchy(kingdom, turn) else word_settled(turn, seat, key, REFUSE)
    kingdom = replace(kingdom, captives={other: each for other, each in kingdom.captives.items() if other != key})
    purse = replace(kingdom, treasury=kingdom.treasury - unspent)
    if answer == PAY and not affordable(purse, captive.bp):
        turn.refuse(seat, f"answers.{key}", "ransom_unpaid", cost=captive.bp, treasury=purse.treasury)
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
        income[captive.by] = income.get(captive.by, 0) + captive.bp
        detail = f"{seat} buys a commander free (ruling battle_order)"
        book(turn, captive.by, changed[captive.by], world.hexes, "ransom", detail)
    return with_kingdoms(world, changed)


def _take_over(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    """The kingdom after its free commanders, in the order in which they came free, took over armies without a commander of
    note, in order of name."""
    waiting = list(kingdom.commanders)
    armies = dict(kingdom.armies)
    for name in sorted(name for name, army in armies.items() if army.commander == Commander()):
        if waiting:
            armies[name] = replace(armies[name], commander=waiting.pop(0))
            turn.tell(seat, "news", text=f"{name} has a commander who was in battle before (ruling battle_order).")
    kingdom = replace(kingdom, armies=armies, commanders=tuple(waiting))
    return book(turn, seat, kingdom, world.hexes, "commander", "a commander takes over an army (ruling battle_order)")
