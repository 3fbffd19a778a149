"""The parts of a phase of battle besides attacks: choice of strategy and tactic, healing, siege engines, leaving, rout.

Nobody can be asked during a battle: battle orders decide first, then the ruling battle_order.
"""

from __future__ import annotations

from kingdom.games.realm.armies import number
from kingdom.games.realm.rules.battle_tables import (  # fmt: skip
    Bonus,
    Bound,
    Breach,
    FalseRetreat,
    Ferocity,
    Forbids,
    Heal,
    IgnoresDefense,
    Regrow,
    Siegebreaker,
    SlipsAway,
    Taunt,
    Withdraws,
)
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.steps.war.battle_attacks import Blow, Ground, hit, holds, morale, strikes
from kingdom.games.realm.steps.war.battle_fighter import (
    Fighter,
    Moment,
    able,
    breakable,
    effects,
    fortified,
    has,
    helps,
    weak,
)
from kingdom.games.realm.steps.war.battle_sides import ARMY, ruling

# --- choices ----------------------------------------------------------------------------------------------------------


def begin(ground: Ground, me: Fighter) -> None:
    """The tactics phase: choose a strategy and a tactic, without a check."""
    me.strategy = wanted_strategy(ground, me)
    me.tactic = wanted_tactic(ground, me)


def change(ground: Ground, me: Fighter, moment: Moment) -> None:
    """The start of a phase: change the tactic if a check succeeds. From the second melee round on, move the strategy one place
    along the track, or all the way if a check succeeds."""
    battle = ruling(ground.rules)
    tactic = wanted_tactic(ground, me)
    if tactic != me.tactic and holds(ground, me, battle.tactic_dc, "tactic", moment):
        me.tactic = tactic
    if moment.melee <= 1:
        return
    track = list(ground.rules.strategies)
    here, there = track.index(me.strategy), track.index(wanted_strategy(ground, me))
    steps = abs(there - here)
    if steps > battle.free_steps and not holds(ground, me, battle.strategy_dc, "strategy", moment):
        steps = battle.free_steps
    me.strategy = track[here + (steps if there > here else -steps)]


def wanted_strategy(ground: Ground, me: Fighter) -> str:
    """The strategy of its orders, or the strategy that fits its strength; never a strategy that it can't use."""
    rules, battle = ground.rules, ruling(ground.rules)
    for _, bound in effects(me, Bound, rules):
        return bound.strategy
    allowed = [name for name in rules.strategies if not _forbidden(me, "strategies", name, rules)]
    strongest = max((foe.side.acr for foe in ground.enemies(me)), default=me.side.acr)
    if me.side.orders.strategy in rules.strategies:
        wanted = me.side.orders.strategy
    elif weak(me, rules):
        wanted = battle.weak
    else:
        wanted = battle.ahead if me.side.acr >= strongest + battle.ahead_by else battle.usual
    track = list(rules.strategies)
    return min(allowed, key=lambda name: abs(track.index(name) - track.index(wanted)))


def wanted_tactic(ground: Ground, me: Fighter) -> str:
    """The tactic of its orders, or the first known tactic that helps now; a weak fighter prefers a tactic that protects it."""
    rules = ground.rules
    for _, bound in effects(me, Bound, rules):
        return bound.tactic
    if me.feint[0] and me.tactic:
        return me.tactic  # its false retreat takes effect in this phase
    usable = [name for name in rules.tactics if _known(me, name, rules) and _usable(me, name, rules)]
    ordered, plain = me.side.orders.tactic, next(name for name in usable if not rules.tactics[name].effects)
    if ordered in usable:
        return ordered
    if me.tactic == leaving_tactic(rules):
        return me.tactic if wants_out(me, rules) else plain
    good = [name for name in usable if name != plain and _helps(ground, me, name)]
    safe = [name for name in good if any(bonus.dv > 0 for bonus in _bonuses(name, rules))]
    return next(iter(safe if safe and weak(me, rules) else good), plain)


