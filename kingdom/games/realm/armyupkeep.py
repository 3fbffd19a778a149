"""Upkeep: what armies suffer and recover. Rulings: army_figures, battle_order."""

from __future__ import annotations

from kingdom.games.realm.state import World
from kingdom.turn import Turn

CAUSES: dict[str, str] = {}
REFUSALS: dict[str, str] = {}


def keep_armies(world: World, turn: Turn) -> World:
    """After Consumption: unpaid armies lose heart, rested ones recover, routed ones may take courage again."""
    return world
