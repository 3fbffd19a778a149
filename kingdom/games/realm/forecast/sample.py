"""Several turns by samples: each sample is one possible run of the dice, and all samples are played together, turn by turn.

Treasury, Unrest and stores are worked out here, as columns with a row for each sample, by the same terms and rulings as in
exact.py. The rest of a sample (its land, modifiers, armies) is one of a few shared kingdoms (courses.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from kingdom.games.realm.forecast import terms as one
from kingdom.games.realm.forecast.courses import KEPT, Courses, Fate, Standing, upkeep
from kingdom.games.realm.forecast.terms import ROUSE, TermsOf
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Column: TypeAlias = NDArray[Any]  # a row for each sample: whole numbers or booleans
    Terms: TypeAlias = TermsOf[Column]  # a single value if it is the same in all samples


class Sampled(NamedTuple):
    """The end of a turn for every sample, a row each, with the fields of End in exact.py. lost: the kingdom lost a hex that was
    not due for Unrest."""

    turn: int
    treasury: Column
    unrest: Column
    stores: Column
    size: Column
    due: Column
    anarchy: Column
    lost: Column


class Columns(NamedTuple):
    """The accounts that a turn changes. anarchy: the next turn will be one of anarchy."""

    treasury: Column
    unrest: Column
    stores: Column
    anarchy: Column


class Faces(NamedTuple):
    """The faces of a turn's dice."""

    economy: Column
    stability: Column
    stability_failure: Column
    loyalty: Column


class Course(NamedTuple):
    """A turn being played. due: a hex is to be lost; added: attribute -> the points that each sample gains in it for the next
    turn."""

    columns: Columns
    due: Column
    added: Mapping[str, Column]


class Given(NamedTuple):
    """The inputs of a turn. checked: its checks are made; loyalty: the ordered Loyalty check -> the attribute to rouse."""

    terms: Terms
    faces: Faces
    checked: Column
    rules: Rules
    loyalty: Mapping[str, str]


class Checked(NamedTuple):
    """A check: the fields of Face in terms.py as columns."""

    total: Column
    success: Column
    margin: Column


def sampled(
    standing: Standing, rules: Rules, loyalty: Mapping[str, str], turns: int, count: int, chance: Generator
) -> Iterator[Sampled]:
    """Play that many turns of `count` samples, the first from the kingdom as its Edict phase leaves it. In later turns the
    kingdom keeps its edicts and gives no orders.

    loyalty: the Loyalty check ordered for the first turn -> the attribute to rouse. chance: the source of the faces.
    """
    courses, where = Courses(standing, rules), np.zeros(count, np.int32)
    kingdom = standing.kingdom
    now = kingdom.treasury, kingdom.unrest, kingdom.stores, kingdom.anarchy == standing.turn + 1
    columns, due = Columns(*(np.full(count, each) for each in now)), np.full(count, kingdom.loses_hex)
    added: Mapping[str, Column] = {}
    had, sides = len(kingdom.hexes), rules.check.die
    for number in range(turns):
        terms = _spread(courses.terms(), where, added)
        dice = sides, sides, rules.stability.far_die, sides  # in the order of Faces
        faces = Faces(*(chance.integers(1, die, count, np.int32, endpoint=True) for die in dice))
        columns, due, added = _turn(columns, due, terms, faces, rules, loyalty if number == 0 else {})
        where, closing, size, due, anarchy = _close(courses, where, columns, due)
        unrest = np.where(closing == KEPT, columns.unrest, closing)
        columns = Columns(columns.treasury, unrest, columns.stores, anarchy)
        lost, had = (size < terms.size) | (terms.size < had), size - due * rules.hex_loss.hexes
        yield Sampled(courses.turn, columns.treasury, unrest, columns.stores, size, due, anarchy, lost)
        if number + 1 < turns:
            courses.go_on()
            columns, due = columns._replace(anarchy=np.zeros(count, bool)), np.zeros(count, bool)


def _spread(terms: list[one.Terms], where: Column, added: Mapping[str, Column]) -> Terms:
    """The terms of all samples as columns. added: attribute -> the points that each sample has in addition, in this turn
    only."""

    def column(found: list[int]) -> Column:
        return np.array(found)[where] if len(set(found)) > 1 else np.array(found)[0]  # all share one value

    single = [name for name in TermsOf.__struct_fields__ if name not in ("values", "checks")]
    given = {name: column([getattr(each, name) for each in terms]) for name in single}
    values: dict[str, Column] = {
        name: column([each.values[name] for each in terms]) + added.get(name, 0) for name in ATTRIBUTES
    }
    checks: dict[str, Column] = {name: column([each.checks[name] for each in terms]) for name in ATTRIBUTES}
    return TermsOf(**given, values=values, checks=checks)


# --- a turn ----------------------------------------------------------------------------------------------------------------