def wants_out(me: Fighter, rules: Rules) -> bool:
    """Whether an army wants to leave: its orders say so and it can. An army in its last stand can't leave."""
    if me.side.kind != ARMY or me.side.cornered or me.last_stand or has(me, Bound, rules):
        return False
    tactic, percent = leaving_tactic(rules), me.side.orders.withdraw
    if not _known(me, tactic, rules) or _forbidden(me, "tactics", tactic, rules):
        return False
    return me.side.orders.tactic == tactic or (percent > 0 and me.hp * 100 <= percent * me.side.full_hp)


def leaving_tactic(rules: Rules) -> str:
    """The name of the tactic by which armies withdraw."""
    return next(name for name, row in rules.tactics.items() if any(isinstance(each, Withdraws) for each in row.effects))


def _known(me: Fighter, name: str, rules: Rules) -> bool:
    return rules.tactics[name].default or name in me.side.tactics


def _usable(me: Fighter, name: str, rules: Rules) -> bool:
    """Whether the fighter can use a tactic that it knows; only those who want to leave can use the withdrawing tactic."""
    if name == leaving_tactic(rules) and not wants_out(me, rules):
        return False
    return (
        name not in me.spent and able(me.side, rules.tactics[name].needs) and not _forbidden(me, "tactics", name, rules)
    )


def _helps(ground: Ground, me: Fighter, name: str) -> bool:
    """Whether a tactic would have an effect against the enemy that the fighter attacks."""
    rules, foe = ground.rules, ground.target(me)
    row = rules.tactics[name]
    if foe is None or name == leaving_tactic(rules):
        return False
    if any(isinstance(effect, Siegebreaker) for effect in row.effects):
        return foe.engines > 0
    if any(isinstance(effect, FalseRetreat) for effect in row.effects):
        return True
    counted = [helps(me, foe, bonus, name, rules) for bonus in _bonuses(name, rules)]
    return any(counted) or not counted


def _bonuses(name: str, rules: Rules) -> list[Bonus]:
    return [effect for effect in rules.tactics[name].effects if isinstance(effect, Bonus)]


def _forbidden(me: Fighter, what: str, name: str, rules: Rules) -> bool:
    return any(name in getattr(effect, what) for _, effect in effects(me, Forbids, rules))


# --- phases -----------------------------------------------------------------------------------------------------------


Key = tuple[str, str]


def turn_over(me: Fighter) -> list[int]:
    """Carry the effects of the last phase over into this one. Returns the dice of its older wounds."""
    me.dazed, me.dazes = me.dazes, False
    me.feint, me.feints = me.feints, ("", "")
    me.mocked, me.strain, me.fleeing = set(), 0, False
    bleeding, me.lingering = me.lingering, []
    return bleeding


