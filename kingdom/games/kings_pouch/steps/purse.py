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
    return 0 if _is_free(purse, kind, rules) else discounted(cost, kind, purse, rules)


def paid(table: Table, kind: str, cost: int, rules: Rules) -> Table:
    """Without what the action costs; a free one of its kind is used up first (ruling free_action)."""
    purse, coin = purse_of(table), "army" if kind == "occupy" else "gold"
    if _is_free(purse, kind, rules):
        return with_purse(table, free={**purse.free, kind: purse.free[kind] - 1}, freed=(*purse.freed, kind))
    return with_purse(table, **{coin: getattr(purse, coin) - discounted(cost, kind, purse, rules)})


def _is_free(purse: Purse, kind: str, rules: Rules) -> bool:
    return bool(purse.free.get(kind, 0)) and not (rules.free_action.per == "round" and kind in purse.freed)


def with_purse(table: Table, **changes: object) -> Table:
    """Return the table with these fields of the purse changed."""
    return replace(table, purse=replace(purse_of(table), **changes))
