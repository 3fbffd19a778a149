"""kingdom undo: take the newest turn back."""

from __future__ import annotations

from typing import Protocol

from kingdom.books import closing
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import lock, undo
from kingdom.campaign.campaign import Campaign
from kingdom.cli.commands import OfCampaign, Said, campaign_of
from kingdom.mail.incoming.forwarded import forwarded


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom undo`."""

    reopen: bool


def run(args: Args) -> Said:
    """With --reopen it also says the commitments of the new attempt, which are to be sent to the players."""
    campaign = campaign_of(args)
    with lock.held(campaign.folder, "undo"):
        undo.clear(campaign)
        number = campaigns.newest(campaign)
        aside = undo.undo(campaign, args.reopen)
        mailed = _tell(campaign, number, args.reopen)
        closing.settle(campaign, closing.why_over(campaign), forwarded)
    lines = [f"Turn {number} is taken back; it lies in {aside}."]
    if not args.reopen:
        return Said(
            [
                *lines,
                "`kingdom turn` runs it with the same dice and players' orders, and the GM's orders filed by then.",
            ]
        )
    promised = campaigns.commitments(campaign, number)
    lines.append(
        "It is open for new orders and gets new dice. "
        + (
            "The commitments to them are mailed to all:"
            if mailed
            else "Send each player the commitment of their kingdom, and the GM's:"
        )
    )
    return Said([*lines, *(f"  {seat}  {commitment}" for seat, commitment in promised.items())])


def _tell(campaign: Campaign, number: int, reopen: bool) -> bool:
    """By mail, in a campaign that has any: the turn's unsent reports are withdrawn, and new dice are promised."""
    from kingdom.mail.incoming import taking
    from kingdom.mail.journal import NAME, Journal

    if not (taking.folder_of(campaign) / NAME).is_file():
        return False
    from kingdom.campaign import clock
    from kingdom.mail.outgoing import following

    journal, now = Journal(taking.folder_of(campaign)), clock.now()
    following.follow(campaign, journal, now)
    return reopen and any(mail.startswith(f"reopened-{number:04}-") for mail in journal.mails)
