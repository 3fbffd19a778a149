"""Edict phase, after the moves: who meets whom, the battles, and what is taken. Rulings: battle_order, patrol."""

from __future__ import annotations

from kingdom.games.realm.state import World
from kingdom.turn import Turn

CAUSES: dict[str, str] = {}
REFUSALS: dict[str, str] = {}


def fight_battles(world: World, turn: Turn) -> World:
    """Armies that want to fight and met do so; then hexes and settlements without a defender are taken."""
    return world
