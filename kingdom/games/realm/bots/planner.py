"""A ruler who thinks: again and again it takes the possible order that makes the kingdom worth most some turns ahead.

Candidates come from the offers, with price, effect and limits. The course of the turn, played by the game's own steps without
dice, shows the result of the orders so far and whether one is refused. The ruler uses only what the seat knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from kingdom.engine.ledger import summed
from kingdom.engine.offer import Offer, together
from kingdom.games.realm.bots.agenda import PARTS, Agenda
from kingdom.games.realm.bots.errands import errands
from kingdom.games.realm.bots.marshal import marches, musters
from kingdom.games.realm.bots.worth import (
    AHEAD,
    PLENTY,
    RESERVE,
    Choice,
    Outlook,
    Weights,
    income,
    outlook,
    passes,
    worth,
)
from kingdom.games.realm.forecast.event_chances import chances_of_failures, outlook_of
from kingdom.games.realm.forecast.turn_preview import ORDER, Course
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.orders.answers import Way, answers_to
from kingdom.games.realm.orders.declaration import CLAIM, IMPROVE, SETTLE
from kingdom.games.realm.orders.settle import foundings
from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.rules.event_tables import EventOutcome
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, leadership_bonus, led, limits
from kingdom.games.realm.state import Kingdom, Settlement, World, owners, replace
from kingdom.games.realm.steps.events.scene import CHECK
from kingdom.games.realm.steps.land.ground import touches_water
from kingdom.games.realm.steps.land.improvements import PREPARE
from kingdom.games.realm.steps.shared import USED
from kingdom.games.realm.steps.towns.construction import LIMIT, settlement_named

# part -> the parts whose offers are worked out again after an order of it; other changes show in the next turn's offers
CHANGES = {
    CLAIM.key: (CLAIM.key, IMPROVE.key),
    IMPROVE.key: (IMPROVE.key, SETTLE.key),
    SETTLE.key: (SETTLE.key, "build"),
}
LEAST = 0.2  # the least gain in BP for which it gives an order
MOST = 16  # the most orders of land and towns that it tries in a turn
LATER = 0.5  # the part of an improvement's worth that counts for claiming its hex
ROOM = 0.7  # the part of the buildings' worth that counts for room for them
UNKNOWN = -5  # worth in BP of a hex out of sight, apart from the size
WORTH_A_TRY = 0.3  # from this chance of the Loyalty check on it breaks heads
URGENT = 60  # for an errand worth this many BP it leaves only a turn's Consumption in the treasury
DEMANDED = 15  # worth in BP of meeting an event's demand
LAST_CHANCE = 500  # worth in BP of a settlement for a kingdom without one
LEVELS = ("holiday", "promotion", "taxation")
HEADS = {"change_minds_by_breaking_heads": ""}


class Plan(Struct, frozen=True):
    """The orders of a turn in the long form. choices: those for land and towns, in the order in which they were taken.

    end: the world at the end of the Edict phase with these orders, without dice.
    """

    orders: dict[str, object]
    choices: tuple[Choice, ...]
    end: World


def thought_out(thought: Thought, allowed: Callable[[Offer], bool] | None = None) -> Plan:
    """Return the plan that this thought leads to. allowed: whether it may take an offer for land and towns; None: all."""
    weights, rules = thought.weights, thought.rules
    thought.answer()
    if weights.rules:
        thought.set_levels()  # first, so that the next orders are weighed with the new levels
    thought.build_up(allowed or (lambda _: True))
    if weights.rules:
        thought.set_levels()
    if weights.rules and thought.view.unrest and passes("loyalty", thought.view, rules) >= WORTH_A_TRY:
        thought.orders["loyalty"] = HEADS
    thought.give("armies", marches(thought.now, weights, thought.agenda.book))
    orders = dict(sorted(thought.orders.items(), key=lambda order: ORDER.index(order[0]) if order[0] in ORDER else -1))
    return Plan(orders, tuple(thought.choices), thought.now.end)


def best_planned(agenda: Agenda, tried: Sequence[Weights], allowed: Callable[[Offer], bool] | None, town: str) -> Plan:
    """Make a plan by each of these weights, and return the plan that is worth most by the first weights. town: the name of a new settlement."""

    def value(plan: Plan) -> float:
        kingdom = plan.end.kingdoms[agenda.seat]
        return worth(outlook(kingdom, plan.end.hexes, agenda.rules), tried[0], agenda.rules)

    return max((thought_out(Thought(agenda, weights, town), allowed) for weights in tried), key=value)


def _demanded(kingdom: Kingdom) -> Iterator[tuple[str, str]]:
    """Yield (hex or settlement, improvement or building) for each thing that events want built."""
    for event in kingdom.events.values():
        what = event.facts.get("what") if event.facts.get("demand") == "build" else event.facts.get("wanted")
        if what:
            yield event.settlement or event.hex, str(what)


def _by(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Return account -> difference, for accounts that differ."""
    return {account: by for account, balance in after.items() if (by := balance - before[account])}


