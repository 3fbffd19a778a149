"""The bots, which play a seat by what it knows: their orders as data, and as texts, as players write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from kingdom.engine.game import Chance
from kingdom.games.royal_progress.bots import chamberlain, random_play
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table
from kingdom.orders.yaml_out import flow

Wanted: TypeAlias = dict[str, object]  # key -> what stands under it, in the long form
PLAYERS: Mapping[str, Callable[[Table, str, Rules, Chance], Wanted]] = {
    "chamberlain": chamberlain.orders,
    "random": random_play.orders,
}


def orders(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> Wanted:
    """What the bot of that name files for the next turn, beside the head."""
    return PLAYERS[name](known, seat, rules, chance)


def text(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    """The same as a text."""
    lines = [f"kingdom: {seat}", f"turn: {known.turn + 1}"]
    for key, value in orders(name, known, seat, rules, chance).items():
        if isinstance(value, list):
            lines += [f"{key}:", *(f"  - {flow(item)}" for item in value)] if value else []
        else:
            lines.append(f"{key}: {flow(value)}")
    return "\n".join(lines) + "\n"
