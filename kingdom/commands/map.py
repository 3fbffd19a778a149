"""kingdom map: the map, whole or as a seat knows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kingdom import campaign as campaigns, nextturn
from kingdom.commands import USAGE, Said, campaign_of, seat_of
from kingdom.troubles import writing

_DRAWINGS = (".svg", ".png")


def run(args: Any) -> Said:
    """Before turn 0 the map is drawn as it will be."""
    if args.to and Path(args.to).suffix.lower() in _DRAWINGS:
        return Said(notes=[f"kingdom map: {args.to}: a map is drawn as text; name a file that ends with .txt."], code=USAGE)
    campaign = campaign_of(args)
    seat = seat_of(campaign, args.seat) if args.seat else None
    if campaigns.newest(campaign) < 0:
        today = campaigns.rules_today(campaign)
        state, rules = nextturn.opening_draft(campaign, today).result.after, today.rules
    else:
        turn = campaigns.kept(campaign)
        state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    text = campaign.game.draw(state, seat, rules)
    if args.to is None:
        return Said(text.rstrip("\n").split("\n"))
    with writing(args.to):
        Path(args.to).write_text(text, encoding="utf-8")
    return Said([f"The map is in {args.to}."])
