"""What an army does in a battle where nobody can ask: its strategy, its tactic, and when it wants to leave.

Battle orders come first; what they leave open the ruling battle_order decides.
"""

from __future__ import annotations

from kingdom.games.realm.rules.battle_tables import Bonus, Bound, FalseRetreat, Forbids, Siegebreaker, Withdraws
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.steps.war.battle_fighter import Fighter, Moment, able, effects, has, helps, weak
from kingdom.games.realm.steps.war.battle_sides import ARMY, ruling
from kingdom.games.realm.steps.war.battleground import Ground, holds


def begin(ground: Ground, me: Fighter) -> None:
    """The tactics phase: a strategy and a tactic, without a check."""
    me.strategy = wanted_strategy(ground, me)
    me.tactic = wanted_tactic(ground, me)


def change(ground: Ground, me: Fighter, moment: Moment) -> None:
    """At the start of a phase: a tactic changes by a check; a strategy, from the second melee round on, by one place of the
    track, and by a check at once as far as is wanted."""
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
    """The strategy of its orders, or the one that fits its strength; never one that it can't use."""
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
    """The tactic of its orders, or the first that it knows and that helps it now; weak, rather one that protects it."""
    rules = ground.rules
    for _, bound in effects(me, Bound, rules):
        return bound.tactic
    if me.feint[0] and me.tactic:
        return me.tactic  # the false retreat pays in this phase
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
    """Whether an army wants to leave: its orders say so, and it can; who is beaten and fights on goes nowhere."""
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
    """Whether it can use a tactic that it knows; withdrawing is for those who want out alone."""
    if name == leaving_tactic(rules) and not wants_out(me, rules):
        return False
    return (
        name not in me.spent and able(me.side, rules.tactics[name].needs) and not _forbidden(me, "tactics", name, rules)
    )


def _helps(ground: Ground, me: Fighter, name: str) -> bool:
    """Whether a tactic would do something against the enemy that it attacks."""
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
