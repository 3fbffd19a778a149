"""What all steps share: running a function for each kingdom, booking a change, Unrest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kingdom.engine.step import Orders
from kingdom.games.realm.rules.kingdom_tables import Limits
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts
from kingdom.games.realm.state import Hex, Kingdom, World, replace, with_kingdoms
from kingdom.games.realm.types import Turn
from kingdom.games.shared.common_orders import listed as listed


def each(world: World, turn: Turn, function: Callable[[str, Kingdom, World, Turn], Kingdom]) -> World:
    """The world after every kingdom did the step for itself; none sees what another did in it."""
    changed = {}
    for seat, kingdom in world.kingdoms.items():
        if not kingdom.destroyed:
            after = function(seat, kingdom, world, turn)
            if after is not kingdom:
                changed[seat] = after
    return with_kingdoms(world, changed)


def in_anarchy(kingdom: Kingdom, turn: Turn) -> bool:
    """Whether this is the kingdom's anarchy turn. Ruling: anarchy."""
    return kingdom.anarchy == turn.number


def orders_of(turn: Turn, seat: str, kingdom: Kingdom) -> Orders:
    """The seat's orders; none where it filed none or is in anarchy."""
    return {} if in_anarchy(kingdom, turn) else turn.orders.get(seat, {})


def settled(turn: Turn, seat: str, key: str, default: Any) -> Any:
    """What the seat answers under that key: valid since the start of the turn, the question's own default where it gave none."""
    return turn.orders.get(seat, {}).get("answers", {}).get(key, default)


def book(turn: Turn, seat: str, kingdom: Kingdom, hexes: dict[str, Hex], cause: str, detail: str) -> None:
    """Book what `cause` made of the kingdom's accounts."""
    turn.book(seat, accounts(kingdom, hexes, turn.rules), cause, detail)


def with_unrest(kingdom: Kingdom, by: int, turn_number: int, rules: Rules) -> Kingdom:
    """The kingdom with more or less Unrest, never below 0. Reaching the limit makes the next turn one of anarchy;
    in the anarchy turn itself nothing moves Unrest. Rulings: unrest_floor, anarchy."""
    if kingdom.anarchy == turn_number:
        return kingdom
    unrest = max(0, kingdom.unrest + by)
    if unrest >= rules.anarchy.unrest and kingdom.anarchy < turn_number:
        return replace(kingdom, unrest=unrest, anarchy=turn_number + 1)
    return replace(kingdom, unrest=unrest) if unrest != kingdom.unrest else kingdom


def affordable(kingdom: Kingdom, cost: int) -> bool:
    """Whether the treasury can pay; with a treasury below 0 nothing that costs is done. Ruling: affordable."""
    return cost == 0 or kingdom.treasury >= cost


def limits(kingdom: Kingdom, rules: Rules) -> Limits:
    """How many claims, improvements, settlements and buildings the kingdom may have this turn. Ruling: caps_at_start."""
    return next(row for row in rules.improvement_limits if row.size is None or kingdom.edict_size <= row.size)
