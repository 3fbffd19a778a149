"""A side during a battle, and what its strategy, tactic, specials, boons and resources add up to against an enemy.

A Fighter is the only thing in a battle that changes; it never leaves battle.py and its modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from kingdom.games.realm.armies import number
from kingdom.games.realm.rules.army_tables import ArmyResource, ArmySpecial, Boon, Tactic
from kingdom.games.realm.rules.battle_tables import (
    BattleEffect,
    Body,
    Bonus,
    Breach,
    Evasion,
    FalseRetreat,
    HalvesGround,
    IgnoresDefense,
    Magic,
    Nature,
    Shoots,
    Taunt,
    Withdraws,
)  # fmt: skip
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.steps.war.battle_sides import MONSTERS, Side, ruling

RANGED, MELEE = "ranged", "melee"
Code = TypeVar("Code", bound=BattleEffect)


class Moment(NamedTuple):
    """A phase of a battle. melee: the number of the melee round, 0 in the ranged phase."""

    rules: Rules
    terrain: str
    melee: int = 0

    @property
    def phase(self) -> str:
        """`ranged` or `melee`."""
        return MELEE if self.melee else RANGED


class Fighter:
    """A side and its state so far in the battle.

    outcome: "" while it fights. lost_om, lost_dv: changes for the rest of the battle. lingering: dice of hit points that it
    loses in the next phase. dazed, dazes: it does not attack in this phase, in the next phase. spent: names of the effects that
    it used up; used: name of a cure -> how often it healed. wounds: (enemy, effect) -> how often the effect struck it; scared:
    how often fear did. mocked: taunters against whom its points are lower in this phase; proof: taunter -> how often it
    resisted. feint: the enemy against whom its false retreat counts now, "" for nobody; feints: the same from the next phase.
    breached: points that engines took off its fortifications. dug: it has dug under the greatest fortification of an enemy.
    strain: the OM that healing costs it in this phase. exposed: the change of its DV, against all attackers, that one enemy's
    effect causes. fleeing: it routs or withdraws in this phase. wounded_by: seat -> the damage that its blows did here.
    last_stand: only ferocity keeps it fighting.
    """

    def __init__(self, side: Side, defends: bool, engines: int = 0):
        self.side = side
        self.defends = defends
        self.engines = engines
        self.hp = side.hp
        self.strategy = ""
        self.tactic = ""
        self.outcome = ""
        self.lost_om = 0
        self.lost_dv = 0
        self.lingering: list[int] = []
        self.dazed = False
        self.dazes = False
        self.spent: set[str] = set()
        self.used: dict[str, int] = {}
        self.wounds: dict[tuple[str, str, str], int] = {}
        self.scared = 0
        self.mocked: set[tuple[str, str]] = set()
        self.proof: dict[tuple[str, str], int] = {}
        self.challenged: tuple[str, str] = ("", "")
        self.feint: tuple[str, str] = ("", "")
        self.feints: tuple[str, str] = ("", "")
        self.breached = 0
        self.dug = False
        self.strain = 0
        self.exposed = 0
        self.fleeing = False
        self.last_stand = False
        self.fed = 0
        self.illness = 0
        self.wounded_by: dict[str, int] = {}
        self.won = False
        self.notes: list[str] = []

    @property
    def up(self) -> bool:
        """Whether it still fights."""
        return not self.outcome


def effects(fighter: Fighter, kind: type[Code], rules: Rules) -> Iterator[tuple[str, Code]]:
    """(name of the special, boon, resource or tactic, effect) for each effect of that kind that the fighter has now."""
    side = fighter.side
    rows: list[tuple[str, ArmySpecial | Boon | ArmyResource | Tactic]] = [
        (name, rules.army_specials[name]) for name in side.specials
    ]
    rows += [(name, rules.boons[name]) for name in side.boons if able(side, rules.boons[name].needs)]
    rows += [(name, rules.army_resources[name]) for name in side.resources]
    if fighter.tactic:
        rows.append((fighter.tactic, rules.tactics[fighter.tactic]))
    for name, row in rows:
        for effect in row.effects:
            if isinstance(effect, kind):
                yield name, effect


def has(fighter: Fighter, kind: type[BattleEffect], rules: Rules) -> bool:
    """Whether the fighter has an effect of that kind."""
    return any(True for _ in effects(fighter, kind, rules))


def able(side: Side, needs: str) -> bool:
    """Whether the side has what a tactic or boon needs: `mounted`, `ranged` or nothing."""
    return not needs or (side.ranged if needs == RANGED else side.mounted)


def weak(fighter: Fighter, rules: Rules) -> bool:
    """Whether so few of its hit points are left that it fights more carefully."""
    return fighter.hp * 100 <= fighter.side.full_hp * ruling(rules).weak_at


def offense(me: Fighter, foe: Fighter, moment: Moment) -> int:
    """The points that `me` adds to its offense check against `foe`."""
    rules = moment.rules
    points = me.side.om - lost_engines(me, rules) + rules.strategies[me.strategy].om + me.lost_om - me.strain
    points += sum(_magic(bonus, bonus.om, foe, rules) for _, bonus in bonuses(me, foe, moment))
    points += sum(retreat.om for _, retreat in effects(me, FalseRetreat, rules)) if me.feint == foe.side.key else 0
    points += sum(taunt.om for _, taunt in effects(foe, Taunt, rules)) if foe.side.key in me.mocked else 0
    return points + _leaving(me, "om", rules)


def defense(me: Fighter, foe: Fighter, moment: Moment) -> int:
    """The DV of `me` against an attack by `foe`."""
    rules = moment.rules
    points = me.side.dv + rules.strategies[me.strategy].dv + me.lost_dv + me.exposed
    points += sum(bonus.dv for _, bonus in bonuses(me, foe, moment))
    points += sum(retreat.dv for _, retreat in effects(me, FalseRetreat, rules)) if me.feint == foe.side.key else 0
    points += sum(taunt.dv for _, taunt in effects(foe, Taunt, rules)) if foe.side.key in me.mocked else 0
    points += _leaving(me, "dv", rules) + fortified(me, foe, rules) + _ground(me, foe, moment)
    return points - (me.side.armor if any(body.through_armor for _, body in effects(foe, Body, rules)) else 0)


def bonuses(me: Fighter, foe: Fighter, moment: Moment) -> Iterator[tuple[str, Bonus]]:
    """The bonuses of `me` that count in this phase against `foe`."""
    for name, bonus in effects(me, Bonus, moment.rules):
        own = _in_phase(bonus, moment) and _of_itself(me, name, bonus, moment.rules)
        if own and _against(me, foe, name, bonus, moment.rules):
            yield name, bonus


def helps(me: Fighter, foe: Fighter, bonus: Bonus, name: str, rules: Rules) -> bool:
    """Whether a bonus of a tactic would count against that enemy, in some phase."""
    return not (bonus.once and name in me.spent) and _against(me, foe, name, bonus, rules)


def _in_phase(bonus: Bonus, moment: Moment) -> bool:
    if bonus.phase == "any":
        return True
    if bonus.phase == "first_melee":
        return moment.melee == 1
    if bonus.phase == "later_melee":
        return moment.melee > 1
    return bonus.phase == moment.phase


def _of_itself(me: Fighter, name: str, bonus: Bonus, rules: Rules) -> bool:
    """Whether the fighter itself meets the conditions of the bonus."""
    if bonus.once and name in me.spent:
        return False
    if bonus.tactics and me.tactic not in bonus.tactics:
        return False
    return not bonus.bloodied or weak(me, rules)


def _against(me: Fighter, foe: Fighter, name: str, bonus: Bonus, rules: Rules) -> bool:
    """Whether the enemy meets the conditions of the bonus."""
    if bonus.units and foe.side.unit not in bonus.units:
        return False
    test = _TESTS.get(bonus.against)
    return test is None or test(me, foe, name, rules)


def kind_of(fighter: Fighter, rules: Rules) -> str:
    """The fighter's nature: living, undead or construct."""
    return next((nature.kind for _, nature in effects(fighter, Nature, rules) if nature.kind != "living"), "living")


