"""Who fights whom in the hexes where moves brought armies together; before that, patrols strike at armies that raid or
blockade.

The Theatre records where armies stand, and each battle changes it. An army is named by (seat, name). A beaten army is gone, or
stands somewhere else, before the next battle begins. Rulings: battle_order, meeting, patrol, raid, blockade.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from kingdom.games.realm.armies import march_points, with_army
from kingdom.games.realm.hexmap import piers_of, ways
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Army, Hex, Kingdom, World, owners
from kingdom.games.realm.visibility.sight import levels, lookouts, sees_army, whereabouts

Ref = tuple[str, str]  # (seat, name) of an army
ATTACK = "attack"
MONSTERS = "monsters"  # a target of an army that is not a seat


class Theatre(Struct, frozen=True):
    """The armies of the world during the battles of a turn. world: as it was before the first battle; kingdoms, stands (label
    -> armies): kept up to date; hexes: those that changed.

    escorts: the armies that are away with an expedition.
    """

    world: World
    kingdoms: dict[str, Kingdom]
    stands: dict[str, list[Ref]]
    hexes: dict[str, Hex]
    escorts: frozenset[Ref]


def theatre_of(world: World) -> Theatre:
    """The theatre after the moves, without the armies of destroyed kingdoms."""
    stands: dict[str, list[Ref]] = {}
    escorts: set[Ref] = set()
    for seat, kingdom in world.kingdoms.items():
        for name, army in kingdom.armies.items() if not kingdom.destroyed else ():
            stands.setdefault(army.hex, []).append((seat, name))
        escorts.update((seat, expedition.army) for expedition in kingdom.expeditions.values() if expedition.army)
    return Theatre(world, dict(world.kingdoms), stands, {}, frozenset(escorts))


def army_at(theatre: Theatre, ref: Ref) -> Army:
    """The army as it is now; it must still exist."""
    return theatre.kingdoms[ref[0]].armies[ref[1]]


def standing(theatre: Theatre, label: str, refs: Iterable[Ref] | None = None) -> list[Ref]:
    """The armies that stand in that hex now, of the given ones or of all."""
    here = theatre.stands.get(label, [])
    return list(here) if refs is None else [ref for ref in refs if ref in here]


def put(theatre: Theatre, ref: Ref, army: Army) -> None:
    """Store the changed army, and move it in `stands` if its hex changed."""
    seat, name = ref
    before = army_at(theatre, ref).hex
    theatre.kingdoms[seat] = with_army(theatre.kingdoms[seat], name, army)
    if before != army.hex:
        theatre.stands[before].remove(ref)
        theatre.stands.setdefault(army.hex, []).append(ref)


def leave(theatre: Theatre, ref: Ref, label: str) -> None:
    """Take a destroyed army out of the hex where it stood."""
    theatre.stands[label].remove(ref)


def aim(theatre: Theatre, ref: Ref) -> str:
    """The target that an army wants to fight in its hex: a seat, `monsters`, or "" for nobody. Ruling: meeting.

    Without a target in its orders, it is another kingdom that holds the hex, or else the monsters there. An army that was
    routed, or escorts an expedition, begins no fight.
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


def refuge(theatre: Theatre, ref: Ref, label: str, rules: Rules) -> str:
    """The hex to which an army driven out of a hex retreats: the nearest hex within its movement that belongs to its kingdom or
    nobody, with no monsters and no other kingdom's army there or on the way; then the lowest label. "" for none."""
    barred = _Barred(theatre, ref[0])
    reached = ways({label: 0}, march_points(army_at(theatre, ref), rules), theatre.world, rules, barred, piers=())
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


# --- who meets whom ---------------------------------------------------------------------------------------------------


ALLOW = "allow"


class Meeting(Struct, frozen=True):
    """A battle to be fought. foes: army -> the seats that it fights there, or `monsters`; an army without an entry fights the
    other side. monsters: the ACR of the hex's monsters, 0 if nobody attacks them. militia: the seat whose militia fights there,
    "" for none.

    strike: patrols began it and are back at their posts afterwards. on_the_way: the armies met while swapping hexes, where no
    walls help; label is then the lower of the two.
    """

    label: str
    attackers: tuple[Ref, ...]
    defenders: tuple[Ref, ...]
    foes: Mapping[Ref, tuple[str, ...]] = {}
    monsters: int = 0
    militia: str = ""
    strike: bool = False
    on_the_way: bool = False


def crossings(theatre: Theatre, rules: Rules) -> Iterator[Meeting]:
    """The battles of armies that swapped hexes: if one side wants to fight the other, they meet before either arrives."""
    moved: dict[tuple[str, str], list[Ref]] = {}
    for label, refs in theatre.stands.items():
        for ref in refs:
            if army_at(theatre, ref).came:
                moved.setdefault((army_at(theatre, ref).came, label), []).append(ref)
    for came, label in sorted(moved):
        if came < label and (label, came) in moved:
            cross = _crossing if rules.nobody_first is None else _crossing_of_all
            yield from cross(theatre, came, label, moved[came, label], moved[label, came])


