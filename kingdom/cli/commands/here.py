"""kingdom here: of several folders with the same campaign, make one the campaign and the others its copies."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from kingdom.campaign import copies, lock, store
from kingdom.cli.commands import WRONG, Said, campaign_of


def run_here(args: Namespace) -> Said:
    """Write down that the campaign is in this folder, and mark its known copies as copies."""
    campaign = campaign_of(args)
    folder = os.path.realpath(campaign.folder)
    if campaign.settings.public_seed:
        return Said(
            [f"The campaign in {folder} has a public seed, as an example has: every copy of it goes on by itself."]
        )
    with lock.held(campaign.folder, "here"):
        before = copies.standing(campaign.folder)
        found, untold = copies.settle(Path(folder))
    lines = [f"The campaign is in {folder}."]
    own = max(store.numbers(campaign.turns), default=-1)
    for copy in found:
        if copy not in untold:
            lines.append(f"The copy in {copy} does nothing from now on.")
        if (newest := max(store.numbers(copy / "turns"), default=-1)) > own:
            lines.append(f"Turn {newest} is kept in {copy}, and not here: what is played again is mailed again.")
    if before.problem and before.problem.code == "copy_elsewhere":
        lines.append("The folder where it ran before can't be told from here: stop it there, or both go on.")
    notes = [f"{copy}: This copy could not be told, so it may go on: remove it, or stop its runs." for copy in untold]
    return Said(lines, notes, WRONG if untold else 0)
