"""What the GM put off by mail: the journal of the mail says it, and everything that names a deadline goes by it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from kingdom.campaign import calendar
from kingdom.campaign.settings import Calendar

EVENT = "put_off"


def in_journal(file: Path) -> list[tuple[int, str]]:
    """(first turn, how long) of each, as the journal of the mail has it; none where there is none, or it can't be read."""
    try:
        lines = [line for line in file.read_bytes().split(b"\n")[:-1] if b'"put_off"' in line]
        entries = [msgspec.json.decode(line) for line in lines]
        return [(entry["turn"], entry["by"]) for entry in entries if entry["event"] == EVENT]
    except (OSError, msgspec.MsgspecError, KeyError, TypeError):
        return []  # whoever reads the journal whole tells what is wrong with it


def deadline(dates: Calendar, turn: int, put_off: Iterable[tuple[int, str]]) -> datetime:
    """When the orders of a turn are due, by the clock of the campaign's zone."""
    late = sum((calendar.span(delay) for first, delay in put_off if turn >= first), timedelta())
    return calendar.deadline(dates, turn) + late
