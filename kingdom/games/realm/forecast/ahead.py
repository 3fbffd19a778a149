"""What may befall a kingdom within some turns in which it orders nothing: the chances of all that the dice may come to, without samples.

Each turn is played for every treasury, Unrest and course (courses.py) that there may be, and what comes to the same is counted
together. Two things keep that small: money that the turns left can't use up counts as one sum, and what is all but impossible
is not played on.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from kingdom.engine.named_tuple import NamedTuple
from kingdom.games.realm.forecast.courses import KEPT, Courses, Fate, Standing, upkeep
from kingdom.games.realm.forecast.exact import MAKES, Trouble, paid, with_unrest
from kingdom.games.realm.forecast.terms import Terms, faces_of, taxes
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import sources
from kingdom.games.realm.state import Hex, Kingdom

ANARCHY, HEX_LOSS, BANKRUPTCY = 1, 2, 4  # what befell a kingdom, added up
BITS = {
    "anarchy": ANARCHY,
    "hex_loss": HEX_LOSS,
    "bankruptcy": BANKRUPTCY,
}  # by the names that CHANCES of forecast.py has
ALL = ANARCHY | HEX_LOSS | BANKRUPTCY
OUT = -1  # the course of a kingdom that is out of play
LEAST = 0.0005  # what is less likely than this counts as it stands, and is not played on


class Spot(NamedTuple):
    """Where a kingdom may stand when a turn begins, but for its treasury. befell: what did so far. due, anarchy: as the turn
    before the first left them; later the course knows."""

    course: int
    befell: int
    unrest: int
    stores: int
    due: bool = False
    anarchy: bool = False


class Ended(NamedTuple):
    """What a fate comes to. course: its number in the next turn; unrest: KEPT, or what it is now; befell: what did."""

    course: int
    unrest: int
    befell: int


Money: TypeAlias = dict[int, float]  # treasury -> its chance
Spots: TypeAlias = dict[Spot, Money]
Troubles: TypeAlias = dict[
    int, dict[Trouble, float]
]  # what the Stability check pays -> Unrest as it may be -> its chance
Purses: TypeAlias = dict[tuple[int, bool], Money]  # (stores, whether the treasury is below 0) -> the treasury


def chances_ahead(standing: Standing, rules: Rules, turns: int, loyalty: str = "") -> dict[str, float]:
    """What may befall the kingdom -> the chance, 0 to 1, that it does within that many turns.

    In the turns after the first the kingdom stands still: with its edicts, and without orders. loyalty: the check that is
    ordered for the first; what it adds to attributes in the turn after is left out.
    """
    kingdom, courses = standing.kingdom, Courses(standing, rules)
    most = _most_consumption(kingdom, standing.hexes, rules)
    begun = Spot(0, 0, kingdom.unrest, kingdom.stores, kingdom.loses_hex, kingdom.anarchy == standing.turn + 1)
    spots: Spots = {begun: {kingdom.treasury: 1.0}}
    sizes, known = {0: len(kingdom.hexes)}, Known()
    found = dict.fromkeys(BITS, 0.0)
    for left in reversed(range(turns)):
        turn = _Turn(courses, sizes, left, most, rules, known, loyalty)
        for spot, money in spots.items():
            turn.play(spot, money)
        spots, sizes, loyalty = {}, turn.sizes, ""
        for spot, money in turn.after.items():
            chance = sum(money.values())
            if left and chance >= LEAST and spot.befell != ALL and spot.course != OUT:
                spots[spot] = money
                continue
            for name, bit in BITS.items():
                found[name] += chance if spot.befell & bit else 0
        if not spots:
            break
        courses.go_on()
    return {name: round(chance, 9) for name, chance in found.items()}  # sums of fractions are a hair off


def _most_consumption(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> int:
    """The most that a turn can cost, whatever is lost that feeds the kingdom."""
    return sum(
        source.by for source in sources(kingdom, hexes, rules) if source.account == "consumption" and source.by > 0
    )


class Known:
    """What was worked out of terms that are alike: of one turn's courses, and of those of the turns after it."""

    def __init__(self) -> None:
        self.kinds: dict[tuple[object, ...], int] = {}  # terms as far as the checks go by them -> their number
        self.taxes: dict[tuple[int, int], Money] = {}  # (kind, Unrest) -> what the Economy check pays
        self.troubles: dict[tuple[int, int, bool, bool, str], Troubles] = {}  # kind, Unrest and what else decides

    def kind(self, terms: Terms) -> int:
        """The number of the terms that are alike in all that a check goes by."""
        checks = (terms.values[name] + terms.checks[name] for name in ATTRIBUTES)
        below = sum(terms.values[name] < 0 for name in ATTRIBUTES)
        key = (*checks, below, terms.dc, terms.works, terms.checked, terms.size > 0)
        return self.kinds.setdefault(key, len(self.kinds))