def immune(fighter: Fighter, ailment: str, rules: Rules) -> bool:
    """Whether the fighter is immune to that ailment."""
    return any(ailment in nature.immune for _, nature in effects(fighter, Nature, rules))


def magical(fighter: Fighter, rules: Rules) -> bool:
    """Whether it fights with magic: with spells or with magic weapons."""
    return has(fighter, Magic, rules) or casts(fighter, rules)


def casts(fighter: Fighter, rules: Rules) -> bool:
    """Whether it fights with spells."""
    return any(shot.magic for _, shot in effects(fighter, Shoots, rules))


def fortified(me: Fighter, foe: Fighter, rules: Rules) -> int:
    """The DV that fortifications give `me` against `foe`, without those that `foe` ignores."""
    parts = dict(me.side.defense)
    share = 1.0
    for _, way in effects(foe, IgnoresDefense, rules):
        if way.digs:
            if foe.dug and parts:
                parts.pop(max(sorted(parts), key=parts.__getitem__))
        elif way.kinds:
            parts = {kind: points for kind, points in parts.items() if kind not in way.kinds}
        else:
            share = min(share, number(way.share))
    solid = sum(points for kind, points in parts.items() if kind in me.side.sound)
    return int((solid + max(0, sum(parts.values()) - solid - me.breached)) * share)


