"""kingdom rules: the rules as this campaign plays them."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.errors import writing
from kingdom.cli.commands import OfCampaign, Said, campaign_of
from kingdom.orders import tables
from kingdom.render import reports


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom rules`."""

    to: str | None


def run(args: Args) -> Said:
    """Those of the next turn, with what the campaign changes marked; before a later `from` those that are still in force.

    The tables themselves for a game without a page of rules.
    """
    campaign = campaign_of(args)
    today = campaigns.rules_today(campaign)
    text = reports.rules_page(campaign.game, today, campaign.settings.name) or tables.dump(today)
    if args.to is None:
        return Said(text.rstrip("\n").split("\n"))
    with writing(args.to):
        Path(args.to).write_text(text, encoding="utf-8")
    return Said([f"The rules are in {args.to}."])
