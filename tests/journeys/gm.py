"""The GM of a journey: a person with a shell in the clone of the program, and cron."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.journeys.world import Person, Program, World

ROOT = Path(__file__).parents[2]
CRON = ROOT / "docs" / "kingdom.cron"


class Typed(NamedTuple):
    """What a command printed: both streams, as a terminal shows them."""

    code: int
    said: str


class Gm(Person):
    """A person who types commands in `~/kingdom`, which looks like a clone; the GM's own campaigns are in `~/kingdoms`."""

    def __init__(self, world: World, name: str, full: str, program: Program):
        super().__init__(world, name, full, program)
        self.clone = self.home / "kingdom"
        self.clone.mkdir(parents=True)
        for place in ROOT.iterdir():
            if place.name not in ("campaigns", ".git"):
                (self.clone / place.name).symlink_to(place)

    def types(self, line: str, code: int = 0) -> str:
        """A line in the shell; gives what it prints. It ends with that exit code."""
        typed = self.tries(line)
        assert typed.code == code, f"{line}: exit code {typed.code}\n{typed.said}"
        return typed.said

    def tries(self, line: str) -> Typed:
        """A line in the shell, whatever comes of it."""
        return self._shell(line, self.environment, self.clone)

    def edits(self, file: str, old: str, new: str) -> None:
        """Change a file in the home folder with an editor."""
        path = self.home / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {text}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def saves(self, file: str, text: str, mode: int = 0o644) -> None:
        """Write a file in the home folder."""
        path = self.home / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)

    def cron(self, campaign: str) -> Cron:
        """Cron, with the line of docs/kingdom.cron for this campaign."""
        (line,) = re.findall(r"^\*/5 \* \* \* \* (.+)$", CRON.read_text(encoding="utf-8"), re.MULTILINE)
        return Cron(self, line.replace("mine", campaign), self.home / f"{campaign}.log")

    def _shell(self, line: str, environment: dict[str, str], folder: Path) -> Typed:
        done = subprocess.run(
            ["/bin/sh", "-c", line], env=environment, cwd=folder, text=True, timeout=120,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return Typed(done.returncode, done.stdout)


class Cron:
    """Runs the GM's line as cron does: in /bin/sh, at home, with next to nothing in the environment."""

    def __init__(self, gm: Gm, line: str, log: Path):
        self.gm, self.line, self.log = gm, line, log

    def runs(self, code: int = 0) -> str:
        """One run, which ends with that exit code; gives what it added to the log."""
        self.gm.world.settle()
        there = len(self.log.read_text()) if self.log.exists() else 0
        environment = {"HOME": str(self.gm.home), "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "LOGNAME": "gm"}
        done = self.gm._shell(self.line, {**environment, **self.gm.world.environment}, self.gm.home)
        said = self.log.read_text()[there:]
        assert not done.said and done.code == code, f"exit code {done.code}: {done.said}{said}"
        self.gm.world.settle()
        return said
