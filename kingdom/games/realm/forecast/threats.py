"""What threatens a kingdom within the next turns if it orders nothing after the next turn: the chances that reports and advice
give.

Monsters at large are weighted by the chance that they stay, because the forecast throws no dice of events and would keep them
for certain.
"""

from __future__ import annotations

from math import prod

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Orders
from kingdom.games.realm.forecast.ahead import chances_ahead
from kingdom.games.realm.forecast.courses import Standing
from kingdom.games.realm.forecast.event_chances import chances_of_failures, outlook_of
from kingdom.games.realm.forecast.turn_preview import Preview, preview
from kingdom.games.realm.rules.event_tables import PlacesMonster
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World, replace

TURNS = 4  # how many turns these chances look ahead


class Calm(NamedTuple):
    """The case without monsters at large. seen: what the seat knows; standing: the kingdom before the next turn's checks; stay:
    the chance that the monsters stay."""

    seen: World
    standing: Standing
    stay: float


class Met(NamedTuple):
    """A seat's next turn with some orders, before its dice. standing: the kingdom if monsters at large stay; calm: the case
    without them, None if there are none; refused: some orders are refused or changed."""

    standing: Standing
    calm: Calm | None
    refused: bool
    loyalty: str

    @property
    def quiet(self) -> Standing:
        """The kingdom without monsters at large."""
        return self.calm.standing if self.calm else self.standing


class Threats(NamedTuple):
    """The chances of dangers. met: the turn from which they follow. without: danger -> its chance without monsters at large;
    by_monsters: danger -> what the monsters add to that chance."""

    met: Met
    without: dict[str, float]
    by_monsters: dict[str, float]

    @property
    def chances(self) -> dict[str, float]:
        """The chances that players are told: with the part that monsters add only if that part is the larger one."""
        return {
            name: chance + more if (more := self.by_monsters[name]) > chance else chance
            for name, chance in self.without.items()
        }


def threats(seen: World, seat: str, rules: Rules, orders: Orders) -> Threats:
    """The chances of dangers to the seat's kingdom within TURNS turns, with these orders, in the long form, for the next turn.
    Danger lines, plans, trials and answers to filings all tell these chances. seen: what the seat knows."""
    ahead = preview(seen, seat, rules)
    return ahead.once("threats", orders, lambda: threats_of(met(seen, seat, rules, orders), rules))


def met(seen: World, seat: str, rules: Rules, orders: Orders) -> Met:
    """The next turn with these orders, before its dice."""
    course = preview(seen, seat, rules).course(orders)
    calm, loyalty = calmed(seen, seat, rules, orders), next(iter(orders.get("loyalty") or {}), "")
    return Met(course.standing, calm, course.refused, loyalty)


def threats_of(met: Met, rules: Rules) -> Threats:
    """The chances of dangers from that turn on."""
    without = chances_ahead(met.quiet, rules, TURNS, met.loyalty)
    if met.calm is None:
        return Threats(met, without, dict.fromkeys(without, 0.0))
    beset = chances_ahead(met.standing, rules, TURNS, met.loyalty)
    return Threats(met, without, {name: met.calm.stay * (beset[name] - without[name]) for name in without})


def calmed(seen: World, seat: str, rules: Rules, orders: Orders) -> Calm | None:
    """The next turn with these orders if monsters at large are driven off before its Edict phase; None if there are none."""
    kingdom, monsters = seen.kingdoms[seat], monsters_at_large(seen, seat, rules)
    if not monsters:
        return None
    others = {key: event for key, event in kingdom.events.items() if key not in monsters}
    calm = replace(seen, kingdoms={**seen.kingdoms, seat: replace(kingdom, events=others)})
    without = preview(seen, seat, rules).once("calmed", {}, lambda: Preview(calm, seat, rules))
    return Calm(without.known, without.course(orders).standing, round(1 - prod(monsters.values()), 9))


def monsters_at_large(seen: World, seat: str, rules: Rules) -> dict[str, float]:
    """Events with monsters -> the chance that their next check drives them off."""
    found = {}
    for key, event in seen.kingdoms[seat].events.items():
        kind = rules.event_kinds.get(event.kind)
        if kind and not event.done and any(isinstance(each, PlacesMonster) for each in kind.set_up):
            found[key] = chances_of_failures(outlook_of(key, event, seat, seen, rules))[0] if kind.checks else 0.0
    return found
