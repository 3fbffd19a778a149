"""kingdom chronicle: the campaign as linked pages."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from kingdom.books import chronicle
from kingdom.cli.commands import OfCampaign, Said, campaign_of
from kingdom.mail.incoming.forwarded import forwarded
from kingdom.render.progress import Told


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom chronicle`."""

    folder: str
    told: Told


def run(args: Args) -> Said:
    """Writes the folder whole or not at all; a chronicle of the same campaign is made anew."""
    campaign, folder = campaign_of(args), Path(args.folder)
    chronicle.write(campaign, folder, args.told, forwarded(campaign))
    return Said(
        [
            f"The chronicle is in {folder}: open {folder / 'index.html'}.",
            "Hand over single folders in it: each player's, and `public`.",
        ]
    )
