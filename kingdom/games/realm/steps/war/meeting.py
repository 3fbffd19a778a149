"""Who fights whom where the moves brought armies together; before that patrols strike at armies that raid or blockade.

The Theatre is what stands where while one battle after another changes it. An army is named by (seat, name). Whoever is
beaten is gone, or stands somewhere else, before the next battle begins. Rulings: battle_order, meeting, patrol, raid, blockade.
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
MONSTERS = "monsters"  # what an army may attack besides a seat


class Theatre(Struct, frozen=True):
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


def refuge(theatre: Theatre, ref: Ref, label: str, rules: Rules) -> str:
    """Where an army that is driven out of a hex retreats to: the nearest hex, within its movement, that is its
    kingdom's or nobody's, without monsters and with no other kingdom's army on the way; then the lowest label. "" where
    there is none."""
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
    """A battle to be fought. foes: army -> the seats that it fights there, `monsters` among them; where it is left out,
    those on the other side. monsters: the ACR of those of the hex, 0 where nobody is after them. militia: the seat whose
    settlement's people fight there, "" where they don't.

    strike: patrols struck, who are back at their posts afterwards. on_the_way: armies that swapped hexes met, where no
    walls help; label is then the lower one of the two.
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
    """Armies that swapped hexes and of which one side wants to fight the other meet before either arrives."""
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
    """The battles of those who go from `came` to `label` with those who come the other way, kingdom by kingdom."""
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
    """The one battle of those who go from `came` to `label` with those who come the other way. Ruling: nobody_first."""
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
    """The one battle of all in a hex who want to fight somebody there, and of those whom they want to fight; None where
    nobody does. Who holds the hex defends it, or else who attacks nobody. Each fights whom it is after, or else who is
    after it; two who are after the same kingdom leave each other alone. militia: the seat whose settlement's people would fight."""
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
    """The armies of a kingdom in a hex that stand up to these attackers: all; but those that allow only where one of
    the attackers named their kingdom."""
    named = any(army_at(theatre, ref).target == seat for ref in attackers)
    own = [ref for ref in standing(theatre, label) if ref[0] == seat]
    return [ref for ref in own if named or army_at(theatre, ref).deed != ALLOW]


PATROL, RAID, BLOCKADE = "patrol", "raid", "blockade"


def strikes(theatre: Theatre, rules: Rules) -> list[Meeting]:
    """The battles that patrols begin: each goes for the nearest prey in its reach, beside all that chose the same.

    A patrol reaches as far as its movement from the place where it stands, and is back there after the battle.
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
    """Whether the army patrols, from a place where it may."""
    army = army_at(theatre, ref)
    anywhere = rules.patrol is None or rules.patrol.field_armies
    ready = army.deed == PATROL and not army.routed and ref not in theatre.escorts
    return ready and (anywhere or army.hex in lookouts(theatre.world.kingdoms[ref[0]], rules))


def _strikes_by_hex(
    theatre: Theatre, chosen: Mapping[tuple[str, str], list[Ref]], found: Mapping[Ref, list[Ref]]
) -> list[Meeting]:
    """One battle in each hex, of all patrols that strike there and of all whom they are after. Ruling: nobody_first."""
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


def preys_on_others(theatre: Theatre, ref: Ref) -> bool:
    """Whether the army raids or blockades a route in which another kingdom than its own has part."""
    there = army_at(theatre, ref).hex
    return _preys(theatre, ref) and bool(guardians(theatre.world, there) - {ref[0]})


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


def _nearest(theatre: Theatre, patrol: Ref, seen: list[Ref], rules: Rules) -> tuple[str, str] | None:
    """(label, seat) of the nearest of those armies that is within the patrol's movement from its post; then the lowest label."""
    piers, army = piers_of(theatre.kingdoms[patrol[0]], rules), army_at(theatre, patrol)
    places = {(army_at(theatre, ref).hex, ref[0]) for ref in seen}
    goals = {label for label, _ in places}
    reach = ways({army.hex: 0}, march_points(army, rules), theatre.world, rules, piers=piers, goals=goals)
    near = [(reach[label], label, other) for label, other in places if label in reach]
    return min(near)[1:] if near else None
