"""The time: the one place that asks for it. Commands hand it on as an argument."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
