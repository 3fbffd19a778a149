"""What a kingdom remembers of land that it no longer sees. Terrain never changes; the rest is as it last was. Ruling: vision."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, Sighting, World, owners, replace
from kingdom.games.realm.steps.shared import each
from kingdom.games.realm.types import Turn
from kingdom.games.realm.visibility.known import as_seen, found_before, visible
from kingdom.games.realm.visibility.sight import levels, sees


def remember(world: World, turn: Turn) -> World:
    """The end of a turn: of what a kingdom saw when it began and sees no longer it remembers how it was then; what it was
    shown this turn, or held and lost, how it is now; what it sees is no memory,
    but for what it found there."""
    if turn.rules.vision is None:
        return world
    return each(world, turn, _remember)


def _remember(seat: str, kingdom: Kingdom, world: World, turn: Turn) -> Kingdom:
    now, then, rules = sees(world, seat, turn.rules), turn.before, turn.rules
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
    memory |= sightings(gone - shown, then, seat, turn.number - 1, rules)
    memory |= sightings({label for label in shown if label in world.hexes}, world, seat, turn.number, rules)
    if memory == kingdom.memory:
        return kingdom
    return replace(kingdom, memory=dict(sorted(memory.items())))


def _is_new(label: str, kingdom: Kingdom, before: Kingdom, gone: set[str]) -> bool:
    """Whether a revealed hex out of sight was shown this turn without anything about it being remembered, or was lost."""
    if label in before.hexes:
        return label in gone
    if label not in before.revealed:
        return kingdom.memory.get(label) == before.memory.get(label)
    return label not in kingdom.memory and label not in gone


def _tells(label: str, sighting: Sighting, kingdom: Kingdom) -> bool:
    """Whether the memory of a hex in sight tells what can't be seen: what was found there before monsters came."""
    return label not in kingdom.revealed and bool(found_before(sighting.hex))


def sightings(labels: Iterable[str], world: World, seat: str, number: int, rules: Rules) -> dict[str, Sighting]:
    """Label -> what the seat would see there now, in turn `number`. Hidden things are seen where they were revealed to it."""
    found: dict[str, Sighting] = {}
    kingdom, held = world.kingdoms[seat], owners(world)
    left = levels(world, seat, rules) if labels else {}
    for label in labels:
        holder = held.get(label, "")
        built = visible(world.kingdoms[holder].hexes[label], rules) if holder else ()
        found[label] = Sighting(number, as_seen(label, world.hexes[label], kingdom, left), holder, built)
    return found
