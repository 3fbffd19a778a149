"""Wild campaigns: worlds in which everything is under way at once, and orders of all kinds for them, most of them bad.

What is drawn hangs on a seed alone, so that a campaign that goes wrong is found again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from kingdom.engine.dice import Dice
from kingdom.engine.step import Result
from kingdom.engine.turn import resolve
from kingdom.games.realm import FUZZERS
from kingdom.games.realm.armies import full_hp
from kingdom.games.realm.game import GAME
from kingdom.games.realm.hexmap import neighbours
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import (
    Army,
    BattleOrders,
    Commander,
    District,
    Expedition,
    FreeCity,
    Guest,
    Hex,
    Kingdom,
    Party,
    Route,
    Settlement,
    Sighting,
    World,
    counted,
    owners,
    replace,
    with_kingdoms,
)  # fmt: skip
from kingdom.games.realm.steps.towns.lots import lay_out
from kingdom.orders import orders_file as filing
from tests.games.realm.kit import rules_of
from tests.games.realm.worlds import LABELS, SEATS

RULES = rules_of({
    "events": {"chance": {"normal": 60, "after_quiet_turn": 90}},
    "trade": {"between_neighbours": True},
})  # fmt: skip
TOWNS = {
    "borderia": ("Millford", "Fenwick"),
    "cravonia": ("Stonebridge", "Graymouth"),
    "examplia": ("Oakhold", "Newford"),
    "drovia": ("Ashwell", "Kilnmoor"),
    "fenmark": ("Reedham", "Saltby"),
    "ostmark": ("Ironcombe", "Overwater"),
}
DEEDS = ("garrison", "patrol", "blockade", "raid", "attack", "attack", "allow", "")
TERRAIN = ("plains", "plains", "hills", "forest", "mountains", "marsh", "desert", "jungle", "water", "cavern")
MUDDLES = 2  # filings drawn at random that are merged into what a bot files


class Played(NamedTuple):
    """A turn of a wild campaign: the world before it, what was filed, what came of it."""

    before: World
    filed: dict[str, dict[str, Any]]
    result: Result


def campaign(seed: int, turns: int, rules: Rules = RULES, seats: Sequence[str] = ()) -> Iterator[Played]:
    """So many turns of the campaign of that seed, as long as a kingdom is left. seats: those of TOWNS that play."""
    random = Random(seed)
    world = world_of(random, rules, seats)
    for _ in range(turns):
        filed = filings(random, world, rules)
        result = resolve(GAME, world, filed, Dice(str(seed), world.turn + 1), rules)
        yield Played(world, filed, result)
        world = result.after


# --- worlds


def world_of(random: Random, rules: Rules, seats: Sequence[str] = ()) -> World:
    """Two or three kingdoms, unless they are named, on a map of 6 by 6, some of them in trouble, with armies, routes,
    expeditions and events."""
    hexes = {label: _hex(random, label) for label in LABELS}
    world = World(random.randrange(9), hexes, {})
    for seat in seats or SEATS[: random.choice((2, 3, 3))]:
        world = with_kingdoms(world, {seat: _kingdom(random, seat, world, rules)})
    for seat in world.kingdoms:
        world = _with_routes(random, seat, world)
    return world


def _hex(random: Random, label: str) -> Hex:
    terrain = random.choice(TERRAIN)
    hex = Hex(terrain, features=tuple(random.sample(("river", "lake", "landmark"), random.choice((0, 0, 0, 1, 2)))))
    happens = random.choice(("", "", "", "monsters", "resource", "hazard", "city", "wild", "secret", "lair"))
    if happens == "monsters":
        return replace(hex, monsters=random.randrange(1, 7), wounds=random.choice((0, 0, 2)))
    if happens == "city" and terrain != "water":
        return replace(hex, free_city=FreeCity(f"Oldwick {random.randrange(10**6)}", Settlement(label)))
    extras = {
        "resource": {"resource": True}, "hazard": {"hazard": "a sinkhole"}, "secret": {"secret": "an old shrine"},
        "wild": {"wild": True, "left": ("road", "farm")}, "lair": {"lair": True, "monsters": 2},
    }  # fmt: skip
    return replace(hex, **extras.get(happens, {}))


def _kingdom(random: Random, seat: str, world: World, rules: Rules) -> Kingdom:
    held, land = owners(world), []
    free = [label for label in LABELS if label not in held]
    edge = [random.choice([label for label in free if world.hexes[label].terrain != "water"] or free)]
    for _ in range(random.choice((1, 3, 6, 10))):
        if edge and (not land or len(free) - len(land) > len(TOWNS)):  # the others find a place too
            land.append(edge.pop(random.randrange(len(edge))))
            edge += [near for near in neighbours(land[-1]) if near in free and near not in land and near not in edge]
    built = {
        label: tuple(random.choice(((), (), ("road",), ("farm",), ("fort",), ("watchtower",), ("mine", "road"))))
        for label in land
    }
    settlements = {}
    for name, label in zip(TOWNS[seat], land, strict=False):
        if not settlements or random.random() < 0.5:
            kinds = random.sample(list(rules.buildings), random.randrange(8))
            buildings, _ = lay_out((District(),), kinds, rules)
            settlements[name] = Settlement(label, buildings=buildings, siege=random.choice((0, 0, 2)))
            world.hexes[label] = replace(world.hexes[label], free_city=None)
            built[label] = ()
    for label in land:
        world.hexes[label] = replace(world.hexes[label], free_city=None, left=(), wild=False)
    kingdom = Kingdom(
        seat.capitalize(),
        treasury=random.choice((-5, 0, 3, 20, 80, 200)),
        unrest=random.choice((0, 0, 1, 4, 9, 12, 18)),
        attributes={name: random.randrange(-4, 26) for name in ("economy", "loyalty", "stability")},
        capital=next(iter(settlements)),
        hexes=built,
        settlements=settlements,
        revealed=tuple(land),
        loses_hex=random.random() < 0.2,
        anarchy=world.turn + 1 if random.random() < 0.1 else 0,
        edict_size=len(land),
        quiet=random.random() < 0.5,
        alignment=random.choice(("", "LG", "CE", "N")),
        government=random.choice(("", *rules.governments)),
        commanders=random.choice(((), (), (Commander(1, ("loyalty",)) if "loyalty" in rules.boons else Commander(1),))),
        plan=random.choice(((), (f"claim {random.choice(LABELS)}", f"house in {next(iter(settlements))}"))),
        memory={
            label: Sighting(world.turn, Hex("plains"))
            for label in random.sample(free, min(2, len(free)))
            if label not in land
        },
    )
    kingdom = replace(
        kingdom, armies={f"Host {number}": _army(random, land, rules) for number in range(random.randrange(4))}
    )
    kingdom = _under_way(random, kingdom, world, rules)
    return replace(kingdom, hexes={}, settlements={}, capital="") if random.random() < 0.1 else kingdom


def _army(random: Random, land: list[str], rules: Rules) -> Army:
    size = random.choice(list(rules.army_sizes))
    army = Army(random.choice(list(rules.units)), size, random.choice((*land, random.choice(LABELS))), 1)
    army = replace(
        army,
        hp=max(1, random.choice((full_hp(army, rules), 1, 5))),
        morale=random.choice((0, 0, -2, -4, 2)),
        resources=random.choice(({}, {}, {next(iter(rules.army_resources)): 1})),
        deed=random.choice(DEEDS),
        routed=random.random() < 0.15,
        unpaid=random.choice((0, 0, 1)),
        illness=random.choice((0, 0, 2)),
        battle=random.choice((BattleOrders(), BattleOrders(withdraw=50))),
        commander=random.choice((Commander(), Commander(1, (next(iter(rules.boons)),)))),
    )
    return replace(army, hp=min(army.hp, full_hp(army, rules)))


def _under_way(random: Random, kingdom: Kingdom, world: World, rules: Rules) -> Kingdom:
    """With an expedition, and adventurers after monsters."""
    home = kingdom.settlements[kingdom.capital].hex
    count: dict[str, int] = {}
    if random.random() < 0.4:
        army = next(iter(kingdom.armies), "") if random.random() < 0.5 else ""
        party = Party(6, "", "", 12) if not army and random.random() < 0.5 else None
        at = random.choice(LABELS)
        if army:
            kingdom = replace(kingdom, armies={**kingdom.armies, army: replace(kingdom.armies[army], hex=at)})
        toward = random.choice(("n", "se", LABELS[0]))
        expedition = Expedition(
            home, world.turn, at, random.choice((1, 2, 3)), 8, toward=toward, army=army, party=party
        )
        kingdom, count["explore"] = replace(kingdom, expeditions={"explore-1": expedition}), 1
    lairs = [label for label, hex in world.hexes.items() if hex.monsters]
    if lairs and random.random() < 0.4:
        kingdom, count["adventurers"] = (
            replace(kingdom, parties={"adventurers-1": Party(6, home, random.choice(lairs), 12)}),
            1,
        )
    return replace(kingdom, counted=count)


def _with_routes(random: Random, seat: str, world: World) -> World:
    """With an open route to another kingdom, whose path may be anything."""
    kingdom = world.kingdoms[seat]
    if not kingdom.settlements or random.random() < 0.4:
        return world
    to, path = (
        random.choice([other for other in world.kingdoms if other != seat]),
        [kingdom.settlements[kingdom.capital].hex],
    )
    for _ in range(random.randrange(1, 6)):
        path.append(random.choice([near for near in neighbours(path[-1]) if near in LABELS]))
    (kingdom, key), (host, asked) = counted(kingdom, "trade_route"), counted(world.kingdoms[to], "trade_route")
    route = Route(to, tuple(path), at=len(path) - 1, sent=world.turn, bp=4, asked=asked, open=True)
    mine = replace(kingdom, routes={**kingdom.routes, key: route})
    return with_kingdoms(
        world, {seat: mine, to: replace(host, guests={**host.guests, asked: Guest(seat, key, tuple(path))})}
    )


# --- orders


def filings(random: Random, world: World, rules: Rules) -> dict[str, dict[str, Any]]:
    """What each seat files, long form: a bot's orders and others drawn at random; seldom nothing; the GM's orders."""

    def chance(name: str, sides: int) -> int:
        return random.randrange(sides) + 1

    filed = {}
    for seat in GAME.seats(world):
        known, orders = GAME.known(world, seat, rules), {}
        if random.random() < 0.8:
            orders = read(
                GAME.simulation.fuzzers[random.choice(FUZZERS)](known, seat, rules, chance), world, seat, rules
            )
        for _ in range(random.randrange(MUDDLES + 1)):
            orders = filing.amend(
                orders, read(GAME.simulation.muddled(known, seat, rules, chance), world, seat, rules), GAME
            )
        if orders:
            filed[seat] = orders
    if random.random() < 0.6:
        filed["gm"] = read(GAME.simulation.gm(world, rules, chance), world, "gm", rules)
    return filed


def read(text: str, world: World, seat: str, rules: Rules) -> dict[str, Any]:
    """The orders in a text, in which nothing may be wrong."""
    names = {**GAME.names(rules), "seats": tuple(world.kingdoms)}
    found = filing.read(text.encode(), f"{seat}.yaml", GAME, names, seat, world.turn + 1)
    assert found.orders is not None, (found.problems, text)
    return found.orders
