"""A damaged .venv, the environment that a checkout makes for itself: scripts/environment.py checks and repairs it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
INSTALL = (
    "A package that this program needs is missing or damaged. In a checkout start it by `scripts/kingdom`; elsewhere type "
    "`pipx reinstall kingdom`, or `python3 -m pip install --force-reinstall kingdom`."
)


def is_damaged() -> bool:
    """Return whether this program runs in its checkout's .venv and that is damaged. Standard error says how; the next start
    repairs it."""
    look, own = ROOT / "scripts" / "environment.py", ROOT / ".venv" / "bin"
    try:
        if not look.is_file() or not os.path.samefile(os.path.dirname(sys.executable), own):
            return False
    except OSError:
        return False
    return _done(sys.executable, "-P", str(look), "--look") == 1


def make() -> int:
    """Make the environment anew; return the exit code."""
    return _done("/bin/sh", str(ROOT / "scripts" / "environment"))


def _done(*command: str) -> int:
    import subprocess  # seldom needed, and every start of the program runs this code

    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=2, check=False).returncode
