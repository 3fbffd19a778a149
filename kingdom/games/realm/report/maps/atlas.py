"""What a map tells, whoever draws it: the land as its reader knows it, who holds it, what stands and marches there.

The map as text (mapdraw.py) and the one as a picture (mapsvg.py) are drawn from this alone, so they tell the same.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import count
from typing import TypeAlias

from msgspec import Struct

from kingdom.games.kit.memo import remember
from kingdom.games.realm.armies import called
from kingdom.games.realm.hexmap import finds
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World, owners, replace
from kingdom.games.realm.steps.land.losing import settlement_in
from kingdom.games.realm.visibility.known import company, known, others
from kingdom.games.realm.visibility.sight import sees
from kingdom.render.plain_text import clean

CAPITAL, SETTLEMENT, FREE_CITY = "capital", "settlement", "free city"
MORE = "+"
HIDDEN = ("resource", "lair", "ruin", "building", "hazard", "secret", "monsters")  # fields of a hex
_ROADS = "=#:;"  # in the order of the table of improvements
# word -> letter: features, improvements, roads
Marks: TypeAlias = tuple[dict[str, str], dict[str, str], dict[str, str]]


class Force(Struct, frozen=True):
    """What marches: an army, a party of adventurers, an expedition. own: the reader's, to the GM everybody's."""

    seat: str
    own: bool
    text: str


class Town(Struct, frozen=True):
    """What people live in. kind: CAPITAL, SETTLEMENT or FREE_CITY."""

    name: str
    kind: str
    text: str


class Lane(Struct, frozen=True):
    """A trade route, or the part of one that is seen. at: the hex where the caravan is, "" where the route is open."""

    seat: str
    path: tuple[str, ...]
    at: str
    text: str


class Atlas(Struct, frozen=True):
    """What is drawn, all maps by label. seat: the reader, None for the GM.

    built: the improvements that stand there, held by somebody or left in the wild. lies: what can be seen there, and what
    stands there that counts as such. hidden: which of the HIDDEN things the reader knows to be there. remembered: the hexes that the reader knows but does not see now. sizes: seat -> size, where the reader knows it.
    places: seat -> its place among all of the campaign. The marks are letters: of kingdoms that are on the map, features, improvements and roads.
    """

    world: World
    seat: str | None
    rules: Rules
    owners: Mapping[str, str]
    built: Mapping[str, tuple[str, ...]]
    lies: Mapping[str, list[str]]
    hidden: Mapping[str, list[str]]
    remembered: Container[str]
    forces: Mapping[str, list[Force]]
    lanes: tuple[Lane, ...]
    towns: Mapping[str, Town]
    sizes: Mapping[str, int | None]
    kingdoms: Mapping[str, str]
    places: Mapping[str, int]
    features: Mapping[str, str]
    improvements: Mapping[str, str]
    roads: Mapping[str, str]


def atlas(world: World, seat: str | None, rules: Rules) -> Atlas:
    """What the seat's map tells; the GM's (None) tells everything."""
    seen = company(known(world, seat, rules), seat) if seat else world
    hexes = {label: hex for label, hex in seen.hexes.items() if not rules.terrain[hex.terrain].unseen}
    lanes = tuple(_lanes(seen.kingdoms, seat))
    seen = World(world.turn, hexes, _with_memories(seen.kingdoms, seat))
    features, improvements, roads = _land_marks(rules)
    held = {label: holder for label, holder in owners(seen).items() if label in hexes}
    built = {
        label: seen.kingdoms[held[label]].hexes[label] if label in held else hex.left for label, hex in hexes.items()
    }
    sizes: dict[str, int | None] = {
        other: len(kingdom.hexes) for other, kingdom in world.kingdoms.items() if seat in (None, other)
    }
    if seat:
        sizes |= {other.seat: other.size for other in others(world, seat, rules).values()}
    return Atlas(
        seen,
        seat,
        rules,
        owners=held,
        built=built,
        lies={
            label: list(
                dict.fromkeys([*hex.features, *(rules.improvements[name].feature or name for name in built[label])])
            )
            for label, hex in hexes.items()
        },
        hidden={label: [name for name in HIDDEN if getattr(hex, name)] for label, hex in hexes.items()},
        remembered=set(hexes) - sees(world, seat, rules) if seat else (),
        forces=_forces(seen, seat, rules),
        lanes=lanes,
        towns=_towns(seen, held),
        sizes=sizes,
        kingdoms=kingdom_marks([other for other, kingdom in seen.kingdoms.items() if kingdom.hexes]),
        places=dict(zip(world.kingdoms, count(), strict=False)),
        features=features,
        improvements=improvements,
        roads=roads,
    )


def heading(atlas: Atlas) -> str:
    """What the map is, in a line."""
    whose = f"as {atlas.world.kingdoms[atlas.seat].name} knows it" if atlas.seat else "with everything"
    return f"The map after turn {atlas.world.turn}, {whose}"


# --- what is on it


def _with_memories(kingdoms: Mapping[str, Kingdom], seat: str | None) -> dict[str, Kingdom]:
    """The kingdoms with the hexes that the seat remembers in their hands."""
    found = dict(kingdoms)
    for label, sighting in kingdoms[seat].memory.items() if seat else ():
        holder = found.get(sighting.holder)
        if holder and sighting.holder != seat:
            found[sighting.holder] = replace(holder, hexes={**holder.hexes, label: sighting.built})
    return found


def _forces(world: World, seat: str | None, rules: Rules) -> dict[str, list[Force]]:
    """Each army and each party of adventurers; where expeditions are only the GM knows."""
    found: dict[str, list[Force]] = {}
    for other, kingdom in world.kingdoms.items():
        own = seat in (None, other)
        for name, army in kingdom.armies.items():
            name = name if own else "army"
            text = f"{name} ({called(army, rules)}), of {kingdom.name}"
            found.setdefault(army.hex, []).append(Force(other, own, text))
        for party in kingdom.parties.values():
            found.setdefault(party.hex, []).append(Force(other, own, f"adventurers, of {kingdom.name}"))
        for expedition in kingdom.expeditions.values() if seat is None else ():
            found.setdefault(expedition.at, []).append(Force(other, own, f"expedition, of {kingdom.name}"))
    return found


def _lanes(kingdoms: Mapping[str, Kingdom], seat: str | None) -> Iterable[Lane]:
    """The trade routes, each once: a share is drawn for the sharer alone, who may not know the route itself."""
    for other, kingdom in kingdoms.items():
        for route in kingdom.routes.values():
            if not route.path or route.shares and other != seat:
                continue
            name, to, at = kingdom.name, kingdoms[route.to].name, ""
            if route.shares:
                text = f"trade route of {to}, {'shared with' if route.open else 'not yet shared with'} {name}"
            elif route.open:
                text = f"trade route of {name} to {to}"
            else:
                at = route.path[min(route.at, len(route.path) - 1)]
                text = f"caravan of {name} to {to}, now in {at}"
            yield Lane(other, route.path, at, text)


def _towns(world: World, held: Mapping[str, str]) -> dict[str, Town]:
    found = {}
    for label, hex in world.hexes.items():
        kingdom = world.kingdoms[held[label]] if label in held else None
        name = settlement_in(kingdom, label) if kingdom else ""
        if kingdom and name:
            kind = CAPITAL if name == kingdom.capital else SETTLEMENT
            found[label] = Town(name, kind, f"{name}, {'capital of' if kind == CAPITAL else 'of'} {kingdom.name}")
        elif hex.free_city:
            found[label] = Town(hex.free_city.name, FREE_CITY, "")
    return found


# --- what is in a hex


def remarks(label: str, atlas: Atlas) -> list[str]:
    """What is to be told of a hex beside what its marks say: its settlement, who marches there, what it hides."""
    hex, town = atlas.world.hexes[label], atlas.towns.get(label)
    said = [town.text] if town and town.text else []
    said += [f"{hex.free_city.name}, a free city"] if hex.free_city else []
    said += [force.text for force in atlas.forces.get(label, ())]
    return said + finds(hex, atlas.rules) if atlas.hidden[label] else said


def sized(seat: str, atlas: Atlas) -> str:
    """The name of a kingdom, and its size where the reader knows it."""
    size = atlas.sizes.get(seat)
    return f"{clean(atlas.world.kingdoms[seat].name)}{f' (size {size})' if size is not None else ''}"


def words(label: str, atlas: Atlas) -> str:
    """All that is known of a hex, in a line: "0304: Hills, river. Examplia. Farm, road. Monsters of ACR 3"."""
    hex, rules = atlas.world.hexes[label], atlas.rules
    built = atlas.built[label]
    lies = [rules.features[name].name.lower() for name in atlas.lies[label] if name in atlas.features]
    standing = ", ".join(rules.improvements[name].name.lower() for name in built)
    holder = atlas.owners.get(label)
    said = [", ".join([rules.terrain[hex.terrain].name, *lies])]
    said += [atlas.world.kingdoms[holder].name] if holder else []
    said += [standing if holder else f"left in the wild: {standing}"] if built else []
    said += remarks(label, atlas)
    said += ["not in sight, as it last was"] if label in atlas.remembered else []
    return f"{label}: {'; '.join(said)}"


# --- marks


@remember(lambda rules: ((rules,), ()), size=10)
def _land_marks(rules: Rules) -> Marks:
    """The marks of features, improvements and roads, the same on every map."""
    works = [name for name, each in rules.improvements.items() if not each.is_road and not each.feature]
    roads = [name for name, each in rules.improvements.items() if each.is_road]
    features = _letters((name for name, feature in rules.features.items() if not feature.hidden), 1)
    improvements = {name: mark.capitalize() for name, mark in _letters(works, 2).items()}
    roads_drawn = {name: _ROADS[min(index, len(_ROADS) - 1)] for index, name in enumerate(roads)}
    return features, improvements, roads_drawn


def _letters(words: Iterable[str], count: int) -> dict[str, str]:
    """Word -> that many of its letters: the first, and the next one that no other word has yet."""
    marks: dict[str, str] = {}
    for word in words:
        tries = [word[0] + letter for letter in word[1:]] if count == 2 else list(word)
        free = [mark for mark in (*tries, *"abcdefghijklmnopqrstuvwxyz") if mark not in marks.values()]
        marks[word] = free[0] if free else MORE
    return marks


def kingdom_marks(seats: Sequence[str]) -> dict[str, str]:
    """Seat -> a capital letter of its id, any one where those are taken; from the 27th kingdom on two."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    pairs = (first + second for first in letters for second in letters + "0123456789")
    free = dict.fromkeys(letters)
    marks = {}
    for seat in seats:
        mark = next((letter for letter in (*seat.upper(), *free) if letter in free), "") or next(pairs, "??")
        free.pop(mark, None)
        marks[seat] = mark
    return marks
