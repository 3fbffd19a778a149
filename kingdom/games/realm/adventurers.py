"""Adventurers who are hired against the monsters of a hex. Ruling: adventurers."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.state import Kingdom, World
from kingdom.turn import Turn

CAUSES: dict[str, str] = {}
REFUSALS: dict[str, str] = {}
Problem = tuple[str, dict[str, Any]]


def hired_adventurers(world: World, turn: Turn) -> World:
    """Parties travel to their task and fight it."""
    return world


def adventurers_problem(seat: str, kingdom: Kingdom, order: dict[str, Any], world: World, turn: Turn) -> Problem | None:
    """Why those adventurers can't be hired, as (code, facts)."""
    return "special_edict_off", {"edict": order["edict"]}


def hire(seat: str, kingdom: Kingdom, order: dict[str, Any], world: World, turn: Turn) -> Kingdom:
    """A party is paid and sets out."""
    return kingdom
