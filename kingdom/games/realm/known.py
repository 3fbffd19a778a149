"""What a seat may know until there is sight: its sheet, its hexes and those beside them, what was revealed to it,
and of the kingdoms that touch it or deal with it their names, their sizes and their borders with what it sees.

`known` makes a World of that and of nothing else, so whatever is reckoned from it cannot leak. In it
- a hex out of sight is not there. Only where this turn's claims could lead on beyond what is seen stand hexes of the
  terrain that is marked `unseen`: so a chain of claims is foreseen, and nothing about what they will find there. That
  they stand there says nothing of the map: they stand there whether it has such a hex or not;
- hidden things are gone but where they were revealed to the seat;
- another kingdom is its name and its hexes in sight, or where it is not known its seat's id alone. Its size is in `others`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Iterable, NamedTuple

from kingdom.games.realm.hexmap import label_of, neighbours
from kingdom.games.realm.rules import Rules
from kingdom.games.realm.state import Hex, Kingdom, World, owners, replace
from kingdom.games.realm.steps import limits

HIDDEN = {"resource": False, "lair": False, "ruin": "", "building": "", "hazard": "", "secret": "", "monsters": 0}


class Other(NamedTuple):
    """What a seat knows of another kingdom. borders: its hexes that the seat sees, by label."""

    seat: str
    name: str
    size: int
    touches: bool
    borders: tuple[str, ...]


def sees(world: World, seat: str) -> set[str]:
    """The labels of the hexes of which the seat knows terrain and visible features: its own, those beside them, the revealed."""
    kingdom = world.kingdoms[seat]
    near = {label for held in kingdom.hexes for label in neighbours(held)}
    return {label for label in near.union(kingdom.hexes, kingdom.revealed) if label in world.hexes}


def others(world: World, seat: str, dealt_with: Iterable[str] = ()) -> dict[str, Other]:
    """The kingdoms that the seat knows, by id: those that touch it, and those it dealt with this turn (aid, messages)."""
    held, mine = owners(world), world.kingdoms[seat].hexes
    beside = {held[near] for label in mine for near in neighbours(label) if near in held}
    borders: dict[str, list[str]] = {other: [] for other in sorted(beside.union(dealt_with)) if other in world.kingdoms}
    borders.pop(seat, None)
    for label in sorted(sees(world, seat)):
        if held.get(label) in borders:
            borders[held[label]].append(label)
    return {
        other: Other(other, world.kingdoms[other].name, len(world.kingdoms[other].hexes), other in beside, tuple(labels))
        for other, labels in borders.items()
    }


def known(world: World, seat: str, rules: Rules, dealt_with: Iterable[str] = ()) -> World:
    """The world as far as the seat knows it; see the head of this module. Its own kingdom's record is whole."""
    kingdom, seen = world.kingdoms[seat], sees(world, seat)
    hexes = dict.fromkeys(_beyond(kingdom, rules), Hex(_unseen(rules)))
    hexes.update({label: _as_seen(label, world.hexes[label], kingdom) for label in seen})
    kingdoms = dict(_strangers(tuple(world.kingdoms)))
    for other in others(world, seat, dealt_with).values():
        kingdoms[other.seat] = _from_outside(other, world.kingdoms[other.seat], rules)
    kingdoms[seat] = kingdom
    return World(world.turn, dict(sorted(hexes.items())), kingdoms)


@lru_cache(maxsize=4)
def _strangers(seats: tuple[str, ...]) -> dict[str, Kingdom]:
    return {seat: Kingdom(seat) for seat in seats}


def _as_seen(label: str, hex: Hex, kingdom: Kingdom) -> Hex:
    """The hex without what it hides from the kingdom."""
    if label in kingdom.revealed:
        return hex
    hidden = {name: nothing for name, nothing in HIDDEN.items() if getattr(hex, name) != nothing}
    return replace(hex, **hidden) if hidden else hex


def _from_outside(other: Other, kingdom: Kingdom, rules: Rules) -> Kingdom:
    """Of what stands in a foreign hex only that is seen which counts as a feature of the land, such as a canal."""
    built = {
        label: tuple(name for name in kingdom.hexes[label] if rules.improvements[name].feature) for label in other.borders
    }
    return Kingdom(kingdom.name, hexes=built, destroyed=kingdom.destroyed)


def _unseen(rules: Rules) -> str:
    return next(name for name, terrain in rules.terrain.items() if terrain.unseen)


def _beyond(kingdom: Kingdom, rules: Rules) -> Iterable[str]:
    """The labels out of sight that a turn's claims could reach, one beside the other. Without land that is any (ruling no_hexes)."""
    if not kingdom.hexes:
        return () if kingdom.destroyed else _every_label()
    reached, edge = set(kingdom.hexes), set(kingdom.hexes)
    rings = []
    for _ in range(limits(replace(kingdom, edict_size=len(kingdom.hexes)), rules).claims):
        edge = {near for label in edge for near in neighbours(label)} - reached
        reached |= edge
        rings.append(edge)
    return set().union(*rings[1:])  # the first ring is in sight: what is not there is beyond the map


@lru_cache(maxsize=None)
def _every_label() -> tuple[str, ...]:
    return tuple(label_of(column, row) for column in range(1, 100) for row in range(1, 100))
