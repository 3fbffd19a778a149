"""Campaigns whose seats have other names: whose name comes first in the alphabet must change nothing.

A Renaming gives each seat the name of another. It renames a world, orders, and dice, so that a seat throws under its new name what
it threw under its old one. A turn that is fair comes out of the renamed world as the renamed result.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, TypeVar

import msgspec

from kingdom.engine.dice import Dice, Roll
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm.game import GAME
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import (
    Captive,
    Commander,
    Expedition,
    Kingdom,
    Party,
    Pending,
    World,
    owners,
    replace,
    with_kingdoms,
)
from tests.games.realm import wild
from tests.games.realm.wild import Played

T = TypeVar("T")
SEATS = tuple(sorted(wild.TOWNS))
UNORDERED = ("coming", "modifiers", "pending", "doors")  # lists of a kingdom whose order says nothing


class Renaming:
    """Seat -> the seat whose name it takes; each name is taken once."""

    def __init__(self, names: Mapping[str, str]):
        self.names = dict(names)
        self._word = re.compile(r"\b(" + "|".join(names) + r")\b")

    def back(self) -> Renaming:
        """The renaming that takes this one back."""
        return Renaming({new: old for old, new in self.names.items()})

    def text(self, text: str) -> str:
        """The text with the new names."""
        return self._word.sub(lambda found: self.names[found[0]], text)

    def plain(self, data: T, kind: type[T]) -> T:
        """Data with the new names, wherever they stand in it."""
        return msgspec.json.decode(self.text(msgspec.json.encode(data).decode()), type=kind)

    def world(self, world: World) -> World:
        """The world with the new names, its kingdoms in the order of those."""
        renamed = self.plain(world, World)
        return replace(renamed, kingdoms=dict(sorted(renamed.kingdoms.items())))


class RenamedDice(Dice):
    """Dice that show to a seat what the dice `dice` show to it under the name that it has by `back`."""

    def __init__(self, dice: Dice, back: Renaming):
        self.turn = dice.turn
        self._dice = dice
        self._back = back

    def result(self, kingdom: str, name: str, count: int, sides: int) -> Roll:
        """The roll, under the names of the renamed world."""
        roll = self._dice.result(self._back.text(kingdom), self._back.text(name), count, sides)
        return roll._replace(kingdom=kingdom, name=name)


# --- crowded campaigns -----------------------------------------------------------------------------------------------------


def campaign(seed: int, turns: int, rules: Rules) -> Iterator[Played]:
    """A wild campaign of all seats in which before every other turn many of them are brought to the same few places."""
    random = Random(seed)
    world = wild.world_of(random, rules, SEATS)
    for number in range(turns):
        if not number % 2:
            world = crowded(random, world, rules)
        filed = wild.filings(random, world, rules)
        result = resolve(GAME, world, filed, Dice(str(seed), world.turn + 1), rules)
        yield Played(world, filed, result)
        world = result.after


def crowded(random: Random, world: World, rules: Rules) -> World:
    """The world in which armies, adventurers and expeditions of several kingdoms are at the same monsters, towns and borders."""
    lairs = [label for label, hex in world.hexes.items() if hex.terrain != "water"]
    lairs = random.sample(lairs, min(2, len(lairs)))
    for label in lairs:
        monsters = replace(world.hexes[label], monsters=random.randrange(1, 7), wounds=random.choice((0, 0, 3)))
        world = replace(world, hexes={**world.hexes, label: monsters})
    fields = random.sample(sorted(world.hexes), 2)
    fields.append(random.choice([near for near in neighbours(fields[0]) if near in world.hexes]))
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed:
            world = with_kingdoms(world, {seat: _crowding(random, seat, kingdom, lairs, fields, world)})
    return world


def _crowding(
    random: Random, seat: str, kingdom: Kingdom, lairs: list[str], fields: list[str], world: World
) -> Kingdom:
    escorts = {expedition.army for expedition in kingdom.expeditions.values()}
    armies = {**kingdom.armies}
    for name, army in kingdom.armies.items():
        if name not in escorts and random.random() < 0.6:
            here = random.randrange(3)
            came = (
                fields[2 - here] if here != 1 and random.random() < 0.5 else ""
            )  # half of them cross between two hexes
            armies[name] = replace(army, hex=fields[here], deed=random.choice(wild.DEEDS), came=came)
    parties = {**kingdom.parties}
    if random.random() < 0.6:
        parties["adventurers-9"] = Party(random.choice((4, 8, 12)), lairs[0], lairs[0], random.choice((6, 14, 30)))
    expeditions, home = {**kingdom.expeditions}, min(kingdom.hexes, default="")
    if home and random.random() < 0.5:
        free = [name for name in armies if name not in escorts]
        army = random.choice(free) if free and random.random() < 0.7 else ""
        party = None if army else Party(8, "", "", 18)
        left, at = random.choice((1, 2)), lairs[-1]
        expeditions["explore-9"] = Expedition(home, world.turn, at, left, 8, army=army, party=party, fights=True)
        sighting = wild.Sighting(world.turn, world.hexes[at], owners(world).get(at, ""))
        expeditions["explore-9"] = replace(expeditions["explore-9"], noted={at: sighting})
        if army:
            armies[army] = replace(armies[army], hex=at, routed=False)
    kingdom = replace(kingdom, armies=armies, parties=parties, expeditions=expeditions)
    return _with_captive(random, seat, kingdom, world)


def _with_captive(random: Random, seat: str, kingdom: Kingdom, world: World) -> Kingdom:
    """With a commander whom another kingdom holds."""
    if "ransom-9" in kingdom.captives or random.random() < 0.6:
        return kingdom
    by = random.choice([other for other in world.kingdoms if other != seat])
    captive = Captive(Commander(1), by, random.choice((3, 10, 30)))
    asked = Pending("ransom-9", "Is he bought free?", ("pay", "refuse"), random.choice(("pay", "refuse")))
    return replace(kingdom, captives={**kingdom.captives, "ransom-9": captive}, pending=(*kingdom.pending, asked))


# --- what comes of it ------------------------------------------------------------------------------------------------------


def differences(played: Played, seed: int, rules: Rules) -> Iterator[str]:
    """What a turn comes to otherwise where the seats have other names."""
    result, random = played.result, Random(f"{seed}.{played.result.number}")
    names = list(SEATS)
    random.shuffle(names)
    if random.random() < 0.5:
        names = list(reversed(SEATS))
    renaming = Renaming(dict(zip(SEATS, names, strict=True)))
    dice = RenamedDice(Dice(str(seed), result.number), renaming.back())
    filed = renaming.plain(dict(played.filed), dict[str, Any])
    other: Result[World] = resolve(GAME, renaming.world(played.before), filed, dice, rules)
    yield from _of_worlds(plain(renaming.world(result.after)), plain(other.after))
    for what, one, two in (
        ("rolls", _rolls(result, renaming), _rolls(other)),
        ("entries", _entries(result, renaming), _entries(other)),
        ("notices", _notices(result, renaming), _notices(other)),
    ):
        if one != two:
            yield f"{what}: {list(one - two)[:2]} is {list(two - one)[:2]}"


def plain(world: World) -> dict[str, Any]:
    """A world as plain data, the lists without an order sorted."""
    found: dict[str, Any] = msgspec.to_builtins(world)
    for kingdom in found["kingdoms"].values():
        kingdom.update({name: sorted(kingdom[name], key=repr) for name in UNORDERED if name in kingdom})
        kingdom["hexes"] = {label: sorted(built) for label, built in kingdom.get("hexes", {}).items()}
    return found


def _of_worlds(one: Any, two: Any, path: str = "") -> Iterator[str]:
    if isinstance(one, dict) and isinstance(two, dict):
        for key in sorted({*one, *two}):
            yield from _of_worlds(one.get(key), two.get(key), f"{path}.{key}")
    elif one != two:
        yield f"{path}: {json.dumps(one)} is {json.dumps(two)}"


def _rolls(result: Result[World], renaming: Renaming | None = None) -> Counter[tuple[Any, ...]]:
    name = renaming.text if renaming else str
    return Counter((name(roll.kingdom), name(roll.name), roll.count, roll.sides, roll.result) for roll in result.rolls)


def _entries(result: Result[World], renaming: Renaming | None = None) -> Counter[tuple[Any, ...]]:
    name = renaming.text if renaming else str
    return Counter((name(each.kingdom), each.step, each.account, each.delta, each.cause) for each in result.entries)


def _notices(result: Result[World], renaming: Renaming | None = None) -> Counter[tuple[Any, ...]]:
    """Each notice as its words, since names in a list stand in the order of the alphabet."""
    name = renaming.text if renaming else str
    return Counter(
        (name(each.seat), each.kind, tuple(sorted(re.findall(r"\w+", name(json.dumps(each.facts))))))
        for each in result.notices
    )
