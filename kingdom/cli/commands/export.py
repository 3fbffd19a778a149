"""kingdom export: the books for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from kingdom.books import exports
from kingdom.cli.commands import OfCampaign, Said, campaign_of
from kingdom.render.progress import Told


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom export`."""

    to: str
    told: Told


def run(args: Args) -> Said:
    """Write the books to a file, in the format of its ending."""
    done = exports.export(campaign_of(args), Path(args.to), args.told)
    entries = f"{done.entries} entr{'y' if done.entries == 1 else 'ies'}"
    return Said([f"{entries} of turns 0 to {done.turns - 1} are in {done.file}."])