def breakable(me: Fighter) -> int:
    """The points that siege engines can still take off its fortifications."""
    return sum(points for kind, points in me.side.defense.items() if kind not in me.side.sound) - me.breached


def lost_engines(me: Fighter, rules: Rules) -> int:
    """The OM lost with its siege engines: theirs if all of them are destroyed, else 0."""
    if me.engines:
        return 0
    return sum(rules.army_resources[name].om for name, _ in effects(me, Breach, rules))


def _magic(bonus: Bonus, points: int, foe: Fighter, rules: Rules) -> int:
    """The points of a bonus; an evading enemy reduces them if the bonus is magic."""
    for _, evasion in effects(foe, Evasion, rules) if bonus.magic else ():
        points //= evasion.divisor
    return points


def _leaving(me: Fighter, points: str, rules: Rules) -> int:
    return sum(getattr(leaving, points) for _, leaving in effects(me, Withdraws, rules))


def _ground(me: Fighter, foe: Fighter, moment: Moment) -> int:
    battle = ruling(moment.rules)
    points = battle.high_ground if me.defends and moment.terrain in battle.high_terrain else 0
    for _, knows in effects(foe, HalvesGround, moment.rules):
        points //= knows.divisor
    return points


def _evil(foe: Fighter, rules: Rules) -> bool:
    return foe.side.kind == MONSTERS or (foe.side.unit != "" and rules.units[foe.side.unit].evil)


_TESTS: dict[str, Callable[[Fighter, Fighter, str, Rules], bool]] = {
    "undead": lambda me, foe, name, rules: kind_of(foe, rules) == "undead",
    "living": lambda me, foe, name, rules: kind_of(foe, rules) == "living",
    "evil": lambda me, foe, name, rules: _evil(foe, rules),
    "magical": lambda me, foe, name, rules: magical(foe, rules),
    "not_magical": lambda me, foe, name, rules: not magical(foe, rules),
    "fortified": lambda me, foe, name, rules: fortified(foe, me, rules) > 0,
    "unmounted": lambda me, foe, name, rules: not foe.side.mounted,
    "without_it": lambda me, foe, name, rules: name not in foe.side.specials,
    "challenged": lambda me, foe, name, rules: me.challenged == foe.side.key,
    "others": lambda me, foe, name, rules: me.challenged not in (("", ""), foe.side.key),
    "monsters": lambda me, foe, name, rules: foe.side.kind == MONSTERS,
    "spellcasting": lambda me, foe, name, rules: casts(foe, rules),
    "throwing": lambda me, foe, name, rules: (
        foe.engines > 0 or any(shot.throws for _, shot in effects(foe, Shoots, rules))
    ),
    "fleeing": lambda me, foe, name, rules: foe.fleeing,
}
