"""What ruff finds in the whole of the code: what is formatted otherwise, unused, unknown, or a known trap."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("action", ["check", "format --check"])
def test_ruff_finds_nothing(action: str) -> None:
    """`scripts/check --fix` cures most of it."""
    found = subprocess.run(
        [sys.executable, "-m", "ruff", *action.split(), "--no-cache", "kingdom", "scripts", "tests"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr
