"""`scripts/try_rules` plays what docs/balance.md says of how kingdoms live under the rules, and prints its table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import try_rules

ROOT = Path(__file__).parents[3]


def test_it_prints_a_row_for_each_that_is_asked_for() -> None:
    asked = subprocess.run(
        [sys.executable, "scripts/try_rules.py", "--campaigns", "1", "silent"], capture_output=True, text=True, cwd=ROOT
    )
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout == "| silent, 12 turns, no events | Unrest below 8: 3 of 3 |\n"


def test_every_row_stands_in_the_docs() -> None:
    page = (ROOT / "docs" / "balance.md").read_text(encoding="utf-8")
    assert [row.name for row in try_rules.ROWS if f"| {row.name} |" not in page] == []
