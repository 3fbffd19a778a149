"""Trade routes: founding, travel, the host's answer, sharing and closing. Ruling: trade_route."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.state import Kingdom, World
from kingdom.turn import Turn

CAUSES: dict[str, str] = {}
REFUSALS: dict[str, str] = {}
Problem = tuple[str, dict[str, Any]]


def route_answers(world: World, turn: Turn) -> World:
    """The start of a turn: hosts accept or reject the caravans that arrived, and founders those who want to share."""
    return world


def doors(world: World, turn: Turn) -> World:
    """Edict step 7: whose trade is let in from now on."""
    return world


def caravans(world: World, turn: Turn) -> World:
    """Caravans travel and are paid for; those that arrive ask to be let in."""
    return world


def trade_route_problem(seat: str, kingdom: Kingdom, order: dict[str, Any], world: World, turn: Turn) -> Problem | None:
    """Why that route can't be founded, as (code, facts)."""
    return "special_edict_off", {"edict": order["edict"]}


def share_route_problem(seat: str, kingdom: Kingdom, order: dict[str, Any], world: World, turn: Turn) -> Problem | None:
    """Why that route can't be shared, as (code, facts)."""
    return "special_edict_off", {"edict": order["edict"]}


def close_route_problem(seat: str, kingdom: Kingdom, order: dict[str, Any], world: World, turn: Turn) -> Problem | None:
    """Why that route can't be closed, as (code, facts)."""
    return "special_edict_off", {"edict": order["edict"]}


def found_route(seat: str, kingdom: Kingdom, order: dict[str, Any], world: World, turn: Turn) -> Kingdom:
    """A caravan is sent out to found a route."""
    return kingdom


def share_route(seat: str, kingdom: Kingdom, order: dict[str, Any], world: World, turn: Turn) -> Kingdom:
    """A caravan is sent out to share a route."""
    return kingdom


def close_route(seat: str, kingdom: Kingdom, order: dict[str, Any], world: World, turn: Turn) -> Kingdom:
    """A route is closed."""
    return kingdom


def partners(kingdom: Kingdom) -> frozenset[str]:
    """The seats that an open route ties to the kingdom."""
    return frozenset()
