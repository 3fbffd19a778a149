"""A ruler's armies: it recruits as many as others have near its land, and moves them. A warlike ruler attacks open land beside
its own.

Armies go together to hexes that report warnings name, to meet the attackers, and retake lost land. Armies that only pass are
left alone. All other armies wait in the capital, or near the war or foreign armies. Armies out of sight do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kingdom.engine.offer import fillings
from kingdom.games.realm.armies import acr, consumption, full_hp
from kingdom.games.realm.bots.worth import Choice, Weights
from kingdom.games.realm.bots.wrongs import Book
from kingdom.games.realm.forecast.turn_preview import Course, offers_of
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.orders.declaration import MUSTERING
from kingdom.games.realm.orders.marching import reached
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts, tax_bp
from kingdom.games.realm.state import Army, Kingdom, World, owners
from kingdom.games.realm.steps.land.losing import capital_hex
from kingdom.games.realm.steps.war.conquest import last_safe_turn
from kingdom.games.realm.steps.war.movement import ATTACK, GARRISON

NEAR = 4  # a foreign army within so many hexes of its land is a threat
PER_ACR = 12  # worth in BP of each point of ACR that it lacks
BOLD = 1.0  # it attacks if at most this multiple of its own ACR stands against it
SURE = 2.0  # it sends up to this multiple of the enemy's ACR to one place
WARNED = 60  # the same for guards, if its land is attacked or was taken
GUARDS = 0.25  # the part of its income that the armies' Consumption, or the price of a new guard, may reach
HOST = 3  # no army below this ACR begins a war; a town's militia has about as much


class Host(NamedTuple):
    """An army of another kingdom in sight."""

    seat: str
    army: Army
    acr: float


class Goal(NamedTuple):
    """A hex to which armies are sent against a seat. against: the visible ACR of that seat there."""

    label: str
    seat: str
    against: float


def strength(armies: Mapping[str, Army], rules: Rules) -> float:
    """Return the total ACR of armies, without routed ones."""
    return sum(acr(army.unit, army.size, rules) for army in armies.values() if not army.routed)


def hosts(known: World, seat: str, rules: Rules) -> list[Host]:
    """Return the foreign armies within NEAR hexes of the seat's land."""
    land, found = known.kingdoms[seat].hexes, list[Host]()
    for other, kingdom in known.kingdoms.items():
        for army in kingdom.armies.values() if other != seat else ():
            if any(distance(army.hex, label) <= NEAR for label in land):
                found.append(Host(other, army, acr(army.unit, army.size, rules)))
    return found


def lacking(known: World, seat: str, rules: Rules, weights: Weights) -> float:
    """Return the ACR that a ruler wants in addition: to be as strong as the strongest neighbour, or as its weights want for its
    size."""
    if not rules.army_figures:
        return 0
    near: dict[str, float] = {}
    for host in hosts(known, seat, rules):
        near[host.seat] = near.get(host.seat, 0) + host.acr
    kingdom = known.kingdoms[seat]
    return max(max(near.values(), default=0), weights.host * len(kingdom.hexes)) - strength(kingdom.armies, rules)


def musters(now: Course, weights: Weights, book: Book) -> Iterator[Choice]:
    """Yield the armies to recruit for the ACR that it lacks, and guards if its land is attacked or was taken."""
    seen, rules = now.seen, now.rules
    wanted, guards = lacking(seen, now.seat, rules, weights), _guards(now, book)
    most = GUARDS * _income(now) if guards > 0 else 0
    eaten = sum(consumption(army, rules) for army in seen.kingdoms[now.seat].armies.values())
    new = (offer for offer in offers_of(MUSTERING)(now) if offer.picks) if max(wanted, guards) >= 1 else ()
    for recruiting in new:
        for offer in fillings(recruiting):
            rating = acr(offer.order["unit"], offer.order["size"], rules)
            keeps = offer.costs.get("treasury", 0) <= most and eaten + offer.effect.get("consumption", 0) <= most
            yield Choice(offer, max(PER_ACR * min(wanted, rating), WARNED * min(guards, rating) if keeps else 0))


