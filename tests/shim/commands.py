"""Commands of the program run under the shim, each in a process of its own, and killed at any call by which they change something,
or refused it.

The processes are forked from one that has the program loaded (tests/shim/served.py), so a command starts in a few milliseconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_name("shim.c")


def built(folder: Path) -> Path:
    """The shim, compiled into a folder."""
    made = folder / "shim.so"
    warnings = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", *warnings, "-o", made, SOURCE, "-ldl"], check=True)
    return made


class Ended(NamedTuple):
    """How a command ended. code: its exit code, below 0 the signal that killed it. said: what it printed.

    calls: the calls that count up to its end, each with what it was about; the last one is that at which it was killed.
    """

    code: int
    said: str
    calls: list[str]


class Commands:
    """The process that commands are forked from."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None):
        """folder: where the shim is compiled, and where logs lie. environment: what commands find there besides."""
        self.folder = folder
        words = [sys.executable, "-P", "-m", "tests.shim.served"]
        given = {**os.environ, **(environment or {}), "LD_PRELOAD": str(built(folder)), "PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(
            words, env=given, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def stop(self) -> None:
        """Stop it."""
        self._process.communicate()

    def run(self, words: Sequence[str], now: datetime) -> Ended:
        """Run a command at a time."""
        return self._asked({"words": list(words), "now": now.isoformat(), "here": True})

    def killed(self, words: Sequence[str], now: datetime, below: Path, at: int = 0, when: str = "before") -> Ended:
        """Run a command in a process that is killed at a call, never for 0; what it changes below a folder and what it sends counts.

        when: "before" or "after" the call; or what the disk does there instead, "full" or "read-only".
        """
        log = self.folder / "calls"
        log.unlink(missing_ok=True)
        shim = {"SHIM_BELOW": str(below), "SHIM_LOG": str(log), "SHIM_AT": str(at), "SHIM_DO": when}
        ended = self._asked({"words": list(words), "now": now.isoformat(), "here": False, "shim": shim})
        return ended._replace(calls=log.read_text().splitlines() if log.exists() else [])

    def _asked(self, what: dict[str, object]) -> Ended:
        assert self._process.stdin and self._process.stdout
        out = self.folder / "out"
        self._process.stdin.write(json.dumps({**what, "out": str(out)}) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        return Ended(code, out.read_text(), [])
