"""How many examples hypothesis tries: fewer in the short run, always the same; more in the long one, always others."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

SHORT = 8  # examples of the short run unless a test says otherwise; tests/conftest.py has loaded it or the long run's


def tries(short: int, long: int | None = None, **more: Any) -> settings:
    """So many examples in the short run, and in the long one (as many as its profile says, unless a test says otherwise)."""
    if settings.default.max_examples <= SHORT:
        return settings(max_examples=short, **more)
    return settings(**more) if long is None else settings(max_examples=long, **more)


few = tries(3)  # where each example takes long: a whole turn, a report, a view of a world drawn at random
