"""Says when a turn is due: by the clock of a player's zone, in words, and as a file for a calendar (RFC 5545)."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from datetime import UTC, datetime, timedelta

from kingdom.campaign import calendar, due, store, undone_turns, zones
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign, Place
from kingdom.engine.dice import GM
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.regex import regex
from kingdom.mail import forming
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import outbox
from kingdom.mail.outgoing.letters import Enclosed, address_of
from kingdom.mail.records import last_out
from kingdom.render.plain_text import clean, counted

# length of the event that ends with the deadline: khal makes an event without a length an hour long, calcurse drops it
_SHOWN = timedelta(minutes=30)
_LINE = 75  # bytes
_ONCE_FULL = ("once every seat has a player", "Then a mail names the deadline.")
_SPECIAL = regex(r"([\\;,])")  # characters of a text that RFC 5545 wants behind a backslash


class Deadline(NamedTuple):
    """at: when orders are due; last: until when they are taken, after the grace."""

    at: datetime
    last: datetime


class Moment(NamedTuple):
    """Until when orders for a turn are taken, as all mails and pages say it. more: why it is later than the deadline: GRACE, LATE, or ""."""

    at: datetime
    more: str = ""


GRACE, LATE = "grace", "late"
DUE, WERE_DUE, STAND = "are due", "were due", "stand"


class DueWords(NamedTuple):
    """The words for a moment in a report or a page, which people read long after it was made: `your orders for turn 3` verb, when. more: a
    sentence behind them, or ""."""

    verb: str
    when: str
    more: str = ""


def deadline(campaign: Place, journal: Journal, turn: int) -> Deadline | None:
    """The deadline of a turn, with the delays that the GM gave by mail. None where the campaign has no calendar or waits for players, for
    a day that no calendar has, and for turn 0, which takes no orders."""
    dates = campaign.settings.calendar
    if dates is None or turn < 1 or forming.is_forming(campaign, journal):
        return None
    try:
        at = calendar.deadline(dates, turn, journal.put_off)
        return Deadline(at, at + calendar.span(dates.grace))
    except OverflowError:  # the turn lies in the far future
        return None


def put_off(journal: Journal, turn: int, by: str) -> Journal:
    """The journal as it will be once a deadline is put off. Nothing is written."""
    later = copy(journal)
    later.put_off = [*journal.put_off, (turn, by)]
    return later


def said(at: datetime, campaign: Campaign, seat: str) -> str:
    """A time as the player of a seat reads it, by the clock of the player's zone."""
    return calendar.said_at(at, zone_of(campaign, seat))


def zone_of(campaign: Campaign, seat: str) -> str:
    """The zone by whose clock a seat is told times."""
    player = campaign.settings.players.get(seat) if seat != GM else None
    dates = campaign.settings.calendar
    return (player.zone if player else "") or (dates.zone if dates else "") or "UTC"


def moment(
    campaign: Place, journal: Journal, turn: int, now: datetime, reported: datetime | None = None
) -> Moment | None:
    """The time that every mail, page, form and calendar file gives for a turn; None without a deadline.

    It is the deadline; while the grace runs, the end of the grace; after late reports, the later time that they give to players.
    reported: when the reports of the turn before go out, if they go out now. Reports that no server took yet go out now.
    """
    last = deadline(campaign, journal, turn)
    if last is None:
        return None
    reports = () if reported else journal.reports(turn - 1)
    out = reported or (now if outbox.are_unsent(campaign, journal, reports) else last_out(reports))
    until = open_until(campaign, journal, turn, out)
    if until is not None:
        return Moment(until, LATE)
    return Moment(last.last, GRACE) if last.at <= now <= last.last and last.at < last.last else Moment(last.at)


def deadline_of(
    campaign: Campaign, journal: Journal, seat: str, turn: int, now: datetime, reported: datetime | None = None
) -> Mapping[str, str]:
    """`deadline`: when orders are due, by the clock of the player's zone; `due`: a sentence that also says how long that is. Both are ""
    without a deadline. reported: as in `moment`."""
    due = moment(campaign, journal, turn, now, reported)
    if due is None:
        is_to_start = turn == 1 and campaign.settings.calendar is not None and forming.is_forming(campaign, journal)
        return {"deadline": "", "due": f"Orders for turn 1 are due {'. '.join(_ONCE_FULL)}" if is_to_start else ""}
    at, past = said(due.at, campaign, seat), due.at <= now
    dated = f"Orders for turn {turn} {'were' if past else 'are'} due on {at}, {span_said(due.at - now)}."
    last = deadline(campaign, journal, turn)
    if due.more and not past and journal.held != turn:
        why = "; they count." if due.more == GRACE else f": the reports before turn {turn} went out late."
        still = f"{'Players' if seat == GM else 'You'} can still file orders until {at}"
        return {"deadline": at, "due": (still if last and last.at <= now else dated.removesuffix(".")) + why}
    more = kept_open(journal, seat, turn, past)
    return {"deadline": at, "due": " ".join(filter(None, [more, dated] if past else [dated, more]))}


