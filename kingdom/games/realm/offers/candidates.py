"""What comes into question of each kind of order, as light records with their prices: the one enumeration of the realm.

Offers, the order form, the text form, "what you may do" and the bots all draw on it, and each asks further what it needs: an
offer whether the order's own step would carry it out now, a report whether the treasury can pay it, the form what it takes
when other orders come before it. So a candidate need not be allowed; but nothing is allowed that is no candidate.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from kingdom.engine.names import words
from kingdom.games.realm.armies import march_points, rank, standing_in
from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.hexmap import neighbours, piers_of, step_cost, ways
from kingdom.games.realm.rules.kingdom_tables import EdictLevel
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, Building, Kingdom, Pending, World, owners
from kingdom.games.realm.steps.land.ground import barring, claim_cost, claimable, danger
from kingdom.games.realm.steps.land.improvements import PREPARE, PREPARED, possible, price
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.steps.towns.construction import Site
from kingdom.games.realm.steps.towns.lots import not_in_settlement
from kingdom.games.realm.steps.towns.plan import Plan
from kingdom.games.realm.steps.trade.routes import beside_land_of, is_free, pair_problem, smuggle_problem
from kingdom.games.realm.steps.trade.towers import TOWER, is_for_route, tower_problem
from kingdom.games.realm.steps.war.movement import knows
from kingdom.games.realm.steps.war.muster import recruit_price
from kingdom.games.realm.visibility.sight import sees
from kingdom.games.shared.memo import Memo

MOST_AT_ONCE = 9  # resources alike that an army may get in one order
AnswerOrder: TypeAlias = str | dict[str, int]  # a word, or {word: figure}
ArmyOrder: TypeAlias = dict[str, str | int]  # one order to an army in the long form

# --- the court


class Answer(NamedTuple):
    """An answer to a question: its word, the figure that it takes or None, and the two as an order gives them."""

    word: str
    figure: int | None
    order: AnswerOrder


def answers(pending: Pending) -> Iterator[Answer]:
    """Each choice with each of its figures; the default one too."""
    for word in pending.choices:
        figures = pending.figures.get(word)
        if figures is None:
            yield Answer(word, None, word)
        for figure in figures or ():
            yield Answer(word, figure, {word: figure})


class Level(NamedTuple):
    """A level of one of the edicts, by the word of an order."""

    category: str
    word: str
    level: EdictLevel


def edict_levels(rules: Rules) -> Iterator[Level]:
    """Every level of every edict, the lowest of each first."""
    for category in EDICTS:
        for word, level in getattr(rules.edicts, category).items():
            yield Level(category, word, level)


# --- the land


class Claim(NamedTuple):
    """A hex to be claimed. again: it is held, and the free city in it is asked once more."""

    label: str
    again: bool
    cost: int


def claims(kingdom: Kingdom, world: World, rules: Rules) -> list[Claim]:
    """The hexes in reach that nobody holds, and those held in which a free city lies, by label."""
    return [
        Claim(label, again := label in kingdom.hexes, claim_cost(again, rules))
        for label in claimable(kingdom, world, rules)
    ]


def cities_to_ask(kingdom: Kingdom, world: World, rules: Rules) -> Iterator[tuple[Claim, str]]:
    """The claims of held hexes alone, each with the name of the free city in it."""
    for label in sorted(kingdom.hexes):
        city = world.hexes[label].free_city
        if city:
            yield Claim(label, True, claim_cost(True, rules)), city.name


class Improving(NamedTuple):
    """An improvement of a hex, by the word of its order. route: a watchtower on a route, beyond the kingdom's land."""

    label: str
    word: str
    cost: int
    route: bool = False

    def text(self) -> str:
        """The order in words."""
        if self.word == PREPARE:
            return f"Prepare {self.label} for a settlement"
        return f"{words(self.word).capitalize()} {'on the route in' if self.route else 'in'} {self.label}"


def improvements(kingdom: Kingdom, label: str, world: World, rules: Rules) -> list[Improving]:
    """What the hex allows, limit and treasury aside."""
    return [Improving(label, word, cost) for word, cost in possible(kingdom, label, world, rules)]


def towers(kingdom: Kingdom, world: World, rules: Rules) -> Iterator[Improving]:
    """Watchtowers on the kingdom's own open routes, in hexes that nobody holds."""
    for label in sorted({label for route in kingdom.routes.values() for label in route.path if label in world.hexes}):
        if is_for_route(kingdom, label, TOWER, world) and not tower_problem(kingdom, label, world, rules):
            yield Improving(label, TOWER, price(kingdom, label, TOWER, world, rules) or 0, True)


def foundings(kingdom: Kingdom) -> list[str]:
    """The hexes that are prepared and hold no settlement yet, in the kingdom's own order."""
    return [label for label, built in kingdom.hexes.items() if PREPARED in built and not settlement_in(kingdom, label)]


# --- the settlements


def is_open(label: str, kingdom: Kingdom, world: World, rules: Rules) -> bool:
    """Whether anything can be built in the settlement there: no danger in the hex, no event that bars it."""
    return not danger(label, kingdom, world.hexes) and not barring(label, kingdom, rules)


def kinds(plan: Plan) -> Iterator[str]:
    """The kinds of buildings that the settlement does not rule out, whatever lot they find."""
    return (kind for kind in plan.rules.buildings if not not_in_settlement(plan, kind))


def damaged(site: Site) -> Iterator[Building]:
    """The damaged buildings, each of which may be ordered once more at its lot, in the order in which they were damaged."""
    for lot in site.kingdom.damaged.get(site.name, ()):
        building = next((building for building in site.settlement.buildings if building.lot == lot), None)
        if building is not None:
            yield building


