"""What the tests of the forecast hold it against: the engine, run on faces that are given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from msgspec import structs

from kingdom.engine.dice import Dice, NoDice, Roll
from kingdom.engine.step import Phase
from kingdom.engine.turn import resolve
from kingdom.games.realm.forecast.exact import End, Standing
from kingdom.games.realm.forecast.sample import Sampled, sampled
from kingdom.games.realm.game import GAME
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World, replace

ROLLS = ("economy", "stability", "stability_failure", "loyalty")  # those that the forecast looks through
LATER = ("income", "upkeep")
SIGHT = "remember"  # the step that sees land, of which a world as one seat knows it has not all


class Faces(NoDice):
    """Dice of which those of one seat show what is said, and all others stay in their cup."""

    def __init__(self, seat: str, faces: Mapping[str, int]):
        self.seat = seat
        self.faces = faces

    def result(self, kingdom: str, name: str, count: int, sides: int) -> Any:
        if kingdom != self.seat or name not in self.faces:
            return None
        return Roll(self.turn, kingdom, name, count, sides, self.faces[name], "tape")


def ends_by_engine(
    world: World, seat: str, rules: Rules, orders: Mapping[str, Any] = {}, whole: bool = False
) -> dict[End, float]:
    """Every end of the turn after `world` and its chance, from the engine run on every face of the four rolls.

    whole: run the whole turn each time, instead of Income and Upkeep alone from one and the same Edict phase.
    """
    filed = {seat: dict(orders)} if orders else {}
    begin, phases = world, GAME.phases
    if not whole:
        begin = replace(resolve(GAME, world, filed, NoDice(), rules, until=GAME.foreseen_to).after, turn=world.turn)
        phases = tuple(_without_sight(phase) for phase in GAME.phases if phase.name in LATER)
    game, found = structs.replace(GAME, phases=phases), Counter()
    for faces in _every(rules, bool(orders.get("loyalty"))):
        found[end_of(resolve(game, begin, filed, Faces(seat, faces), rules).after, seat)] += 1
    total = sum(found.values())
    return {end: ways / total for end, ways in found.items()}


def _without_sight(phase: Phase) -> Phase:
    return phase._replace(steps=tuple(step for step in phase.steps if step.__name__ != SIGHT))


def _every(rules: Rules, loyalty: bool) -> Iterator[dict[str, int]]:
    """Every way in which the dice may fall. The Loyalty die is left out where it is not thrown."""
    die, far = range(1, rules.check.die + 1), range(1, rules.stability.far_die + 1)
    sides = (die, die, far, die if loyalty else range(1, 2))
    for faces in product(*sides):
        yield dict(zip(ROLLS, faces, strict=False))


def end_of(after: World, seat: str) -> End:
    """How the turn ended for the seat."""
    kingdom = after.kingdoms[seat]
    anarchy = kingdom.anarchy == after.turn + 1
    return End(kingdom.treasury, kingdom.unrest, kingdom.stores, len(kingdom.hexes), kingdom.loses_hex, anarchy)


def standing_of(world: World, seat: str, rules: Rules, orders: Mapping[str, Any] = {}) -> Standing:
    """The kingdom as the Edict phase of the next turn leaves it, without dice."""
    filed = {seat: dict(orders)} if orders else {}
    foreseen = resolve(GAME, world, filed, NoDice(), rules, until=GAME.foreseen_to).after
    return Standing(seat, foreseen.kingdoms[seat], foreseen.hexes, foreseen.turn)


def courses_by_engine(
    world: World, seat: str, rules: Rules, orders: Mapping[str, Any], turns: int, runs: int
) -> list[list[End]]:
    """Turn by turn how each of so many runs of the engine ended it: run i with the dice of the seed i, orders in the first
    turn alone."""
    ends: list[list[End]] = [[] for _ in range(turns)]
    for number in range(runs):
        state = world
        for turn in range(turns):
            filed = {seat: dict(orders)} if orders and not turn else {}
            state = resolve(GAME, state, filed, Dice(str(number), state.turn + 1), rules).after
            ends[turn].append(end_of(state, seat))
    return ends


def courses_by_samples(
    world: World, seat: str, rules: Rules, orders: Mapping[str, Any], turns: int, samples: int
) -> list[list[End]]:
    """Turn by turn how each sample ended it."""
    import numpy as np

    found = sampled(
        standing_of(world, seat, rules, orders),
        rules,
        orders.get("loyalty", {}),
        turns,
        samples,
        np.random.default_rng(1),
    )
    return [_rows(each) for each in found]


def _rows(each: Sampled) -> list[End]:
    columns = (each.treasury, each.unrest, each.stores, each.size, each.due, each.anarchy)
    return [End(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