def _guards(now: Course, book: Book) -> float:
    """Return the ACR that it lacks to be SURE against those who attack or took its land, 0 if nobody does."""
    kingdom, rules = now.seen.kingdoms[now.seat], now.rules
    foes = {seat for seats in attacked(kingdom).values() for seat in seats} | set(book.mine.values())
    if not foes or not rules.army_figures:
        return 0
    against = sum(host.acr for host in hosts(now.seen, now.seat, rules) if host.seat in foes)
    return max(1.0, SURE * against) - strength(kingdom.armies, rules)


def _income(now: Course) -> float:
    """Return the BP of its Economy check with an average die."""
    kingdom, rules = now.seen.kingdoms[now.seat], now.rules
    total = (rules.check.die + 1) / 2 + accounts(kingdom, now.seen.hexes, rules)["economy"] - kingdom.unrest
    return max(0, total / rules.income.divisor) + sum(bp for _, bp in tax_bp(kingdom, now.seen.hexes, rules))


def attacked(kingdom: Kingdom) -> dict[str, dict[str, int]]:
    """Label of its own land -> seat that attacks there -> for how many turns, as the warnings of its report tell."""
    stand = {
        label: {seat: max(armies.values()) for seat, armies in stood.items()}
        for label, stood in kingdom.occupiers.items()
    }
    return {label: seats for label, seats in {**kingdom.besiegers, **stand}.items() if label in kingdom.hexes}


def marches(now: Course, weights: Weights, book: Book) -> list[dict[str, object]]:
    """Return the orders to existing armies; armies that it can't pay any more are disbanded."""
    kingdom, found = now.kingdom("surrender"), list[dict[str, object]]()
    enemies, poor = hosts(now.seen, now.seat, now.rules), kingdom.treasury < 0
    able: dict[str, list[str]] = {}
    for name, army in sorted(now.seen.kingdoms[now.seat].armies.items()):
        if name not in kingdom.armies or army.mustered or army.reserve:
            continue
        if poor and not enemies and any(town.hex == army.hex for town in kingdom.settlements.values()):
            found.append({"disband": name})
        elif now.rules.movement:
            able[name] = [army.hex, *reached(name, now.seat, kingdom, now.world("surrender"), now.rules)]
    goals = _defended(now, enemies, book)
    if not _is_safe(now):
        goals += [*_retaken(now, enemies, book), *_avenged(now, enemies, book)]
    sent, places = _sent(able, goals, now), [goal.label for goal in goals] or [host.army.hex for host in enemies]
    for name, near in able.items():
        army, goal = kingdom.armies[name], sent.get(name)
        goal = goal or _prey(army, near, enemies, now, weights, book)
        found.append(_attacks(name, army, goal, now) if goal else _waits(name, army, near, places, now, weights))
    return found


def _whole(army: Army, rules: Rules) -> bool:
    return army.hp * 2 > full_hp(army, rules) and not army.routed


def _sent(able: Mapping[str, list[str]], goals: list[Goal], now: Course) -> dict[str, Goal]:
    """Return army -> its goal. Each goal in turn gets the strongest armies that reach it, until they are SURE; none if all of
    them together are too weak. able: army -> the hexes that it reaches."""
    kingdom, sent = now.kingdom("surrender"), dict[str, Goal]()
    ratings = {name: acr(army.unit, army.size, now.rules) for name, army in kingdom.armies.items()}
    for goal in goals:
        free = [
            name for name, reached in able.items()
            if name not in sent and goal.label in reached and _whole(kingdom.armies[name], now.rules)
        ]  # fmt: skip
        group, together = list[str](), 0.0
        for name in sorted(free, key=lambda name: (kingdom.armies[name].hex != goal.label, -ratings[name], name)):
            if together >= max(1, SURE * goal.against):
                break
            group.append(name)
            together += ratings[name]
        if group and goal.against <= BOLD * together:
            sent.update(dict.fromkeys(group, goal))
    return sent


def _is_safe(now: Course) -> bool:
    """Whether the kingdom has safe turns left; in these it defends its land and attacks nobody."""
    return last_safe_turn(now.seen.kingdoms[now.seat], now.rules) > now.seen.turn


