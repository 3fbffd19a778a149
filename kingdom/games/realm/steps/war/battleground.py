"""All who fight in one battle: who is whose enemy, whom each attacks, and their checks of morale."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kingdom.games.realm.rules.battle_tables import Morale
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.steps.war.battle_fighter import Fighter, Moment, effects
from kingdom.games.realm.steps.war.battle_sides import ruling

Roll = Callable[[str, str, int], int]  # (seat, name of the roll, sides) -> the die


class Ground(NamedTuple):
    """A battle under way: its fighters by seat and name, and its dice."""

    label: str
    terrain: str
    fighters: tuple[Fighter, ...]
    roll: Roll
    rules: Rules

    def throw(self, fighter: Fighter, what: str, sides: int) -> int:
        """A die of the fighter's seat: offense, morale, damage or siege."""
        return self.roll(fighter.side.seat, f"battle-{self.label}-{what}", sides)

    def moment(self, melee: int) -> Moment:
        """The phase that it is: 0 is the ranged one."""
        return Moment(self.rules, self.terrain, melee)

    @property
    def up(self) -> list[Fighter]:
        """Who still fights."""
        return [fighter for fighter in self.fighters if fighter.up]

    def enemies(self, me: Fighter) -> list[Fighter]:
        """Who still fights against `me`: those it wants to fight, and those who want to fight it."""
        return [foe for foe in self.up if hostile(me, foe)]

    def target(self, me: Fighter, among: list[Fighter] | None = None) -> Fighter | None:
        """Whom `me` attacks: the enemy with the highest ACR that it wants to fight, by name where two have it; else any."""
        foes = self.enemies(me) if among is None else [foe for foe in among if hostile(me, foe)]
        return min(
            foes, key=lambda foe: (not wants(me, foe), -foe.side.acr, foe.side.name, foe.side.seat), default=None
        )  # fmt: skip

    def over(self) -> bool:
        """Whether nobody who fights has an enemy left."""
        return not any(self.enemies(fighter) for fighter in self.up)


def wants(me: Fighter, foe: Fighter) -> bool:
    """Whether `me` wants to fight it: a seat that it was sent against, or without such the other side."""
    if me.side.seat == foe.side.seat:
        return False
    return foe.side.seat in me.side.foes if me.side.foes else me.defends != foe.defends


def hostile(me: Fighter, foe: Fighter) -> bool:
    """Whether they fight each other: one of them wants to."""
    return wants(me, foe) or wants(foe, me)


def holds(ground: Ground, me: Fighter, dc: int, check: str, moment: Moment) -> bool:
    """A check of morale against `dc`; a note tells it."""
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
    """The total of a roll of morale: the die, the morale of army and commander, what specials, boons and tactics add."""
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