def heal(me: Fighter, ground: Ground) -> None:
    """Heal by regrowth, and if the fighter is weak by one other means."""
    side, rules = me.side, ground.rules
    for _, regrow in effects(me, Regrow, rules):
        if me.hp > 0:
            me.hp = min(side.full_hp, me.hp + regrow.value // regrow.divisor)
    if me.hp <= 0 or not weak(me, rules):
        return
    for name, cure in effects(me, Heal, rules):
        if cure.uses and me.used.get(name, 0) >= cure.uses:
            continue
        gained = min(side.full_hp - me.hp, max(1, int(number(cure.acr) * side.acr)))
        me.used[name] = me.used.get(name, 0) + 1
        me.hp += gained
        me.fed += int(cure.consumption * side.times)
        me.dazed = me.dazed or cure.rests
        me.strain -= cure.om - int(number(cure.om_acr) * side.acr)
        me.notes.append(f"heals {gained} hp ({name.replace('_', ' ')})")
        return


def leave(ground: Ground, moment: Moment) -> list[Fighter]:
    """Make the morale checks of those who want to leave, against each enemy. Those who win all leave at once. Those who win
    some leave after the phase; they are returned."""
    rules = ground.rules
    leaving = [fighter for fighter in ground.up if wants_out(fighter, rules)]
    at_once, later = list[Fighter](), list[Fighter]()
    for me in leaving:
        me.tactic, me.fleeing = leaving_tactic(rules), True
    for me in leaving:
        enemies = [foe for foe in ground.enemies(me) if not foe.fleeing]
        slips = has(me, SlipsAway, rules)
        won = [
            slips or morale(ground, me, "withdraw", moment) > morale(ground, foe, "pursuit", moment) for foe in enemies
        ]
        me.notes.append(f"tries to withdraw and shakes off {sum(won)} of {len(won)}")
        (at_once if all(won) else later if any(won) else []).append(me)
    for me in at_once:
        me.outcome = "withdrew"
    return later


def besiege(ground: Ground, moment: Moment) -> None:
    """Siege engines breach the fortifications of their army's target; armies that dig spend the phase digging."""
    for me in ground.up:
        foe = ground.target(me)
        if foe is None or not fortified(foe, me, ground.rules):
            continue
        for _, breach in effects(me, Breach, ground.rules) if moment.melee and me.engines and breakable(foe) else ():
            broken = sum(ground.throw(me, "siege", breach.die) for _ in range(me.engines))
            broken = min(broken, breakable(foe))
            foe.breached += broken
            me.notes.append(f"siege engines take {broken} off the fortifications of {foe.side.name}")
        if not me.dug and any(way.digs for _, way in effects(me, IgnoresDefense, ground.rules)):
            me.dug = me.dazed = True
            me.notes.append("digs under the walls")


def taunt(ground: Ground, moment: Moment) -> None:
    """Taunt the targets of taunters; a target that fails its check has lower points against the taunter."""
    for me in ground.up:
        foe = ground.target(me)
        for _, effect in effects(me, Taunt, ground.rules) if foe else ():
            assert foe is not None
            if foe.proof.get(me.side.key, 0) >= effect.immune_after:
                continue
            if holds(ground, foe, effect.dc + me.side.level, "taunt", moment):
                foe.proof[me.side.key] = foe.proof.get(me.side.key, 0) + 1
            else:
                foe.mocked.add(me.side.key)


def feign(ground: Ground, moment: Moment) -> None:
    """Begin false retreats: no attack in this melee phase, and a bonus in the next."""
    for me in ground.up if moment.melee else ():
        foe = ground.target(me)
        for name, _ in effects(me, FalseRetreat, ground.rules):
            if foe and name not in me.spent:
                me.spent.add(name)
                me.feints, me.dazed = foe.side.key, True
                me.notes.append("pretends to flee")


def fall(ground: Ground) -> None:
    """Defeat the fighters without hit points; ferocious ones fight one more phase."""
    for me in ground.up:
        if me.hp > 0 and not me.last_stand:
            continue
        stands = [effect for _, effect in effects(me, Ferocity, ground.rules)]
        if stands and not me.last_stand:
            me.last_stand = True
            me.lost_om += stands[0].om
            me.lost_dv += stands[0].dv
            me.notes.append("fights on, though it is beaten")
        else:
            me.outcome = "defeated"


def waver(ground: Ground, hurt: set[Key], moment: Moment) -> list[Fighter]:
    """The armies that rout: they lost hit points, have no more left than their ACR, and fail a check of morale."""
    dc = ruling(ground.rules).rout_dc
    return [
        me
        for me in ground.up
        if me.side.kind == ARMY and me.side.key in hurt and not me.last_stand and me.hp <= me.side.acr
        if not holds(ground, me, dc, "rout", moment)
    ]


def flee(ground: Ground, routs: list[Fighter], moment: Moment) -> list[Blow]:
    """Routing armies flee under a last attack by each enemy; those with nowhere to go surrender. Returns the last attacks."""
    running = [me for me in routs if me.up and not me.side.cornered]
    for me in routs:
        if me.up and me.side.cornered:
            me.outcome = "surrendered"
    for me in running:
        me.fleeing = True
    after = [foe for foe in ground.up if not foe.fleeing]
    pairs = [(foe, ground.target(foe, running)) for foe in after if not foe.dazes]
    blows = strikes(ground, pairs, moment)
    for blow in blows:
        hit(blow)
    for me in running:
        me.outcome = "routed" if me.hp > 0 else "defeated"
    return blows
