"""When a turn is due, as the mail says it: by the clock of a player's zone, in words, and as a file for a calendar (RFC 5545)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, TypedDict

from kingdom.campaign import calendar, due, store
from kingdom.campaign.campaign import Campaign, Place
from kingdom.engine.dice import GM
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing.letters import Enclosed, address_of
from kingdom.render.plain_text import clean, counted

_SHOWN = timedelta(
    minutes=30
)  # how long the event is that ends with the deadline: khal makes an hour of one without a length, calcurse drops it
_LINE = 75  # bytes
_SPECIAL = re.compile(r"([\\;,])")  # characters of a text that RFC 5545 wants behind a backslash


class Deadline(NamedTuple):
    """When orders are due, and until when they are taken: with the grace."""

    at: datetime
    last: datetime


class DeadlineView(TypedDict):
    """When orders are due, and a sentence of it; "" without a deadline."""

    deadline: str
    due: str


def deadline(campaign: Place, journal: Journal, turn: int, more: Sequence[tuple[int, str]] = ()) -> Deadline | None:
    """The deadline of a turn, with what the GM put off by mail; None where the campaign has none, or no calendar has it, of a campaign
    that waits for players, and of turn 0, which takes no orders.

    more: what the GM puts off just now, beside what the journal has.
    """
    dates = campaign.settings.calendar
    if dates is None or turn < 1 or journal.forming:
        return None
    try:
        at = calendar.deadline(dates, turn, [*journal.put_off, *more])
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


def deadline_of(
    campaign: Campaign, journal: Journal, seat: str, turn: int, now: datetime, reported: datetime | None = None
) -> DeadlineView:
    """When the orders are due, by the clock of the player's zone, and how long that is: sentences; "" without a deadline.

    reported: when the reports of the turn before go out, if that is now.
    """
    last = deadline(campaign, journal, turn)
    if last is None:
        return {"deadline": "", "due": ""}
    at, past = said(last.at, campaign, seat), last.at <= now
    dated = f"Orders for turn {turn} {'were' if past else 'are'} due on {at}, {span_said(last.at - now)}."
    more = kept_open(campaign, journal, seat, turn, now, reported or journal.reported(turn - 1))
    return {"deadline": at, "due": " ".join(filter(None, [more, dated] if past else [dated, more]))}


def kept_open(
    campaign: Campaign, journal: Journal, seat: str, turn: int, now: datetime, reported: datetime | None
) -> str:
    """That orders are taken after the deadline, a sentence: the GM holds the turn, or the reports before it came late; "" if not."""
    who, past = "Players" if seat == GM else "You", is_past(campaign, journal, turn, now)
    if journal.held == turn:
        can = "can still file orders" if past else "can also file them later"
        return f"{who} {can}: {'you hold' if seat == GM else 'the GM holds'} turn {turn}."
    last = deadline(campaign, journal, turn)
    if last is not None and last.at <= now <= last.last:
        return f"{who} can still file orders until {said(last.last, campaign, seat)}; they count."
    until = open_until(campaign, journal, turn, reported)
    if until is None or until <= now:
        waits = past and ("waits_for", seat, turn, "") in journal.told
        return f"You can still file orders: turn {turn} waits for players who filed nothing." if waits else ""
    can = "can still file orders" if past else "can file them"
    return f"{who} {can} until {said(until, campaign, seat)}: the reports before turn {turn} went out late."


def is_past(campaign: Place, journal: Journal, turn: int, now: datetime) -> bool:
    """Whether the deadline of a turn has passed, its grace too."""
    last = deadline(campaign, journal, turn)
    return last is not None and last.last < now


def open_until(campaign: Place, journal: Journal, turn: int, reported: datetime | None) -> datetime | None:
    """Until when orders are taken after the deadline, since the reports before went out late; None if they did not."""
    last, dates = deadline(campaign, journal, turn), campaign.settings.calendar
    if last is None or dates is None or reported is None or is_first(turn, reported, last):
        return None
    until = due.open_until(reported, calendar.span(dates.every))
    return until if until > last.last else None


def is_first(turn: int, reported: datetime, last: Deadline) -> bool:
    """Whether the first report came before the first deadline, however short before: the GM chose that, and nothing was late."""
    return turn == 1 and reported <= last.last


def soon(at: datetime, campaign: Campaign, seat: str, now: datetime) -> str:
    """How soon that is, for a subject: `tomorrow`, `today`, `in 3 days`; by the calendar of the seat's zone."""
    zone = calendar.zone(_zone_of(campaign, seat))
    days = (at.astimezone(zone).date() - now.astimezone(zone).date()).days
    return {0: "today", 1: "tomorrow"}.get(days, f"in {days} days")


def span_said(span: timedelta) -> str:
    """How long that is: `in 2 days 3 hours`, `40 minutes ago`."""
    return f"in {length_said(span)}" if span > timedelta() else f"{length_said(span)} ago"


def length_said(span: timedelta) -> str:
    """A length of time: `2 days 3 hours`."""
    minutes = abs(int(span.total_seconds())) // 60
    parts = [(minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")]
    return " ".join([counted(count, word) for count, word in parts if count][:2]) or "less than a minute"


def deadline_file(
    campaign: Campaign,
    journal: Journal,
    turn: int,
    now: datetime,
    more: Sequence[tuple[int, str]] = (),
    reported: datetime | None = None,
) -> list[Enclosed]:
    """The deadline of a turn as an event that ends with it, after late reports until when orders are taken; none where there is no calendar. One that was put off
    replaces the one before it. more: what the GM puts off just now. reported: as in `deadline_of`."""
    last = deadline(campaign, journal, turn, more)
    if last is None:
        return []
    until = open_until(campaign, journal, turn, reported or journal.reported(turn - 1))
    at, is_late = (until, 1) if until is not None and until > last.at else (last.at, 0)
    name = clean(campaign.settings.name)
    id = f"deadline-{turn}-{store.digest_of(name.encode())[:12]}@{address_of(campaign).rpartition('@')[2]}"
    summary = _SPECIAL.sub(r"\\\1", f"{name}: orders for turn {turn} are due")
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//kingdom//turns by mail//EN", "METHOD:PUBLISH", "BEGIN:VEVENT",
        f"UID:{id}",
        f"DTSTAMP:{_utc(now)}",
        f"DTSTART:{_utc(at - _SHOWN)}",
        f"DTEND:{_utc(at)}",
        f"SEQUENCE:{len(journal.put_off) + len(more) + is_late}",
        f"SUMMARY:{summary}",
        "TRANSP:TRANSPARENT", "END:VEVENT", "END:VCALENDAR",
    ]  # fmt: skip
    data = b"".join(part + b"\r\n" for line in lines for part in _folded(line.encode()))
    return [Enclosed("deadline.ics", "text/calendar", data)]


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


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
