"""A ruler who thinks: of all that may be ordered it takes, one after the other, what makes the kingdom worth most some turns ahead.

Candidates come from the offers, with price, effect and limits. The course of the turn, run by the game's own steps without a die,
says what the orders so far make of the kingdom and whether one is refused. Nothing is used but what the seat knows.
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
    STEADY,
    Choice,
    Outlook,
    Weights,
    income,
    outlook,
    passes,
    worth,
)
from kingdom.games.realm.forecast.event_chances import chances_of_failures, outlook_of
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.offers.answers import LOSE_HEX, Answer, answers_to
from kingdom.games.realm.offers.turn_preview import ORDER, Course
from kingdom.games.realm.orders.declaration import CLAIM, IMPROVE, SETTLE
from kingdom.games.realm.orders.settle import foundings
from kingdom.games.realm.rules.event_tables import EventOutcome
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.sheet import accounts, leadership_bonus, led, limits
from kingdom.games.realm.state import Kingdom, Settlement, World, owners, replace
from kingdom.games.realm.steps.events.scene import CHECK
from kingdom.games.realm.steps.land.ground import touches_water
from kingdom.games.realm.steps.land.improvements import PREPARE
from kingdom.games.realm.steps.shared import USED
from kingdom.games.realm.steps.towns.construction import LIMIT, settlement_named
from kingdom.games.realm.steps.towns.grid import BORDERS

# part -> the parts that are offered anew once an order of it is taken; what else is built in a settlement waits for the next turn
CHANGES = {
    CLAIM.key: (CLAIM.key, IMPROVE.key),
    IMPROVE.key: (IMPROVE.key, SETTLE.key),
    SETTLE.key: (SETTLE.key, "build"),
}
LEAST = 0.2  # BP of worth below which it leaves things as they are
MOST = 16  # tries of orders of these parts in a turn
LATER = 0.5  # what an improvement is worth that a hex to be claimed would allow
ROOM = 0.7  # what the buildings are worth that more room would allow
UNKNOWN = -5  # BP that a hex out of sight is worth besides its size
WORTH_A_TRY = 0.3  # chance of a Loyalty check from which on heads are broken
URGENT = 60  # BP that an errand is worth for which it leaves no more than a turn's Consumption in the treasury
DEMANDED = 15  # BP that it is worth to do what an event demands
LAST_CHANCE = 500  # BP that a settlement is worth to a kingdom without one
LEVELS = ("holiday", "promotion", "taxation")
HEADS = {"change_minds_by_breaking_heads": ""}


class Plan(Struct, frozen=True):
    """The orders of a turn in the long form. choices: those for land and towns, in the order in which they were taken.

    end: the world as they leave it at the end of the Edict phase, without a die.
    """

    orders: dict[str, object]
    choices: tuple[Choice, ...]
    end: World


def planned(
    agenda: Agenda, weights: Weights = STEADY, allowed: Callable[[Offer], bool] | None = None, town: str = ""
) -> Plan:
    """Return what a ruler with these weights would order for that turn.

    allowed: which offers for land and towns it may take, all of them if None. town: what a new settlement is called.
    """
    return thought_out(Thought(agenda, weights, town), allowed)


def thought_out(thought: Thought, allowed: Callable[[Offer], bool] | None = None) -> Plan:
    """Return what a ruler comes to who thinks so."""
    weights, rules = thought.weights, thought.rules
    thought.answer()
    if weights.rules:
        thought.set_levels()  # first, so that what is built next is weighed with the checks as they will be
    thought.build_up(allowed or (lambda _: True))
    if weights.rules:
        thought.set_levels()
    if weights.rules and thought.view.unrest and passes("loyalty", thought.view, rules) >= WORTH_A_TRY:
        thought.orders["loyalty"] = HEADS
    thought.give("armies", marches(thought.now, weights, thought.agenda.book))
    orders = dict(sorted(thought.orders.items(), key=lambda order: ORDER.index(order[0]) if order[0] in ORDER else -1))
    return Plan(orders, tuple(thought.choices), thought.now.end)


def best_planned(
    agenda: Agenda, tried: Sequence[Weights], allowed: Callable[[Offer], bool] | None = None, town: str = ""
) -> Plan:
    """Return, of the plans made by each of these weights, the one that is worth most by the first."""

    def value(plan: Plan) -> float:
        kingdom = plan.end.kingdoms[agenda.seat]
        return worth(outlook(kingdom, plan.end.hexes, agenda.rules), tried[0], agenda.rules)

    return max((planned(agenda, weights, allowed, town) for weights in tried), key=value)


def _demanded(kingdom: Kingdom) -> Iterator[tuple[str, str]]:
    """Yield (hex or settlement, what is to be built there) of what events demand."""
    for event in kingdom.events.values():
        what = event.facts.get("what") if event.facts.get("demand") == "build" else event.facts.get("wanted")
        if what:
            yield event.settlement or event.hex, str(what)


def _by(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Return account -> by how much it differs."""
    return {account: by for account, balance in after.items() if (by := balance - before[account])}


