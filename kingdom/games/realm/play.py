"""What a turn of the realm is run by, and what it never makes nor loses: the land.

Forecasts, odds and offers play on it, so that they need not know the whole game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from kingdom.engine.step import Play
from kingdom.games.realm import turn
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import World, owners
from kingdom.games.shared.declared import merged
from kingdom.games.shared.memo import Memo

FORESEEN_TO = "edict"  # the phase at whose end `kingdom check` shows the sheet


def _seats(world: World) -> list[str]:
    """The seats in play; a destroyed kingdom's is no longer."""
    return [seat for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed]


def _accounts(world: World, seat: str, rules: Rules) -> Mapping[str, int]:
    return accounts(world.kingdoms[seat], world.hexes, rules)


_TERRAIN: Memo[Counter[str]] = Memo(4)  # few steps change a hex
_HELD: Memo[dict[str, int]] = Memo(4)  # and not many who holds what


def pieces(world: World, rules: Rules) -> dict[str, int]:
    """The hexes of each terrain; how many are held twice, and how many held that are not on the map: none, always."""
    counted = _TERRAIN.get(id(world.hexes))
    if counted is None:
        counted = _TERRAIN.put(id(world.hexes), world.hexes, Counter(hex.terrain for hex in world.hexes.values()))
    lands = [kingdom.hexes for kingdom in world.kingdoms.values()]
    key = id(world.hexes), *map(id, lands)
    held = _HELD.get(key)
    if held is None:
        held = _HELD.put(key, (world.hexes, lands), _wrongly_held(world))
    return {**counted, **held}


def _wrongly_held(world: World) -> dict[str, int]:
    held = owners(world).keys()
    twice = sum(len(kingdom.hexes) for kingdom in world.kingdoms.values()) - len(held)
    return {
        "hexes held twice": twice,
        "hexes held off the map": 0 if held <= world.hexes.keys() else len(held - world.hexes.keys()),
    }


PLAY = Play[World, Rules](turn.PHASES, merged(turn.MODULES, "REFUSALS"), _seats, _accounts, pieces)