def _struck(view: Outlook, outcome: EventOutcome | None) -> Outlook:
    """Return the numbers of a kingdom after an event's outcome, with average dice."""
    rolled = [(account, _average(die)) for account, die in outcome.die.items()] if outcome else []
    points: dict[str, int] = summed([*outcome.by.items(), *rolled] if outcome else ())
    return view.changed(points, -points.get("treasury", 0))


def _average(die: int) -> int:
    """Return the average of a die with so many faces, below 0 for a die that is taken off."""
    return (die + 1) // 2 if die > 0 else -((1 - die) // 2)


def _at_risk(kingdom: Kingdom, rules: Rules) -> int:
    """Return the most BP that the events of the turn may take before its orders are paid for."""
    standing = [event.kind for event in kingdom.events.values() if not event.done]
    kinds = [rules.event_kinds[kind] for kind in standing if kind in rules.event_kinds]
    losses = [[-each.die.get("treasury", 0) - each.by.get("treasury", 0) for each in kind.outcomes] for kind in kinds]
    return sum(max(0, *each, 0) for each in losses)


def _is_district(offer: Offer) -> bool:
    return offer.key == "build" and offer.order.get("build") == "district"


def _falls(known: World, seat: str, rules: Rules) -> int:
    """Return in how many foreign hexes its armies stand; each will count against the turn's claims when it falls."""
    kingdom, held = known.kingdoms[seat], owners(known)
    stand = {army.hex for army in kingdom.armies.values() if held.get(army.hex, seat) != seat}
    return len(stand - kingdom.lost.keys()) if rules.conquest and rules.conquest.within_claims else 0


