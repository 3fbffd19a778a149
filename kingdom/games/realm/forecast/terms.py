"""The numbers behind the dice of a kingdom's Income and Upkeep, as the Edict phase leaves them, and the result of each face.

Rulings: check, income, stability, rouse_the_people, change_minds_by_breaking_heads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from kingdom.engine.named_tuple import NamedTuple
from kingdom.games.kit.memo import remember
from kingdom.games.realm.effects import stores_room
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, control_dc, raw_consumption, tax_bp
from kingdom.games.realm.state import Hex, Kingdom
from kingdom.games.realm.steps.shared import by_events, decide

N = TypeVar("N")


class TermsOf(Struct, Generic[N], frozen=True):
    """The numbers that stay fixed through Income and Upkeep; works, consumption, surplus and room are in BP.

    dc: the Control DC. values: attribute -> its balance, without Unrest; checks: attribute -> points that events add only to
    its checks. works: BP that a successful Economy check pays besides taxes. surplus: Consumption that farms save beyond 0;
    room: of granaries. anarchy: the turn is one of anarchy. in_play: the kingdom is not destroyed. N: a number, or a column of them (sample.py).
    """

    size: N
    dc: N
    values: Mapping[str, N]
    checks: Mapping[str, N]
    works: N
    consumption: N
    surplus: N
    room: N
    anarchy: N
    in_play: N

    @property
    def checked(self) -> bool:
        """Whether the checks of Income and Upkeep are made. Rulings: no_hexes, anarchy."""
        return bool(self.size and self.in_play and not self.anarchy)


Terms: TypeAlias = TermsOf[int]


@remember(lambda kingdom, hexes, turn, rules: ((kingdom, hexes, rules), turn), size=10)
def terms_of(kingdom: Kingdom, hexes: dict[str, Hex], turn: int, rules: Rules) -> Terms:
    """The terms of that turn, from the kingdom and the map as its Edict phase left them. The odds and the forecast of a report
    both use them."""
    numbers = accounts(kingdom, hexes, rules)
    room = stores_room(kingdom, rules)
    return TermsOf(
        size=len(kingdom.hexes),
        dc=control_dc(kingdom, rules),
        values={name: numbers[name] for name in ATTRIBUTES},
        checks={name: sum(by_events(kingdom, name).values()) for name in ATTRIBUTES},
        works=sum(bp for _, bp in tax_bp(kingdom, hexes, rules)),
        consumption=numbers["consumption"],
        surplus=max(0, -raw_consumption(kingdom, hexes, rules)) if room else 0,
        room=room,
        anarchy=kingdom.anarchy == turn,
        in_play=not kingdom.destroyed,
    )


ROUSE, HEADS = "rouse_the_people", "change_minds_by_breaking_heads"


class Face(NamedTuple):
    """The result of a check with a face of the die. margin: total - DC, adjusted for a natural face."""

    total: int
    success: bool
    margin: int


def faces_of(attribute: str, unrest: int, terms: Terms, rules: Rules) -> list[Face]:
    """The result of a check of that attribute for each face of the die, the lowest first. Ruling: check."""
    return _faces(terms.values[attribute] + terms.checks[attribute] - unrest, terms.dc, rules)


@remember(lambda added, dc, rules: ((rules,), (added, dc)), size=300)
def _faces(added: int, dc: int, rules: Rules) -> list[Face]:
    """The faces, cached since a report asks for them twice: for its odds and its forecast."""
    return [Face(die + added, *decide(die, die + added, dc, rules)) for die in range(1, rules.check.die + 1)]


def taxes(face: Face, terms: Terms, rules: Rules) -> int:
    """The BP that an Economy check pays. Ruling: income."""
    return max(0, face.total // rules.income.divisor) + terms.works if face.success else 0


def failed_badly(face: Face, rules: Rules) -> bool:
    """Whether a failed Stability check costs a die of Unrest. Ruling: stability."""
    return not face.success and -face.margin > rules.stability.near


def stability_unrest(face: Face, rules: Rules) -> list[int]:
    """The changes of Unrest by a Stability check: one for each face of the die of a bad failure, else a single one. Ruling:
    stability."""
    ruling = rules.stability
    if face.success:
        return [ruling.success_unrest]
    return list(range(1, ruling.far_die + 1)) if failed_badly(face, rules) else [ruling.near_unrest]


def loyalty_unrest(face: Face, what: str, rules: Rules) -> int | None:
    """The immediate change of Unrest by the ordered Loyalty check, None for no change."""
    if what == ROUSE:
        return None if face.success else rules.rouse_the_people.failure_unrest
    ruling = rules.change_minds_by_breaking_heads
    if not face.success:
        return None
    return ruling.clear_unrest if face.margin >= ruling.clear_margin else ruling.success_unrest


def loyalty_points(face: Face, what: str, rules: Rules) -> int:
    """The points that the Loyalty check adds in the next turn to the roused attribute, or to Loyalty if breaking heads
    failed."""
    if what == ROUSE:
        ruling = rules.rouse_the_people
        return max(ruling.least, face.margin // ruling.per_margin) if face.success else 0
    return 0 if face.success else rules.change_minds_by_breaking_heads.failure_loyalty
