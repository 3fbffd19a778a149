"""How many special edicts a turn allows, and what several of them cost in their checks. Ruling: special_edicts."""

from __future__ import annotations

from kingdom.games.realm import effects
from kingdom.games.realm.rules.rules import MoreSpecialEdicts, Rules
from kingdom.games.realm.state import Kingdom

USED = "special_edicts"  # the key in a kingdom's `used`


def most_special_edicts(kingdom: Kingdom, rules: Rules) -> tuple[int, int]:
    """(how many special edicts a turn allows, what each check of them changes by where more than the usual are issued)."""
    more = [effect for _, _, effect in effects.standing(kingdom, rules) if isinstance(effect, MoreSpecialEdicts)]
    usual = rules.special_edicts.per_turn
    best = max(more, key=lambda effect: effect.count, default=None)
    return (best.count, best.check) if best and best.count > usual else (usual, 0)


def harder_by(kingdom: Kingdom, rules: Rules) -> int:
    """What is added to each check of the kingdom's special edicts this turn: below 0 where it issued more than the usual."""
    many = kingdom.used.get(USED, 0) > rules.special_edicts.per_turn
    return most_special_edicts(kingdom, rules)[1] if many else 0


def with_palace(rules: Rules) -> int:
    """The most special edicts a turn that any building allows."""
    kinds = rules.buildings.values()
    counts = [effect.count for kind in kinds for effect in kind.effects if isinstance(effect, MoreSpecialEdicts)]
    return max(counts, default=rules.special_edicts.per_turn)
