"""Open routes: whom they tie, what threatens them, and what a blockade tells.

Rulings: trade_route, blockade, raid.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from msgspec import Struct

from kingdom.games.realm.state import Kingdom, Route, World, replace, with_kingdoms
from kingdom.games.realm.types import Turn


def partners(kingdom: Kingdom) -> frozenset[str]:
    """The seats that an open route ties to the kingdom, whichever side founded the route."""
    if not kingdom.routes and not kingdom.guests:
        return frozenset()
    founders = {guest.by for guest in kingdom.guests.values()}
    return frozenset(founders.union(route.to for route in kingdom.routes.values() if route.open))


def open_route_with(kingdom: Kingdom, other: str) -> str:
    """The kingdom's key of an open route between it and the other kingdom: its own route, or one that it let in; "" for
    none."""
    own = [key for key, route in kingdom.routes.items() if route.to == other and route.open and not route.shares]
    return next(iter(own or [key for key, guest in kingdom.guests.items() if guest.by == other]), "")


BLOCKADE, RAID = "blockade", "raid"  # deeds of an army


class Raider(Struct, frozen=True, order=True):
    """An army that raids, or the monsters of a hex, which have no seat."""

    seat: str
    army: str
    hex: str


class Threats(Struct, frozen=True):
    """The armies that blockade and the armies that raid: label -> armies there, in the order of seats."""

    blockading: dict[str, tuple[Raider, ...]]
    raiding: dict[str, tuple[Raider, ...]]


def threats_in(world: World) -> Threats:
    """All armies that blockade or raid where they stand; one that was routed does neither."""
    found: dict[str, dict[str, tuple[Raider, ...]]] = {BLOCKADE: {}, RAID: {}}
    for seat, kingdom in world.kingdoms.items():
        for name, army in kingdom.armies.items():
            if army.deed in found and not army.routed:
                there = found[army.deed]
                there[army.hex] = (*there.get(army.hex, ()), Raider(seat, name, army.hex))
    return Threats(found[BLOCKADE], found[RAID])


def is_blockaded(route: Route, threats: Threats, world: World, raided: Container[str] = ()) -> bool:
    """Whether an army or monsters on the path stop the route's trade. raided: hexes whose monsters raid the route instead."""
    return any(
        label in threats.blockading or has_monsters(label, world) and label not in raided for label in route.path
    )


def has_monsters(label: str, world: World) -> bool:
    """Whether monsters live in the hex, as far as this world shows."""
    return label in world.hexes and world.hexes[label].monsters > 0


def raiders_of(route: Route, threats: Threats) -> tuple[Raider, ...]:
    """The armies that raid the route, in the order of their seats."""
    if not threats.raiding:
        return ()
    return tuple(sorted(raider for label in route.path for raider in threats.raiding.get(label, ())))


def parties_to(founder: str, route: Route) -> Sequence[str]:
    """The seats concerned in a route of that founder: the founder, the host and the sharers."""
    return tuple(dict.fromkeys((founder, route.to, *route.sharers)))


def watch(world: World, blockaded: Mapping[tuple[str, str], bool], turn: Turn) -> World:
    """The world with the turns of each blockade counted. blockaded: (founder, key) of every open route -> whether it is
    blockaded."""
    changed: dict[str, Kingdom] = {}
    for (founder, key), is_blockaded in blockaded.items():
        kingdom = changed.get(founder, world.kingdoms[founder])
        route = kingdom.routes[key]
        watched = route.watched + 1 if is_blockaded else 0
        if watched == route.watched:
            continue
        changed[founder] = replace(kingdom, routes={**kingdom.routes, key: replace(route, watched=watched)})
        # the notice does not say who blockades: only those who see the hex may know
        names = f"{key} of {world.kingdoms[founder].name} with {world.kingdoms[route.to].name}"
        more = watched * turn.rules.blockade.vigilance if turn.rules.blockade else 0
        text = (
            f"{names} is blockaded: it pays nobody this turn; Vigilance along it counts {more} more (ruling blockade)."
        )
        if not watched:
            text = f"{names} is no longer blockaded (ruling blockade)."
        for seat in parties_to(founder, route):
            turn.tell(seat, "news", text=text)
    return with_kingdoms(world, changed)
