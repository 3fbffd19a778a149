"""What follows a commit. The thing is done by then, so what fails now is told as what it is, and stops nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from kingdom.campaign.errors import reason_of
from kingdom.engine.problems import Faults

MAILS_WAIT = "The mails that wait could not be brought up to date"  # steps that several commands have
BEFORE_SENDING = "The next `kingdom run` does it before it sends any."


class Afterwards:
    """The steps behind a commit. `notes` says what failed, a sentence each, the first of them after what is done."""

    def __init__(self, done: str, debug: bool = False):
        """done: what the commit has done, a sentence. debug: a fault of the program is raised, so that its traceback is seen."""
        self.done, self.debug = done, debug
        self.notes: list[str] = []

    @contextmanager
    def step(self, failed: str, then: str) -> Iterator[None]:
        """A step. failed: what is so if it fails, a sentence without its full stop. then: who does it in its place."""
        try:
            yield
        except Exception as error:
            if self.debug and not isinstance(error, (Faults, OSError)):
                raise
            self.add(f"{failed} ({reason_of(error)}). {then}")

    def add(self, *said: str) -> None:
        """Say that something failed."""
        first = "" if self.notes else f"{self.done} "
        self.notes += [f"{first}{said[0]}", *said[1:]]


def turns_are_kept(turns: Sequence[int]) -> str:
    """That these turns, which follow one another, are kept."""
    if len(turns) == 1:
        return f"Turn {turns[0]} is kept."
    return f"Turns {turns[0]} {'and' if len(turns) == 2 else 'to'} {turns[-1]} are kept."
