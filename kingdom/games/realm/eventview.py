"""The events of a turn as rows for a report."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.rules import Rules
from kingdom.games.realm.state import World
from kingdom.games.realm.story import Part
from kingdom.turn import Result


def events(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[dict[str, Any]]:
    """What a report shows of events, for one seat. part: its part of the turn; seen: what it knows after it (known.py)."""
    return []
