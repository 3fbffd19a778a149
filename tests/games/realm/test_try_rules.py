"""`scripts/try_rules` plays what docs/balance.md says of how kingdoms live under the rules, and prints its table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import try_rules

ROOT = Path(__file__).parents[3]


def test_it_prints_a_row_for_each_that_is_asked_for() -> None:
    asked = subprocess.run(
        [sys.executable, "scripts/try_rules.py", "--campaigns", "1", "silent"], capture_output=True, text=True, cwd=ROOT
    )
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout == "| silent, 12 turns, no events | Unrest below 8: 3 of 3 |\n"


def fates(name: str, campaigns: int) -> list[try_rules.Fate]:
    """The fates of a row's campaigns, by seeds of the tests' own."""
    number = next(number for number, row in enumerate(try_rules.ROWS) if row.name == name)
    return [fate for campaign in range(campaigns) for fate in try_rules.one((number, f"tests {campaign}"))]


@pytest.mark.long
def test_a_careful_kingdom_lives() -> None:
    for name, least in (
        ("careful, 36 turns, events not answered", 26),
        ("careful, 36 turns, events answered", 27),
        ("the guide's good start, 26 turns", 28),
    ):
        assert sum(fate.alive for fate in fates(name, 10)) >= least, name


@pytest.mark.long
def test_a_rush_takes_no_capital_and_a_war_that_is_paid_for_does() -> None:
    for row in try_rules.ROWS:
        if row.name.startswith("rushed"):
            assert sum(bool(fate.fell) for fate in fates(row.name, 5)) <= 1, row.name
    assert sum(bool(fate.fell) for fate in fates("60 BP of armies against a capital of two districts", 6)) >= 3


def test_every_row_stands_in_the_docs() -> None:
    page = (ROOT / "docs" / "balance.md").read_text(encoding="utf-8")
    assert [row.name for row in try_rules.ROWS if f"| {row.name} |" not in page] == []
