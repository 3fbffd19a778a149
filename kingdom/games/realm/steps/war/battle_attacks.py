"""Attacks in a battle: enemies, checks of morale, the offense check against DV, the damage, and the side effects of wounds.
Ruling: battle_order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from kingdom.games.realm.armies import number
from kingdom.games.realm.rules.battle_tables import Body, Evasion, Fear, Morale, OnDamage, Siegebreaker, Spawns
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.steps.war.battle_fighter import (  # fmt: skip
    Fighter,
    Moment,
    bonuses,
    defense,
    effects,
    immune,
    kind_of,
    magical,
    offense,
)
from kingdom.games.realm.steps.war.battle_sides import ARMY, MILITIA, ruling

Roll = Callable[[str, str, int], int]  # (seat, name of the roll, sides) -> the die


class Ground(NamedTuple):
    """A battle under way: its fighters in order, and its dice.

    places: seat -> its place in that order; {} if fighters go by name.
    """

    label: str
    terrain: str
    fighters: tuple[Fighter, ...]
    roll: Roll
    rules: Rules
    places: Mapping[str, int] = {}

    def throw(self, fighter: Fighter, what: str, sides: int) -> int:
        """Throw a die of the fighter's seat. what: offense, morale, damage or siege."""
        return self.roll(fighter.side.seat, f"battle-{self.label}-{what}", sides)

    def moment(self, melee: int) -> Moment:
        """The phase of that melee round; 0 is the ranged phase."""
        return Moment(self.rules, self.terrain, melee)

    @property
    def up(self) -> list[Fighter]:
        """The fighters who still fight."""
        return [fighter for fighter in self.fighters if fighter.up]

    def enemies(self, me: Fighter) -> list[Fighter]:
        """The fighters still fighting against `me`: those that `me` wants to fight, and those that want to fight `me`."""
        return [foe for foe in self.up if hostile(me, foe)]

    def target(self, me: Fighter, among: list[Fighter] | None = None) -> Fighter | None:
        """The enemy that `me` attacks: of those it wants to fight the one with the highest ACR, then the first in order; else
        any other enemy by the same rule."""
        foes = self.enemies(me) if among is None else [foe for foe in among if hostile(me, foe)]

        def rank(foe: Fighter) -> tuple[bool, float, int, str, str]:
            place = self.places.get(foe.side.seat, 0)
            return not wants(me, foe), -foe.side.acr, place, foe.side.name, foe.side.seat

        return min(foes, key=rank, default=None)

    def over(self) -> bool:
        """Whether no fighter has an enemy left."""
        return not any(self.enemies(fighter) for fighter in self.up)


def wants(me: Fighter, foe: Fighter) -> bool:
    """Whether `me` wants to fight `foe`: the foe's seat is among its `foes`, or `me` has no `foes` and the foe is on the other
    side."""
    if me.side.seat == foe.side.seat:
        return False
    return foe.side.seat in me.side.foes if me.side.foes else me.defends != foe.defends


def hostile(me: Fighter, foe: Fighter) -> bool:
    """Whether the two fight each other, which needs only one that wants to."""
    return wants(me, foe) or wants(foe, me)


def holds(ground: Ground, me: Fighter, dc: int, check: str, moment: Moment) -> bool:
    """Make a check of morale against `dc`, and note it in the report."""
    own = [effect for _, effect in _morale(me, check, False, moment)]
    if any(effect.always for effect in own):
        return True
    for _ in range(2 if any(effect.again for effect in own) else 1):
        total = morale(ground, me, check, moment)
        me.notes.append(f"morale {total} against {dc} ({check})")
        if total >= dc:
            return True
    return False


def morale(ground: Ground, me: Fighter, check: str, moment: Moment) -> int:
    """The total of a roll of morale: the die, the morale of army and commander, and the points of specials, boons and
    tactics."""
    points = me.side.morale
    for _, effect in _morale(me, check, False, moment):
        points += effect.by + (me.side.level if effect.acr else 0)
    for foe in ground.enemies(me):
        points += sum(effect.by for _, effect in _morale(foe, check, True, moment))
    return points + ground.throw(me, "morale", ruling(ground.rules).die)


def _morale(me: Fighter, check: str, enemy: bool, moment: Moment) -> list[tuple[str, Morale]]:
    return [
        (name, effect)
        for name, effect in effects(me, Morale, moment.rules)
        if effect.enemy == enemy and (not effect.checks or check in effect.checks)
        if not effect.until or moment.melee <= effect.until
    ]


# --- attacks ----------------------------------------------------------------------------------------------------------


class Blow(NamedTuple):
    """An attack. check: die + OM; damage: hit points that the attack takes off the enemy."""

    me: Fighter
    foe: Fighter
    die: int
    check: int
    dv: int
    damage: int


def strikes(ground: Ground, pairs: list[tuple[Fighter, Fighter | None]], moment: Moment) -> list[Blow]:
    """The attacks of a phase, one for each pair of attacker and enemy; their damage does not count yet."""
    dealt: dict[str, int] = {}
    for fighter in ground.fighters:
        fighter.exposed = 0
    for me, foe in pairs:
        if foe is not None:
            foe.exposed = min(foe.exposed, sum(bonus.enemy_dv for _, bonus in bonuses(me, foe, moment)))
    return [_strike(ground, me, foe, moment, dealt) for me, foe in pairs if foe is not None]


