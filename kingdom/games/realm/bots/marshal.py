"""What a ruler does with armies: as many as others have near its land, and where they go. Who likes war attacks open land beside its own.

An army meets who stands in its land, and waits in the capital otherwise. What is out of sight counts as not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kingdom.games.realm.armies import acr, full_hp
from kingdom.games.realm.bots.worth import Choice, Weights
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.offers import war
from kingdom.games.realm.offers.turn_preview import Course
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, World, owners
from kingdom.games.realm.steps.land.losing import capital_hex
from kingdom.games.realm.steps.war.movement import ATTACK, GARRISON

NEAR = 4  # hexes from its land within which an army of others threatens it
PER_ACR = 12  # BP that a point of ACR is worth that it lacks
BOLD = 1.0  # of its ACR: what may stand against it where it attacks
HOST = 3  # ACR below which nobody begins a war: what the people of a town come to


class Host(NamedTuple):
    """An army of another kingdom in sight."""

    seat: str
    army: Army
    acr: float


def strength(armies: Mapping[str, Army], rules: Rules) -> float:
    """Return the ACR of armies together, without those that were routed."""
    return sum(acr(army.unit, army.size, rules) for army in armies.values() if not army.routed)


def hosts(known: World, seat: str, rules: Rules) -> list[Host]:
    """Return the armies of others that are NEAR the seat's land."""
    land, found = known.kingdoms[seat].hexes, list[Host]()
    for other, kingdom in known.kingdoms.items():
        for army in kingdom.armies.values() if other != seat else ():
            if any(distance(army.hex, label) <= NEAR for label in land):
                found.append(Host(other, army, acr(army.unit, army.size, rules)))
    return found


def lacking(known: World, seat: str, rules: Rules, weights: Weights) -> float:
    """Return the ACR that a ruler wants besides what it has: as strong as the strongest neighbour, or as it likes for its size."""
    if not rules.army_figures:
        return 0
    near: dict[str, float] = {}
    for host in hosts(known, seat, rules):
        near[host.seat] = near.get(host.seat, 0) + host.acr
    kingdom = known.kingdoms[seat]
    return max(max(near.values(), default=0), weights.host * len(kingdom.hexes)) - strength(kingdom.armies, rules)


def musters(now: Course, weights: Weights) -> Iterator[Choice]:
    """Yield the armies that may be recruited towards what it lacks."""
    wanted = lacking(now.seen, now.seat, now.rules, weights)
    for offer in war.musters(now) if wanted >= 1 else ():
        if "recruit" in offer.order:
            rating = acr(offer.order["unit"], offer.order["size"], now.rules)
            yield Choice(offer, PER_ACR * min(wanted, rating))


def marches(now: Course, weights: Weights) -> list[dict[str, object]]:
    """Return the orders to the armies that stand already; what can't be paid for any more is sent home for good."""
    kingdom, found = now.kingdom("surrender"), list[dict[str, object]]()
    enemies, poor = hosts(now.seen, now.seat, now.rules), kingdom.treasury < 0
    for name, army in sorted(now.seen.kingdoms[now.seat].armies.items()):
        if name not in kingdom.armies or army.mustered or army.reserve:
            continue
        if poor and not enemies and any(town.hex == army.hex for town in kingdom.settlements.values()):
            found.append({"disband": name})
        elif now.rules.movement:
            found.append(_told(name, kingdom.armies[name], enemies, now, weights))
    return found


def _told(name: str, army: Army, enemies: list[Host], now: Course, weights: Weights) -> dict[str, object]:
    """Return the order to one army."""
    kingdom, world, own = now.kingdom("surrender"), now.world("surrender"), acr(army.unit, army.size, now.rules)
    home = capital_hex(kingdom) or army.hex
    reached = [army.hex, *war.reached(name, now.seat, kingdom, world, now.rules)]
    whole = army.hp * 2 > full_hp(army, now.rules) and not army.routed
    goal, target = (
        (_quarry(own, reached, enemies, now) or _prey(own, reached, enemies, now, weights)) if whole else ("", "")
    )
    if goal:
        order: dict[str, object] = {"army": name, "then": ATTACK, "target": target}
        return order if goal == army.hex else {"army": name, "move": [goal], "then": ATTACK, "target": target}
    march = sorted(owners(now.seen).keys() - kingdom.hexes.keys()) if weights.war and whole and own >= HOST else [home]
    back = min(reached, key=lambda label: (min((distance(label, end) for end in march), default=0), label))
    return {"army": name, "then": GARRISON} if back == army.hex else {"army": name, "move": [back], "then": GARRISON}


def _quarry(own: float, reached: list[str], enemies: list[Host], now: Course) -> tuple[str, str] | None:
    """Return (hex, seat) of the strongest host in its land that the army can beat."""
    land = now.kingdom("surrender").hexes
    at: dict[tuple[str, str], float] = {}
    for host in enemies:
        at[host.army.hex, host.seat] = at.get((host.army.hex, host.seat), 0) + host.acr
    meant = [
        (against, label, seat)
        for (label, seat), against in at.items()
        if label in reached and label in land and against <= BOLD * own
    ]
    return max(meant)[1:] if meant else None


def _prey(own: float, reached: list[str], enemies: list[Host], now: Course, weights: Weights) -> tuple[str, str]:
    """Return (hex, seat) of open land beside its own that nobody in sight defends, for who likes war; ("", "") for none."""
    kingdom = now.kingdom("surrender")
    if not weights.war or own < HOST or kingdom.unrest > 2:
        return "", ""
    held = owners(now.seen)
    for label in reached:
        seat = held.get(label, now.seat)
        if seat != now.seat and any(near in kingdom.hexes for near in neighbours(label)):
            against = sum(host.acr for host in enemies if host.seat == seat and distance(host.army.hex, label) <= 1)
            if against <= BOLD * own:
                return label, seat
    return "", ""
