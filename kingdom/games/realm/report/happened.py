"""What happened in a turn, in words, phase by phase: each check with what it did, what was told and booked, and what it came to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kingdom.games.realm.report.story import DECIDED_BY_CHECKS, heading, sums

LONG = 12  # lines of a phase; more are folded


def happened(phases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The phases of story.py in which something happened: name, lines (text, and whether it was good or bad for the
    kingdom, None where that can't be said), whether they are many, and what the phase came to, account by account."""
    decided = {f"{heading(phase)} phase" for phase in DECIDED_BY_CHECKS}
    rows = []
    for phase in phases:
        lines = [line for step in phase["steps"] for line in _lines(step, phase["name"] not in decided)]
        if lines or phase["sum"]:
            rows.append({"name": phase["name"], "lines": lines, "many": len(lines) > LONG, "sum": phase["sum"]})
    return rows


def _lines(step: dict[str, Any], with_moves: bool) -> list[dict[str, Any]]:
    """with_moves: whether no check says what was booked."""
    said = [_told(line) for line in step["lines"]]
    return said + [
        {"text": f"{move['what']}: {sums([move])}", "good": None}
        for move in step["moves"]
        if with_moves and sums([move])
    ]


def _told(line: dict[str, Any]) -> dict[str, Any]:
    check = line["check"]
    if not check:
        return {"text": line["text"], "good": None}
    did = f": {check['did']}" if check["did"] else ""
    return {"text": f"{check['name']} check, {check['said']}{did}", "good": check["success"]}