class Thought:
    """A ruler thinking about a turn: the orders so far, and the kingdom that results from them."""

    def __init__(self, agenda: Agenda, weights: Weights, town: str):
        self.agenda, self.weights, self.town = agenda, weights, town
        self.known, self.seat, self.rules, self.kingdom = agenda.known, agenda.seat, agenda.rules, agenda.kingdom
        self.orders = agenda.orders
        self.choices: list[Choice] = []
        self.demanded = set(_demanded(self.kingdom))
        self.at_risk = _at_risk(self.kingdom, self.rules)
        self.falls = _falls(self.known, self.seat, self.rules)
        self._offered: dict[str, list[Offer]] = {}  # part -> its offers now
        self._promised: dict[str, float] = {}  # hex -> the worth of its best improvement, as first worked out
        self._errands: dict[str, float] = {}  # id of an errand or a recruiting -> its worth
        self._gains: dict[tuple[object, ...], float] = {}  # price and effect -> their worth to the kingdom now
        self._rooms: dict[str | bool, float] = {}  # town, or whether a new town has water -> the worth of room now
        self._here: tuple[list[tuple[float, int]], float] | None = (
            None  # the possible buildings now, and the worth of the best of them
        )
        self._take(agenda.first)
        self.refused = self.now.refused  # a plan of earlier turns may order what can't be done now

    def _take(self, now: Course) -> None:
        self.now, self.then = now, now.end.kingdoms[self.seat]
        self.view = outlook(self.then, now.end.hexes, self.rules)
        self.worth = self._value(self.view)
        self._gains.clear()
        self._rooms.clear()
        self._here = None

    def _follow(self, orders: Mapping[str, object]) -> bool:
        """Play the turn with these orders. If no order is newly refused, keep the result and return True."""
        now = self.agenda.course(orders)
        if now.refused and not self.refused:
            return False
        self._take(now)
        return True

    def _value(self, view: Outlook) -> float:
        return worth(view, self.weights, self.rules)

    def give(self, key: str, orders: Iterable[object]) -> None:
        """Add to the list of orders under `key` those that the course of the turn does not refuse."""
        for order in orders:
            given = {**self.orders, key: [*self.orders.get(key, ()), order]}
            if self._follow(given):
                self.orders = given

    def _gain(self, effect: Mapping[str, int], cost: int) -> float:
        """Return how much more the kingdom is worth after an order with that effect and price, in BP."""
        key = (cost, *effect.items())
        if key not in self._gains:
            self._gains[key] = self._value(self.view.changed(effect, cost)) - self.worth
        return self._gains[key]

    # --- questions

    def answer(self) -> None:
        """Give each question the answer that is worth most; the ruling decides which hex is lost."""
        answers: dict[str, object] = {}
        for asked in self.kingdom.pending:
            best: tuple[float, bool, object] | None = None
            for answer in answers_to(asked):
                given = {**self.orders, "answers": {**answers, asked.key: answer.order}}
                then = self.agenda.course(given)
                if answer.figure and then.end.kingdoms[self.seat].treasury < max(0, self.view.raw):
                    continue  # the turn's Consumption must stay in the treasury
                rank = (self._outcome(asked.key, answer, then), answer.word == asked.default, answer.order)
                if not then.refused and (best is None or rank[:2] > best[:2]):
                    best = rank
            if best is not None:
                answers[asked.key] = best[2]
        if answers and self._follow(given := {**self.orders, "answers": answers}):
            self.orders = given

    def _outcome(self, key: str, answer: Way, then: Course) -> float:
        """Return the kingdom's worth after that answer: for an event by the odds of its checks, else by the course of the
        turn."""
        after = then.end
        view = outlook(after.kingdoms[self.seat], after.hexes, self.rules)
        now, event = self._value(view), self.kingdom.events.get(key)
        kind = self.rules.event_kinds.get(event.kind) if event else None
        if event is None or kind is None or not kind.checks:
            return now
        facing = outlook_of(key, event, self.seat, self.known, self.rules)
        if kind.on_request and answer.word != CHECK:
            return 2 * self._value(_struck(view, kind.unmet)) - now  # it goes on
        ruling = self.rules.event_answers
        bonus = ruling.bonus_by_bp.get(str(answer.figure), 0) if ruling else 0
        value = 0.0
        for fails, chance in enumerate(chances_of_failures(facing, bonus)):
            struck = self._value(_struck(view, kind.outcomes[min(fails, len(kind.outcomes) - 1)]))
            value += chance * (2 * struck - now if fails in kind.goes_on else struck)
        return value

    # --- land and towns

    def build_up(self, allowed: Callable[[Offer], bool]) -> None:
        """Claim, improve, settle and build: take the offer that adds most, again and again, until none adds enough."""
        offered = self._offered = {part: self._named(self.agenda.offers(part), allowed) for part in PARTS}
        book = self.agenda.book
        for choice in (*errands(self.now, self.weights, book), *musters(self.now, self.weights, book)):
            if allowed(choice.offer):
                offered.setdefault(choice.offer.key, []).append(choice.offer)
                self._errands[choice.offer.id] = choice.gain
        for _ in range(MOST):
            best = self._best([offer for part in offered for offer in offered[part] if self._left(offer)])
            if best is None:
                return
            part, orders = best.offer.key, together([best.offer], self.orders)
            offered[part] = [offer for offer in offered[part] if offer.id != best.offer.id]
            if self._follow(orders):
                self.orders = orders
                self.choices.append(best)
                for changed in ("build",) if _is_district(best.offer) else CHANGES.get(part, ()):
                    offered[changed] = self._named(self.agenda.offered(changed, self.now), allowed)

    def _named(self, offers: Iterable[Offer], allowed: Callable[[Offer], bool]) -> list[Offer]:
        """Return the offers that the ruler may take; a new settlement gets the ruler's name for it, and a water border if it
        touches water."""
        offers = [offer for offer in offers if self._sure(offer) and allowed(offer)]
        own = {"name": self.town} if self.town and not settlement_named(self.then, self.town) else {}
        for index, offer in enumerate(offers):
            if offer.key == SETTLE.key:
                wet = touches_water(offer.order["hex"], self.then, self.known.hexes, self.rules)
                offers[index] = offer._replace(order={**offer.order, **own, **({"water": [BORDERS[0]]} if wet else {})})
        return offers

    def _sure(self, offer: Offer) -> bool:
        """Whether the offer is safe from rivals and unknown things: a hex claimed this turn may go to another kingdom or hold
        monsters."""
        held = self.kingdom.hexes
        if offer.key == CLAIM.key:
            return not held or any(near in held for near in neighbours(offer.order))
        if offer.key not in (IMPROVE.key, SETTLE.key) or not held or offer.order["hex"] in held:
            return True
        return self.agenda.at_once and offer.key == IMPROVE.key and self._alone(offer.order["hex"])

    def _alone(self, label: str) -> bool:
        """Whether the hex is claimed for certain as far as the ruler sees, so that it can be improved in the same turn."""
        hex, held = self.known.hexes[label], owners(self.known)
        rivals = {held[near] for near in neighbours(label) if near in held} - {self.seat}
        return not (rivals or hex.monsters or hex.hazard or hex.free_city)

    @property
    def kept(self) -> int:
        """The BP in the treasury below which it spends only on things worth much more than their price."""
        return self.at_risk + RESERVE * max(0, self.view.raw) + PLENTY

    def _within(self, offer: Offer) -> bool:
        """Whether the turn's limits have room for the offer."""
        row = limits(self.then, self.rules)
        most = {LIMIT: row.buildings, USED: self.rules.special_edicts.per_turn, "claims": row.claims - self.falls}
        return all(offer.uses.get(limit, 0) + self.then.used.get(limit, 0) <= count for limit, count in most.items())

    def _left(self, offer: Offer) -> bool:
        """Whether the turn's limits have room for the offer, and the treasury can pay it and keep its reserve."""
        if not self._within(offer):
            return False
        urgent = self._errands.get(offer.id, 0) >= URGENT
        turns = min(1, self.weights.reserve) if urgent else self.weights.reserve
        kept = self.at_risk + (turns * max(0, self.view.raw) if self.kingdom.hexes else 0)
        return offer.costs.get("treasury", 0) <= max(0, self.view.treasury - kept)

    def _best(self, offers: Iterable[Offer]) -> Choice | None:
        """Return the offer that adds most, None if none adds enough."""
        best = None
        for offer in offers:
            gain = self._gain(self._effect(offer), offer.costs.get("treasury", 0)) + self._besides(offer)
            if gain > LEAST and (best is None or gain > best.gain):
                best = Choice(offer, gain)
        return best

    def _effect(self, offer: Offer) -> Mapping[str, int]:
        """Return the effect of an offer, including the effects that are no account: BP of works, and districts, which make
        checks harder."""
        if offer.key == IMPROVE.key and (kind := self.rules.improvements.get(offer.order["build"])):
            return {**offer.effect, "works": kind.tax_bp}
        if offer.key == SETTLE.key or _is_district(offer):
            return {**offer.effect, "districts": 1}
        return offer.effect

    def _besides(self, offer: Offer) -> float:
        """Return the worth of an offer apart from its effect on the numbers."""
        if offer.id in self._errands:
            return self._errands[offer.id]
        if offer.key == CLAIM.key:
            return self._promise(offer.order)
        what = offer.order.get("build")
        if offer.key == SETTLE.key:
            return self._town(offer.order["hex"])
        if what == PREPARE:
            eats = {"consumption": self.rules.consumption.per_district, "districts": 1}
            return 0 if foundings(self.then) else self._town(offer.order["hex"]) + self._gain(eats, 0)
        if _is_district(offer):
            return self._room(self.then.settlements[offer.order["in"]], offer.order["in"])
        return DEMANDED * ((offer.order.get("hex") or offer.order["in"], what) in self.demanded)

    def _town(self, label: str) -> float:
        """Return the worth of another settlement, or of ground for it; very high if the kingdom has none and would be lost."""
        if not self.view.towns:
            return LAST_CHANCE
        return self._room(Settlement(label))

    def _room(self, town: Settlement, name: str = "") -> float:
        """Return the worth of more room: how much more the best buildings of the next turns add with it. name: "" for a new
        settlement."""
        key = name or touches_water(town.hex, self.then, self.known.hexes, self.rules)
        if key not in self._rooms:
            offers = [offer for offer in self._offered["build"] if "build" in offer.order]
            open = {offer.order["build"] for offer in offers if offer.order["in"] == name}
            if self._here is None:
                here = [self._weighed(offer.effect, offer.costs.get("treasury", 0)) for offer in offers]
                self._here = here, self._of_best(here)
            works = self.agenda.works(town)
            more = [self._weighed(effect, cost) for kind, effect, cost in works if kind not in open]
            self._rooms[key] = ROOM * (self._of_best([*self._here[0], *more]) - self._here[1])
        return self._rooms[key]

    def _weighed(self, effect: Mapping[str, int], cost: int) -> tuple[float, int]:
        """Return (the worth of a building in some later turn, its price)."""
        points = {str(name): by for name in ATTRIBUTES if (by := effect.get(name, 0))}
        return self._gain(points, 0) + cost * self._gain({}, 1), cost

    def _of_best(self, works: list[tuple[float, int]]) -> float:
        """Return the total worth of the best buildings that the BP and the limit of the next turns allow."""
        purse = self.view.treasury + AHEAD * income(self.view, self.rules)
        left, total = AHEAD * limits(self.then, self.rules).buildings, 0.0
        for gain, cost in sorted(works, reverse=True):
            if gain <= LEAST or not left:
                break
            if cost <= purse:
                left, purse, total = left - 1, purse - cost, total + gain
        return total

    def _promise(self, label: str) -> float:
        """Return the worth of a hex to be claimed: its best improvement, its features and its free city."""
        hex = self.known.hexes.get(label)
        if hex is None or hex.monsters or hex.hazard:
            return UNKNOWN
        city = self._city(hex.free_city.settlement) if hex.free_city else 0.0
        if label in self.kingdom.hexes:  # an offer to ask its free city once more
            return city
        promises = self.agenda.promises(label)
        if not self.view.towns:  # only a settlement in the same turn saves the kingdom
            purse = self.view.treasury - 1
            return LAST_CHANCE * any(each.word == PREPARE and each.cost <= purse for each in promises)
        if label not in self._promised:
            gains = [self._gain(promise.effect, promise.cost) for promise in promises]
            self._promised[label] = LATER * max(0.0, *gains, 0.0)
        return self._promised[label] + city + bool(hex.resource) + len(hex.features)

    def _city(self, city: Settlement) -> float:
        """Return the worth of asking a free city to join: by the odds, the town that it would be or the Unrest of a refusal."""
        count = len(city.districts)
        brings = {"districts": count, "consumption": count * self.rules.consumption.per_district}
        chance, no = passes("stability", self.view, self.rules), (self.rules.free_city.failure_die + 1) // 2
        joins = self._gain(brings, 0) + self._room(city)
        return chance * joins + (1 - chance) * self._gain({"unrest": no}, 0)

    def wish(self, orders: Mapping[str, object]) -> Choice | None:
        """Return the offer that the ruler would take next, after these orders, with enough in the treasury; None for none."""
        self._follow(orders)
        self._offered = {part: self._named(self.agenda.offers(part), lambda _: True) for part in PARTS}
        best = None
        for offer in (offer for offers in self._offered.values() for offer in offers if self._within(offer)):
            cost = offer.costs.get("treasury", 0)
            gain = self._gain(self._effect(offer), 0) + self._besides(offer) - cost
            if cost > 0 and gain > LEAST and (best is None or gain > best.gain):
                best = Choice(offer, gain)
        return best

    # --- edicts

    def set_levels(self) -> None:
        """Choose the levels of the edicts and the attributes that the ruler leads: make the best change again and again, as
        long as one adds to the worth."""
        best, gained = replace(self.then, leadership=tuple(led(self.then, self.rules))), 0.0
        before = self._numbers(best)
        while True:
            others = ((self._gain(_by(before, self._numbers(other)), 0), other) for other in self._other_levels(best))
            gain, other = max(others, key=lambda each: each[0])
            if gain <= gained + LEAST:
                break
            best, gained = other, gain
        self.orders = {key: order for key, order in self.orders.items() if key not in ("edicts", "leadership")}
        levels = {name: getattr(best, name) for name in LEVELS if getattr(best, name) != getattr(self.kingdom, name)}
        if levels:
            self.orders["edicts"] = levels
        if set(led(best, self.rules)) != set(led(self.kingdom, self.rules)):
            self.orders["leadership"] = list(best.leadership)
        self._follow(self.orders)

    def _numbers(self, kingdom: Kingdom) -> dict[str, int]:
        return accounts(kingdom, self.now.end.hexes, self.rules)

    def _other_levels(self, kingdom: Kingdom) -> Iterator[Kingdom]:
        """Yield the kingdom with each other level of one edict, and with each other leadership."""
        for category in LEVELS:
            for word in getattr(self.rules.edicts, category):
                if word != getattr(kingdom, category):
                    yield replace(kingdom, **{category: word})
        count, _ = leadership_bonus(kingdom.edict_size, self.rules)
        for name in ATTRIBUTES if count < len(ATTRIBUTES) else ():
            others = [other for other in led(kingdom, self.rules) if other != name]
            yield replace(kingdom, leadership=(name, *others)[:count])