def _turn(
    columns: Columns, due: Column, terms: Terms, faces: Faces, rules: Rules, loyalty: Mapping[str, str]
) -> Course:
    """Play a turn until Consumption is paid: taxes, then the steps of the Upkeep phase in the order of turn.py."""
    checked = (terms.size > 0) & terms.in_play & ~terms.anarchy
    economy = _check("economy", faces.economy, columns.unrest, terms, rules)
    taxes = np.maximum(0, economy.total // rules.income.divisor) + terms.works  # the same as in terms.taxes
    bp = np.where(checked & economy.success, taxes, 0)
    columns = columns._replace(treasury=columns.treasury + bp)
    course, given = Course(columns, due, {}), Given(terms, faces, checked, rules, loyalty)
    for step in upkeep()[0]:
        course = MAKES[step](course, given)
    return course._replace(columns=_paid(course.columns, terms, rules))


def _negatives(course: Course, given: Given) -> Course:
    """Upkeep step 1, the same as exact.of_negatives."""
    columns, (terms, rules) = course.columns, (given.terms, given.rules)
    for name in ATTRIBUTES:
        columns = _with_unrest(columns, rules.negative_attribute.unrest, terms.values[name] < 0, terms, rules)
    due = course.due | ((terms.size > 0) & ~terms.anarchy & (columns.unrest >= rules.hex_loss.unrest))
    return course._replace(columns=columns, due=due)


def _check(attribute: str, die: Column, unrest: Column, terms: Terms, rules: Rules) -> Checked:
    """Make a check for every sample. Ruling: check; the same as `decide` of steps/shared.py."""
    ruling = rules.check
    total = die + terms.values[attribute] + terms.checks[attribute] - unrest
    margin = total - terms.dc
    fails = die == ruling.always_fails
    succeeds = (die == ruling.always_succeeds) & ~fails
    margin = np.where(fails, np.minimum(margin, -ruling.slip), np.where(succeeds, np.maximum(margin, 0), margin))
    return Checked(total, ~fails & (succeeds | (margin >= 0)), margin)


def _with_unrest(columns: Columns, by: Column | int, where: Column, terms: Terms, rules: Rules) -> Columns:
    """Change Unrest in the samples marked by `where`, the same as with_unrest of steps/shared.py."""
    moves = where & terms.in_play & ~terms.anarchy
    unrest = np.where(moves, np.maximum(0, columns.unrest + by), columns.unrest)
    return columns._replace(unrest=unrest, anarchy=columns.anarchy | (moves & (unrest >= rules.anarchy.unrest)))


def _stability(course: Course, given: Given) -> Course:
    """The Stability check, the same as exact.after_stability."""
    columns, (terms, faces, checked, rules, _) = course.columns, given
    ruling = rules.stability
    check = _check("stability", faces.stability, columns.unrest, terms, rules)
    pays = check.success & (columns.unrest == 0)
    columns = columns._replace(treasury=columns.treasury + np.where(checked & pays, ruling.success_bp, 0))
    failed = np.where(-check.margin > ruling.near, faces.stability_failure, ruling.near_unrest)
    by = np.where(check.success, ruling.success_unrest, failed)
    return course._replace(columns=_with_unrest(columns, by, checked & ~pays, terms, rules))


def _loyalty(course: Course, given: Given) -> Course:
    """The Loyalty check, the same as exact.after_loyalty, terms.loyalty_unrest and terms.loyalty_points."""
    columns, (terms, faces, _, rules, ordered) = course.columns, given
    if not ordered:
        return course
    check = _check("loyalty", faces.loyalty, columns.unrest, terms, rules)
    obeyed = terms.in_play & ~terms.anarchy
    if ROUSE in ordered:
        rouse = rules.rouse_the_people
        points = np.where(obeyed & check.success, np.maximum(rouse.least, check.margin // rouse.per_margin), 0)
        columns = _with_unrest(columns, rouse.failure_unrest, ~check.success, terms, rules)
        return course._replace(columns=columns, added={ordered[ROUSE] or rouse.unnamed: points})
    heads = rules.change_minds_by_breaking_heads
    by = np.where(check.margin >= heads.clear_margin, heads.clear_unrest, heads.success_unrest)
    points = np.where(obeyed & ~check.success, heads.failure_loyalty, 0)
    columns = _with_unrest(columns, by, check.success, terms, rules)
    return course._replace(columns=columns, added={"loyalty": points})


# step of the Upkeep phase before Consumption is paid -> the function that plays it
MAKES: dict[str, Callable[[Course, Given], Course]] = {
    "modify_unrest": _negatives,
    "stability_check": _stability,
    "loyalty_check": _loyalty,
}


def _paid(columns: Columns, terms: Terms, rules: Rules) -> Columns:
    """Pay Consumption, the same as exact.paid."""
    treasury, stores = columns.treasury, columns.stores
    given = np.minimum(stores, np.maximum(0, terms.consumption - np.maximum(0, treasury)))
    kept = np.where(given > 0, stores - given, np.minimum(terms.room, stores + terms.surplus))
    treasury = np.where(terms.in_play, treasury - terms.consumption + given, treasury)
    columns = columns._replace(treasury=treasury, stores=np.where(terms.in_play, kept, stores))
    return _with_unrest(columns, rules.consumption.unpaid_unrest, treasury < 0, terms, rules)


# --- its close -------------------------------------------------------------------------------------------------------------


def _close(courses: Courses, where: Column, columns: Columns, due: Column) -> list[Column]:
    """The fields of Closed in courses.py as columns: each sample's course in the next turn, and its state at the end of this turn."""
    minds, armed = np.array(courses.minds_unrest()), np.array([bool(kingdom.armies) for kingdom in courses.kingdoms])
    short, unrest = (columns.treasury < 0) & armed[where], np.where(minds[where], columns.unrest, 0)
    number = (((where * 2 + short) * 2 + due) * 2 + columns.anarchy) * (int(unrest.max()) + 1) + unrest
    _, first, which = np.unique(number, return_index=True, return_inverse=True)
    fates = where, short, due, columns.anarchy, unrest  # the fields of Fate
    found = [courses.closed(Fate(*(column[row].item() for column in fates))) for row in first]
    return [np.array(column)[which] for column in zip(*found, strict=True)]


def bands(column: Column, percents: Iterable[int]) -> list[int]:
    """For each of these percents, the value that this percent of the samples do not exceed."""
    return [int(value) for value in np.quantile(column, [each / 100 for each in percents], method="inverted_cdf")]
