"""What ruff finds in the whole of the code: names that are not there, imports and values that nobody uses, keys said twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_ruff_finds_nothing() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "kingdom", "scripts", "tests"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr
