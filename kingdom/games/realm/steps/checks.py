"""Checks against the Control DC, the contests that are like them, and what several special edicts take off theirs. Rulings: check, special_edicts."""

from __future__ import annotations

from typing import NamedTuple

from kingdom.engine.dice import GM
from kingdom.games.realm import effects
from kingdom.games.realm.rules.building_tables import MoreSpecialEdicts
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts, control_dc
from kingdom.games.realm.state import Hex, Kingdom
from kingdom.games.realm.types import Turn


class Check(NamedTuple):
    """A check term by term: total = die + value + bonus - unrest.

    success is None where no die is thrown; total and margin are then 0. margin: total - dc, as the naturals leave it.
    """

    name: str
    attribute: str
    die: int | None
    value: int
    unrest: int
    bonus: int
    total: int
    dc: int
    success: bool | None
    margin: int


def decide(die: int, total: int, dc: int, rules: Rules) -> tuple[bool, int]:
    """(success, margin) of a check; the two natural faces are decided by the ruling `check`."""
    ruling, margin = rules.check, total - dc
    if die == ruling.always_fails:
        return False, min(margin, -ruling.slip)
    if die == ruling.always_succeeds:
        return True, max(margin, 0)
    return margin >= 0, margin


def by_events(kingdom: Kingdom, attribute: str) -> dict[str, int]:
    """What events add to checks of that attribute alone: `by_KIND` -> points."""
    found: dict[str, int] = {}
    for each in kingdom.modifiers:
        if each.account == f"{attribute}_checks":
            found[f"by_{each.cause}"] = found.get(f"by_{each.cause}", 0) + each.by
    return found


def attempt(
    turn: Turn,
    seat: str,
    kingdom: Kingdom,
    hexes: dict[str, Hex],
    attribute: str,
    name: str,
    bonus: int = 0,
    extra_unrest: int = 0,
    secret: bool = False,
) -> Check:
    """Make a check of `attribute` with the roll `name`, and put it among the notices.

    extra_unrest: of a secondary territory, for checks about its hexes. secret: the kingdom may not know how it went: the die
    and the notice are the GM's. In an anarchy turn the total is the ruling's,
    nothing is rolled and the check fails.
    """
    rules: Rules = turn.rules
    by = by_events(kingdom, attribute)
    bonus += sum(by.values())
    whose = GM if secret else seat
    value = accounts(kingdom, hexes, rules)[attribute]
    unrest, dc = kingdom.unrest + extra_unrest, control_dc(kingdom, rules)
    if kingdom.anarchy == turn.number:
        total = rules.anarchy.check_total
        check = Check(name, attribute, None, value, unrest, bonus, total, dc, False, total - dc)
    else:
        die = turn.roll(whose, name, rules.check.die)
        if die is None:
            return Check(name, attribute, None, value, unrest, bonus, 0, dc, None, 0)
        total = die + value + bonus - unrest
        check = Check(name, attribute, die, value, unrest, bonus, total, dc, *decide(die, total, dc, rules))
    turn.tell(whose, "check", **check._asdict(), **by)
    return check


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
