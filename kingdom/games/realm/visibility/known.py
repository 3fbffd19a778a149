"""What a seat may know: its sheet, what it sees now, what it remembers of land that it saw once, what was revealed to it, and
the outside of other kingdoms. Terrain never changes; the rest is remembered as it last was. Ruling: vision.

`known` makes a World of only this knowledge, so nothing worked out from it can leak a secret. In that World
- a hex that the seat never saw is missing. Only where a chain of this turn's claims could lead beyond the known land stand
  hexes of the terrain marked `unseen`, so a forecast can follow the chain without knowing what it finds. These hexes say
  nothing about the map: they stand there whether the map has such a hex or not;
- a hex out of sight is as the seat last saw it, and nobody holds it; its last known holder is in the kingdom's memory;
- hidden things are missing, except those revealed to the seat, and monsters that it sees;
- another kingdom has its name, its hexes in sight with their roads and canals, its armies in sight, and its trade routes that
  pass through hexes in sight or end with the seat; an unknown kingdom has only its seat's id. Its size is in `others`;
- an expedition of the seat has told nothing yet: its place and its finds are missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

import msgspec
from msgspec import Struct

from kingdom.engine.regex import regex
from kingdom.games.kit.memo import remember
from kingdom.games.realm.armies import full_hp, party_hp
from kingdom.games.realm.hexmap import label_of, neighbours
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import limits
from kingdom.games.realm.state import Army, Expedition, Hex, Kingdom, Route, Sighting, World, owners, replace
from kingdom.games.realm.visibility.sight import levels, sees, sees_army, sees_monsters, whereabouts

_IDS = regex(rb"[a-z0-9_]+")
# what may be hidden in a hex -> the value of a hex without it
HIDDEN = {
    name: getattr(Hex(""), name)
    for name in ("resource", "lair", "ruin", "building", "hazard", "secret", "monsters", "wounds")
}


class Other(Struct, frozen=True):
    """What a seat knows of another kingdom. size: its hexes, None if it neither touches nor deals with the seat.

    touches: they have a common border. tied: an open route joins them. borders: its hexes that the seat sees, by label.
    """

    seat: str
    name: str
    size: int | None
    touches: bool
    borders: tuple[str, ...]
    tied: bool = False


def others(world: World, seat: str, rules: Rules, dealt_with: Iterable[str] = ()) -> dict[str, Other]:
    """The kingdoms that the seat knows, by id: those that touch it, those that an open route ties to it, those it dealt
    with this turn (aid, messages), and those of which it sees a hex or an army, or remembers a hex."""
    held, kingdom = owners(world), world.kingdoms[seat]
    beside = {held[near] for label in kingdom.hexes for near in neighbours(label) if near in held}
    tied, dealt = tied_to(world, seat), set(dealt_with)
    borders: dict[str, list[str]] = {other: [] for other in (*beside, *tied, *dealt)}
    for label in sorted(sees(world, seat, rules)):
        if label in held:
            borders.setdefault(held[label], []).append(label)
    for other in (*armies_seen(world, seat, rules), *(sighting.holder for sighting in kingdom.memory.values())):
        borders.setdefault(other, [])
    found = {}
    for other in sorted(borders):
        if other != seat and other in world.kingdoms:
            its = world.kingdoms[other]
            size = len(its.hexes) if other in beside or other in tied or other in dealt else None
            found[other] = Other(other, its.name, size, other in beside, tuple(borders[other]), other in tied)
    return found


def tied_to(world: World, seat: str) -> set[str]:
    """The seats that an open route ties to this one, whichever founded or shares it."""
    there = {founder for founder, _, route in whereabouts(world).leading_to.get(seat, ()) if route.open}
    return there.union(route.to for route in world.kingdoms[seat].routes.values() if route.open)


def known(world: World, seat: str, rules: Rules, dealt_with: Iterable[str] = ()) -> World:
    """The world as far as the seat knows it; see the head of this module. The seat's own record is complete except for
    expeditions."""
    dealt = set(dealt_with)
    met = others(world, seat, rules) if dealt else {}  # who is known anyway is known as much
    return _known(
        world, seat, rules, frozenset(dealt - {other for other in met if not world.kingdoms[other].destroyed})
    )


@remember(
    lambda world, seat, rules, dealt_with: ((world.hexes, world.kingdoms, rules), (seat, world.turn, dealt_with)),
    size=10,
)
def _known(world: World, seat: str, rules: Rules, dealt_with: frozenset[str]) -> World:
    kingdom, seen, left = world.kingdoms[seat], sees(world, seat, rules), levels(world, seat, rules)
    unseen = next(name for name, terrain in rules.terrain.items() if terrain.unseen)
    hexes = dict.fromkeys(_beyond(kingdom, rules), Hex(unseen))
    hexes.update((label, sighting.hex) for label, sighting in kingdom.memory.items())
    hexes.update(
        (label, world.hexes[label])
        for label in kingdom.revealed
        if label not in kingdom.memory and label in world.hexes
    )
    hexes.update((label, as_seen(label, world.hexes[label], kingdom, left)) for label in seen)
    kingdoms = dict(_strangers(tuple(world.kingdoms)))
    armies, routes = armies_seen(world, seat, rules), _routes_seen(world, seat, seen)
    for other in others(world, seat, rules, dealt_with).values():
        whole = world.kingdoms[other.seat]
        built = {label: visible(whole.hexes[label], rules) for label in other.borders}
        destroyed = whole.destroyed and other.size is not None
        kingdoms[other.seat] = Kingdom(whole.name, hexes=built, armies=armies.get(other.seat, {}), destroyed=destroyed)
    for founder, found in routes.items():
        kingdoms[founder] = replace(kingdoms[founder], routes=found)
    kingdoms[seat] = _without_what_is_away(kingdom, rules)
    return World(world.turn, dict(sorted(hexes.items())), kingdoms)


def company(seen: World, seat: str, orders: object = ()) -> World:
    """What the seat knows, without the kingdoms that play no part: those of which it knows only that they exist, and which its
    own record, its orders and the routes that it sees do not name. Results for the seat stay the same, but take less time in a
    large world."""
    kingdom, strangers = seen.kingdoms[seat], _strangers(tuple(seen.kingdoms))
    met = [
        seat,
        *(other for other, each in seen.kingdoms.items() if each is not strangers[other] and each != strangers[other]),
    ]
    own = msgspec.json.encode((replace(kingdom, memory={}), orders))
    named = {*met, *map(bytes.decode, _IDS.findall(own)), *(sighting.holder for sighting in kingdom.memory.values())}
    named.update(route.to for other in met for route in seen.kingdoms[other].routes.values())
    return replace(seen, kingdoms={other: each for other, each in seen.kingdoms.items() if other in named})


@lru_cache(maxsize=4)
def _strangers(seats: tuple[str, ...]) -> dict[str, Kingdom]:
    return {seat: Kingdom(seat) for seat in seats}


def as_seen(label: str, hex: Hex, kingdom: Kingdom, left: dict[str, int]) -> Hex:
    """The hex without the things that are hidden from the kingdom. left: the kingdom's `levels`."""
    if label in kingdom.revealed:
        return hex
    hidden = {name: nothing for name, nothing in HIDDEN.items() if getattr(hex, name) != nothing}
    if "monsters" in hidden and sees_monsters(hex, label, kingdom, left):
        del hidden["monsters"]
    if label in kingdom.memory:
        hidden |= found_before(kingdom.memory[label].hex)
    return replace(hex, **hidden) if hidden else hex


