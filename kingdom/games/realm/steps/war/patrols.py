"""Patrols strike first, at armies that raid or blockade a route of their kingdom. Rulings: patrol, raid, blockade."""

from __future__ import annotations

from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import World
from kingdom.games.realm.steps.war.meeting import Meeting
from kingdom.games.realm.steps.war.theatre import Ref, Theatre, army_at, standing
from kingdom.games.realm.travel import piers_of, ways
from kingdom.games.realm.visibility.sight import levels, sees_army, whereabouts

PATROL, RAID, BLOCKADE = "patrol", "raid", "blockade"


def strikes(theatre: Theatre, rules: Rules) -> list[Meeting]:
    """The battles that patrols begin: each goes for the nearest prey in its reach, beside all that chose the same.

    A patrol reaches as far as its movement from the place where it stands, and is back there after the battle.
    """
    chosen: dict[tuple[str, str], list[Ref]] = {}
    for seat, prey in sorted(_prey(theatre).items()):
        seen = _found(theatre, seat, prey, rules)
        for name, army in theatre.kingdoms[seat].armies.items() if seen else ():
            if army.deed == PATROL and not army.routed and (seat, name) not in theatre.escorts:
                nearest = _nearest(theatre, seat, army.hex, seen, rules)
                if nearest:
                    chosen.setdefault(nearest, []).append((seat, name))
    return [
        Meeting(label, tuple(patrols), _struck(theatre, label, other), strike=True)
        for (label, other), patrols in sorted(chosen.items())
    ]


def guardians(world: World, label: str) -> set[str]:
    """The kingdoms that the open routes through a hex belong to: their founders, hosts and sharers."""
    found: set[str] = set()
    for founder, key in whereabouts(world).passing.get(label, ()):
        route = world.kingdoms[founder].routes[key]
        found.update((founder, route.to, *route.sharers))
    return found


def _prey(theatre: Theatre) -> dict[str, list[Ref]]:
    """Seat -> the armies that its patrols are after: those that raid or blockade a route of it, its own left out."""
    found: dict[str, list[Ref]] = {}
    for label, refs in theatre.stands.items():
        preying = [ref for ref in refs if _preys(theatre, ref)]
        for seat in guardians(theatre.world, label) if preying else ():
            found.setdefault(seat, []).extend(ref for ref in preying if ref[0] != seat)
    return found


def _preys(theatre: Theatre, ref: Ref) -> bool:
    """Whether the army raids or blockades what passes."""
    army = army_at(theatre, ref)
    return army.deed in (RAID, BLOCKADE) and not army.routed


def _struck(theatre: Theatre, label: str, seat: str) -> tuple[Ref, ...]:
    return tuple(ref for ref in standing(theatre, label) if ref[0] == seat and _preys(theatre, ref))


def _found(theatre: Theatre, seat: str, prey: list[Ref], rules: Rules) -> list[Ref]:
    """Those of the armies that a kingdom knows of: a raider shows itself, a blockader must be seen."""
    armies = {ref: army_at(theatre, ref) for ref in prey}
    if all(army.deed == RAID for army in armies.values()):
        return prey
    kingdom, left = theatre.world.kingdoms[seat], levels(theatre.world, seat, rules)
    return [ref for ref, army in armies.items() if army.deed == RAID or sees_army(army, army.hex, kingdom, left, rules)]


def _nearest(theatre: Theatre, seat: str, post: str, seen: list[Ref], rules: Rules) -> tuple[str, str] | None:
    """(label, seat) of the nearest of those armies that is within the movement from the post; then the lowest label."""
    piers = piers_of(theatre.kingdoms[seat], rules)
    places = {(army_at(theatre, ref).hex, ref[0]) for ref in seen}
    goals = {label for label, _ in places}
    reach = ways({post: 0}, in_force(rules.movement).points, theatre.world, rules, piers=piers, goals=goals)
    near = [(reach[label], label, other) for label, other in places if label in reach]
    return min(near)[1:] if near else None
