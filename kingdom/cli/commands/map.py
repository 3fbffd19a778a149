"""kingdom map: the map, whole or as a seat knows it, as text or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import next_turn
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import writing
from kingdom.cli.commands import USAGE, OfCampaign, Said, campaign_of, seat_of
from kingdom.engine.step import AnyState

_ENDINGS = (".txt", ".svg", ".png")
_WIDTH = 1600  # pixels of a PNG


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom map`."""

    seat: str | None
    to: str | None


def run(args: Args) -> Said:
    """Before turn 0 the map is drawn as it will be."""
    ending = Path(args.to).suffix.lower() if args.to else ".txt"
    if ending not in _ENDINGS:
        return Said(
            notes=[f"kingdom map: {args.to}: name a file that ends with {', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}."],
            code=USAGE,
        )
    campaign = campaign_of(args)
    seat = seat_of(campaign, args.seat) if args.seat else None
    if ending != ".txt" and campaign.game.picture is None:
        return Said(
            notes=[f"kingdom map: {args.to}: {campaign.game.name} has no picture; name a file that ends with .txt."],
            code=USAGE,
        )
    state, rules = _newest(campaign)
    if args.to is None:
        return Said(campaign.game.draw(state, seat, rules).rstrip("\n").split("\n"))
    data = _data(campaign, ending, state, seat, rules)
    with writing(args.to):
        Path(args.to).write_bytes(data)
    return Said([f"The map is in {args.to}."])


def _newest(campaign: Campaign) -> tuple[AnyState, object]:
    """The newest state and its rules; before turn 0 those that it will have."""
    if campaigns.newest(campaign) < 0:
        today = campaigns.rules_today(campaign)
        return next_turn.opening_draft(campaign, today).result.after, today.rules
    turn = campaigns.kept(campaign)
    return campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules


def _data(campaign: Campaign, ending: str, state: AnyState, seat: str | None, rules: object) -> bytes:
    """The map as a file of that ending holds it."""
    if ending == ".txt" or campaign.game.picture is None:
        return campaign.game.draw(state, seat, rules).encode()
    svg = campaign.game.picture(state, seat, rules)
    if ending == ".svg":
        return svg.encode()
    from kingdom.render import pictures

    return pictures.png(svg, _WIDTH)
