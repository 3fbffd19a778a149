"""When a turn is due, as the mail says it: by the clock of a player's zone, in words, and as a file for a calendar (RFC 5545)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple, TypedDict

from kingdom.campaign import calendar, store
from kingdom.campaign.campaign import Campaign, Place
from kingdom.engine.dice import GM
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing.letters import Enclosed, address_of
from kingdom.render.plain_text import clean

_LINE = 75  # bytes


class Deadline(NamedTuple):
    """When orders are due, and until when they are taken: with the grace."""

    at: datetime
    last: datetime


class DeadlineView(TypedDict):
    """When orders are due, and a sentence of it; "" without a deadline."""

    deadline: str
    due: str


def deadline(campaign: Place, journal: Journal, turn: int) -> Deadline | None:
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
    return calendar.said_at(at, _zone_of(campaign, seat))


def _zone_of(campaign: Campaign, seat: str) -> str:
    player = campaign.settings.players.get(seat) if seat != GM else None
    dates = campaign.settings.calendar
    return (player.zone if player else "") or (dates.zone if dates else "") or "UTC"


def deadline_of(campaign: Campaign, journal: Journal, seat: str, turn: int, now: datetime) -> DeadlineView:
    """When the orders are due, by the clock of the player's zone, and how long that is: a sentence; "" without a deadline."""
    due = deadline(campaign, journal, turn)
    if due is None:
        return {"deadline": "", "due": ""}
    at = said(due.at, campaign, seat)
    verb = "are" if due.at > now else "were"
    return {"deadline": at, "due": f"Orders for turn {turn} {verb} due on {at}, {span_said(due.at - now)}."}


def soon(at: datetime, campaign: Campaign, seat: str, now: datetime) -> str:
    """How soon that is, for a subject: `tomorrow`, `today`, `in 3 days`; by the calendar of the seat's zone."""
    zone = calendar.zone(_zone_of(campaign, seat))
    days = (at.astimezone(zone).date() - now.astimezone(zone).date()).days
    return {0: "today", 1: "tomorrow"}.get(days, f"in {days} days")


def span_said(span: timedelta) -> str:
    """How long that is: `in 2 days 3 hours`, `40 minutes ago`."""
    minutes = abs(int(span.total_seconds())) // 60
    parts = [(minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")]
    words = [f"{count} {word}{'s' if count > 1 else ''}" for count, word in parts if count][:2]
    said = " ".join(words) or "less than a minute"
    return f"in {said}" if span > timedelta() else f"{said} ago"


def deadline_file(campaign: Campaign, journal: Journal, turn: int, now: datetime) -> list[Enclosed]:
    """The deadline of a turn; none where there is no calendar. One that was put off replaces the one before it."""
    due = deadline(campaign, journal, turn)
    if due is None:
        return []
    name = clean(campaign.settings.name)
    id = f"deadline-{turn}-{store.digest_of(name.encode())[:12]}@{address_of(campaign).rpartition('@')[2]}"
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//kingdom//turns by mail//EN", "METHOD:PUBLISH", "BEGIN:VEVENT",
        f"UID:{id}",
        f"DTSTAMP:{_utc(now)}",
        f"DTSTART:{_utc(due.at)}",
        f"SEQUENCE:{len(journal.put_off)}",
        f"SUMMARY:{_text(f'{name}: orders for turn {turn} are due')}",
        "TRANSP:TRANSPARENT", "END:VEVENT", "END:VCALENDAR",
    ]  # fmt: skip
    data = b"".join(part + b"\r\n" for line in lines for part in _folded(line.encode()))
    return [Enclosed("deadline.ics", "text/calendar", data)]


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    for character in "\\;,":
        text = text.replace(character, f"\\{character}")
    return text


def _folded(line: bytes) -> list[bytes]:
    """A long line goes on behind a space in the next, never inside a character."""
    parts = []
    while len(line) > _LINE:
        end = _LINE
        while line[end] & 0xC0 == 0x80:
            end -= 1
        parts.append(line[:end])
        line = b" " + line[end:]
    return [*parts, line]
