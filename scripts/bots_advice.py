"""How good the advice is: plans for kingdoms of every kind, a third of them in need, and what becomes of kingdoms in need whose players
send the first plan each turn. `scripts/bots realm` prints it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import bots_workers
from bots_kingdoms import FIRST_PLAN, KINGDOMS, STEADY, begun, ordered, played_on
from msgspec.structs import replace

from kingdom.campaign.workers import Team
from kingdom.engine.dice import Dice
from kingdom.engine.turn import resolve

GROWN = (2, 5, 9, 14, 20, 27)  # turns of steady bots after which advice is asked, by the number of the seed
UNREST, TREASURY = (8, 14), (-15, 5)  # of kingdoms in need
NEED, TOLD = 0.5, 0.1  # a danger from which on a kingdom is in need; one that no first plan may raise
TRIED, RUNNING, CALM = (
    8,
    3,
    5,
)  # turns of the first plan; so many of them in a row with no more Unrest and no debt lead out
RICH = 15  # BP with which a plan costs something, or says what it saves for


class Advised(NamedTuple):
    """One advice. need: a danger is above NEED; raises: of each plan, whether it makes a danger worse that is then above TOLD; said: that
    it says so; idle: how many plans cost nothing and say nothing of saving, of a kingdom with RICH BP, else None."""

    need: bool
    raises: list[bool]
    said: list[bool]
    idle: int | None


class Led(NamedTuple):
    """A kingdom in need that followed the first plan. at: (Unrest, treasury, size) before and after each turn; out: whether it led out."""

    at: list[tuple[int, int, int]]
    out: bool


class Tested(NamedTuple):
    """What a campaign showed."""

    advised: list[Advised]
    led: list[Led]


def in_need(state: Any, seats: Sequence[str], chance: random.Random) -> Any:
    """Return the state in which these kingdoms are in need, as a GM's correction would leave them."""
    needy = {
        seat: replace(
            state.kingdoms[seat], unrest=chance.randint(*UNREST), treasury=chance.randint(*TREASURY), anarchy=0
        )
        for seat in seats
    }
    return replace(state, kingdoms={**state.kingdoms, **needy})


def tested(seed: str) -> Tested:
    """Return the advice of a campaign's kingdoms as bots built them, every third set in need, and what came of all when in need.

    seed: it ends with the number of the campaign.
    """
    game, rules, seats, state = begun(KINGDOMS, seed)
    number, chance = int(seed.split()[-1]), random.Random(seed)
    state = played_on(game, rules, state, dict.fromkeys(seats, STEADY), GROWN[number % len(GROWN)], seed)
    alive = [seat for seat in game.seats(state) if state.kingdoms[seat].hexes]
    third = [seat for index, seat in enumerate(alive) if (index + number) % 3 == 0]
    some = in_need(state, third, chance)
    advised = [each for seat in alive if (each := _advised(game, some, seat, rules))]
    return Tested(advised, list(_followed(game, rules, in_need(state, alive, chance), alive, seed)))


def _advised(game: Any, state: Any, seat: str, rules: Any) -> Advised | None:
    plans = game.advice(game.known(state, seat, rules), seat, rules)
    if not plans:
        return None
    need = any(row["before"] > NEED for row in plans[0]["dangers"])
    raises = [any(_worse(row) for row in plan["dangers"]) for plan in plans]
    idle = sum(plan["cost"] <= 0 and not plan.get("saves") for plan in plans)
    return Advised(
        need,
        raises,
        [bool(plan.get("warning")) for plan in plans],
        idle if state.kingdoms[seat].treasury >= RICH else None,
    )


def _worse(row: Mapping[str, Any]) -> bool:
    before, after = round(float(row["before"]), 4), round(float(row["after"]), 4)
    return after > max(TOLD, before)


def _followed(game: Any, rules: Any, state: Any, alive: list[str], seed: str) -> Iterator[Led]:
    """Play on with the first plan of every kingdom, and yield what came of each."""
    names = {**game.names(rules), "seats": tuple(state.kingdoms)}
    at = {seat: [_numbers(state, seat)] for seat in alive}
    for number in range(state.turn + 1, state.turn + TRIED + 1):
        orders = {seat: ordered(game, FIRST_PLAN, state, seat, rules, names, seed) for seat in game.seats(state)}
        state = resolve(game, state, orders, Dice(seed, number), rules).after
        for seat in alive:
            at[seat].append(_numbers(state, seat))
    for rows in at.values():
        well = "".join("x" if unrest <= CALM and bp >= 0 and size else "." for unrest, bp, size in rows[1:])
        yield Led(rows, "x" * RUNNING in well)


def _numbers(state: Any, seat: str) -> tuple[int, int, int]:
    kingdom = state.kingdoms[seat]
    return kingdom.unrest, kingdom.treasury, len(kingdom.hexes)


def table(count: int, seeds: str, team: Team) -> Iterator[str]:
    """Yield the lines of the table of so many campaigns. seeds: what the seeds begin with."""
    found = bots_workers.played(tested, [f"{seeds} {n}" for n in range(count)], team)
    advised = list(chain.from_iterable(each.advised for each in found))
    led = list(chain.from_iterable(each.led for each in found))
    needy = [each for each in advised if each.need]
    firsts, others = [each.raises[0] for each in advised], [r for each in advised for r in each.raises[1:]]
    unsaid = sum(r and not s for each in advised for r, s in zip(each.raises, each.said, strict=True))
    rich = [each for each in advised if each.idle is not None]
    yield "| advices | in need | first plans that raise a danger above 10 % | other plans that do | unsaid | plans of rich kingdoms that cost nothing and say nothing |"
    yield "|---|---|---|---|---|---|"
    yield (
        f"| {len(advised)} | {len(needy)} | {sum(firsts)} | {sum(others)} of {len(others)} | {unsaid} "
        f"| {sum(each.idle or 0 for each in rich)} of {sum(len(each.raises) for each in rich)} |"
    )
    yield ""
    yield f"Of {len(led)} kingdoms in need the first plan led {sum(each.out for each in led)} out within {TRIED} turns."
