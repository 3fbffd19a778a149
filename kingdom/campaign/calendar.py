"""Deadlines by the wall clock of a zone: 18:00 stays 18:00 when the clocks change."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingdom.campaign.settings import Calendar

_SYSTEM = "/usr/share/zoneinfo"
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


def span(text: str) -> timedelta:
    """The length of a span such as 7d, 12h or 30m."""
    number, unit = re.fullmatch(r"([0-9]+) ?([dhm])", text).groups()  # type: ignore[union-attr]
    return timedelta(**{_UNITS[unit]: int(number)})


def zone(name: str) -> tzinfo:
    """The time zone of that name. Raises KeyError where there is none."""
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo  # slow to load

    try:
        return ZoneInfo(name)
    except (ValueError, OSError):
        raise KeyError(name) from None


def is_zone(name: str) -> bool:
    """Whether there is a zone of that name."""
    if name == "UTC" or os.path.isfile(f"{_SYSTEM}/{name}"):
        return True
    try:
        zone(name)
    except KeyError:
        return False
    return True


def zones() -> set[str]:
    """Every zone that this machine knows."""
    from zoneinfo import available_timezones

    return available_timezones()


def deadline(calendar: Calendar, turn: int) -> datetime:
    """When the orders of a turn, from 1, are due."""
    wall = datetime.fromisoformat(calendar.deadline) + (turn - 1) * span(calendar.every)
    for first, delay in calendar.extend.items():
        if turn >= first:
            wall += span(delay)
    aware = wall.replace(tzinfo=zone(calendar.zone))
    return aware.astimezone(UTC).astimezone(aware.tzinfo)  # an hour that the change of clocks leaves out


def is_day(text: str) -> bool:
    """Whether a text such as 2026-12-04T18:00 is a day and a time."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def said(calendar: Calendar, turn: int, other: str = "") -> str:
    """The deadline of a turn as a person reads it, by the clock of another zone where one is named."""
    return said_at(deadline(calendar, turn), other or calendar.zone)


def said_at(at: datetime, name: str) -> str:
    """A time as a person reads it, by the clock of a zone."""
    local = at.astimezone(zone(name))
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} ({name})"
