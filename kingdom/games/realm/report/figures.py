"""The numbers of a kingdom's sheet: before and after a turn, and source by source."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from kingdom.engine.ledger import Entry
from kingdom.games.realm.report.filed import words
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import ACCOUNTS, DERIVED, accounts, control_dc, districts, sources
from kingdom.games.realm.state import Hex, Kingdom, World
from kingdom.games.realm.types import Result

FIGURES = ("treasury", "unrest", "size", "districts", "control_dc", *DERIVED)


def figures(world: World, seat: str, rules: Rules) -> dict[str, int]:
    """Every number of the sheet by its key."""
    kingdom = world.kingdoms[seat]
    more = {"districts": districts(kingdom), "control_dc": control_dc(kingdom, rules)}
    return {**accounts(kingdom, world.hexes, rules), **more}


@cache
def name_of(key: str) -> str:
    """The name of a number as a person writes it."""
    return "Control DC" if key == "control_dc" else words(key).capitalize()


def compared(result: Result, seat: str, entries: Iterable[Entry], rules: Rules) -> list[dict[str, Any]]:
    """The numbers of the sheet before and after the turn, as the seat's entries explain the difference.

    So a change of the rules between two turns is in it too. Stores only where there are or were any.
    """
    before, after = figures(result.before, seat, rules), figures(result.after, seat, rules)
    before.update({account: value for account, value in after.items() if account in ACCOUNTS})
    for entry in entries:
        before[entry.account] -= entry.delta
    keys = FIGURES + (("stores",) if before["stores"] or after["stores"] else ())
    return [
        {
            "key": key,
            "name": name_of(key),
            "before": before[key],
            "after": after[key],
            "change": after[key] - before[key],
        }
        for key in keys
    ]


def made_of(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> dict[str, list[tuple[int, str]]]:
    """Each number that is made of others -> (by, what) of every term; they sum to the number. Rulings: consumption, control_dc."""
    ruling, size = rules.control_dc, len(kingdom.hexes)
    towns = [(name, len(settlement.districts)) for name, settlement in kingdom.settlements.items()]
    made: dict[str, list[tuple[int, str]]] = {account: [] for account in DERIVED}
    for source in sources(kingdom, hexes, rules):
        made[source.account].append((source.by, source.what))
    made["size"] = [(1, label) for label in sorted(kingdom.hexes)]
    made["districts"] = [(count, name) for name, count in towns]
    made["control_dc"] = [(ruling.base, "the base (ruling control_dc)"), (ruling.per_size * size, f"size {size}")]
    made["control_dc"] += [(ruling.per_district * count, f"districts of {name}") for name, count in towns]
    return made


def explained(kingdom: Kingdom, hexes: dict[str, Hex], rules: Rules) -> list[dict[str, Any]]:
    """Each derived number with its value and every source of it; the sources sum to the value."""
    rows: dict[str, list[dict[str, Any]]] = {account: [] for account in DERIVED}
    for source in sources(kingdom, hexes, rules):
        rows[source.account].append({"by": source.by, "what": source.what})
    values = accounts(kingdom, hexes, rules)
    return [{"name": name_of(account), "value": values[account], "rows": rows[account]} for account in DERIVED]
