"""The next turn, exactly: over every face of its Economy, Stability and Loyalty rolls and of the die of a bad failure.

The steps of the Upkeep phase come in the order of turn.py: MAKES has a function for each step that changes Unrest before
Consumption is paid. The game's own steps play the rest of the phase (courses.py), since no die is thrown there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

from kingdom.engine.ledger import summed
from kingdom.engine.named_tuple import NamedTuple
from kingdom.games.realm.forecast.courses import Standing, closed, closes_quietly, upkeep
from kingdom.games.realm.forecast.terms import (
    Face,
    Terms,
    faces_of,
    failed_badly,
    loyalty_unrest,
    stability_unrest,
    taxes,
    terms_of,
)
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.state import World, replace


class Trouble(Struct, frozen=True):
    """Unrest during the Upkeep phase. anarchy: the next turn will be one of anarchy; due: Unrest costs hexes at the start of
    the next turn; bp: the BP that the Stability check paid."""

    unrest: int
    anarchy: bool
    due: bool = False
    bp: int = 0


Troubles: TypeAlias = dict[Trouble, int]  # a possible Unrest -> how many results of the dice lead to it


class End(NamedTuple):
    """A possible end of the turn. due: Unrest costs hexes at the start of the next turn; anarchy: that turn is one of
    anarchy."""

    treasury: int
    unrest: int
    stores: int
    size: int
    due: bool
    anarchy: bool


def ends_of(standing: Standing, rules: Rules, loyalty: str = "") -> dict[End, int]:
    """Every possible end of the turn -> how many results of the dice lead to it. loyalty: the ordered Loyalty check, "" for
    none."""
    kingdom = standing.kingdom
    terms = terms_of(kingdom, standing.hexes, standing.turn, rules)
    if not terms.in_play:
        return {End(kingdom.treasury, kingdom.unrest, kingdom.stores, terms.size, False, False): 1}
    troubles = troubles_of(_trouble_of(standing), terms, rules, loyalty)
    left: dict[tuple[int, Trouble], int] = {}  # before Consumption is paid
    faces = faces_of("economy", kingdom.unrest, terms, rules) if terms.checked else ()
    taxed = summed((taxes(face, terms, rules), 1) for face in faces)  # BP that the Economy check pays -> ways
    for bp, ways in (taxed or {0: 1}).items():
        for trouble, others in troubles.items():
            before = kingdom.treasury + bp + trouble.bp, replace(trouble, bp=0)
            left[before] = left.get(before, 0) + ways * others
    return _closed(left, standing, terms, rules)


def troubles_of(begun: Trouble, terms: Terms, rules: Rules, loyalty: str) -> Troubles:
    """The possible Unrest after the steps before Consumption. begun: before them."""
    troubles = {begun: 1}
    for step in upkeep()[0]:
        troubles = MAKES[step](troubles, terms, rules, loyalty)
    return troubles


def _trouble_of(standing: Standing) -> Trouble:
    kingdom = standing.kingdom
    return Trouble(kingdom.unrest, kingdom.anarchy == standing.turn + 1, kingdom.loses_hex)


def with_unrest(trouble: Trouble, by: int | None, terms: Terms, rules: Rules) -> Trouble:
    """Unrest after a change, None for no change, by the same rules as with_unrest of steps/shared.py. Rulings: unrest_floor,
    anarchy."""
    if terms.anarchy or by is None:
        return trouble
    unrest = max(0, trouble.unrest + by)
    return replace(trouble, unrest=unrest, anarchy=trouble.anarchy or unrest >= rules.anarchy.unrest)


def of_negatives(troubles: Troubles, terms: Terms, rules: Rules, loyalty: str = "") -> Troubles:
    """The possible Unrest after Upkeep step 1, where no die is thrown. Rulings: negative_attribute, hex_loss."""
    by = rules.negative_attribute.unrest
    for name in ATTRIBUTES:
        if terms.values[name] < 0:
            troubles = summed((with_unrest(trouble, by, terms, rules), ways) for trouble, ways in troubles.items())
    if terms.anarchy or not terms.size:
        return troubles
    most = rules.hex_loss.unrest
    return summed(
        (replace(trouble, due=trouble.due or trouble.unrest >= most), ways) for trouble, ways in troubles.items()
    )


def after_stability(troubles: Troubles, terms: Terms, rules: Rules, loyalty: str = "") -> Troubles:
    """The possible Unrest after the Stability check, for each face of its die and of the die of a bad failure. Ruling:
    stability."""
    if not terms.checked:
        return troubles
    return summed(
        (after, ways * others)
        for trouble, ways in troubles.items()
        for after, others in _after_stability(trouble, terms, rules)
    )


def _after_stability(start: Trouble, terms: Terms, rules: Rules) -> Iterable[tuple[Trouble, int]]:
    alike: dict[tuple[bool, bool], list[Face]] = {}  # (success, failed badly) -> the faces
    for face in faces_of("stability", start.unrest, terms, rules):
        alike.setdefault((face.success, failed_badly(face, rules)), []).append(face)
    die, bp = rules.stability.far_die, rules.stability.success_bp
    for (succeeds, badly), faces in alike.items():
        ways = len(faces) * (1 if badly else die)
        if succeeds and not start.unrest:
            yield replace(start, bp=bp), ways
        else:
            yield from ((with_unrest(start, by, terms, rules), ways) for by in stability_unrest(faces[0], rules))


def after_loyalty(troubles: Troubles, terms: Terms, rules: Rules, loyalty: str = "") -> Troubles:
    """The possible Unrest after the Loyalty check, if one is ordered. In anarchy orders are void."""
    if not loyalty or terms.anarchy:
        return troubles
    return summed(
        (with_unrest(trouble, loyalty_unrest(face, loyalty, rules), terms, rules), ways)
        for trouble, ways in troubles.items()
        for face in faces_of("loyalty", trouble.unrest, terms, rules)
    )


# step of the Upkeep phase before Consumption is paid -> the function that applies it to Unrest; turn.py has their order
MAKES: dict[str, Callable[[Troubles, Terms, Rules, str], Troubles]] = {
    "modify_unrest": of_negatives,
    "stability_check": after_stability,
    "loyalty_check": after_loyalty,
}


def paid(treasury: int, stores: int, terms: Terms) -> tuple[int, int]:
    """(treasury, stores) after paying Consumption: granaries store a surplus, and pay what the treasury can't."""
    given = min(stores, max(0, terms.consumption - max(0, treasury)))
    stores = stores - given if given else min(terms.room, stores + terms.surplus)
    return treasury - terms.consumption + given, stores


