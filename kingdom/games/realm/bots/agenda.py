"""The turn that a ruler thinks about: what its seat knows, the offers before any order, and the courses played so far.

All plans for one turn share it, so that each question is worked out only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kingdom.engine.game import Letter
from kingdom.engine.offer import Offer
from kingdom.games.realm.bots.wrongs import book_of
from kingdom.games.realm.forecast.turn_preview import Course, offers_of, preview
from kingdom.games.realm.orders.building import CONSTRUCT
from kingdom.games.realm.orders.declaration import CLAIM, IMPROVE, SETTLE
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.state import Settlement, World, replace
from kingdom.games.realm.steps.land.ground import touches_water
from kingdom.games.realm.steps.land.improvements import possible
from kingdom.games.realm.steps.towns.buildings import price_of
from kingdom.games.realm.steps.workplan import planned as read_item

# part of the orders -> its offers, in the order of the turn
PARTS: Mapping[str, Callable[[Course], Iterator[Offer]]] = {
    kind.key: offers_of(kind) for kind in (CLAIM, IMPROVE, SETTLE, CONSTRUCT)
}


class Promise(NamedTuple):
    """An improvement that a hex would allow, or the ground for a settlement: its word, its effect on the numbers, its price in BP."""

    word: str
    effect: Mapping[str, int]
    cost: int


def _thing(part: str, order: object) -> tuple[object, ...]:
    """What an order makes, without its place: the same for a plan's item and an offer of the same thing."""
    given = order if isinstance(order, Mapping) else {part: order}
    return (part, *sorted((key, str(value)) for key, value in given.items() if key not in ("lot", "name", "across")))


class Agenda:
    """A turn of a seat, with the results worked out so far. first: its course without orders.

    letters: those that the seat wrote or got in the last turns. book: its book of wrongs, from letters and from what it saw.
    at_once: a hex that no rival in sight can take is improved in the turn in which it is claimed.
    """

    def __init__(self, known: World, seat: str, rules: Rules, letters: Sequence[Letter] = (), at_once: bool = False):
        self.known, self.seat, self.rules = known, seat, rules
        self.book = book_of(known, seat, rules, letters)
        self.at_once = at_once
        self.kingdom = known.kingdoms[seat]
        self.orders: dict[str, Any] = {"kingdom": seat, "turn": known.turn + 1}
        self._offers: dict[str, list[Offer]] = {}
        self._promises: dict[str, list[Promise]] = {}
        self.prospects: dict[tuple[object, ...], float] = {}  # what came of figures under a ruler's fears (need.py)
        self._planned = {_thing(*read_item(item, rules)) for item in self.kingdom.plan}
        self.course = preview(known, seat, rules).course
        self.first = self.course(self.orders)

    def offers(self, part: str) -> list[Offer]:
        """Return the offers of that part before any order."""
        if part not in self._offers:
            self._offers[part] = self.offered(part, self.first)
        return self._offers[part]

    def offered(self, part: str, now: Course) -> list[Offer]:
        """Return the offers of that part in that course. It leaves out tearing down, and anything that the ruler's own plan
        already orders; a ruler without land claims only hexes of known terrain."""
        return [offer for offer in PARTS[part](now) if self._serious(offer)]

    def _serious(self, offer: Offer) -> bool:
        if _thing(offer.key, offer.order) in self._planned:
            return False
        if offer.key == CLAIM.key:
            return bool(self.kingdom.hexes) or not self.rules.terrain[self.known.hexes[offer.order].terrain].unseen
        return offer.key != "build" or "demolish" not in offer.order

    def promises(self, label: str) -> list[Promise]:
        """Return the improvements that a hex would allow if the kingdom held it."""
        if label not in self._promises:
            kingdom = self.first.end.kingdoms[self.seat]
            grown = replace(kingdom, hexes={**kingdom.hexes, label: self.known.hexes[label].left})
            allowed = possible(grown, label, self.first.world(IMPROVE.key), self.rules)
            self._promises[label] = [Promise(word, self._effect(word), cost) for word, cost in allowed]
        return self._promises[label]

    def works(self, town: Settlement) -> Iterator[tuple[str, Mapping[str, int], int]]:
        """Yield (kind, effect on the attributes, price in BP) of each building that a settlement with room could get."""
        wet = touches_water(town.hex, self.kingdom, self.known.hexes, self.rules)
        for kind, row in self.rules.buildings.items():
            if not row.needs and (wet or not row.beside_water):
                points = {str(name): by for name in ATTRIBUTES if (by := getattr(row.kingdom, name))}
                yield kind, points, price_of(town, kind, self.rules).bp

    def _effect(self, word: str) -> dict[str, int]:
        kind = self.rules.improvements.get(word)
        if kind is None:
            return {}
        attributes = {str(name): getattr(kind.kingdom, name) for name in ATTRIBUTES}
        return {"consumption": kind.consumption, "works": kind.tax_bp, **attributes}
