"""The derived figures of an army: ACR, full hit points, DV, OM, Consumption, what resources cost. Ruling: army_figures.

ACR is a number; below 1 it is a fraction of the ladder (1/3). Everything else is whole.
"""

from __future__ import annotations

from kingdom.games.realm.rules import Rules
from kingdom.games.realm.state import Army


def acr(unit: str, size: str, rules: Rules) -> float:
    """The army challenge rating of a unit in that size: the unit's rating moved along the ladder."""
    raise NotImplementedError


def full_hp(army: Army, rules: Rules) -> int:
    """The hit points of the army when it is whole."""
    raise NotImplementedError


def dv(army: Army, rules: Rules) -> int:
    """Defense Value: with resources, specials and illness, without strategy, tactic and fortification."""
    raise NotImplementedError


def om(army: Army, rules: Rules) -> int:
    """Offense Modifier, likewise."""
    raise NotImplementedError


def consumption(army: Army, rules: Rules) -> int:
    """BP a turn, as an active army."""
    raise NotImplementedError


def resource_cost(resource: str, size: str, rules: Rules) -> int:
    """BP of equipping an army of that size with one such resource, at least 1."""
    raise NotImplementedError


def most_tactics(army: Army, rules: Rules) -> int:
    """How many tactics it may know besides the default ones."""
    raise NotImplementedError
