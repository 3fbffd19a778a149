"""One battle: tactics, one round of shooting, then melee until no fighter has an enemy. Pure. Ruling: battle_order.

Within a phase all attack at once: damage counts when all have attacked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kingdom.engine.dice import GM
from kingdom.games.realm.rules.battle_tables import Breach, Feeds, Regrow
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.steps.shared import by_lot
from kingdom.games.realm.steps.war.battle_attacks import Blow, Ground, Roll, frighten, hostile, land, strikes
from kingdom.games.realm.steps.war.battle_fighter import Fighter, Moment, effects
from kingdom.games.realm.steps.war.battle_phases import (
    begin,
    besiege,
    change,
    fall,
    feign,
    flee,
    heal,
    leave,
    taunt,
    turn_over,
    waver,
)
from kingdom.games.realm.steps.war.battle_sides import MONSTERS, Side, ruling
from kingdom.games.realm.steps.war.conquest import engines


class Left(NamedTuple):
    """A side after a battle. morale: the change of its morale; fed: the Consumption that the battle adds this turn;
    wounded_by: seat -> the hit points that its blows took off."""

    seat: str
    name: str
    kind: str
    hp: int
    outcome: str
    morale: int = 0
    resources: Mapping[str, int] = {}
    illness: int = 0
    fed: int = 0
    wounded_by: Mapping[str, int] = {}


class Battle(NamedTuple):
    """A fought battle. left: (seat, name) -> that side after the battle. rounds: each phase as plain data, first the phase
    `tactics`: {phase, round, sides: [{seat, name, strategy, tactic, target, die, check, dv, damage, hp, notes}]}."""

    label: str
    rounds: tuple[dict[str, object], ...]
    left: dict[tuple[str, str], Left]


def fight(
    attackers: Sequence[Side], defenders: Sequence[Side], roll: Roll, rules: Rules, label: str, terrain: str
) -> Battle:
    """Fight one battle to its end, or to the most rounds that the ruling allows.

    Sides of one seat are never enemies. Two other sides are enemies if one has the other among its `foes`, or has no `foes` and
    stands on the other side. terrain: some are high ground, which helps defenders. roll: (seat, name, sides) -> the die. The order of the given sides makes no difference.
    """
    fighters = [
        Fighter(side, bool(defends), len(engines(side.resources, rules)))
        for defends, sides in enumerate((attackers, defenders))
        for side in sides
    ]
    places = _places(fighters, roll, rules, label)
    fighters.sort(key=lambda each: (places.get(each.side.seat, 0), each.side.key))
    ground = Ground(label, terrain, tuple(fighters), roll, rules, places)
    for me in ground.fighters:
        begin(ground, me)
    rounds = [_told("tactics", 0, ground, [], list(ground.fighters))]
    for number in range(ruling(rules).rounds):
        if ground.over():
            break
        rounds += _phase(ground, ground.moment(number), number)
    _settle(ground)
    return Battle(label, tuple(rounds), {me.side.key: _left(me, rules) for me in ground.fighters})


def _places(fighters: Sequence[Fighter], roll: Roll, rules: Rules, label: str) -> dict[str, int]:
    """Seat -> its place wherever an order matters: defenders before attackers, several of one role by lot, monsters last. {} if
    the ruling nobody_first is off: then seats go by name.
    """
    if rules.nobody_first is None:
        return {}
    roles = {(me.side.seat, me.defends) for me in fighters if me.side.seat != GM}
    order = [seat for seat, _ in sorted(roles, key=lambda role: not role[1])]
    if len(roles) > 2 or len({defends for _, defends in roles}) < len(roles):
        name = f"battle-{label}-lot"
        order = by_lot({seat for seat, _ in roles}, lambda seat, sides: roll(seat, name, sides), rules)
    return {seat: place for place, seat in enumerate([*order, GM])}


def _phase(ground: Ground, moment: Moment, number: int) -> list[dict[str, object]]:
    """Play one phase: preparations, all attacks at once, their consequences. Returns rows of the table of the battle."""
    there = ground.up
    bleeding = {me.side.key: turn_over(me) for me in there}
    for me in there:
        heal(me, ground)
    for me in there:
        change(ground, me, moment)
    leaving = leave(ground, moment)
    besiege(ground, moment)
    taunt(ground, moment)
    feign(ground, moment)
    blows = _attacks(ground, moment)
    hurt = land(ground, blows, bleeding, moment)
    routs = frighten(ground, blows, moment)
    fall(ground)
    routs += [me for me in waver(ground, hurt, moment) if me not in routs]
    for me in leaving:
        me.outcome = me.outcome or ("defeated" if me.last_stand else "withdrew")
    rows = [_told(moment.phase, number, ground, blows, there)]
    last = flee(ground, routs, moment)
    for blow in last:
        blow.foe.hp = max(0, blow.foe.hp)
    return rows + ([_told("pursuit", number, ground, last, there)] if routs else [])


def _attacks(ground: Ground, moment: Moment) -> list[Blow]:
    """The attacks of all who can attack, based on how everybody stands before the first attack."""
    able = [me for me in ground.up if not me.dazed and (moment.melee or me.side.ranged)]
    pairs = [(me, ground.target(me)) for me in able]
    for me, foe in pairs:
        if foe is not None and me.challenged == ("", ""):
            me.challenged = foe.side.key
    return strikes(ground, pairs, moment)


def _told(phase: str, number: int, ground: Ground, blows: list[Blow], there: list[Fighter]) -> dict[str, object]:
    """A phase as a row of the table of the battle; moves the fighters' notes into the row."""
    struck = {blow.me.side.key: blow for blow in blows}
    sides = []
    for me in there:
        blow = struck.get(me.side.key)
        attack = (
            (blow.foe.side.name, blow.die, blow.check, blow.dv, blow.damage) if blow else ("", None, None, None, None)
        )
        notes, me.notes = me.notes + ([me.outcome] if me.outcome else []), []
        sides.append({
            "seat": me.side.seat, "name": me.side.name, "strategy": me.strategy, "tactic": me.tactic,
            **dict(zip(("target", "die", "check", "dv", "damage"), attack, strict=True)), "hp": max(0, me.hp), "notes": notes,
        })  # fmt: skip
    return {"phase": phase, "round": number, "sides": sides}


