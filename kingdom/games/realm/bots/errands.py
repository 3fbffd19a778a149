"""What a ruler thinks of beyond its own land: adventurers against monsters and hazards, caravans, expeditions to see who lives there.

Each is an offer with what it is worth to that ruler in BP, its price and its effect on the sheet aside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kingdom.engine.offer import Offer
from kingdom.games.realm.bots.worth import Choice, Weights
from kingdom.games.realm.forecast.threats import monsters_at_large
from kingdom.games.realm.hexmap import DIRECTIONS, distance, neighbours, place_of
from kingdom.games.realm.offers import abroad
from kingdom.games.realm.offers.course import Course, made, paid
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Kingdom
from kingdom.games.realm.steps.shared import USED

SURER = 1  # ACR that it hires above that of the monsters: they win nine of ten fights then, of even ones seven
BEATEN = 40  # BP that it is worth to be rid of monsters in one's own land
IN_THE_WAY = 8  # of those, or of a hazard, beside one's land
LIKELY = 0.5  # chance from which on it trusts that monsters leave by themselves
FAR = 0.3  # BP that a hex on the way of a caravan takes off its worth
MOST_SENT, WEEKS = 3, 2  # expeditions after each other, and how long they go
SPARED = 20  # BP that stay in the treasury when one is sent
FAR_OFF = 6  # hexes that an expedition goes about
FIRST = "0101"
ROUTE_FOR = 8  # turns for which a route is counted
NEWS = 40  # BP that it is worth to see further, to who knows no neighbour


def errands(now: Course, weights: Weights) -> Iterator[Choice]:
    """Yield what may be done abroad in that course."""
    kingdom = now.kingdom("special")
    yield from _hunts(now, kingdom)
    sent = kingdom.counted.get("explore", 0)
    wonders = not kingdom.expeditions and sent < MOST_SENT and kingdom.treasury > SPARED and not _met(now, kingdom)
    for offer in abroad.special(now) if weights.trade else ():
        if offer.order["edict"] == "trade_route":
            yield Choice(offer, weights.trade * _route(offer.order, now, kingdom))
        if offer.order["edict"] == "explore" and wonders and offer.order.get("toward") == _side(now, kingdom):
            cost = {account: WEEKS * by for account, by in offer.costs.items()}
            yield Choice(offer._replace(order={**offer.order, "weeks": WEEKS}, costs=cost), weights.trade * NEWS)


def _hunts(now: Course, kingdom: Kingdom) -> Iterator[Choice]:
    """Adventurers a little stronger than what they are to fight, and those who clear a hazard in every second turn."""
    wages, sought = now.rules.adventurers, {party.task for party in kingdom.parties.values()}
    leave = monsters_at_large(now.seen, now.seat, now.rules)
    events = now.seen.kingdoms[now.seat].events
    sought |= {events[key].hex for key, chance in leave.items() if chance >= LIKELY}
    for label, acr, _ in abroad.hunts(now.seen, now.rules) if wages else ():
        gain = _rid_of(label, kingdom)
        if wages and gain and label not in sought:
            bp = max(wages.least_bp, (acr + SURER) * wages.bp_per_acr)
            yield Choice(_hired(label, bp, f"against monsters in {label}"), gain)
    for label, hazard, bp, _ in abroad.perils(now.seen, now.rules, kingdom.treasury):
        if label not in sought and any(near in kingdom.hexes for near in (label, *neighbours(label))):
            yield Choice(_hired(label, bp, f"to clear {label} ({hazard})"), IN_THE_WAY)


def _hired(label: str, bp: int, why: str) -> Offer:
    order = {"edict": "adventurers", "bp": bp, "task": label}
    return made("special", order, f"Hire adventurers for {bp} BP {why}", costs=paid(bp), uses={USED: 1})


def _rid_of(label: str, kingdom: Kingdom) -> float:
    """Return what it is worth in BP that the monsters of a hex are beaten."""
    if label in kingdom.hexes:
        return BEATEN
    return IN_THE_WAY if any(near in kingdom.hexes for near in neighbours(label)) else 0


def _route(order: Mapping[str, str], now: Course, kingdom: Kingdom) -> float:
    """Return what a route to that hex brings on average, in BP for some turns; 0 if there is one to that kingdom already."""
    ruling, trade, to = now.rules.trade_route, now.rules.trade, order["to"]
    if ruling is None or trade is None or any(route.to == to for route in kingdom.routes.values()):
        return 0
    size = max(len(kingdom.hexes), len(now.seen.kingdoms[to].hexes))  # the other one's may be out of sight
    opulence = accounts(kingdom, now.end.hexes, now.rules)["opulence"]
    margins = [face + opulence - size for face in range(1, trade.die + 1)]
    fails = sum(margin < 0 for margin in margins) / trade.die  # of one of the two; the route pays if either succeeds
    brings = ruling.gain * (1 - fails * fails) - ruling.consumption
    if to not in abroad.touching(now.seat, kingdom, now.seen):  # else they trade without it
        brings += sum(-(-margin // trade.margin_per_bp) for margin in margins if margin > 0) / trade.die
    length = min(distance(town.hex, order["hex"]) for town in kingdom.settlements.values())
    return ROUTE_FOR * brings - FAR * length


def _met(now: Course, kingdom: Kingdom) -> bool:
    """Whether it knows where another kingdom lies."""
    others = (other for seat, other in now.seen.kingdoms.items() if seat != now.seat)
    return any(other.hexes for other in others) or any(sighting.holder for sighting in kingdom.memory.values())


def _side(now: Course, kingdom: Kingdom) -> str:
    """Return the side to which it would send an expedition: another one each turn, none that leads off the map's first rows or columns."""
    column, row = place_of(kingdom.settlements[kingdom.capital].hex if kingdom.capital else FIRST)
    sides = [
        side for side in DIRECTIONS if (column > FAR_OFF or "w" not in side) and (row > FAR_OFF or "n" not in side)
    ]
    return sides[now.seen.turn % len(sides)]
