"""The bots: each writes orders from what its seat may know, for whatever its turn decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kingdom.games.kings_progress.bots import chancellor, dabbler
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Table
from kingdom.games.kings_progress.steps.rounds import due
from kingdom.orders.yaml_out import dump

Chance = Callable[[str, int], int]
WANTED: Mapping[str, Callable[..., dict[str, Any]]] = {"chancellor": chancellor.wanted, "random": dabbler.wanted}


def orders(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> dict[str, Any]:
    """The bot's orders in the long form, the head included."""
    window = [phase for phase, seats in due(known, rules).items() if seat in seats]
    return {"kingdom": seat, "turn": known.turn + 1, **WANTED[name](known, seat, rules, window, chance)}


def text(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """The same as a text."""
    return dump(orders(name, known, seat, rules, chance))
