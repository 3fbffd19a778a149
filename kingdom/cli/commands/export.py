"""kingdom export: the books for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kingdom.books import exports
from kingdom.cli.commands import Said, campaign_of


def run(args: Any) -> Said:
    """Write the books to a file, in the format of its ending."""
    done = exports.export(campaign_of(args), Path(args.to), args.told)
    entries = f"{done.entries} entr{'y' if done.entries == 1 else 'ies'}"
    return Said([f"{entries} of turns 0 to {done.turns - 1} are in {done.file}."])