def found_before(remembered: Hex) -> dict[str, object]:
    """The hidden things of a hex that were found once, by field: they are not forgotten. Monsters are left out, as they come
    and go."""
    lasting = (name for name in HIDDEN if name not in ("monsters", "wounds"))
    return {name: getattr(remembered, name) for name in lasting if getattr(remembered, name) != HIDDEN[name]}


def visible(built: Iterable[str], rules: Rules) -> tuple[str, ...]:
    """The improvements of a foreign hex that others can see: roads, and improvements that count as a feature."""
    return tuple(name for name in built if rules.improvements[name].is_road or rules.improvements[name].feature)


def armies_seen(world: World, seat: str, rules: Rules) -> dict[str, dict[str, Army]]:
    """Seat -> the armies of that kingdom that this one sees, with unit, size and hex, under names made of the hex and a
    number."""
    there = whereabouts(world).armies
    if not there or rules.vision is None:
        return {}
    kingdom, left = world.kingdoms[seat], levels(world, seat, rules)
    found: dict[str, dict[str, Army]] = {}
    for label in sorted(label for label in sees(world, seat, rules) if label in there):
        for other in sorted({other for other, _, _ in there[label]} - {seat}):
            seen = [
                army
                for holder, _, army in there[label]
                if holder == other and sees_army(army, label, kingdom, left, rules)
            ]
            for number, army in enumerate(sorted(seen, key=lambda army: (army.size, army.unit)), 1):
                # its name, wounds and orders are not seen, so it counts as unhurt
                stands = Army(army.unit, army.size, army.hex, 0)
                found.setdefault(other, {})[f"{label}-{number}"] = replace(stands, hp=full_hp(stands, rules))
    return found


