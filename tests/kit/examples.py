"""How many examples hypothesis tries where each takes long: a whole turn, a report, a view of a world drawn at random."""

from __future__ import annotations

from hypothesis import settings

SHORT = 30  # examples of the short run where nothing else is said; tests/conftest.py has loaded it or the long run's
few = settings(max_examples=10) if settings.default.max_examples <= SHORT else settings()