class _Turn:
    """A turn under way, and how it may have ended so far.

    had: course -> how many hexes it has if nothing but what is due was lost. left: the turns after this one; most: BP that a
    turn can cost at most.
    """

    def __init__(
        self, courses: Courses, had: dict[int, int], left: int, most: int, rules: Rules, known: Known, loyalty: str
    ):
        self.after: Spots = {}
        self.sizes: dict[int, int] = {}  # as `had`, of the courses of the next turn
        self._courses, self._had, self._left = courses, had, left
        self._enough = left * most  # what can't be used up after this turn
        self._plenty = self._enough + most  # the same before it: what the turn pays then moves nothing
        self._rules, self._known, self._loyalty = rules, known, loyalty
        self._terms, self._minds = courses.terms(), courses.minds_unrest()
        self._armed = [bool(kingdom.armies) for kingdom in courses.kingdoms]
        self._kinds = [known.kind(terms) for terms in self._terms]
        self._ended: dict[Fate, Ended] = {}

    def play(self, spot: Spot, money: Money) -> None:
        """Play the turn from there."""
        terms = self._terms[spot.course]
        if not terms.in_play:
            return self._add(spot._replace(course=OUT), money, 1.0)
        earned = money if min(money) >= self._plenty else _sums(money, self._taxed(spot, terms))
        for bp, troubles in self._troubled(spot, terms).items():
            for (stores, short), left in self._paid(earned, bp, spot.stores, terms).items():
                for trouble, chance in troubles.items():
                    if short:
                        trouble = with_unrest(trouble, self._rules.consumption.unpaid_unrest, terms, self._rules)
                    ended = self._end(spot.course, trouble, short)
                    unrest = trouble.unrest if ended.unrest == KEPT else ended.unrest
                    self._add(Spot(ended.course, spot.befell | ended.befell, unrest, stores), left, chance)
        return None

    def _taxed(self, spot: Spot, terms: Terms) -> Money:
        """What the Economy check pays."""
        key, known = (self._kinds[spot.course], spot.unrest), self._known.taxes
        if key not in known:
            faces = faces_of("economy", spot.unrest, terms, self._rules) if terms.checked else ()
            found: Money = {} if faces else {0: 1.0}
            for face in faces:
                bp = taxes(face, terms, self._rules)
                found[bp] = found.get(bp, 0) + 1 / len(faces)
            known[key] = found
        return known[key]

    def _troubled(self, spot: Spot, terms: Terms) -> Troubles:
        """What the steps before Consumption make of Unrest."""
        known = self._known.troubles
        key = self._kinds[spot.course], spot.unrest, spot.due, spot.anarchy, self._loyalty
        if key not in known:
            ways = {Trouble(spot.unrest, spot.anarchy, spot.due): 1}
            for step in upkeep()[0]:
                ways = MAKES[step](ways, terms, self._rules, self._loyalty)
            total = sum(ways.values())
            found: Troubles = {}
            for trouble, count in ways.items():
                found.setdefault(trouble.bp, {})[replace(trouble, bp=0)] = count / total
            known[key] = found
        return known[key]

    def _paid(self, money: Money, bp: int, stores: int, terms: Terms) -> Purses:
        """The treasury once Consumption is paid."""
        found: Purses = {}
        for treasury, chance in money.items():
            treasury, kept = paid(treasury + bp, stores, terms)
            purse = found.setdefault((kept, treasury < 0), {})
            treasury = min(treasury, self._enough)
            purse[treasury] = purse.get(treasury, 0) + chance
        return found

    def _end(self, course: int, trouble: Trouble, short: bool) -> Ended:
        """What the close of the turn makes of it, and what befell. short: the treasury is below 0."""
        fate = Fate(
            course,
            short and self._armed[course],
            trouble.due,
            trouble.anarchy,
            trouble.unrest if self._minds[course] else 0,
        )
        ended = self._ended.get(fate)
        if ended is None:
            closed, size = self._courses.closed(fate, last=not self._left), self._terms[course].size
            sure = closed.size - closed.due * self._rules.hex_loss.hexes  # what it has if it loses no more than is due
            self.sizes[closed.course] = sure
            lost = closed.size < size or size < self._had[course] or (closed.due and closed.size > 0)
            lost = lost or (closed.anarchy and sure >= self._rules.anarchy.loses_one_in)
            ended = Ended(closed.course, closed.unrest, ANARCHY * closed.anarchy | HEX_LOSS * lost)
            self._ended[fate] = ended
        return ended._replace(befell=ended.befell | BANKRUPTCY) if short else ended

    def _add(self, spot: Spot, money: Money, chance: float) -> None:
        there = self.after.setdefault(spot, {})
        for treasury, part in money.items():
            there[treasury] = there.get(treasury, 0) + part * chance


def _sums(some: Money, more: Money) -> Money:
    """What two come to together."""
    found: Money = {}
    for treasury, chance in some.items():
        for bp, part in more.items():
            found[treasury + bp] = found.get(treasury + bp, 0) + chance * part
    return found