def due_words(
    campaign: Campaign, journal: Journal, seat: str, turn: int, now: datetime, reported: datetime | None = None
) -> DueWords:
    """The words for the moment of a turn in a report or a page, without the time until then. reported: as in `moment`."""
    last = deadline(campaign, journal, turn)
    if turn <= campaigns.newest(campaign):  # the turn is played
        return DueWords(WERE_DUE, said(last.at, campaign, seat) if last else "before it was played")
    if undone_turns.is_closed(campaign.folder, turn):
        return DueWords(
            STAND, "as they were sent", "It was taken back, and is played again with the orders that it had."
        )
    if campaign.settings.calendar is not None and forming.is_forming(campaign, journal):
        return DueWords(DUE, *_ONCE_FULL)
    due = moment(campaign, journal, turn, now, reported)
    if due is None:
        return DueWords(DUE, "when you say" if seat == GM else "when your GM says")
    past = due.at <= now
    return DueWords(WERE_DUE if past else DUE, said(due.at, campaign, seat), kept_open(journal, seat, turn, past))


def kept_open(journal: Journal, seat: str, turn: int, past: bool) -> str:
    """A sentence that orders are taken after the moment of a turn: the GM holds the turn, or the turn waits for the seat; else "". past:
    the moment has passed."""
    who = "Players" if seat == GM else "You"
    if journal.held == turn:
        can = "can still file orders" if past else "can also file them later"
        return f"{who} {can}: {'you hold' if seat == GM else 'the GM holds'} turn {turn}."
    waits = past and ("waits_for", seat, turn, "") in journal.told
    return f"You can still file orders: turn {turn} waits for players who filed nothing." if waits else ""


def is_open(campaign: Place, journal: Journal, seat: str, turn: int, now: datetime) -> bool:
    """Whether a seat's orders for a turn are still taken."""
    due = moment(campaign, journal, turn, now)
    if undone_turns.is_closed(campaign.folder, turn):
        return False
    return due is None or due.at > now or bool(kept_open(journal, seat, turn, True))


def open_until(campaign: Place, journal: Journal, turn: int, reported: datetime | None) -> datetime | None:
    """Until when orders are taken after the deadline because the reports of the turn before went out late; None if they did not."""
    last, dates = deadline(campaign, journal, turn), campaign.settings.calendar
    if last is None or dates is None or reported is None or is_first(turn, reported, last):
        return None
    until = due.open_until(reported, calendar.span(dates.every))
    return until if until > last.last else None


def is_first(turn: int, reported: datetime, last: Deadline) -> bool:
    """Whether the first reports came before the first deadline. However short before it they came, they were not late: the GM chose that."""
    return turn == 1 and reported <= last.last


def soon(at: datetime, campaign: Campaign, seat: str, now: datetime) -> str:
    """How soon a time is, for a subject: `tomorrow`, `today`, `in 3 days`, by the calendar of the seat's zone."""
    zone = zones.zone(zone_of(campaign, seat))
    days = (at.astimezone(zone).date() - now.astimezone(zone).date()).days
    return {0: "today", 1: "tomorrow"}.get(days, f"in {days} days")


def span_said(span: timedelta) -> str:
    """How far a time is from now: `in 2 days 3 hours`, `40 minutes ago`."""
    return f"in {length_said(span)}" if span > timedelta() else f"{length_said(span)} ago"


def length_said(span: timedelta) -> str:
    """A length of time: `2 days 3 hours`."""
    minutes = abs(int(span.total_seconds())) // 60
    parts = [(minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")]
    return " ".join([counted(count, word) for count, word in parts if count][:2]) or "less than a minute"


def deadline_file(
    campaign: Campaign, journal: Journal, turn: int, now: datetime, reported: datetime | None = None
) -> list[Enclosed]:
    """The moment of a turn as a calendar file, with an event that ends at the moment; [] without a calendar. In a calendar a later file
    replaces an earlier one of the same turn. reported: as in `moment`."""
    due = moment(campaign, journal, turn, now, reported)
    if due is None:
        return []
    name = clean(campaign.settings.name)
    id = f"deadline-{turn}-{store.digest_of(name.encode())[:12]}@{address_of(campaign).rpartition('@')[2]}"
    summary = _SPECIAL.sub(r"\\\1", f"{name}: orders for turn {turn} are due")
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//kingdom//turns by mail//EN", "METHOD:PUBLISH", "BEGIN:VEVENT",
        f"UID:{id}",
        f"DTSTAMP:{utc(now)}",
        f"DTSTART:{utc(due.at - _SHOWN)}",
        f"DTEND:{utc(due.at)}",
        f"SEQUENCE:{len(journal.put_off) + bool(due.more)}",
        f"SUMMARY:{summary}",
        "TRANSP:TRANSPARENT", "END:VEVENT", "END:VCALENDAR",
    ]  # fmt: skip
    data = b"".join(part + b"\r\n" for line in lines for part in _folded(line.encode()))
    return [Enclosed("deadline.ics", "text/calendar", data)]


def utc(at: datetime) -> str:
    """A time as calendar files write it."""
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _folded(line: bytes) -> list[bytes]:
    """The parts of a long line: each part after the first begins with a space, and no character is cut in two."""
    parts = []
    while len(line) > _LINE:
        end = _LINE
        while line[end] & 0xC0 == 0x80:
            end -= 1
        parts.append(line[:end])
        line = b" " + line[end:]
    return [*parts, line]
