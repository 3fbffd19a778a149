"""Orders of a kingdom in need: levels, Houses and City Walls (also on credit), buildings torn down, land given up: the fastest
way out.

A plan is judged by the likely Unrest and treasury of the next turns, die by die. It is assumed that the kingdom builds a House
in each turn with Unrest, if it can get one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from kingdom.engine.offer import Offer, together
from kingdom.games.realm.bots.agenda import Agenda
from kingdom.games.realm.bots.errands import errands
from kingdom.games.realm.bots.planner import Thought
from kingdom.games.realm.bots.worth import KEEPER, Choice, Outlook, chance_of, faces_that_pass, taxes
from kingdom.games.realm.forecast.turn_preview import offers_of
from kingdom.games.realm.orders.building import CONSTRUCT
from kingdom.games.realm.orders.declaration import IMPROVE
from kingdom.games.realm.orders.leaving import ABANDON
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.towns.construction import LIMIT

AHEAD = 5  # turns that the plan looks ahead
MOST = 10  # the most orders of a turn
LEAST = 0.05  # an order must help by at least so many points
FEW = 0.004  # cases with a lower chance are not played on
CALMED = "house"  # the building that is built each turn against Unrest
SMALL = 6  # at this size or less no hex is given up; a hex is then worth twice as much as in a large kingdom
NOBODY = (0.0, 0.0)
WORST = 16  # points lost for each turn of anarchy
RUIN = 0.15  # points lost for each BP of a torn-down building's list price
ERRAND = 0.1  # points for each BP of an errand's worth


# the chance of taxes, their BP on average, the Unrest that the Stability check leaves with its chance
Checks: TypeAlias = tuple[float, float, tuple[tuple[int, float], ...]]


class Straits(Struct, frozen=True):
    """The fears of a ruler in need, in points of Unrest a turn. short: a treasury below 0; debt: each BP below 0; hex: the loss
    of a hex; anarchy: its harm in addition to the Unrest that leads to it."""

    short: float = 2
    debt: float = 0.4
    hex: float = 2.5
    anarchy: float = 5


CALM_FIRST, PURSE_FIRST = Straits(), Straits(short=6, debt=1)


def checks_of(view: Outlook, rules: Rules) -> Callable[[int], Checks]:
    """Return the function that gives the two checks of a turn with some Unrest, each worked out once."""
    die, near = rules.check.die, rules.stability.near / rules.check.die
    economy, stability = faces_that_pass("economy", view, rules), faces_that_pass("stability", view, rules)
    negative = rules.negative_attribute.unrest * sum(by < 0 for by in view.attributes.values())

    @cache
    def checked(unrest: int) -> Checks:
        pays, begun = taxes(view, economy, unrest, rules), unrest + negative
        holds = chance_of(stability - begun, die)
        narrow = min(1 - holds, near)
        badly = (1 - holds - narrow) / 2  # a bad failure costs 3.5 on average
        ways = (max(0, begun - 1), holds), (begun + 1, narrow), (begun + 3, badly), (begun + 4, badly)
        return *pays, ways

    return checked


def prospect(view: Outlook, straits: Straits, rules: Rules) -> float:
    """Return the likely state of the kingdom in the next turns, in points of Unrest; higher is better."""
    most, loses, price, checks = (
        rules.anarchy.unrest,
        rules.hex_loss.unrest,
        rules.buildings[CALMED].cost,
        checks_of(view, rules),
    )
    consumption, unpaid = max(0, view.raw), rules.consumption.unpaid_unrest
    credit, eased = (-rules.debt.credit, rules.debt.unrest) if rules.debt else (0, most)
    # Unrest -> (chance, BP on average)
    spots: dict[int, tuple[float, float]] = {view.unrest: (1.0, float(view.treasury))}
    hex = straits.hex * (1 + SMALL / max(1, view.size))
    value = straits.hex * view.size
    for turn in range(AHEAD):
        left = AHEAD - turn
        after: dict[int, tuple[float, float]] = {}
        for unrest, (chance, bp) in spots.items():
            if turn and unrest and (bp >= price or credit < bp and unrest >= eased):
                unrest, bp = unrest - 1, bp - price
            pays, taxes, ways = checks(unrest)
            for earned, part in ((taxes, chance * pays), (0.0, chance * (1 - pays))):
                kept = bp + earned - consumption
                more = unpaid if kept < 0 else 0
                for end, odds in ways:
                    then, share = end + more if end + more < most else most, part * odds
                    had, purse = after.get(then, NOBODY)
                    after[then] = had + share, purse + share * kept
        spots = {}
        for unrest, (chance, purse) in after.items():
            if chance < FEW:
                continue
            bp = purse / chance
            owed = straits.short - straits.debt * bp if bp < 0 else 0.0
            if unrest < most:
                spots[unrest] = chance, bp
                value -= chance * (unrest + owed + (hex if unrest >= loses else 0))
            else:  # anarchy loses two turns and part of the land; Unrest ends, debts stay
                lost = hex * view.size / rules.anarchy.loses_one_in + straits.anarchy
                value -= chance * (min(left, 2) * WORST + left * owed + lost)
    return value


class Need(Thought):
    """A ruler in need. ways: the orders that may lead out of need."""

    def __init__(self, agenda: Agenda, straits: Straits, ways: Iterable[Choice]):
        self.straits, self.ways = straits, {way.offer.id: way for way in ways}
        super().__init__(agenda, KEEPER, "")

    def _value(self, view: Outlook) -> float:
        """The prospect, worked out once for all orders that move the same of the figures that it hangs on."""
        faces = [faces_that_pass(name, view, self.rules) for name in ("economy", "stability")]
        below, known = sum(by < 0 for by in view.attributes.values()), self.agenda.prospects
        figures = (view.size, view.unrest, view.treasury, max(0, view.raw), view.works, view.attributes["economy"])
        key = (self.straits, *figures, *faces, below)
        if key not in known:
            known[key] = prospect(view, self.straits, self.rules)
        return known[key]

    def build_up(self, allowed: Callable[[Offer], bool]) -> None:
        """Take the order that helps most, again and again, until nothing helps."""
        for _ in range(MOST):
            gains = ((self._helps(way), way) for way in self.ways.values() if self._left(way.offer))
            gain, best = max(gains, key=lambda each: each[0], default=(0.0, None))
            if best is None or gain <= LEAST:
                return
            orders = together([best.offer], self.orders)
            follows = self._follow(orders)
            if follows:
                self.orders = orders
                self.choices.append(Choice(best.offer, gain))
            if not follows or best.offer.key != "build" or best.offer.order.get("build") != CALMED:
                del self.ways[best.offer.id]

    def _left(self, offer: Offer) -> bool:
        return offer.uses.get(LIMIT, 0) + self.then.used.get(LIMIT, 0) <= limits(self.then, self.rules).buildings

    def _helps(self, way: Choice) -> float:
        paid = way.offer.costs.get("treasury", 0) - way.offer.effect.get("treasury", 0)
        return self._gain(self._effect(way.offer), paid) + way.gain

    def _effect(self, offer: Offer) -> Mapping[str, int]:
        if offer.key != ABANDON.key:
            return super()._effect(offer)
        kinds = [kind for word in self.then.hexes[offer.order] if (kind := self.rules.improvements.get(word))]
        lost = {str(name): -sum(getattr(kind.kingdom, name) for kind in kinds) for name in ATTRIBUTES}
        eats = self.rules.consumption.per_size + sum(kind.consumption for kind in kinds)
        return {**offer.effect, "consumption": -eats, "works": -sum(kind.tax_bp for kind in kinds), **lost}


def ways_out(agenda: Agenda) -> Iterator[Choice]:
    """Yield the orders that may lead a kingdom out of need, each with its worth apart from its effect, in points of Unrest."""
    now, kingdom, rules = agenda.first, agenda.kingdom, agenda.rules
    for offer in offers_of(CONSTRUCT)(now):
        if offer.effect.get("unrest", 0) <= 0 and offer.effect:
            torn = offer.order.get("demolish")
            yield Choice(offer, -RUIN * rules.buildings[torn].cost if torn else 0.0)
    yield from (Choice(offer, 0.0) for offer in offers_of(IMPROVE)(now))
    for offer in offers_of(ABANDON)(now) if len(kingdom.hexes) > SMALL else ():
        if not settlement_in(kingdom, offer.order):
            yield Choice(offer, 0.0)
    for choice in errands(now, KEEPER, agenda.book):
        if choice.offer.order.get("edict") == "adventurers" and choice.offer.costs["treasury"] <= kingdom.treasury:
            yield Choice(choice.offer, ERRAND * choice.gain)
