"""What became of a plan in a turn, as rows for a report."""

from __future__ import annotations

from typing import Any

from kingdom.games.realm.report.story import Part
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import World
from kingdom.games.realm.steps.workplan import WAITS
from kingdom.games.realm.types import Result


def plan(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[dict[str, Any]]:
    """The items of the seat's plan: `text`, `outcome` (done or waits) and `why`, in the order of the plan.

    Where nothing was worked off, in anarchy or in turn 0, all wait.
    """
    rows = [
        {"text": notice.facts["item"], "outcome": notice.facts["outcome"], "why": notice.facts["why"]}
        for notice in part.notices
        if notice.kind == "plan"
    ]
    return rows or [{"text": text, "outcome": WAITS, "why": ""} for text in result.after.kingdoms[seat].plan]
