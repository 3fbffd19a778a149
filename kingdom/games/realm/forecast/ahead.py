"""The chances of anarchy, lost hexes and bankruptcy within some turns without orders, over all results of the dice, without
samples.

Each turn is played for every possible treasury, Unrest and course (courses.py), and equal results are counted together. Two
things keep the number of cases small: a treasury that the remaining turns can't use up counts as one sum, and cases that are
all but impossible are not played on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec.structs import replace

from kingdom.engine.named_tuple import NamedTuple
from kingdom.games.realm.forecast.courses import KEPT, Courses, Fate, Standing
from kingdom.games.realm.forecast.exact import Trouble, paid, troubles_of, with_unrest
from kingdom.games.realm.forecast.terms import Terms, faces_of, taxes
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import sources
from kingdom.games.realm.state import Hex, Kingdom

ANARCHY, HEX_LOSS, BANKRUPTCY = 1, 2, 4  # dangers that befell a kingdom, as bits
# names as in CHANCES of forecast.py
BITS = {"anarchy": ANARCHY, "hex_loss": HEX_LOSS, "bankruptcy": BANKRUPTCY}
ALL = ANARCHY | HEX_LOSS | BANKRUPTCY
OUT = -1  # the course of a kingdom that is out of play
LEAST = 0.0005  # less likely cases are not played on; what befell them so far counts


class Spot(NamedTuple):
    """A possible state of a kingdom when a turn begins, apart from its treasury. befell: the dangers that befell it so far.
    due, anarchy: set only for the first turn; later the course holds them."""

    course: int
    befell: int
    unrest: int
    stores: int
    due: bool = False
    anarchy: bool = False


class Ended(NamedTuple):
    """The result of a fate. course: its number in the next turn; unrest: KEPT, or the Unrest now; befell: the dangers that
    befell the kingdom."""

    course: int
    unrest: int
    befell: int


Money: TypeAlias = dict[int, float]  # treasury -> its chance
Spots: TypeAlias = dict[Spot, Money]
# BP that the Stability check pays -> possible Unrest -> its chance
Troubles: TypeAlias = dict[int, dict[Trouble, float]]
Purses: TypeAlias = dict[tuple[int, bool], Money]  # (stores, whether the treasury is below 0) -> the treasury


def chances_ahead(standing: Standing, rules: Rules, turns: int, loyalty: str = "") -> dict[str, float]:
    """Danger -> the chance, 0 to 1, that it befalls the kingdom within that many turns.

    In the turns after the first the kingdom keeps its edicts and gives no orders. loyalty: the check ordered for the first
    turn; the points it adds to attributes in the turn after are left out.
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
    return {name: round(chance, 9) for name, chance in found.items()}  # sums of fractions have tiny errors


