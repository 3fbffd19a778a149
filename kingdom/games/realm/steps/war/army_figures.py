"""The derived figures of an army: ACR, full hit points, DV, OM, Consumption, what resources cost. Ruling: army_figures.

ACR is a number; below 1 it is a fraction of the ladder (1/3). Everything else is whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from kingdom.games.realm.rules.battle_tables import BattleEffect, Forages, KnowsMore
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army


@cache
def number(rating: str) -> float:
    """A rating or a multiplier of the tables as a number: "1/3" or "4"."""
    over, _, under = rating.partition("/")
    return int(over) / int(under or 1)


@cache
def moved(rating: str, steps: int, ladder: tuple[str, ...]) -> float:
    """The rating so many steps up or down the ladder, whose whole numbers follow its fractions; never below its first."""
    place = ladder.index(rating) if rating in ladder else len(ladder) - 1 + int(rating)
    place = max(0, place + steps)
    return number(ladder[place]) if place < len(ladder) else place - len(ladder) + 1


def acr(unit: str, size: str, rules: Rules) -> float:
    """The army challenge rating of a unit in that size: the unit's rating moved along the ladder."""
    return moved(rules.units[unit].rating, rules.army_sizes[size].steps, in_force(rules.army_figures).ladder)


def hit_points(rating: float, hit_die: int) -> int:
    """ACR times the mean of the Hit Die, rounded down, at least 1."""
    return max(1, int(rating * (hit_die + 1) / 2))


def full_hp(army: Army, rules: Rules) -> int:
    """The hit points of the army when it is whole."""
    return hit_points(acr(army.unit, army.size, rules), rules.units[army.unit].hit_die)


def dv(army: Army, rules: Rules) -> int:
    """Defense Value: with resources, specials and illness, without strategy, tactic and fortification."""
    rating, unit = acr(army.unit, army.size, rules), rules.units[army.unit]
    own = sum(rules.army_specials[special].own_dv for special in unit.specials)
    equipped = sum(rules.army_resources[name].dv for name in counting(army, rules))
    return in_force(rules.army_figures).dv_base + int(rating) + own + equipped - army.illness


def om(army: Army, rules: Rules) -> int:
    """Offense Modifier, likewise."""
    equipped = sum(rules.army_resources[name].om for name in counting(army, rules))
    return int(acr(army.unit, army.size, rules)) + equipped - army.illness


def consumption(army: Army, rules: Rules) -> int:
    """BP this turn, as an active army: for its ACR, its resources, and what it took in or saved in this turn's battles."""
    figures = in_force(rules.army_figures)
    eaten = acr(army.unit, army.size, rules) / figures.consumption_divisor
    for effect in _effects(army, rules):
        eaten = eaten / effect.divisor if isinstance(effect, Forages) else eaten
    own = max(figures.least_consumption, int(eaten))
    scaled, each = 0, 0
    for name, count in army.resources.items():
        resource = rules.army_resources[name]
        if resource.one_size:
            each += resource.consumption * count
        elif name in counting(army, rules):
            scaled += resource.consumption
    return max(0, own + each + int(scaled * number(rules.army_sizes[army.size].times)) + army.fed)


def resource_cost(resource: str, size: str, rules: Rules) -> int:
    """BP of equipping an army of that size with one such resource, at least 1; fractions are dropped."""
    row = rules.army_resources[resource]
    times = 1 if row.one_size else number(rules.army_sizes[size].times)
    return max(in_force(rules.army_figures).least_cost, int(row.cost * times))


def most_tactics(army: Army, rules: Rules) -> int:
    """How many tactics it may know besides the default ones: by its ACR, its commander's boons and its specials."""
    more = sum(effect.tactics for effect in _effects(army, rules) if isinstance(effect, KnowsMore))
    return int(acr(army.unit, army.size, rules) / in_force(rules.army_figures).tactics_divisor) + more


def counting(army: Army, rules: Rules) -> list[str]:
    """The army's resources without those in whose place a better one counts."""
    outdone = {rules.army_resources[name].instead_of for name in army.resources}
    return [name for name in army.resources if name not in outdone]


def _effects(army: Army, rules: Rules) -> Iterator[BattleEffect]:
    for special in rules.units[army.unit].specials:
        yield from rules.army_specials[special].effects
    for boon in army.commander.boons:
        yield from rules.boons[boon].effects