def _strike(ground: Ground, me: Fighter, foe: Fighter, moment: Moment, dealt: dict[str, int]) -> Blow:
    """One offense check of `me` against that enemy. dealt: seat -> damage already dealt by its armies of less than one hit
    point."""
    battle = ruling(ground.rules)
    die = ground.throw(me, "offense", battle.die)
    check, dv, damage = die + offense(me, foe, moment), defense(foe, me, moment), 0
    if check > dv:
        points, dice = _more_damage(ground, me, foe, moment)
        damage = max(battle.least_damage, check - dv + points + dice)
        damage = min(damage, _most(me, damage, dealt, ground.rules) + dice)
    elif die == battle.lucky_face:
        damage = _most(me, battle.lucky_damage, dealt, ground.rules)
    if die == battle.unlucky_face:
        me.dazes = True
        me.notes.append("stumbles and will not attack in the next phase")
    for _, body in effects(foe, Body, ground.rules):
        damage = int(damage * number(body.magical if magical(me, ground.rules) else body.not_magical))
    return Blow(me, foe, die, check, dv, damage)


def _most(me: Fighter, damage: int, dealt: dict[str, int], rules: Rules) -> int:
    """The most of that damage that `me` may deal, without bonus dice. Ruling: damage_cap."""
    if rules.damage_cap is None or me.side.kind not in (ARMY, MILITIA):
        return damage
    if me.hp > 0 and not me.side.slight:
        return min(damage, me.hp)
    before = dealt.get(me.side.seat, 0)
    damage = min(damage, rules.damage_cap.together - before)
    dealt[me.side.seat] = before + damage
    return damage


def _more_damage(ground: Ground, me: Fighter, foe: Fighter, moment: Moment) -> tuple[int, int]:
    """(points, dice) that strategy and bonuses add to the damage."""
    points, dice = ground.rules.strategies[me.strategy].damage, 0
    for _, bonus in bonuses(me, foe, moment):
        thrown = ground.throw(me, "damage", bonus.die) if bonus.die else 0
        for _, evasion in effects(foe, Evasion, ground.rules) if bonus.magic else ():
            thrown //= evasion.divisor
        points, dice = points + bonus.damage, dice + thrown
    return points, dice


def land(
    ground: Ground, blows: list[Blow], bleeding: dict[tuple[str, str], list[int]], moment: Moment
) -> set[tuple[str, str]]:
    """Apply all damage of a phase at once, also from older wounds, then the side effects of wounds.

    Returns the (seat, name) of everyone who lost hit points.
    """
    hurt = set()
    for fighter in ground.up:
        for sides in bleeding.get(fighter.side.key, ()):
            loss = ground.throw(fighter, "damage", sides)
            fighter.hp -= loss
            fighter.notes.append(f"loses {loss} hp to earlier wounds")
            hurt.add(fighter.side.key)
    for blow in blows:
        hit(blow)
        if blow.damage:
            hurt.add(blow.foe.side.key)
    for blow in blows:
        # a bonus that counts once is used up, even by an attack without damage
        used = {name for name, bonus in bonuses(blow.me, blow.foe, moment) if bonus.once}
        blow.me.spent |= used
        if blow.damage:
            _wound(ground, blow, moment)
    return hurt


def hit(blow: Blow) -> None:
    """Take the damage off the enemy's hit points, and remember whose it was."""
    me, foe = blow.me.side.seat, blow.foe
    foe.hp -= blow.damage
    foe.wounded_by[me] = foe.wounded_by.get(me, 0) + blow.damage


def _wound(ground: Ground, blow: Blow, moment: Moment) -> None:
    """Apply the side effects of a wound to the enemy, and the attacker's gain from it."""
    me, foe, rules = blow.me, blow.foe, ground.rules
    for name, effect in effects(me, OnDamage, rules):
        seen = foe.wounds.get((*me.side.key, name), 0)
        if (effect.most and seen >= effect.most) or (effect.ailment and immune(foe, effect.ailment, rules)):
            continue
        foe.wounds[(*me.side.key, name)] = seen + 1
        foe.lost_om += effect.om
        foe.lost_dv += effect.dv
        foe.illness += effect.illness
        foe.lingering += [effect.die] if effect.die else []
        foe.notes.append(f"suffers: {rules.army_specials[name].name.lower()}")
    for _, breaker in effects(me, Siegebreaker, rules):
        if foe.engines:
            again = ground.throw(me, "offense", ruling(rules).die) + offense(me, foe, moment)
            foe.engines = max(0, foe.engines - (breaker.engines if again > blow.dv else 0))
            me.notes.append(f"goes for the siege engines, {again} against {blow.dv}")
    for _, spawns in effects(me, Spawns, rules):
        if foe.hp <= 0 and foe.side.acr >= me.side.acr and kind_of(foe, rules) == "living":
            me.hp = min(me.side.full_hp, me.hp + int(number(spawns.acr) * me.side.level))
            me.notes.append("grows by the fallen")


def frighten(ground: Ground, blows: list[Blow], moment: Moment) -> list[Fighter]:
    """Make checks of morale for fighters wounded by fearsome enemies. Returns the armies that rout from fear."""
    routs = []
    for blow in blows:
        for _, fear in effects(blow.me, Fear, ground.rules) if blow.damage else ():
            foe = blow.foe
            if foe.hp <= 0 or immune(foe, "fear", ground.rules):
                continue
            if not holds(ground, foe, fear.dc + blow.me.side.level, "fear", moment):
                foe.dazes, foe.scared = True, foe.scared + 1
                foe.notes.append("is afraid and will not attack in the next phase")
                routs += [foe] if foe.scared >= fear.routs_after and foe.side.kind == ARMY else []
    return routs
