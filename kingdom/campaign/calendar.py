"""Deadlines by the wall clock of a zone: 18:00 stays 18:00 when the clocks change."""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from kingdom.campaign.mail_lines import lines_in
from kingdom.campaign.zones import zone
from kingdom.orders.schema import Flag, ListOf, MapOf, Number, Text

FULL = "formed"  # what stands there for the GM's message where a campaign waited for players
PUT_OFF = "put_off"  # the event of the mail's journal by which the GM puts deadlines off
_FIRST, _LAST = datetime(1971, 1, 1), datetime(2199, 12, 31)
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


def _span(meaning: str, example: str = "7d") -> Text:
    return Text(f"{meaning}, in days, hours or minutes", example, pattern=r"[0-9]{1,4} ?[dhm]")


ZONE = Text("a time zone", "Europe/Berlin", most=60, pattern=r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*")
_DEADLINE = Text("the deadline of turn 1, by the wall clock of the zone", "2026-12-04T18:00", pattern=r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")  # fmt: skip
_REMIND = ListOf("when players are reminded", _span("a time before the deadline", "48h"), short="words", most=10)
_EXTEND = MapOf("turns whose deadline, and all later ones, is put off", Number("a turn", 1), _span("the delay", "2d"))


class Calendar(Struct, frozen=True):
    """The `calendar` of campaign.yaml, which says when turns are due. Spans are texts such as 7d, 12h, 30m."""

    deadline: Annotated[str, _DEADLINE]
    zone: Annotated[str, ZONE] = "UTC"
    every: Annotated[str, _span("the time between deadlines")] = "7d"
    grace: Annotated[str, _span("the time that late orders have", "2h")] = "0h"
    remind: Annotated[tuple[str, ...], _REMIND] = ()
    extend: Annotated[dict[int, str], _EXTEND] = {}
    early: Annotated[bool, Flag("whether a turn is run as soon as all orders are final")] = False
    review: Annotated[str, _span("how long reports wait for the GM", "12h")] = "0h"


def span(text: str) -> timedelta:
    """Return the length of a span such as 7d, 12h or 30m; -2d takes a delay back. Raises ValueError if the text is no span."""
    match = re.fullmatch(r"(-?[0-9]+) ?([dhm])", text)
    if match is None:
        raise ValueError(text)
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def deadline(calendar: Calendar, turn: int, put_off: Iterable[tuple[int, str]] = ()) -> datetime:
    """Return when the orders of a turn (1 or later) are due, in the calendar's zone.

    put_off: (first turn, span) of each delay that the GM gave by mail.
    """
    try:
        wall = datetime.fromisoformat(calendar.deadline) + (turn - 1) * span(calendar.every)
        wall += sum((span(delay) for first, delay in calendar.extend.items() if turn >= first), timedelta())
    except OverflowError:
        wall = _LAST
    wall = min(max(wall, _FIRST), _LAST)  # datetime can't hold more
    aware = wall.replace(tzinfo=zone(calendar.zone))
    due = aware.astimezone(UTC).astimezone(aware.tzinfo)  # moves a time that the change of clocks skips
    return due + sum((span(delay) for first, delay in put_off if turn >= first), timedelta())


def delay_to(calendar: Calendar, put_off: Iterable[tuple[int, str]], at: datetime) -> str:
    """Return the span, whole times `every`, by which turn 1 is put off so that it is not due before a time; "" if it is not anyhow."""
    short, every = at - deadline(calendar, 1, put_off), span(calendar.every)
    if short <= timedelta() or not every:
        return ""
    minutes = -(-short // every) * every // timedelta(minutes=1)
    return f"{minutes // 1440}d" if minutes % 1440 == 0 else f"{minutes}m"


def doubts(calendar: Calendar | None) -> list[str]:
    """Return a sentence, with a cure, for each setting of a calendar that nobody can have meant."""
    if calendar is None:
        return []
    sentences = []
    every = span(calendar.every)
    if _is_far(calendar):
        sentences.append(
            f"`deadline: {calendar.deadline}` in campaign.yaml is too far away. Leave `calendar` out where no turn has a deadline."
        )
    if every <= timedelta():
        sentences.append(
            f"`every: {calendar.every}` in campaign.yaml gives all turns one deadline. Write the time between deadlines, such as `7d`."
        )
    for key, text in (("grace", calendar.grace), ("review", calendar.review)):
        if timedelta() < every < span(text):
            sentences.append(
                f"`{key}: {text}` in campaign.yaml is longer than `every: {calendar.every}`. Make it shorter."
            )
    return sentences


def doubt(calendar: Calendar, turn: int, put_off: Iterable[tuple[int, str]] = ()) -> str:
    """Say why a deadline is so odd that a turn waits for the GM; "" if it is not. Without this each run would play a turn."""
    if _is_far(calendar):
        return f"its deadline in campaign.yaml is too far away (`deadline: {calendar.deadline}`)"
    put_off = tuple(put_off)
    if turn < 2 or deadline(calendar, turn, put_off) > deadline(calendar, turn - 1, put_off):
        return ""
    return f"its deadline is also that of turn {turn - 1} (`every: {calendar.every}` in campaign.yaml)"


def _is_far(calendar: Calendar) -> bool:
    return not _FIRST < datetime.fromisoformat(calendar.deadline) < _LAST


class PutOff(Struct, frozen=True):
    """A line of the mail's journal that puts deadlines off."""

    event: str
    at: str
    message: str
    turn: int
    by: str


def put_off_in(journal: Path, message: str = "") -> list[tuple[int, str]]:
    """Return (first turn, span) of each delay that the GM gave by mail; [] if the mail's journal is missing or can't be read.

    message: only the delays of that message. FULL stands for those that nobody gave: the campaign had all its players so late.
    """
    entries = (entry for entry in lines_in(journal, (PUT_OFF,), PutOff) if entry.event == PUT_OFF)
    return [(one.turn, one.by) for one in entries if is_delay(one.by) and message in ("", one.message)]


def is_delay(text: str) -> bool:
    """Return whether a text is the span of a delay, or of a delay that is taken back."""
    return re.fullmatch(r"-?[0-9]{1,7} ?[dhm]", text) is not None


def not_taken_back(put_off: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the delays in force, oldest first. A negative one cancels the newest that begins at its turn."""
    standing: list[tuple[int, str]] = []
    for turn, by in put_off:
        if by.startswith("-"):
            with suppress(ValueError):  # the line of that delay may be amiss
                standing.remove((turn, by[1:]))
        else:
            standing.append((turn, by))
    return standing


def is_day(text: str) -> bool:
    """Return whether a text such as 2026-12-04T18:00 is a day and a time."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_moment(text: str) -> bool:
    """Return whether a text is a day and a time without a zone, as deadlines are written."""
    return bool(re.fullmatch(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", text)) and is_day(text)


def said(calendar: Calendar, turn: int, other: str = "") -> str:
    """Return a turn's deadline in words, in the calendar's zone or in the zone `other`."""
    return said_at(deadline(calendar, turn), other or calendar.zone)


def said_at(at: datetime, name: str) -> str:
    """Return a time in words, in the zone of that name."""
    local = at.astimezone(zone(name))
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} ({name})"


def said_here(at: datetime) -> str:
    """Return a time in words by the clock of this machine, with how far that is from UTC."""
    local = at.astimezone()
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} ({offset(local)})"


def offset(at: datetime) -> str:
    """Return how far a time's zone is from UTC: `UTC+01:00`, `UTC`."""
    off = f"{at:%z}"
    return f"UTC{off[:3]}:{off[3:5]}" if at.utcoffset() else "UTC"