def _attacks(name: str, army: Army, goal: Goal, now: Course) -> dict[str, object]:
    moves: dict[str, object] = {} if goal.label == army.hex else {"move": [goal.label]}
    deed: dict[str, object] = {"then": GARRISON} if _is_safe(now) else {"then": ATTACK, "target": goal.seat}
    return {"army": name, **moves, **deed}


def _waits(
    name: str, army: Army, reached: list[str], places: list[str], now: Course, weights: Weights
) -> dict[str, object]:
    """Return the order to an army without a goal: it goes toward these places through its own land, or home."""
    kingdom = now.kingdom("surrender")
    march, stops = [capital_hex(kingdom) or army.hex], reached
    whole = _whole(army, now.rules)
    if weights.war and whole and acr(army.unit, army.size, now.rules) >= HOST:
        march = sorted(owners(now.seen).keys() - kingdom.hexes.keys())
    elif whole and places:
        march, stops = places, [label for label in reached if label in kingdom.hexes] or reached
    back = min(stops, key=lambda label: (min((distance(label, end) for end in march), default=0), label))
    return {"army": name, "then": GARRISON} if back == army.hex else {"army": name, "move": [back], "then": GARRISON}


def _against(label: str, enemies: list[Host], seat: str) -> float:
    return sum(host.acr for host in enemies if (host.army.hex, host.seat) == (label, seat))


def _defended(now: Course, enemies: list[Host], book: Book) -> list[Goal]:
    """Return the hexes of its own land that somebody attacks, or where an army of a kingdom in the book of wrongs stands: those
    that fall soonest first, then those with the weakest enemy."""
    land, warned = now.kingdom("surrender").hexes, attacked(now.seen.kingdoms[now.seat])
    soon: dict[tuple[str, str], int] = {
        (host.army.hex, host.seat): 0 for host in enemies if host.seat in book.foes and host.army.hex in land
    }
    soon |= {(label, seat): turns for label, seats in warned.items() if label in land for seat, turns in seats.items()}
    goals = [(-turns, _against(label, enemies, seat), label, seat) for (label, seat), turns in soon.items()]
    return [Goal(label, seat, against) for _, against, label, seat in sorted(goals) if seat not in book.promised]


def _retaken(now: Course, enemies: list[Host], book: Book) -> list[Goal]:
    """Return the hexes that armies took from it and that lie beside its land, those with the weakest defence first."""
    land, held = now.kingdom("surrender").hexes, owners(now.seen)
    goals = [
        Goal(label, held[label], _against(label, enemies, held[label]))
        for label in book.mine
        if label in held and held[label] not in book.promised and any(near in land for near in neighbours(label))
    ]
    return sorted(goals, key=lambda goal: (goal.against, goal.label))


def _avenged(now: Course, enemies: list[Host], book: Book) -> list[Goal]:
    """Return the hexes with armies of a kingdom against which it has joined a war, on the victim's land or on land taken from
    others."""
    held = owners(now.seen)
    places = {
        (host.army.hex, by)
        for victim, by in book.joined.items()
        for host in enemies
        if host.seat == by and (held.get(host.army.hex) == victim or host.army.hex in book.wrongs[by])
    }
    return [Goal(label, by, _against(label, enemies, by)) for label, by in sorted(places)]


def _prey(
    army: Army, reached: list[str], enemies: list[Host], now: Course, weights: Weights, book: Book
) -> Goal | None:
    """Return open land beside its own that the army could take, if the ruler is warlike; never land of a kingdom that was
    promised peace."""
    kingdom, own = now.kingdom("surrender"), acr(army.unit, army.size, now.rules)
    if not weights.war or _is_safe(now) or own < HOST or kingdom.unrest > 2 or not _whole(army, now.rules):
        return None
    held = owners(now.seen)
    for label in reached:
        seat = held.get(label, now.seat)
        if seat not in (now.seat, *book.promised) and any(near in kingdom.hexes for near in neighbours(label)):
            against = sum(host.acr for host in enemies if host.seat == seat and distance(host.army.hex, label) <= 1)
            if against <= BOLD * own:
                return Goal(label, seat, against)
    return None
