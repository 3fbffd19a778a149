"""What a turn of the realm is run by. Forecasts, odds and offers play on it, so that they need not know the whole game."""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.engine.step import Play
from kingdom.games.realm import turn
from kingdom.games.realm.pieces import pieces
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import World
from kingdom.games.shared.declared import merged

FORESEEN_TO = "edict"  # the phase at whose end `kingdom check` shows the sheet


def _seats(world: World) -> list[str]:
    """The seats in play; a destroyed kingdom's is no longer."""
    return [seat for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed]


def _accounts(world: World, seat: str, rules: Rules) -> Mapping[str, int]:
    return accounts(world.kingdoms[seat], world.hexes, rules)


PLAY = Play[World, Rules](turn.PHASES, merged(turn.MODULES, "REFUSALS"), _seats, _accounts, pieces)
