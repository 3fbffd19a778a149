"""kingdom show: the sheet of a kingdom, or of all."""

from __future__ import annotations

from typing import Protocol

from kingdom.campaign import campaign as campaigns
from kingdom.cli.commands import OfCampaign, Said, as_json, campaign_of, seat_of
from kingdom.render import terminal


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom show`."""

    kingdom: str | None
    turn: int | None
    json: bool


def run(args: Args) -> Said:
    """One object for the named kingdom; without one a list of all, as JSON and as text."""
    campaign = campaign_of(args)
    turn = campaigns.kept(campaign, args.turn)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    seats = [seat_of(campaign, args.kingdom)] if args.kingdom else turn.record.seats
    sheets = [campaign.game.sheet(state, seat, rules) for seat in seats]
    if args.json:
        return as_json(sheets[0] if args.kingdom else sheets)
    lines = [line for sheet in sheets for line in ["", *terminal.sheet(sheet)]]
    return Said(lines[1:])
