"""kingdom invite: give a seat to a player, or hand it on."""

from __future__ import annotations

from typing import Protocol

from kingdom.campaign import clock, lock
from kingdom.cli.commands import OfCampaign, Said, campaign_of, seat_of


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom invite`."""

    kingdom: str
    email: str
    name: str


def run(args: Args) -> Said:
    """A new token, and a welcome mail with all that a player needs. The old token is dead."""
    from kingdom.mail.incoming import taking
    from kingdom.mail.journal import Journal
    from kingdom.mail.outgoing import inviting

    campaign = campaign_of(args)
    seat = seat_of(campaign, args.kingdom)
    with lock.held(campaign.folder, "invite"):
        journal = Journal(taking.folder_of(campaign))
        return Said(inviting.invite(campaign, journal, seat, args.email, args.name, clock.now()))
