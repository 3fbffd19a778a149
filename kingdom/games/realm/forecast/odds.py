"""How likely each face of a check is in the next turn: that of Loyalty by all that the Stability check may leave of Unrest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kingdom.games.realm.forecast.exact import Standing, Trouble, after_stability, unrest_of_negatives
from kingdom.games.realm.forecast.terms import Face, Terms, faces_of, terms_of
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.state import World


class Rolled(NamedTuple):
    """All that a check may show: face -> in how many ways of all. needs: (lowest, highest) face of the die that succeeds, 0
    where none does; one, but where an earlier check moves it. calm: it is made without Unrest."""

    faces: dict[Face, int]
    needs: tuple[int, int]
    calm: bool = False


def odds(world: World, seat: str, rules: Rules) -> dict[str, float]:
    """Attribute -> the chance, 0 to 1, that its check in the turn after `world` succeeds, with what holds in `world`."""
    rolled = rolled_of(standing_in(world, seat), rules)
    return {name: success(rolled[name]) if rolled else 0.0 for name in ATTRIBUTES}


def standing_in(world: World, seat: str) -> Standing:
    """The kingdom as its checks find it. world: as the Edict phase leaves it, its turn the one before."""
    return Standing(seat, world.kingdoms[seat], world.hexes, world.turn + 1)


def rolled_of(standing: Standing, rules: Rules) -> dict[str, Rolled]:
    """Attribute -> what its check of Income or Upkeep may show. Nothing where no check is made. Rulings: anarchy, no_hexes.

    Stability is checked after Unrest for negative attributes, Loyalty with the Unrest that the Stability check left.
    """
    kingdom = standing.kingdom
    terms = terms_of(kingdom, standing.hexes, standing.turn, rules)
    if not terms.checked:
        return {}
    start = unrest_of_negatives(Trouble(kingdom.unrest, kingdom.anarchy == standing.turn + 1), terms, rules)
    left: dict[int, int] = {}
    for trouble, ways in after_stability(start, terms, rules).items():
        left[trouble.unrest] = left.get(trouble.unrest, 0) + ways
    return {
        "economy": rolled_with("economy", {kingdom.unrest: 1}, terms, rules),
        "stability": rolled_with("stability", {start.unrest: 1}, terms, rules),
        "loyalty": rolled_with("loyalty", left, terms, rules),
    }


def rolled_with(attribute: str, unrests: Mapping[int, int], terms: Terms, rules: Rules) -> Rolled:
    """What a check may show. unrests: the Unrest that there may be -> in how many ways."""
    faces: dict[Face, int] = {}
    needs: list[int] = []
    for unrest, ways in unrests.items():
        run = faces_of(attribute, unrest, terms, rules)
        needs += [die for die, face in enumerate(run, 1) if face.success][:1]
        for face in run:
            faces[face] = faces.get(face, 0) + ways
    return Rolled(faces, (min(needs, default=0), max(needs, default=0)), calm=not any(unrests))


def success(rolled: Rolled) -> float:
    """The chance that the check succeeds, 0 to 1."""
    return sum(ways for face, ways in rolled.faces.items() if face.success) / sum(rolled.faces.values())
