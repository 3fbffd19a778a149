"""kingdom games: the games that this program can run."""

from __future__ import annotations

from typing import Any

from kingdom import game, terminal
from kingdom.commands import Said


def run(args: Any) -> Said:
    """A line each: its name in campaign.yaml, and what it is."""
    return Said(terminal.table(["", ""], [[name, game.title(name)] for name in game.names()]))
