"""Expeditions into unclaimed land: sent, under way, back with their report. Ruling: exploration."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.state import Kingdom, World
from kingdom.turn import Turn

CAUSES: dict[str, str] = {}
REFUSALS: dict[str, str] = {}
Problem = tuple[str, dict[str, Any]]


def expeditions(world: World, turn: Turn) -> World:
    """Every expedition travels, looks around, meets what it meets; those whose time is over report."""
    return world


def explore_problem(seat: str, kingdom: Kingdom, order: dict[str, Any], world: World, turn: Turn) -> Problem | None:
    """Why that expedition can't be sent, as (code, facts)."""
    return "special_edict_off", {"edict": order["edict"]}


def explore(seat: str, kingdom: Kingdom, order: dict[str, Any], world: World, turn: Turn) -> Kingdom:
    """An expedition is paid for and sent."""
    return kingdom