def _most_consumption(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> int:
    """The most Consumption of a turn in BP, even if the kingdom loses everything that lowers Consumption."""
    return sum(
        source.by for source in sources(kingdom, hexes, rules) if source.account == "consumption" and source.by > 0
    )


class Known:
    """Cached results for equal terms, shared by the courses of all turns."""

    def __init__(self) -> None:
        self.kinds: dict[tuple[object, ...], int] = {}  # the parts of terms that matter to the checks -> their number
        self.taxes: dict[tuple[int, int], Money] = {}  # (kind, Unrest) -> what the Economy check pays
        self.troubles: dict[tuple[int, int, bool, bool, str], Troubles] = {}  # (kind, Unrest, ...) -> troubles

    def kind(self, terms: Terms) -> int:
        """The number shared by all terms that are equal in everything that matters to a check."""
        checks = (terms.values[name] + terms.checks[name] for name in ATTRIBUTES)
        below = sum(terms.values[name] < 0 for name in ATTRIBUTES)
        key = (*checks, below, terms.dc, terms.works, terms.checked, terms.size > 0)
        return self.kinds.setdefault(key, len(self.kinds))


class _Turn:
    """A turn being played, with the results found so far.

    had: course -> its number of hexes at the start if it lost only the hexes that were due. left: the number of turns after
    this one; most: the highest possible cost of a turn in BP.
    """

    def __init__(
        self, courses: Courses, had: dict[int, int], left: int, most: int, rules: Rules, known: Known, loyalty: str
    ):
        self.after: Spots = {}
        self.sizes: dict[int, int] = {}  # as `had`, of the courses of the next turn
        self._courses, self._had, self._left = courses, had, left
        self._enough = left * most  # a treasury that can't be used up after this turn
        self._plenty = self._enough + most  # the same before this turn; such a treasury need not be counted exactly
        self._rules, self._known, self._loyalty = rules, known, loyalty
        self._terms, self._minds = courses.terms(), courses.minds_unrest()
        self._armed = [bool(kingdom.armies) for kingdom in courses.kingdoms]
        self._kinds = [known.kind(terms) for terms in self._terms]
        self._ended: dict[Fate, Ended] = {}
        self._ends: dict[
            tuple[int, int, bool, bool, int, bool], list[tuple[int, int, int, float]]
        ] = {}  # as `_ending` found them

    def play(self, spot: Spot, money: Money) -> None:
        """Play the turn from that state."""
        terms = self._terms[spot.course]
        if not terms.in_play:
            return self._add(spot._replace(course=OUT), money, 1.0)
        earned = money if min(money) >= self._plenty else _sums(money, self._taxed(spot, terms))
        for bp, troubles in self._troubled(spot, terms).items():
            for (stores, short), left in self._paid(earned, bp, spot.stores, terms).items():
                key = spot.course, spot.unrest, spot.due, spot.anarchy, bp, short
                if (ends := self._ends.get(key)) is None:
                    ends = self._ends[key] = self._ending(spot.course, troubles, short)
                for course, befell, unrest, chance in ends:
                    self._add(Spot(course, spot.befell | befell, unrest, stores), left, chance)
        return None

    def _ending(self, course: int, troubles: Mapping[Trouble, float], short: bool) -> list[tuple[int, int, int, float]]:
        """(course, dangers that befell it, Unrest, chance) of each end of the turn. short: the treasury is below 0."""
        terms, rules, ends = self._terms[course], self._rules, []
        for trouble, chance in troubles.items():
            if short:
                trouble = with_unrest(trouble, rules.consumption.unpaid_unrest, terms, rules)
            ended = self._end(course, trouble, short)
            unrest = trouble.unrest if ended.unrest == KEPT else ended.unrest
            ends.append((ended.course, ended.befell, unrest, chance))
        return ends

    def _taxed(self, spot: Spot, terms: Terms) -> Money:
        """BP that the Economy check pays -> its chance."""
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
        """The possible Unrest after the steps before Consumption."""
        known = self._known.troubles
        key = self._kinds[spot.course], spot.unrest, spot.due, spot.anarchy, self._loyalty
        if key not in known:
            ways = troubles_of(Trouble(spot.unrest, spot.anarchy, spot.due), terms, self._rules, self._loyalty)
            total = sum(ways.values())
            found: Troubles = {}
            for trouble, count in ways.items():
                found.setdefault(trouble.bp, {})[replace(trouble, bp=0)] = count / total
            known[key] = found
        return known[key]

    def _paid(self, money: Money, bp: int, stores: int, terms: Terms) -> Purses:
        """The possible treasuries after paying Consumption."""
        found: Purses = {}
        granaries = stores or terms.room  # without them all pay the same
        for treasury, chance in money.items():
            treasury, kept = paid(treasury + bp, stores, terms) if granaries else (treasury + bp - terms.consumption, 0)
            key = kept, treasury < 0
            if (purse := found.get(key)) is None:
                purse = found[key] = {}
            treasury = min(treasury, self._enough)
            purse[treasury] = purse.get(treasury, 0) + chance
        return found

    def _end(self, course: int, trouble: Trouble, short: bool) -> Ended:
        """The result of the close of the turn. short: the treasury is below 0."""
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
            sure = closed.size - closed.due * self._rules.hex_loss.hexes  # its hexes without those that are due
            self.sizes[closed.course] = sure
            lost = closed.size < size or size < self._had[course] or (closed.due and closed.size > 0)
            lost = lost or (closed.anarchy and sure >= self._rules.anarchy.loses_one_in)
            ended = Ended(closed.course, closed.unrest, ANARCHY * closed.anarchy | HEX_LOSS * lost)
            self._ended[fate] = ended
        return ended._replace(befell=ended.befell | BANKRUPTCY) if short else ended

    def _add(self, spot: Spot, money: Money, chance: float) -> None:
        there = self.after.get(spot)
        if there is None:  # nothing to add it to
            self.after[spot] = {treasury: part * chance for treasury, part in money.items()}
            return
        for treasury, part in money.items():
            there[treasury] = there.get(treasury, 0) + part * chance


def _sums(some: Money, more: Money) -> Money:
    """The sums of both amounts, with their chances."""
    found: Money = {}
    for treasury, chance in some.items():
        for bp, part in more.items():
            found[treasury + bp] = found.get(treasury + bp, 0) + chance * part
    return found
