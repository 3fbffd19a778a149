"""What mails call people: by their kingdom and their name, never by an id."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM


def name_of(campaign: Campaign, seat: str) -> str:
    """A kingdom's name; where the game gives its seats none, or before the start, the seat's."""
    if campaigns.newest(campaign) < 0 or seat == GM:
        return seat
    turn = campaigns.kept(campaign)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    return str(campaign.game.sheet(state, seat, rules).get("name") or seat)


def who(campaign: Campaign, seat: str) -> str:
    """A player with the kingdom: `Ada (Harrowfen)`; the GM by name."""
    if seat == GM:
        return campaign.settings.gm.name
    player, name = campaign.settings.players[seat].name, name_of(campaign, seat)
    return f"{player} ({name})" if player and player != name else name


def all_of(campaign: Campaign, seats: Iterable[str]) -> str:
    """Several players in a sentence: `Ada (Harrowfen), Ben (Marl)`."""
    return ", ".join(who(campaign, seat) for seat in seats)