def _closed(left: dict[tuple[int, Trouble], int], standing: Standing, terms: Terms, rules: Rules) -> dict[End, int]:
    """The ends of the turn, after paying Consumption and closing it. left: (treasury, Trouble) before paying -> ways. Ruling:
    consumption."""
    kingdom = standing.kingdom
    quiet = closes_quietly(kingdom, standing.turn, rules)
    after: dict[tuple[Trouble, bool], tuple[int, int, bool, bool]] = {}
    ends: dict[End, int] = {}
    for (treasury, trouble), ways in left.items():
        treasury, stores = paid(treasury, kingdom.stores, terms)
        if treasury < 0:
            trouble = with_unrest(trouble, rules.consumption.unpaid_unrest, terms, rules)
        if quiet:
            end = End(treasury, trouble.unrest, stores, terms.size, trouble.due, trouble.anarchy)
        else:
            key = trouble, treasury < 0
            after[key] = after.get(key) or _close(standing, *key, rules)
            unrest, size, hex_due, anarchy = after[key]
            end = End(treasury, unrest, stores, size, hex_due, anarchy)
        ends[end] = ends.get(end, 0) + ways
    return ends


def _close(standing: Standing, trouble: Trouble, short: bool, rules: Rules) -> tuple[int, int, bool, bool]:
    """(Unrest, size, due, anarchy) when the turn has closed. short: the treasury is below 0."""
    kingdom, turn = standing.kingdom, standing.turn
    anarchy = turn + 1 if trouble.anarchy else kingdom.anarchy
    kingdom = replace(kingdom, treasury=-short, unrest=trouble.unrest, anarchy=anarchy, loses_hex=trouble.due)
    end = closed(standing.seat, kingdom, standing.hexes, turn, rules)
    return end.unrest, len(end.hexes), end.loses_hex, end.anarchy == turn + 1


# --- odds of each check -----------------------------------------------------------------------------------------------


class Rolled(Struct, frozen=True):
    """All results of a check. faces: face -> its number of ways. needs: the face of the die needed to succeed, (lowest,
    highest), 0 if none does; the two differ only if an earlier check may change it. calm: the check is made without Unrest."""

    faces: dict[Face, int]
    needs: tuple[int, int]
    calm: bool = False


def odds(world: World, seat: str, rules: Rules) -> dict[str, float]:
    """Attribute -> the chance, 0 to 1, that its check in the turn after `world` succeeds, with the numbers of `world`."""
    rolled = rolled_of(standing_in(world, seat), rules)
    return {name: success(rolled[name]) if rolled else 0.0 for name in ATTRIBUTES}


def standing_in(world: World, seat: str) -> Standing:
    """The kingdom at the start of its checks. world: as the Edict phase leaves it, but with the number of the turn before."""
    return Standing(seat, world.kingdoms[seat], world.hexes, world.turn + 1)


def rolled_of(standing: Standing, rules: Rules) -> dict[str, Rolled]:
    """Attribute -> the results of its check in Income or Upkeep; {} if no check is made. Rulings: anarchy, no_hexes. Each check
    counts the Unrest that the steps before it left.
    """
    kingdom = standing.kingdom
    terms = terms_of(kingdom, standing.hexes, standing.turn, rules)
    if not terms.checked:
        return {}
    unrests = {"economy": {kingdom.unrest: 1}}  # check -> possible Unrest at that check -> ways
    troubles = {_trouble_of(standing): 1}
    for step in upkeep()[0]:
        check = step.removesuffix("_check")
        if check in ATTRIBUTES:
            unrests[check] = summed((trouble.unrest, ways) for trouble, ways in troubles.items())
        troubles = MAKES[step](troubles, terms, rules, "")
    return {name: rolled_with(name, unrest, terms, rules) for name, unrest in unrests.items()}


def rolled_with(attribute: str, unrests: Mapping[int, int], terms: Terms, rules: Rules) -> Rolled:
    """The results of a check. unrests: possible Unrest -> ways."""
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
