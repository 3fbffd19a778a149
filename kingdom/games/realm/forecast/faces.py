"""What each face of the die makes of a kingdom's checks, and what each check then leads to.

The figures are those of the rulings check, income, stability, rouse_the_people and change_minds_by_breaking_heads.
"""

from __future__ import annotations

from typing import NamedTuple

from kingdom.games.realm.forecast.terms import Terms
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.steps.checks import decide
from kingdom.games.shared.memo import Memo

ROUSE, HEADS = "rouse_the_people", "change_minds_by_breaking_heads"


class Face(NamedTuple):
    """What a face of the die makes of a check. margin: total - DC, as the naturals leave it."""

    total: int
    success: bool
    margin: int


_faces: Memo[list[Face]] = Memo(size=100)


def faces_of(attribute: str, unrest: int, terms: Terms, rules: Rules) -> list[Face]:
    """What each face of the die, the lowest first, makes of a check of that attribute; remembered for a while, since a report
    asks for its odds and for its forecast. Ruling: check."""
    key = (attribute, unrest, id(terms), id(rules))
    known = _faces.get(key)
    return known if known is not None else _faces.put(key, (terms, rules), _faces_anew(attribute, unrest, terms, rules))


def _faces_anew(attribute: str, unrest: int, terms: Terms, rules: Rules) -> list[Face]:
    added = terms.values[attribute] + terms.checks[attribute] - unrest
    return [Face(die + added, *decide(die, die + added, terms.dc, rules)) for die in range(1, rules.check.die + 1)]


def taxes(face: Face, terms: Terms, rules: Rules) -> int:
    """The BP that an Economy check pays. Ruling: income."""
    return max(0, face.total // rules.income.divisor) + terms.works if face.success else 0


def failed_badly(face: Face, rules: Rules) -> bool:
    """Whether a failed Stability check costs a die of Unrest. Ruling: stability."""
    return not face.success and -face.margin > rules.stability.near


def stability_unrest(face: Face, rules: Rules) -> list[int]:
    """What a Stability check does to Unrest: by each face of the die of a bad failure, else once. Ruling: stability."""
    ruling = rules.stability
    if face.success:
        return [ruling.success_unrest]
    return list(range(1, ruling.far_die + 1)) if failed_badly(face, rules) else [ruling.near_unrest]


def loyalty_unrest(face: Face, what: str, rules: Rules) -> int | None:
    """What the Loyalty check ordered does to Unrest at once, None where it does nothing to it."""
    if what == ROUSE:
        return None if face.success else rules.rouse_the_people.failure_unrest
    ruling = rules.change_minds_by_breaking_heads
    if not face.success:
        return None
    return ruling.clear_unrest if face.margin >= ruling.clear_margin else ruling.success_unrest


def loyalty_points(face: Face, what: str, rules: Rules) -> int:
    """What it adds in the next turn to the attribute that is roused, or to Loyalty where heads were broken in vain."""
    if what == ROUSE:
        ruling = rules.rouse_the_people
        return max(ruling.least, face.margin // ruling.per_margin) if face.success else 0
    return 0 if face.success else rules.change_minds_by_breaking_heads.failure_loyalty
