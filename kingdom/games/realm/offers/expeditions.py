"""What a kingdom may do about unknown land and monsters in the next turn: prices, known monsters, examples of orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kingdom.games.realm.hexmap import DIRECTIONS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World

_WEEKS = 2  # of the expedition that the form shows


def expedition_offers(kingdom: Kingdom, seen: World, rules: Rules) -> dict[str, Any]:
    """What expeditions and adventurers cost, and the monsters that are known; nothing where none can be sent.

    per_week: BP; least, per_acr: BP of adventurers; monsters: those known, by label, each with the BP of adventurers who are
    their match. seen: what the seat knows (known.py).
    """
    if rules.exploration is None or rules.adventurers is None or not kingdom.settlements:
        return {}
    wages = rules.adventurers
    monsters = [
        {"hex": label, "acr": hex.monsters, "match": max(wages.least_bp, hex.monsters * wages.bp_per_acr)}
        for label, hex in sorted(seen.hexes.items())
        if hex.monsters
    ]
    return {
        "per_week": rules.exploration.bp_per_week,
        "least": wages.least_bp,
        "per_acr": wages.bp_per_acr,
        "monsters": monsters,
        "weeks": min(_WEEKS, kingdom.treasury // rules.exploration.bp_per_week)
        if rules.exploration.bp_per_week
        else _WEEKS,
        "treasury": kingdom.treasury,
    }


def expedition_examples(kingdom: Kingdom, offers: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An expedition and adventurers that the kingdom could pay, as special edicts."""
    if offers and offers["weeks"] > 0:
        start = kingdom.capital or min(kingdom.settlements)
        yield {"edict": "explore", "from": start, "weeks": offers["weeks"], "toward": DIRECTIONS[0]}
    for row in offers["monsters"][:1] if offers else ():
        if row["match"] <= offers["treasury"]:
            yield {"edict": "adventurers", "bp": row["match"], "task": row["hex"]}
