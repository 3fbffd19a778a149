"""kingdom games: the games that this program can run."""

from __future__ import annotations

from kingdom.cli.commands import Said
from kingdom.engine import game
from kingdom.render.plain_text import left, wrap


def run(args: object) -> Said:
    """Each with its name in campaign.yaml, and what it is."""
    names = game.names()
    indent = max(map(len, names)) + 2
    return Said(
        [line for name in names for line in wrap(game.title(name), indent, first=left(name, indent)).split("\n")]
    )
