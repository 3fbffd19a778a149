"""A day as people write it in English, or in the form of ISO 8601 -> the date. Pure."""

from __future__ import annotations

import re
from datetime import date, timedelta

from kingdom.engine.regex import regex

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_FIRST = regex(r"(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+)(?: (\d{4}))?")
_MONTH_FIRST = regex(r"([a-z]+) (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?")
_SHORTEST = 3  # letters of a month's or a weekday's name


def day_in(text: str, today: date) -> date | None:
    """The day that a text names, such as `3 December`, `Dec 3rd, 2026`, `2026-12-03` or `Friday`; None where it names none.

    Without a year it is the next such day, which may be today. A day such as 3/12 is not read, since half of the world takes it for March.
    """
    words = _words(text)
    if words in ("today", "tomorrow"):
        return today + timedelta(days=words == "tomorrow")
    first, _, rest = words.partition(" ")
    weekday = _named(first, WEEKDAYS)
    if weekday is not None and not rest:
        return today + timedelta(days=(weekday - today.weekday()) % 7)
    return _dated(rest if weekday is not None else words, today)


def is_weekday(text: str) -> bool:
    """Whether a text is the name of a day of the week alone, such as `Friday`."""
    return _named(_words(text), WEEKDAYS) is not None


def said(day: date) -> str:
    """A day as a person reads it: `3 December`."""
    return f"{day.day} {day:%B}"


def _words(text: str) -> str:
    words = " ".join(re.sub(r"[,.]", " ", text.lower()).split())
    return re.sub(r"^(?:the|on) ", "", words)


def _dated(words: str, today: date) -> date | None:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", words):
        return _date(*(int(part) for part in words.split("-")))
    if found := _DAY_FIRST.fullmatch(words):
        day, name, year = found.groups()
    elif found := _MONTH_FIRST.fullmatch(words):
        name, day, year = found.groups()
    else:
        return None
    month = _named(name, MONTHS)
    if month is None:
        return None
    if year:
        return _date(int(year), month + 1, int(day))
    years = range(today.year, today.year + 9)  # eight: until the next 29 February
    days = (_date(year, month + 1, int(day)) for year in years)
    return next((one for one in days if one is not None and one >= today), None)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _named(word: str, names: tuple[str, ...]) -> int | None:
    """The number, from 0, of the first name that begins with a word; None for none."""
    if len(word) < _SHORTEST:
        return None
    return next((number for number, name in enumerate(names) if name.startswith(word)), None)