def _struck(view: Outlook, outcome: EventOutcome | None) -> Outlook:
    """Return the numbers of a kingdom after what an event comes to, its dice by their averages."""
    rolled = [(account, _average(die)) for account, die in outcome.die.items()] if outcome else []
    points: dict[str, int] = summed([*outcome.by.items(), *rolled] if outcome else ())
    return view.changed(points, -points.get("treasury", 0))


def _average(die: int) -> int:
    """Return what a die of that many faces shows on average, below 0 for one that is taken off."""
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
    """Return how many hexes of others its armies stand in, each of which will count as one of the turn's claims when it falls."""
    kingdom, held = known.kingdoms[seat], owners(known)
    stand = {army.hex for army in kingdom.armies.values() if held.get(army.hex, seat) != seat}
    return len(stand - kingdom.lost.keys()) if rules.conquest and rules.conquest.within_claims else 0


class Thought:
    """One ruler thinking about one turn: the orders so far, and what they make of the kingdom."""

    def __init__(self, agenda: Agenda, weights: Weights, town: str):
        self.agenda, self.weights, self.town = agenda, weights, town
        self.known, self.seat, self.rules, self.kingdom = agenda.known, agenda.seat, agenda.rules, agenda.kingdom
        self.orders = agenda.orders
        self.choices: list[Choice] = []
        self.demanded = set(_demanded(self.kingdom))
        self.at_risk = _at_risk(self.kingdom, self.rules)
        self.falls = _falls(self.known, self.seat, self.rules)
        self._offered: dict[str, list[Offer]] = {}  # part -> what is offered of it now
        self._promised: dict[str, float] = {}  # hex -> what its best improvement was worth when it was first asked
        self._errands: dict[str, float] = {}  # id of what is done abroad and of recruiting -> what it is worth
        self._gains: dict[
            tuple[object, ...], float
        ] = {}  # effect and price -> what it is worth to the kingdom as it is now
        self._rooms: dict[str | bool, float] = {}  # town, or whether a new one has water -> what room is worth now
        self._here: tuple[list[tuple[float, int]], float] | None = (
            None  # what may be built now, and what its best bring
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
        """Run the turn with these orders; take them, and return True, if nothing is refused that was not refused before."""
        now = self.agenda.course(orders)
        if now.refused and not self.refused:
            return False
        self._take(now)
        return True

    def _value(self, view: Outlook) -> float:
        return worth(view, self.weights, self.rules)

    def give(self, key: str, orders: Iterable[object]) -> None:
        """Add those of the orders to a list of orders that the course of the turn does not refuse."""
        for order in orders:
            given = {**self.orders, key: [*self.orders.get(key, ()), order]}
            if self._follow(given):
                self.orders = given

    def _gain(self, effect: Mapping[str, int], cost: int) -> float:
        """Return what the kingdom is worth more after an order with that effect and price in BP."""
        key = (cost, *effect.items())
        if key not in self._gains:
            self._gains[key] = self._value(self.view.changed(effect, cost)) - self.worth
        return self._gains[key]

    # --- what was asked

    def answer(self) -> None:
        """Answer each question by what is worth most; which hex is lost is left to the ruling."""
        answers: dict[str, object] = {}
        for asked in self.kingdom.pending:
            best: tuple[float, bool, object] | None = None
            for answer in answers_to(asked) if asked.key != LOSE_HEX else ():
                given = {**self.orders, "answers": {**answers, asked.key: answer.order}}
                then = self.agenda.course(given)
                if answer.figure and then.end.kingdoms[self.seat].treasury < max(0, self.view.raw):
                    continue  # what the turn consumes must be left
                rank = (self._outcome(asked.key, answer, then), answer.word == asked.default, answer.order)
                if not then.refused and (best is None or rank[:2] > best[:2]):
                    best = rank
            if best is not None:
                answers[asked.key] = best[2]
        if answers and self._follow(given := {**self.orders, "answers": answers}):
            self.orders = given

    def _outcome(self, key: str, answer: Answer, then: Course) -> float:
        """Return what the kingdom is worth after that answer: of an event by the odds of its checks, else by the course of the turn."""
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
        """Claim, improve, settle and build, always what adds most, until nothing adds anything."""
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
        """Return the offers that it may take, a new settlement under its own name and at the water that it touches."""
        offers = [offer for offer in offers if self._sure(offer) and allowed(offer)]
        own = {"name": self.town} if self.town and not settlement_named(self.then, self.town) else {}
        for index, offer in enumerate(offers):
            if offer.key == SETTLE.key:
                wet = touches_water(offer.order["hex"], self.then, self.known.hexes, self.rules)
                offers[index] = offer._replace(order={**offer.order, **own, **({"water": [BORDERS[0]]} if wet else {})})
        return offers

    def _sure(self, offer: Offer) -> bool:
        """Whether no rival and nothing out of sight can stop it: a hex claimed in this turn may go to another or hold monsters."""
        held = self.kingdom.hexes
        if offer.key == CLAIM.key:
            return not held or any(near in held for near in neighbours(offer.order))
        if offer.key not in (IMPROVE.key, SETTLE.key) or not held or offer.order["hex"] in held:
            return True
        return self.agenda.at_once and offer.key == IMPROVE.key and self._alone(offer.order["hex"])

    def _alone(self, label: str) -> bool:
        """Whether what is claimed there surely is its own by the time that it is improved, as far as it sees."""
        hex, held = self.known.hexes[label], owners(self.known)
        rivals = {held[near] for near in neighbours(label) if near in held} - {self.seat}
        return not (rivals or hex.monsters or hex.hazard or hex.free_city)

    @property
    def kept(self) -> int:
        """The BP below which it spends only on what is worth much more than its price."""
        return self.at_risk + RESERVE * max(0, self.view.raw) + PLENTY

    def _within(self, offer: Offer) -> bool:
        """Whether the turn's limits have room for it."""
        row = limits(self.then, self.rules)
        most = {LIMIT: row.buildings, USED: self.rules.special_edicts.per_turn, "claims": row.claims - self.falls}
        return all(offer.uses.get(limit, 0) + self.then.used.get(limit, 0) <= count for limit, count in most.items())

    def _left(self, offer: Offer) -> bool:
        """Whether the turn's limits have room for it, and the treasury, which keeps its reserve."""
        if not self._within(offer):
            return False
        urgent = self._errands.get(offer.id, 0) >= URGENT
        turns = min(1, self.weights.reserve) if urgent else self.weights.reserve
        kept = self.at_risk + (turns * max(0, self.view.raw) if self.kingdom.hexes else 0)
        return offer.costs.get("treasury", 0) <= max(0, self.view.treasury - kept)

    def _best(self, offers: Iterable[Offer]) -> Choice | None:
        """Return the offer that adds most, None where none adds enough."""
        best = None
        for offer in offers:
            gain = self._gain(self._effect(offer), offer.costs.get("treasury", 0)) + self._besides(offer)
            if gain > LEAST and (best is None or gain > best.gain):
                best = Choice(offer, gain)
        return best

    def _effect(self, offer: Offer) -> Mapping[str, int]:
        """Return the effect of an offer with what is on no account: BP of works, and districts, which make checks harder."""
        if offer.key == IMPROVE.key and (kind := self.rules.improvements.get(offer.order["build"])):
            return {**offer.effect, "works": kind.tax_bp}
        if offer.key == SETTLE.key or _is_district(offer):
            return {**offer.effect, "districts": 1}
        return offer.effect

    def _besides(self, offer: Offer) -> float:
        """Return what an offer is worth besides its effect on the numbers."""
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
        """Return what a further settlement, or the agenda for it, is worth: without any the kingdom would be lost."""
        if not self.view.towns:
            return LAST_CHANCE
        return self._room(Settlement(label))

    def _room(self, town: Settlement, name: str = "") -> float:
        """Return what more room is worth: how much more the best buildings of the next turns bring with it. name: "" for a new settlement."""
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
        """Return (what a building of some later turn is worth by itself, its price)."""
        points = {str(name): by for name in ATTRIBUTES if (by := effect.get(name, 0))}
        return self._gain(points, 0) + cost * self._gain({}, 1), cost

    def _of_best(self, works: list[tuple[float, int]]) -> float:
        """Return what the best buildings for which the next turns have BP and the limit bring together."""
        purse = self.view.treasury + AHEAD * income(self.view, self.rules)
        left, total = AHEAD * limits(self.then, self.rules).buildings, 0.0
        for gain, cost in sorted(works, reverse=True):
            if gain <= LEAST or not left:
                break
            if cost <= purse:
                left, purse, total = left - 1, purse - cost, total + gain
        return total

    def _promise(self, label: str) -> float:
        """Return what the best improvement that a hex would allow is worth, and what lies there."""
        hex = self.known.hexes.get(label)
        if hex is None or hex.monsters or hex.hazard:
            return UNKNOWN
        city = self._city(hex.free_city.settlement) if hex.free_city else 0.0
        if label in self.kingdom.hexes:  # its free city is asked once more
            return city
        promises = self.agenda.promises(label)
        if not self.view.towns:  # nothing but a settlement in the same turn saves it
            purse = self.view.treasury - 1
            return LAST_CHANCE * any(each.word == PREPARE and each.cost <= purse for each in promises)
        if label not in self._promised:
            gains = [self._gain(promise.effect, promise.cost) for promise in promises]
            self._promised[label] = LATER * max(0.0, *gains, 0.0)
        return self._promised[label] + city + bool(hex.resource) + len(hex.features)

    def _city(self, city: Settlement) -> float:
        """Return what it is worth that a free city is asked to join: by the odds the town that it is, or the Unrest of its no."""
        count = len(city.districts)
        brings = {"districts": count, "consumption": count * self.rules.consumption.per_district}
        chance, no = passes("stability", self.view, self.rules), (self.rules.free_city.failure_die + 1) // 2
        joins = self._gain(brings, 0) + self._room(city)
        return chance * joins + (1 - chance) * self._gain({"unrest": no}, 0)

    def wish(self, orders: Mapping[str, object]) -> Choice | None:
        """Return what it would take next, with these orders, if there were enough in the treasury; None for nothing."""
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
        """Choose the levels of the edicts and whom the ruler leads, one change after the other while one adds to the worth."""
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
        """Yield the kingdom with another level of one edict, or led otherwise."""
        for category in LEVELS:
            for word in getattr(self.rules.edicts, category):
                if word != getattr(kingdom, category):
                    yield replace(kingdom, **{category: word})
        count, _ = leadership_bonus(kingdom.edict_size, self.rules)
        for name in ATTRIBUTES if count < len(ATTRIBUTES) else ():
            others = [other for other in led(kingdom, self.rules) if other != name]
            yield replace(kingdom, leadership=(name, *others)[:count])
