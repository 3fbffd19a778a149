"""How the kingdom game's bots bear a raid: a script recruits four fighters of 2 BP and takes what open land of its neighbours it can.

The table of raids in docs/bots.md, by public seeds; `scripts/bots raids` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

import bots_workers
from bots_kingdoms import KINGDOMS, STEADY, begun, ordered, played_on
from msgspec.structs import replace

from kingdom.campaign import substitute_orders
from kingdom.campaign.workers import Team
from kingdom.engine.dice import Dice
from kingdom.engine.game import Letter
from kingdom.engine.turn import resolve
from kingdom.games.realm.armies import full_hp
from kingdom.games.realm.bots.reading import proposal_of
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.orders.marching import reached
from kingdom.games.realm.state import Army, World, owners

BEFORE = 28  # turns of `steady` bots, after which neighbours touch
FIGHTERS, PURSE = 4, 40  # armies of 2 BP, and the least that the raider begins with
TURNS, GUARDED_TURNS, GUARDS = 14, 8, 2


class Raid(NamedTuple):
    """held: hexes of others that the raider holds at the end; most: in any turn; peaces: how often bots proposed peace to it."""

    held: int
    most: int
    peaces: int


def border(world: World, seat: str) -> list[str]:
    """Return the hexes of others beside the land of the seat."""
    held = owners(world)
    return sorted({near for label in world.kingdoms[seat].hexes for near in neighbours(label)
                   if held.get(near, seat) != seat})  # fmt: skip


def raid(bot: str, turns: int, seed: str, guards: int = 0) -> Raid:
    """Return what came of a raid against bots: by the seat with the longest border, so many turns after it began.

    guards: armies of the raider's kind that each neighbour along that border has at home when it begins.
    """
    game, rules, seats, world = begun(KINGDOMS, seed)
    before = BEFORE
    while not (touching := [seat for seat in seats if border(world, seat)]):
        world, before = played_on(game, rules, world, dict.fromkeys(seats, STEADY), before, seed), before + 4
    raider = max(touching, key=lambda seat: len(border(world, seat)))
    changed = {raider: replace(world.kingdoms[raider], treasury=max(PURSE, world.kingdoms[raider].treasury), armies={})}
    for seat in sorted({owners(world)[label] for label in border(world, raider)}) if guards else ():
        theirs = world.kingdoms[seat]
        home = theirs.settlements[theirs.capital].hex if theirs.capital else min(theirs.hexes)
        guard = Army("fighter", "medium", home, 0)
        guard = replace(guard, hp=full_hp(guard, rules))
        changed[seat] = replace(theirs, armies={**theirs.armies, **{f"Guard {n}": guard for n in range(guards)}})
    world = replace(world, kingdoms={**world.kingdoms, **changed})
    foreign = {label for label, seat in owners(world).items() if seat != raider}
    names = {**game.names(rules), "seats": seats}
    letters: list[Letter] = []
    most = peaces = held = raised = 0
    for number in range(world.turn + 1, world.turn + turns + 1):
        orders = {
            seat: ordered(game, STEADY if seat == raider else bot, world, seat, rules, names, seed, letters)
            for seat in game.seats(world)
        }
        if raider in orders:
            orders[raider] = raiding(game.known(world, raider, rules), raider, rules, orders[raider], raised)
        new = substitute_orders.written(orders, turn=number)
        peaces += sum(letter.to in (raider, "all") and proposal_of(letter.text) == "peace" for letter in new)
        letters = [letter for letter in letters if letter.turn > number - substitute_orders.READ_BACK] + new
        world = resolve(game, world, orders, Dice(seed, number), rules).after
        raised = max([raised, *(1 + int(name[-1]) for name in world.kingdoms[raider].armies)])
        held = len(foreign & world.kingdoms[raider].hexes.keys())
        most = max(most, held)
    return Raid(held, most, peaces)


def raiding(known: World, seat: str, rules: Any, house: Mapping[str, Any], raised: int) -> dict[str, Any]:
    """Return the orders of a raider who keeps its house as a bot does but claims nothing: each fighter goes to open land beside its own
    where it sees no army, one to each hex, and stays until the hex has fallen. raised: how many fighters it has recruited."""
    kingdom, held = known.kingdoms[seat], owners(known)
    told: list[dict[str, Any]] = []
    towns = sorted(kingdom.settlements, key=lambda name: min(
        (distance(kingdom.settlements[name].hex, label) for label in border(known, seat)), default=0))  # fmt: skip
    for number in range(raised, FIGHTERS if towns else 0):
        told.append({"recruit": f"Raider {number}", "size": "medium", "unit": "fighter", "from": towns[0]})
    guarded = {army.hex for other, its in known.kingdoms.items() if other != seat for army in its.armies.values()}
    open_land = [label for label in border(known, seat) if label not in guarded and not known.hexes[label].monsters]
    taken: set[str] = set()
    for name, army in sorted(kingdom.armies.items()):
        if army.routed or army.mustered:
            continue
        goals = [label for label in open_land if label not in taken]
        if not goals:
            told.append({"army": name, "then": "garrison"})
            continue
        goal = min(goals, key=lambda label: (distance(army.hex, label), label))
        ends = [army.hex, *reached(name, seat, kingdom, known, rules)]
        stop = goal if goal in ends else min(ends, key=lambda label: (distance(label, goal), label))
        taken.add(goal)
        order: dict[str, Any] = {"army": name, "then": "attack", "target": held[goal]} if stop == goal else {
            "army": name, "then": "garrison"}  # fmt: skip
        told.append({**order, "move": [stop]} if stop != army.hex else order)
    rest = {key: value for key, value in house.items() if key not in ("armies", "messages", "claim")}
    return {**rest, "armies": told} if told else rest


def raids(count: int, seeds: str, team: Team) -> Iterator[str]:
    """Yield the table of raids: so many against `strong` and `steady` bots, without guards and with two."""
    yield "| raids | against | guards | turns | hexes held then | at most | peaces proposed to the raider |"
    yield "|---|---|---|---|---|---|---|"
    for bot, guards, turns in (("strong", 0, TURNS), (STEADY, 0, TURNS), (STEADY, GUARDS, GUARDED_TURNS)):
        named = [f"{seeds} raid {number}" for number in range(count)]
        found: Sequence[Raid] = bots_workers.played(partial(raid, bot, turns, guards=guards), named, team)
        held, most = fmean(one.held for one in found), max(one.most for one in found)
        yield f"| {count} | `{bot}` | {guards} | {turns} | {held:.1f} | {most} | {sum(one.peaces for one in found)} |"
