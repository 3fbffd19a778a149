"""The armies while battles are fought: what stands where, as one battle after another changes it.

An army is named by (seat, name). Whoever is beaten is gone, or stands somewhere else, before the next battle begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Army, Hex, Kingdom, World, owners
from kingdom.games.realm.steps.war.armies import with_army
from kingdom.games.realm.travel import ways

Ref = tuple[str, str]  # (seat, name) of an army
ATTACK = "attack"
MONSTERS = "monsters"  # what an army may attack besides a seat


class Theatre(NamedTuple):
    """`world` is as it was before the first battle; kingdoms and stands (label -> armies) are kept up to date, and
    hexes are those that changed.

    escorts: the armies that are away with an expedition.
    """

    world: World
    kingdoms: dict[str, Kingdom]
    stands: dict[str, list[Ref]]
    hexes: dict[str, Hex]
    escorts: frozenset[Ref]


def theatre_of(world: World) -> Theatre:
    """The armies where the moves brought them; those of destroyed kingdoms are no longer there."""
    stands: dict[str, list[Ref]] = {}
    escorts: set[Ref] = set()
    for seat, kingdom in world.kingdoms.items():
        for name, army in kingdom.armies.items() if not kingdom.destroyed else ():
            stands.setdefault(army.hex, []).append((seat, name))
        escorts.update((seat, expedition.army) for expedition in kingdom.expeditions.values() if expedition.army)
    return Theatre(world, dict(world.kingdoms), stands, {}, frozenset(escorts))


def army_at(theatre: Theatre, ref: Ref) -> Army:
    """The army as it is now; it must be there still."""
    return theatre.kingdoms[ref[0]].armies[ref[1]]


def standing(theatre: Theatre, label: str, refs: Iterable[Ref] | None = None) -> list[Ref]:
    """Those of the armies (left out: all) that stand in that hex now."""
    here = theatre.stands.get(label, [])
    return list(here) if refs is None else [ref for ref in refs if ref in here]


def put(theatre: Theatre, ref: Ref, army: Army) -> None:
    """Keep the army as it has become, where it stands now."""
    seat, name = ref
    before = army_at(theatre, ref).hex
    theatre.kingdoms[seat] = with_army(theatre.kingdoms[seat], name, army)
    if before != army.hex:
        theatre.stands[before].remove(ref)
        theatre.stands.setdefault(army.hex, []).append(ref)


def leave(theatre: Theatre, ref: Ref, label: str) -> None:
    """Take an army that is no more out of the hex where it stood."""
    theatre.stands[label].remove(ref)


def aim(theatre: Theatre, ref: Ref) -> str:
    """Whom an army means to fight where it stands: a seat, `monsters`, or "" for nobody. Ruling: meeting.

    Without a target it is who holds the hex, where that is another, or else the monsters there. One that was routed, or
    that escorts an expedition, begins no fight.
    """
    seat, army, world = ref[0], army_at(theatre, ref), theatre.world
    if army.deed != ATTACK or army.routed or ref in theatre.escorts:
        return ""
    if army.target:
        return army.target
    holder = owners(world).get(army.hex)
    if holder and holder != seat:
        return holder
    return MONSTERS if world.hexes[army.hex].monsters else ""


def refuge(theatre: Theatre, seat: str, label: str, rules: Rules) -> str:
    """Where an army that is driven out of a hex retreats to: the nearest hex, within its movement, that is its
    kingdom's or nobody's, without monsters and with no other kingdom's army on the way; then the lowest label. "" where
    there is none."""
    barred = _Barred(theatre, seat)
    reached = ways({label: 0}, in_force(rules.movement).points, theatre.world, rules, barred, piers=())
    return min((there for there in reached if there != label), key=lambda there: (reached[there], there), default="")


class _Barred:
    """The hexes that no army of the seat can retreat through."""

    def __init__(self, theatre: Theatre, seat: str):
        self._theatre, self._seat, self._held = theatre, seat, owners(theatre.world)

    def __contains__(self, label: object) -> bool:
        if not isinstance(label, str):
            return False
        if self._held.get(label, self._seat) != self._seat or self._theatre.world.hexes[label].monsters:
            return True
        return any(seat != self._seat for seat, _ in self._theatre.stands.get(label, ()))