def _crossing(theatre: Theatre, came: str, label: str, going: list[Ref], coming: list[Ref]) -> Iterator[Meeting]:
    """The battles between armies going from `came` to `label` and armies coming the other way, kingdom by kingdom."""
    for one in sorted({seat for seat, _ in going}):
        for other in sorted({seat for seat, _ in coming} - {one}):
            mine = [ref for ref in standing(theatre, label, going) if ref[0] == one]
            theirs = [ref for ref in standing(theatre, came, coming) if ref[0] == other]
            for attackers, defenders, target in ((mine, theirs, other), (theirs, mine, one)):
                eager = [ref for ref in attackers if aim(theatre, ref) == target]
                if eager and defenders:
                    yield Meeting(came, tuple(eager), tuple(defenders), on_the_way=True)
                    break


def _crossing_of_all(theatre: Theatre, came: str, label: str, going: list[Ref], coming: list[Ref]) -> Iterator[Meeting]:
    """The single battle between armies going from `came` to `label` and armies coming the other way. Ruling: nobody_first."""
    sides = standing(theatre, label, going), standing(theatre, came, coming)
    foes: dict[Ref, tuple[str, ...]] = {}
    for own, others in (sides, sides[::-1]):
        seats = {seat for seat, _ in others}
        foes.update({ref: (aim(theatre, ref),) for ref in own if aim(theatre, ref) in seats - {ref[0]}})
    attackers = tuple(foes)
    for own, others in (sides, sides[::-1]):
        for ref in own:
            after = {other[0] for other in others if other in attackers and ref[0] in foes[other]}
            if after:
                foes.setdefault(ref, tuple(sorted(after)))
    if foes:
        yield Meeting(came, attackers, tuple(ref for ref in foes if ref not in attackers), foes, on_the_way=True)


def quarrel(theatre: Theatre, label: str, militia: str = "") -> Meeting | None:
    """The single battle in a hex between all armies that want to fight somebody there and their targets; None if no army wants
    to. The hex's holder defends, or else those who attack nobody. Each army fights its target, or without a target its
    attackers; two armies with the same target leave each other alone. militia: the seat whose militia would fight."""
    here = standing(theatre, label)
    aims = {ref: aimed for ref in here if (aimed := aim(theatre, ref)) and aimed != ref[0]}
    monsters = theatre.world.hexes[label].monsters if MONSTERS in aims.values() else 0
    foes: dict[Ref, tuple[str, ...]] = {}
    for target in sorted(set(aims.values())):
        after = tuple(ref for ref, aimed in aims.items() if aimed == target)
        attacked = defending(theatre, label, target, after)
        if attacked or target == MONSTERS and monsters or target == militia:
            foes.update(dict.fromkeys(after, (target,)))
        for ref in attacked:
            foes.setdefault(ref, tuple(sorted({seat for seat, _ in after})))
    if not foes:
        return None
    militia = militia if any(militia in seats for seats in foes.values()) else ""
    holder = owners(theatre.world).get(label, "")
    at_home = [ref for ref in foes if ref[0] == holder]
    defenders = tuple(at_home if at_home or militia else [ref for ref in foes if ref not in aims])
    attackers = tuple(ref for ref in foes if ref not in defenders)
    return Meeting(label, attackers, defenders, foes, monsters, militia)


def defending(theatre: Theatre, label: str, seat: str, attackers: tuple[Ref, ...]) -> list[Ref]:
    """The armies of a kingdom in a hex that fight these attackers. Armies with the deed `allow` fight only if an attacker named
    their kingdom as its target."""
    named = any(army_at(theatre, ref).target == seat for ref in attackers)
    own = [ref for ref in standing(theatre, label) if ref[0] == seat]
    return [ref for ref in own if named or army_at(theatre, ref).deed != ALLOW]


PATROL, RAID, BLOCKADE = "patrol", "raid", "blockade"


def strikes(theatre: Theatre, rules: Rules) -> list[Meeting]:
    """The battles that patrols begin: each patrol strikes the nearest prey in its reach, together with all patrols that chose
    the same prey.

    Its reach is its movement from its post, and it is back at its post after the battle.
    """
    chosen: dict[tuple[str, str], list[Ref]] = {}
    found: dict[Ref, list[Ref]] = {}
    for seat, prey in sorted(_prey(theatre).items()):
        seen = _found(theatre, seat, prey, rules)
        for name in theatre.kingdoms[seat].armies if seen else ():
            if _patrols(theatre, (seat, name), rules):
                nearest = _nearest(theatre, (seat, name), seen, rules)
                if nearest:
                    chosen.setdefault(nearest, []).append((seat, name))
                    found[seat, name] = seen
    if rules.nobody_first:
        return _strikes_by_hex(theatre, chosen, found)
    return [
        Meeting(label, tuple(patrols), _struck(theatre, label, other), strike=True)
        for (label, other), patrols in sorted(chosen.items())
    ]


