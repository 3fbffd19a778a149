"""What the active seat has only until its turn ends, and what an action costs it."""

from __future__ import annotations

from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Purse, Table, replace
from kingdom.games.kings_pouch.steps.land import discounted


def purse_of(table: Table) -> Purse:
    """Gold and army of the seat whose turn it is."""
    assert table.purse is not None
    return table.purse


def price(table: Table, kind: str, cost: int, rules: Rules) -> int:
    """What an action costs: nothing where a free one of its kind is left, else less the discounts."""
    purse = purse_of(table)
    if purse.free.get(kind, 0) and not (rules.free_action.per == "round" and kind in purse.freed):
        return 0
    return discounted(cost, kind, purse, rules)


def paid(table: Table, kind: str, cost: int, rules: Rules) -> Table:
    """Without what the action costs; a free one of its kind is used up first (ruling free_action)."""
    purse, coin = purse_of(table), "army" if kind == "occupy" else "gold"
    due = price(table, kind, cost, rules)
    if purse.free.get(kind, 0) and not (rules.free_action.per == "round" and kind in purse.freed):
        purse = replace(purse, free={**purse.free, kind: purse.free[kind] - 1}, freed=(*purse.freed, kind))
    return replace(table, purse=replace(purse, **{coin: getattr(purse, coin) - due}))
