"""kingdom redo: resolve the newest turn again, and show what that would change."""

from __future__ import annotations

from typing import Protocol

from kingdom.books import closing
from kingdom.campaign import lock, undo
from kingdom.campaign.undo import Redo
from kingdom.cli.commands import OfCampaign, Said, campaign_of
from kingdom.mail.incoming.forwarded import forwarded
from kingdom.render import terminal


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom redo`."""

    yes: bool


def run(args: Args) -> Said:
    """Without --yes nothing is written."""
    campaign = campaign_of(args)
    if not args.yes:
        found = undo.redo(campaign)
        again = (
            []
            if not found.changes
            else ["", "Nothing is changed yet: `kingdom redo --yes` puts it in the turn's place."]
        )
        return Said([*_lines(found), *again])
    with lock.held(campaign.folder, "redo"):
        undo.clear(campaign)
        found = undo.redo(campaign)
        if not found.changes:
            return Said([*_lines(found), "The turn stays as it is."])
        aside = undo.replace(campaign, found)
        closing.settle(campaign, closing.why_over(campaign), forwarded)
    return Said([*_lines(found), "", f"Turn {found.draft.number} is replaced; the old one lies in {aside}."])


def _lines(found: Redo) -> list[str]:
    number = found.draft.number
    if not found.changes:
        return [f"Resolved again, turn {number} comes out the same."]
    lines = [f"Resolved again, turn {number} comes out otherwise:"]
    for seat, changes in found.changes.items():
        lines += ["", f"{seat}:"]
        lines += [line for change in changes for line in terminal.paragraph(change, 2)]
    return lines
