"""The names that mails give to people: name and kingdom, never an id."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM


def name_of(campaign: Campaign, seat: str) -> str:
    """The name of a kingdom; the seat's id where the game gives its seats no names, and before the start."""
    if campaigns.newest(campaign) < 0 or seat == GM:
        return seat
    turn = campaigns.kept(campaign)
    state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
    return str(campaign.game.sheet(state, seat, rules).get("name") or seat)


def who(campaign: Campaign, seat: str) -> str:
    """A player's name with the kingdom, `Ada (Harrowfen)`; the GM's name."""
    if seat == GM:
        return campaign.settings.gm.name
    player, name = campaign.settings.players[seat].name, name_of(campaign, seat)
    return _said(player, name)


def _said(player: str, name: str) -> str:
    return f"{player} ({name})" if player and player != name else name


def by_seat(campaign: Campaign) -> dict[str, str]:
    """Seat -> its player with the kingdom; {} before the start."""
    if campaigns.newest(campaign) < 0:
        return {}
    turn = campaigns.kept(campaign)
    digest = turn.record.files["state.json"]
    if digest not in _names:
        state, rules = campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules
        there = dict.fromkeys((*campaign.first_seats, *campaign.game.seats(state)))
        sheets = {seat: campaign.game.sheet(state, seat, rules) for seat in there}
        _names.clear()
        _names[digest] = {seat: str(sheet.get("name") or seat) for seat, sheet in sheets.items()}
    players, names = campaign.settings.players, _names[digest]
    return {seat: _said(players[seat].name, names[seat]) for seat in campaign.seats if seat in names}


# digest of the newest state -> the kingdoms' names: each seat's form asks for them
_names: dict[str, dict[str, str]] = {}


def all_of(campaign: Campaign, seats: Iterable[str]) -> str:
    """Several players in a sentence: `Ada (Harrowfen), Ben (Marl)`."""
    return ", ".join(who(campaign, seat) for seat in seats)
