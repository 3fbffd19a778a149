"""kingdom audit: prove the kept turns from their files alone."""

from __future__ import annotations

from typing import Protocol

from kingdom.campaign.audit import audit
from kingdom.cli.commands import DONE, WRONG, OfCampaign, Said, campaign_of
from kingdom.render.progress import Told


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom audit`."""

    told: Told


def run(args: Args) -> Said:
    """Exit code 1 where something does not hold."""
    found = audit(campaign_of(args), told=args.told)
    looked = f"{found.turns} turns, {found.files} files, {found.entries} entries, {found.rolls} dice"
    if found.problems:
        return Said([f"Looked at {looked}. Not all of it holds."], [str(problem) for problem in found.problems], WRONG)
    return Said(
        [f"Looked at {looked}.", "The books balance, the dice are the seed's, and nothing was altered."], code=DONE
    )