def place_word(place: str) -> str:
    """The word by which an order says where a building of that place stands: on a border or on a lot."""
    return "border" if place in ("border", "wall") else "lot"


# --- armies


class Recruit(NamedTuple):
    """A new army without resources: the slots that it takes of the limit, and its price in BP."""

    size: str
    unit: str
    slots: int
    cost: int


_recruits: Memo[list[Recruit]] = Memo()


def recruits(most: int, rules: Rules) -> list[Recruit]:
    """Each unit in each size that these slots allow, size by size."""
    known = _recruits.get(id(rules))
    if known is None:
        units = [unit for unit, row in rules.units.items() if row.recruit]
        rows = [(size, row.slots, unit) for size, row in rules.army_sizes.items() for unit in units]
        known = [Recruit(size, unit, slots, recruit_price(unit, size, rules)) for size, slots, unit in rows]
        _recruits.put(id(rules), rules, known)
    return [recruit for recruit in known if recruit.slots <= most]


def resources_in(town: str, kingdom: Kingdom, rules: Rules) -> list[str]:
    """What an army can be equipped with in a settlement."""
    there = set(standing_in(kingdom, town))
    return [word for word, row in rules.army_resources.items() if not row.needs or not there.isdisjoint(row.needs)]


def at_home(name: str, kingdom: Kingdom, rules: Rules) -> Iterator[tuple[ArmyOrder, str]]:
    """(order, text) of all that may come to mind about an army in a settlement."""
    army = kingdom.armies[name]
    for size in rules.army_sizes:
        if rank(size, rules) > rank(army.size, rules):
            yield {"expand": name, "to": size}, f"Expand {name} to {words(size)}"
    for word, row in rules.army_resources.items():
        yield {"equip": name, "with": word}, f"Equip {name} with {row.name}"
        for count in range(2, MOST_AT_ONCE + 1) if row.one_size else ():
            yield {"equip": name, "with": word, "count": count}, f"Equip {name} with {count} {row.name}"
    yield {"repair": name}, f"Repair {name}"
    yield {"reserve": name}, f"Put {name} in reserve"
    yield {"disband": name}, f"Disband {name}"
    for other in sorted(kingdom.armies):
        if other != name:
            yield {"disband": name, "to": other}, f"Disband {name}, its resources to {other}"


def reached(name: str, seat: str, kingdom: Kingdom, world: World, rules: Rules) -> list[str]:
    """The hexes that the army reaches this turn over land that its kingdom knows, round monsters, the nearest first; and those
    beside it whatever is in them."""
    here = kingdom.armies[name].hex
    if rules.movement is None:
        return []
    known, piers = sees(world, seat, rules).union(kingdom.memory), piers_of(kingdom, rules)
    barred = {label for label, hex in world.hexes.items() if label not in known or hex.monsters}
    found = ways({here: 0}, march_points(kingdom.armies[name], rules), world, rules, barred, piers)
    near = [
        label
        for label in neighbours(here)
        if label not in found and step_cost(here, label, world, rules, piers) is not None
    ]
    return [label for label in sorted(found, key=lambda label: (found[label], label)) if label != here] + near


def tactics(army: Army, rules: Rules) -> list[str]:
    """The tactics that the army knows."""
    return [word for word in rules.tactics if knows(army, word, rules)]


# --- beyond the borders


class Hunt(NamedTuple):
    """Monsters that are known, and the BP of adventurers who are their match."""

    label: str
    acr: int
    match: int


def hunts(seen: World, rules: Rules) -> list[Hunt]:
    """The monsters that adventurers may be hired against, by label."""
    wages = rules.adventurers
    return [
        Hunt(label, hex.monsters, max(wages.least_bp, hex.monsters * wages.bp_per_acr))
        for label, hex in (sorted(seen.hexes.items()) if wages else ())
        if hex.monsters and wages
    ]


def caravan_ends(land: World, seat: str, kingdom: Kingdom, others: Iterable[str], rules: Rules) -> dict[str, list[str]]:
    """Each of those kingdoms to which the kingdom may found a route -> the free hexes beside its land at which a caravan may end.
    land: without what is not known (trade/routes.py)."""
    free = [other for other in others if not pair_problem(kingdom, other, rules)]
    return {other: ends for other in free if (ends := beside_land_of(land, seat, other))}


def free_to_go(seat: str, land: World, kingdom: Kingdom, rules: Rules) -> Container[str]:
    """The hexes to which a caravan finds a way over known land that is free."""
    barred = {label for label in land.hexes if not is_free(land, seat, label)}
    farthest = sum(terrain.movement or 0 for terrain in rules.terrain.values()) * len(land.hexes)
    starts = {town.hex: 0 for town in kingdom.settlements.values()}
    return ways(starts, farthest, land, rules, barred, piers_of(kingdom, rules))


def founders(kingdom: Kingdom) -> list[str]:
    """The kingdoms that may be asked for a share of a route that ends here."""
    return sorted({guest.by for guest in kingdom.guests.values()})


def touching(seat: str, kingdom: Kingdom, world: World) -> list[str]:
    """The kingdoms whose land lies beside the kingdom's."""
    held = owners(world)
    return sorted({held.get(near, seat) for label in kingdom.hexes for near in neighbours(label)} - {seat})


def smuggled_to(seat: str, kingdom: Kingdom, world: World, rules: Rules) -> list[str]:
    """The kingdoms across whose borders goods may be smuggled."""
    near = frozenset(touching(seat, kingdom, world))
    return [other for other in sorted(near) if not smuggle_problem(seat, other, world, near, rules)]
