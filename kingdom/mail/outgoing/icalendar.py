"""The deadline for a player's own calendar: an .ics file (RFC 5545)."""

from __future__ import annotations

from datetime import UTC, datetime

from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign
from kingdom.mail.incoming import dates
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing.letters import Enclosed, address_of
from kingdom.render.plain_text import clean

_LINE = 75  # bytes


def deadline_file(campaign: Campaign, journal: Journal, turn: int, now: datetime) -> list[Enclosed]:
    """The deadline of a turn; none where there is no calendar. One that was put off replaces the one before it."""
    due = dates.deadline(campaign, journal, turn)
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
