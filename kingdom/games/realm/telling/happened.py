"""What happened in a turn, in words, phase by phase: each check with what it did, what was told, and what it came to."""

from __future__ import annotations

from typing import Any, Iterable


def happened(phases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The phases of story.py in which something happened: name, lines (text, and whether it was good or bad for the
    kingdom, None where that can't be said), and what the phase came to, account by account."""
    rows = []
    for phase in phases:
        lines = [_line(line) for step in phase["steps"] for line in step["lines"]]
        if lines or phase["sum"]:
            rows.append({"name": phase["name"], "lines": lines, "sum": phase["sum"]})
    return rows


def _line(line: dict[str, Any]) -> dict[str, Any]:
    check = line["check"]
    if not check:
        return {"text": line["text"], "good": None}
    did = f": {check['did']}" if check["did"] else ""
    return {"text": f"{check['name']} check, {check['said']}{did}", "good": check["success"]}
