"""The bots' orders as texts, as players write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kingdom.games.royal_progress.bots import chamberlain, randomly
from kingdom.orders.yaml_out import flow

PLAYERS: Mapping[str, Callable[..., dict[str, Any]]] = {"chamberlain": chamberlain.orders, "random": randomly.orders}


def text(name: str, known: Any, seat: str, rules: Any, chance: Callable[[str, int], int]) -> str:
    """The orders of the bot of that name for a seat's next turn."""
    lines = [f"kingdom: {seat}", f"turn: {known.turn + 1}"]
    for key, value in PLAYERS[name](known, seat, rules, chance).items():
        if isinstance(value, list):
            lines += [f"{key}:", *(f"  - {flow(each)}" for each in value)] if value else []
        else:
            lines.append(f"{key}: {flow(value)}")
    return "\n".join(lines) + "\n"
