"""The times that the mail goes by: when a message counts as written, when it came, and when a turn is due by now."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from kingdom.campaign import calendar
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.mail.journal import Journal
from kingdom.mail.records import Headers


class Deadline(NamedTuple):
    """When orders are due, and until when they are taken: with the grace."""

    at: datetime
    last: datetime


def arrival(headers: Headers, seen: datetime) -> datetime:
    """When the message came: the receiving server's topmost Received; without one, when it was first seen."""
    return min(headers.received or seen, seen)


def time_of(headers: Headers, seen: datetime) -> datetime:
    """What "newest" goes by: its Date, but never later than it came."""
    came = arrival(headers, seen)
    return min(headers.date or came, came)


def deadline(campaign: Campaign, journal: Journal, turn: int) -> Deadline | None:
    """The deadline of a turn, with what the GM put off by mail; None where the campaign has none, or no calendar has it."""
    dates = campaign.settings.calendar
    if dates is None:
        return None
    try:
        at = calendar.deadline(dates, turn, journal.put_off)
        return Deadline(at, at + calendar.span(dates.grace))
    except OverflowError:  # somebody wrote a turn of the far future
        return None


def said(at: datetime, campaign: Campaign, seat: str) -> str:
    """A time as that seat's player reads it, by the clock of its zone."""
    player = campaign.settings.players.get(seat) if seat != GM else None
    dates = campaign.settings.calendar
    name = (player.zone if player else "") or (dates.zone if dates else "") or "UTC"
    return calendar.said_at(at, name)
