"""What threatens a kingdom within the next turns if it orders nothing after the next one: the chances that reports and advice tell.

Monsters at large count as likely as they stay: the forecast throws no dice of events, so that to it they would stay for sure.
"""

from __future__ import annotations

from math import prod

from kingdom.engine.dice import NoDice
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Orders
from kingdom.engine.turn import resolve
from kingdom.games.realm.forecast.ahead import chances_ahead
from kingdom.games.realm.forecast.courses import Standing
from kingdom.games.realm.forecast.event_chances import chances_of_failures, outlook_of
from kingdom.games.realm.forecast.exact import standing_in
from kingdom.games.realm.rules.event_tables import PlacesMonster
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World, replace
from kingdom.games.realm.turn import FORESEEN_TO, PLAY
from kingdom.games.realm.visibility.known import company

TURNS = 4  # that are looked ahead


class Threats(NamedTuple):
    """calm: what the seat knows, without monsters at large; standing: the kingdom of it as the next turn's checks find it.

    without, by_monsters: what may befall it -> the chance that it does without monsters, and what they add to that.
    stay: the chance that they stay.
    """

    calm: World
    standing: Standing
    without: dict[str, float]
    by_monsters: dict[str, float]
    stay: float

    def chance(self, name: str) -> float:
        """The chance that is told: with what monsters add, if that is the larger part."""
        more = self.by_monsters[name]
        return self.without[name] + more if more > self.without[name] else self.without[name]


def threats(seen: World, next_turn: World, seat: str, rules: Rules, orders: Orders) -> Threats:
    """What may befall the seat's kingdom within TURNS turns, with these orders for the next one.

    seen: what it knows; next_turn: the kingdom as the next turn's checks find it, with these orders.
    """
    loyalty = next(iter(orders.get("loyalty", {})), "")
    found = chances_ahead(standing_in(next_turn, seat), rules, TURNS, loyalty)
    calm = calmed(seen, seat, rules, orders)
    if calm is None:
        return Threats(seen, standing_in(next_turn, seat), found, dict.fromkeys(found, 0.0), 0.0)
    without = chances_ahead(calm.standing, rules, TURNS, loyalty)
    by_monsters = {name: calm.stay * (found[name] - without[name]) for name in without}
    return Threats(calm.seen, calm.standing, without, by_monsters, calm.stay)


class Calm(NamedTuple):
    """What the seat knows, without monsters at large; the kingdom of it as the next turn's checks find it; the chance that they stay."""

    seen: World
    standing: Standing
    stay: float


def calmed(seen: World, seat: str, rules: Rules, orders: Orders) -> Calm | None:
    """The turn as it is if the monsters at large are driven off before its Edict phase, with these orders; None where there are none."""
    kingdom, monsters = seen.kingdoms[seat], monsters_at_large(seen, seat, rules)
    if not monsters:
        return None
    others = {key: event for key, event in kingdom.events.items() if key not in monsters}
    calm = replace(seen, kingdoms={**seen.kingdoms, seat: replace(kingdom, events=others)})
    foreseen = resolve(
        PLAY, company(calm, seat, orders), {seat: orders} if orders else {}, NoDice(), rules, until=FORESEEN_TO
    ).after
    standing = Standing(seat, foreseen.kingdoms[seat], foreseen.hexes, foreseen.turn)
    return Calm(calm, standing, round(1 - prod(monsters.values()), 9))


def monsters_at_large(seen: World, seat: str, rules: Rules) -> dict[str, float]:
    """Events with monsters -> the chance that their next check drives them off."""
    found = {}
    for key, event in seen.kingdoms[seat].events.items():
        kind = rules.event_kinds.get(event.kind)
        if kind and not event.done and any(isinstance(each, PlacesMonster) for each in kind.set_up):
            found[key] = chances_of_failures(outlook_of(key, event, seat, seen, rules))[0] if kind.checks else 0.0
    return found
