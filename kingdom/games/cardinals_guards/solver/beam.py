"""The search: from layer to layer the most promising positions are kept, with a little chance among those that are alike."""

from __future__ import annotations

from heapq import nlargest
from operator import itemgetter
from typing import Any, NamedTuple

from kingdom.games.cardinals_guards.solver.positions import CASTLE, DICE, PERIMETER, SUPPLY, Castle

NOISE = 160  # how much chance may make of a position, in the units of what the search gains
DEEPEST = 220  # orders and lures with their moves
_MIX = 0x9E3779B97F4A7C15F39CC0605CEDC835


class Found(NamedTuple):
    """The best that a search came to. done: chambers and guards. trail: the steps, as linked pairs from the last to the first."""

    done: int
    position: int
    trail: Any
    looked_at: int


def done(position: int) -> int:
    """Chambers searched and guards defeated in a position of a castle with all its coins."""
    dice = sum(position >> DICE + 3 * pawn & 7 for pawn in range(4))
    held = sum(position >> SUPPLY + 3 * suit & 7 for suit in range(4))
    return dice + 24 - held - (position >> CASTLE & (1 << 25) - 1).bit_count() - (position >> PERIMETER).bit_count()


def search(castle: Castle, start: int, width: int, salt: int, most: int, wanted: int) -> Found:
    """One beam of that width. salt: which chance. most: positions to be looked at. wanted: chambers and guards that end it."""
    layer: list[tuple[int, int, Any]] = [(0, start, None)]
    seen = {start}
    best = Found(done(start), start, None, 0)
    looked = 0
    for _ in range(DEEPEST):
        found: dict[int, tuple[int, int, Any]] = {}
        for value, position, trail in layer:
            for there, gain, order in castle.steps(position):
                looked += 1
                if there in seen or (there in found and found[there][0] >= value + gain):
                    continue
                found[there] = (value + gain, there, (trail, order))
        if not found:
            break
        ranked = nlargest(
            width,
            ((each[0] + ((each[1] ^ salt) * _MIX >> 64) % NOISE, each) for each in found.values()),
            key=itemgetter(0),
        )
        layer = [each for _, each in ranked]
        seen.update(each[1] for each in layer)
        top = max(layer, key=lambda each: done(each[1]))
        if done(top[1]) > best.done:
            best = Found(done(top[1]), top[1], top[2], looked)
        if best.done >= wanted or looked >= most:
            break
    return best._replace(looked_at=looked)
