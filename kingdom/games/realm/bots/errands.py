"""A ruler's errands abroad: adventurers against monsters and hazards, caravans, expeditions to find neighbours.

Each is an offer with its worth to that ruler in BP, apart from its price and its effect on the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kingdom.engine.offer import Offer
from kingdom.games.realm.bots.worth import Choice, Weights, outlook, worth
from kingdom.games.realm.bots.wrongs import Book
from kingdom.games.realm.forecast.threats import monsters_at_large
from kingdom.games.realm.forecast.turn_preview import Course, offers_of
from kingdom.games.realm.hexmap import DIRECTIONS, distance, neighbours
from kingdom.games.realm.orders.adventurers import ADVENTURERS, hunts, perils
from kingdom.games.realm.orders.explore import EXPLORE, WEEKS, new_to_see
from kingdom.games.realm.orders.trade_routes import TRADE_ROUTE
from kingdom.games.realm.rules.event_tables import PlacesMonster
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Event, Kingdom
from kingdom.games.realm.steps.land.ground import borders_of
from kingdom.orders import kit

SURER = 1  # it hires this ACR above the monsters', and wins nine of ten fights; with equal ACR seven of ten
BEATEN = 40  # worth in BP of beating monsters in its own land
LIKELY = 0.5  # above this chance that monsters leave by themselves nobody is sent
IN_THE_WAY = 16  # worth in BP of beating monsters beside its land, or of clearing a hazard
FAR = 0.3  # BP that each hex of a caravan's way takes off its worth
MOST_SENT = 3  # the number of expeditions in a row
SPARED = 20  # BP that must be in the treasury before it sends an expedition
NEW = 3  # an expedition should see at least so many hexes for the first time
ROUTE_FOR = 8  # turns over which a route's income counts
NEWS = 40  # worth in BP of an expedition for a ruler who knows no neighbour


def errands(now: Course, weights: Weights, book: Book) -> Iterator[Choice]:
    """Yield the possible errands in that course. No caravan goes to a kingdom in the book of wrongs."""
    kingdom = now.kingdom("special")
    yield from _hunts(now, kingdom, weights)
    sent = kingdom.counted.get("explore", 0)
    wonders = not kingdom.expeditions and sent < MOST_SENT and kingdom.treasury > SPARED and not _met(now, kingdom)
    for offer in offers_of(TRADE_ROUTE)(now) if weights.trade else ():
        if offer.order["to"] not in book.foes:
            yield Choice(offer, weights.trade * _route(offer.order, now, kingdom))
    if wonders and weights.trade:
        yield from _expedition(now, kingdom, weights)


def _hunts(now: Course, kingdom: Kingdom, weights: Weights) -> Iterator[Choice]:
    """Adventurers a little stronger than the monsters they fight, or who clear a hazard with even odds each turn."""
    wages, sought = now.rules.adventurers, {party.task for party in kingdom.parties.values()}
    hired = list[tuple[kit.Candidate, float]]()
    events = now.seen.kingdoms[now.seat].events
    leave = {events[key].hex: (events[key], by) for key, by in monsters_at_large(now.seen, now.seat, now.rules).items()}
    for label, acr, _ in hunts(now.seen, now.rules) if wages else ():
        gain = _spared_by(*leave[label], now, weights) if label in leave else _rid_of(label, kingdom)
        gone = label in leave and leave[label][1] > LIKELY
        if wages and gain and label not in sought and not gone:
            bp = max(wages.least_bp, (acr + SURER) * wages.bp_per_acr)
            hired.append((ADVENTURERS.hiring(label, bp, f"against monsters in {label}"), gain))
    for label, hazard, bp, _ in perils(now.seen, now.rules, kingdom.treasury):
        if label not in sought and any(near in kingdom.hexes for near in (label, *neighbours(label))):
            hired.append((ADVENTURERS.hiring(label, bp, f"to clear {label} ({hazard})"), IN_THE_WAY))
    offers = kit.offers(ADVENTURERS, now.moment("special"), among=(each._replace(checked=True) for each, _ in hired))
    yield from (Choice(offer, gain) for offer, (_, gain) in zip(offers, hired, strict=True))


def _spared_by(event: Event, leave: float, now: Course, weights: Weights) -> float:
    """Return the worth in BP of beating an event's monsters: the harm they do in a turn, times the chance that they stay.
    leave: the chance that they leave by themselves, when nobody needs to be hired."""
    rules, view = now.rules, outlook(now.kingdom("special"), now.end.hexes, now.rules)
    loss = float(BEATEN)
    for placed in rules.event_kinds[event.kind].set_up:
        if isinstance(placed, PlacesMonster):
            after = view.changed({"unrest": placed.unrest}, 0)
            lost = weights.size if after.unrest >= placed.hex_lost_from else 0
            loss = max(loss, worth(view, weights, rules) - worth(after, weights, rules) + lost)
    return (1 - leave) * loss


def _rid_of(label: str, kingdom: Kingdom) -> float:
    """Return the worth in BP of beating the monsters of a hex."""
    if label in kingdom.hexes:
        return BEATEN
    return IN_THE_WAY if any(near in kingdom.hexes for near in neighbours(label)) else 0


def _route(order: Mapping[str, str], now: Course, kingdom: Kingdom) -> float:
    """Return the average income of a route to that hex over some turns, in BP; 0 if there already is a route to that
    kingdom."""
    ruling, trade, to = now.rules.trade_route, now.rules.trade, order["to"]
    if ruling is None or trade is None or any(route.to == to for route in kingdom.routes.values()):
        return 0
    size = max(len(kingdom.hexes), len(now.seen.kingdoms[to].hexes))  # the other kingdom's hexes may be out of sight
    opulence = accounts(kingdom, now.end.hexes, now.rules)["opulence"]
    margins = [face + opulence - size for face in range(1, trade.die + 1)]
    fails = sum(margin < 0 for margin in margins) / trade.die  # of one side; the route pays if either succeeds
    brings = ruling.gain * (1 - fails * fails) - ruling.consumption
    if to not in borders_of(now.world("special"), now.seat):  # kingdoms that touch trade without the route
        brings += sum(-(-margin // trade.margin_per_bp) for margin in margins if margin > 0) / trade.die
    length = min(distance(town.hex, order["hex"]) for town in kingdom.settlements.values())
    return ROUTE_FOR * brings - FAR * length


def _met(now: Course, kingdom: Kingdom) -> bool:
    """Whether the kingdom knows where another one lies."""
    others = (other for seat, other in now.seen.kingdoms.items() if seat != now.seat)
    return any(other.hexes for other in others) or any(sighting.holder for sighting in kingdom.memory.values())


def _expedition(now: Course, kingdom: Kingdom, weights: Weights) -> Iterator[Choice]:
    """Yield the expedition that should see most new hexes, if they are enough; between equals the side changes each turn."""
    ways: list[tuple[int, int, Offer]] = []
    for offer in offers_of(EXPLORE)(now):
        toward = offer.order["toward"]
        if "escort" not in offer.order:
            new = new_to_see(kingdom.settlements[offer.order["from"]].hex, toward, now.moment("special"))
            turned = (DIRECTIONS.index(toward) - now.seen.turn) % len(DIRECTIONS)
            ways.append((new, -turned, offer))
    new, _, best = max(ways, key=lambda way: way[:2], default=(0, 0, None))
    if best is not None and new >= NEW:
        cost = {account: WEEKS * by for account, by in best.costs.items()}
        yield Choice(best._replace(order={**best.order, "weeks": WEEKS}, costs=cost), weights.trade * NEWS)