def _settle(ground: Ground) -> None:
    """Set the outcome of those who stand at the end: victorious if no enemy stands. Fighters that only ferocity kept fighting
    are defeated after the battle."""
    for me in ground.up:
        if me.last_stand:
            me.outcome = "defeated"
    for me in ground.fighters:
        rises = any(regrow.rises for _, regrow in effects(me, Regrow, ground.rules))
        if me.outcome == "defeated" and rises and not ground.enemies(me):
            me.outcome, me.hp, me.last_stand = "", 1, False
    for me in ground.up:
        beaten = any(hostile(me, foe) and not foe.up for foe in ground.fighters)
        me.won = beaten and not ground.enemies(me)
    for me in ground.up:
        me.outcome = "victorious" if me.won else "undecided"


def _left(me: Fighter, rules: Rules) -> Left:
    """The side after the battle; a side that won or routed has at least as many hit points as its ACR."""
    side, hp = me.side, max(0, me.hp)
    if me.outcome in ("victorious", "routed") and side.kind != MONSTERS:
        hp = max(hp, min(side.full_hp, side.level))
    resources = dict(side.resources.items())
    for name, _ in effects(me, Breach, rules):
        resources[name] = me.engines
    fed = me.fed + (
        sum(feeds.consumption for _, feeds in effects(me, Feeds, rules)) if me.outcome == "victorious" else 0
    )
    morale = ruling(rules).after_rout if me.outcome == "routed" else 0
    kept = {name: count for name, count in resources.items() if count}
    return Left(side.seat, side.name, side.kind, hp, me.outcome, morale, kept, me.illness, fed, me.wounded_by)