def _routes_seen(world: World, seat: str, seen: set[str]) -> dict[str, dict[str, Route]]:
    """Seat -> its routes that this seat knows: complete if they end with this seat, else only the hexes in sight."""
    there = whereabouts(world)
    found: dict[str, dict[str, Route]] = {}
    for founder, key, route in there.leading_to.get(seat, ()):
        found.setdefault(founder, {})[key] = replace(route, bp=0, sharers=())
    passing = {route for label in seen for route in there.passing.get(label, ())}
    for founder, key in sorted(passing):
        route = world.kingdoms[founder].routes[key]
        if seat not in (founder, route.to, *route.sharers):
            towers = tuple(label for label in route.towers if label in seen)
            path = tuple(label for label in route.path if label in seen)
            routes = found.setdefault(founder, {})
            routes[f"passing-{len(routes) + 1}"] = Route(route.to, path, at=len(path) - 1, open=True, towers=towers)
    return found


def _without_what_is_away(kingdom: Kingdom, rules: Rules) -> Kingdom:
    """The kingdom's own record, in which no expedition has moved or found anything (ruling exploration)."""
    if not kingdom.expeditions:
        return kingdom
    homes = {each.army: each.home for each in kingdom.expeditions.values()}
    armies = {name: replace(army, hex=homes.get(name, army.hex)) for name, army in kingdom.armies.items()}
    expeditions = {key: _not_heard_of(each, rules) for key, each in kingdom.expeditions.items()}
    return replace(kingdom, armies=armies, expeditions=expeditions)


def _not_heard_of(expedition: Expedition, rules: Rules) -> Expedition:
    party = expedition.party
    party = replace(party, hex=expedition.home, hp=party_hp(party.bp, rules)) if party else None
    return Expedition(expedition.home, expedition.since, expedition.home, expedition.left, expedition.bp,
                      toward=expedition.toward, until=expedition.until, army=expedition.army, party=party)  # fmt: skip


def _beyond(kingdom: Kingdom, rules: Rules) -> Iterable[str]:
    """The labels out of sight that a chain of this turn's claims could reach. A kingdom without land may begin on any hex (ruling
    no_hexes)."""
    if not kingdom.hexes:
        return () if kingdom.destroyed else _every_label()
    reached, edge = set(kingdom.hexes), set(kingdom.hexes)
    rings = []
    for _ in range(limits(replace(kingdom, edict_size=len(kingdom.hexes)), rules).claims):
        edge = {near for label in edge for near in neighbours(label)} - reached
        reached |= edge
        rings.append(edge)
    return set().union(*rings[1:])  # the first ring is in sight, so labels missing there are off the map


