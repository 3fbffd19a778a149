"""Patrols strike first: at armies that raid or blockade a route of their kingdom, and that it sees. Rulings: patrol, raid, blockade."""

from __future__ import annotations

from kingdom.games.realm.theatre import Theatre, Ref, army_at
from kingdom.games.realm.meeting import Meeting
from kingdom.games.realm.rules import Rules
from kingdom.games.realm.sight import levels, sees_army
from kingdom.games.realm.state import World
from kingdom.games.realm.travel import piers_of, ways
from kingdom.games.realm.whereabouts import whereabouts

PATROL, RAID, BLOCKADE = "patrol", "raid", "blockade"


def strikes(theatre: Theatre, rules: Rules) -> list[Meeting]:
    """The battles that patrols begin: each goes for the nearest prey in its reach, beside the others that chose the same.

    A patrol reaches as far as its movement from the place where it stands, and is back there after the battle.
    """
    prey = _prey(theatre)
    chosen: dict[tuple[str, str], list[Ref]] = {}
    for seat in sorted(set().union(*prey.values())):
        seen = [ref for ref, guardians in prey.items() if seat in guardians and _finds(theatre.world, seat, ref, theatre, rules)]
        for name, army in theatre.kingdoms[seat].armies.items() if seen else ():
            if army.deed == PATROL and not army.routed and (seat, name) not in theatre.escorts:
                nearest = _nearest(theatre, seat, army.hex, seen, rules)
                if nearest:
                    chosen.setdefault(nearest, []).append((seat, name))
    return [
        Meeting(label, tuple(patrols), _of(theatre, label, other, prey), strike=True)
        for (label, other), patrols in sorted(chosen.items())
    ]


def guardians(world: World, label: str) -> set[str]:
    """The kingdoms that the open routes through a hex belong to: their founders, hosts and sharers."""
    found: set[str] = set()
    for founder, key in whereabouts(world).passing.get(label, ()):
        route = world.kingdoms[founder].routes[key]
        found.update((founder, route.to, *route.sharers))
    return found


def _prey(theatre: Theatre) -> dict[Ref, set[str]]:
    """Army -> whose patrols are after it, for each one that raids or blockades a route of another."""
    found = {}
    for label, refs in theatre.stands.items():
        for ref in refs:
            if army_at(theatre, ref).deed in (RAID, BLOCKADE) and not army_at(theatre, ref).routed:
                after = guardians(theatre.world, label) - {ref[0]}
                if after:
                    found[ref] = after
    return found


def _finds(world: World, seat: str, ref: Ref, theatre: Theatre, rules: Rules) -> bool:
    """Whether a kingdom knows where that army is: a raider shows itself, a blockader must be seen."""
    army = army_at(theatre, ref)
    return army.deed == RAID or sees_army(army, army.hex, world.kingdoms[seat], levels(world, seat, rules), rules)


def _nearest(theatre: Theatre, seat: str, post: str, seen: list[Ref], rules: Rules) -> tuple[str, str] | None:
    """(label, seat) of the nearest of those armies that is within the movement from the post; then the lowest label."""
    assert rules.movement is not None
    reach = ways({post: 0}, rules.movement.points, theatre.world, rules, piers=piers_of(theatre.kingdoms[seat], rules))
    near = [(reach[army_at(theatre, ref).hex], army_at(theatre, ref).hex, ref[0]) for ref in seen if army_at(theatre, ref).hex in reach]
    return min(near)[1:] if near else None


def _of(theatre: Theatre, label: str, seat: str, prey: dict[Ref, set[str]]) -> tuple[Ref, ...]:
    return tuple(ref for ref in prey if ref[0] == seat and army_at(theatre, ref).hex == label)
