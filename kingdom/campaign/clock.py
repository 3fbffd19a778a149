"""The clock. No other module reads it: commands pass the time on as an argument."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)