@cache
def _every_label() -> tuple[str, ...]:
    return tuple(label_of(column, row) for column in range(1, 100) for row in range(1, 100))


def known_hex(label: str, world: World, seat: str, rules: Rules) -> Hex | None:
    """The hex as in `known`: as the seat sees it, else as it remembers it, else as it was revealed; None if the seat knows
    nothing of it."""
    kingdom = world.kingdoms[seat]
    hex = world.hexes.get(label)
    if hex is None or rules.terrain[hex.terrain].unseen:
        return None
    if label in sees(world, seat, rules):
        return as_seen(label, hex, kingdom, levels(world, seat, rules))
    if label in kingdom.memory:
        return kingdom.memory[label].hex
    return hex if label in kingdom.revealed else None


# --- what it remembers ------------------------------------------------------------------------------------------------


def with_memory(seat: str, world: World, then: World, rules: Rules) -> Kingdom:
    """The kingdom with its memory brought up to date. then: the world when the turn began; world: the world now."""
    kingdom = world.kingdoms[seat]
    now = sees(world, seat, rules)
    before = then.kingdoms.get(seat) or Kingdom(seat)
    gone = sees(then, seat, rules) - now if seat in then.kingdoms else set()
    shown = {label for label in kingdom.revealed if label not in now and _is_new(label, kingdom, before, gone)}
    if not gone and not shown and not kingdom.memory:
        return kingdom
    memory = {label: sighting for label, sighting in kingdom.memory.items() if label not in now}
    memory |= {
        label: Sighting(each.turn, each.hex)
        for label, each in kingdom.memory.items()
        if label in now and _tells(label, each, kingdom)
    }
    memory |= sightings(gone - shown, then, seat, then.turn, rules)
    memory |= sightings({label for label in shown if label in world.hexes}, world, seat, then.turn + 1, rules)
    if memory == kingdom.memory:
        return kingdom
    return replace(kingdom, memory=dict(sorted(memory.items())))


def known_all_turn(world: World, before: World, seat: str, rules: Rules) -> World:
    """As `known`, during a turn that began with `before`: all that the last report showed stays known, even if it is out of
    sight by now."""
    kingdom = world.kingdoms[seat]
    if rules.vision is not None and seat in before.kingdoms and kingdom is not before.kingdoms[seat]:
        remembering = with_memory(seat, world, before, rules)
        if remembering is not kingdom:
            world = replace(world, kingdoms={**world.kingdoms, seat: remembering})
    return known(world, seat, rules)


def _is_new(label: str, kingdom: Kingdom, before: Kingdom, gone: set[str]) -> bool:
    """Whether a revealed hex out of sight must be remembered as it is now: it was revealed this turn and not remembered since,
    or held and lost."""
    if label in before.hexes:
        return label in gone
    if label not in before.revealed:
        return kingdom.memory.get(label) == before.memory.get(label)
    return label not in kingdom.memory and label not in gone


def _tells(label: str, sighting: Sighting, kingdom: Kingdom) -> bool:
    """Whether the memory of a hex in sight adds to what is seen: something hidden that was found there before monsters came."""
    return label not in kingdom.revealed and bool(found_before(sighting.hex))


def sightings(labels: Iterable[str], world: World, seat: str, number: int, rules: Rules) -> dict[str, Sighting]:
    """Label -> what the seat would see there now, in turn `number`. It sees hidden things that were revealed to it."""
    found: dict[str, Sighting] = {}
    kingdom, held = world.kingdoms[seat], owners(world)
    left = levels(world, seat, rules) if labels else {}
    for label in labels:
        holder = held.get(label, "")
        built = visible(world.kingdoms[holder].hexes[label], rules) if holder else ()
        found[label] = Sighting(number, as_seen(label, world.hexes[label], kingdom, left), holder, built)
    return found