def _patrols(theatre: Theatre, ref: Ref, rules: Rules) -> bool:
    """Whether the army patrols and stands where it may patrol."""
    army = army_at(theatre, ref)
    anywhere = rules.patrol is None or rules.patrol.field_armies
    ready = army.deed == PATROL and not army.routed and ref not in theatre.escorts
    return ready and (anywhere or army.hex in lookouts(theatre.world.kingdoms[ref[0]], rules))


def _strikes_by_hex(
    theatre: Theatre, chosen: Mapping[tuple[str, str], list[Ref]], found: Mapping[Ref, list[Ref]]
) -> list[Meeting]:
    """One battle in each hex, between all patrols that strike there and all their prey. Ruling: nobody_first."""
    patrols: dict[str, list[Ref]] = {}
    for (label, _), refs in sorted(chosen.items()):
        patrols.setdefault(label, []).extend(refs)
    meetings = []
    for label, refs in patrols.items():
        after = {ref: {prey[0] for prey in found[ref] if army_at(theatre, prey).hex == label} for ref in refs}
        foes = {ref: tuple(sorted(seats)) for ref, seats in after.items()}
        for seat in sorted(set().union(*after.values())):
            hunters = tuple(sorted({ref[0] for ref in refs if seat in after[ref]}))
            foes.update(dict.fromkeys(_struck(theatre, label, seat), hunters))
        prey = tuple(ref for ref in foes if ref not in refs)
        meetings.append(Meeting(label, tuple(refs), prey, foes, strike=True))
    return meetings


def guardians(world: World, label: str) -> set[str]:
    """The kingdoms with a part in the open routes through a hex: founders, hosts and sharers."""
    found: set[str] = set()
    for founder, key in whereabouts(world).passing.get(label, ()):
        route = world.kingdoms[founder].routes[key]
        found.update((founder, route.to, *route.sharers))
    return found


def _prey(theatre: Theatre) -> dict[str, list[Ref]]:
    """Seat -> the prey of its patrols: other kingdoms' armies that raid or blockade its routes."""
    found: dict[str, list[Ref]] = {}
    for label, refs in theatre.stands.items():
        preying = [ref for ref in refs if _preys(theatre, ref)]
        for seat in guardians(theatre.world, label) if preying else ():
            found.setdefault(seat, []).extend(ref for ref in preying if ref[0] != seat)
    return found


def preys_on_others(theatre: Theatre, ref: Ref) -> bool:
    """Whether the army raids or blockades a route in which another kingdom has a part."""
    there = army_at(theatre, ref).hex
    return _preys(theatre, ref) and bool(guardians(theatre.world, there) - {ref[0]})


def _preys(theatre: Theatre, ref: Ref) -> bool:
    """Whether the army raids or blockades routes through its hex."""
    army = army_at(theatre, ref)
    return army.deed in (RAID, BLOCKADE) and not army.routed


def _struck(theatre: Theatre, label: str, seat: str) -> tuple[Ref, ...]:
    return tuple(ref for ref in standing(theatre, label) if ref[0] == seat and _preys(theatre, ref))


def _found(theatre: Theatre, seat: str, prey: list[Ref], rules: Rules) -> list[Ref]:
    """The armies of the prey that a kingdom knows of: a raider shows itself, a blockader must be seen."""
    armies = {ref: army_at(theatre, ref) for ref in prey}
    if all(army.deed == RAID for army in armies.values()):
        return prey
    kingdom, left = theatre.world.kingdoms[seat], levels(theatre.world, seat, rules)
    return [ref for ref, army in armies.items() if army.deed == RAID or sees_army(army, army.hex, kingdom, left, rules)]


def _nearest(theatre: Theatre, patrol: Ref, seen: list[Ref], rules: Rules) -> tuple[str, str] | None:
    """(label, seat) of the nearest of those armies within the patrol's movement from its post, between equals the lowest label;
    None if none is."""
    piers, army = piers_of(theatre.kingdoms[patrol[0]], rules), army_at(theatre, patrol)
    places = {(army_at(theatre, ref).hex, ref[0]) for ref in seen}
    goals = {label for label, _ in places}
    reach = ways({army.hex: 0}, march_points(army, rules), theatre.world, rules, piers=piers, goals=goals)
    near = [(reach[label], label, other) for label, other in places if label in reach]
    return min(near)[1:] if near else None
