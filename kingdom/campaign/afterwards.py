"""The steps that follow a commit. The turn is kept by then, so a step that fails is reported and stops no other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from kingdom.campaign.errors import lasts, reason_of
from kingdom.engine.problems import Faults

MAILS_WAIT = "The mails that wait could not be brought up to date"  # these steps belong to several commands
BEFORE_SENDING = "The next `kingdom run` does it before it sends any."


class Afterwards:
    """The steps after a commit. `notes` has a sentence for each that failed; the first also says what was done."""

    def __init__(self, done: str, debug: bool = False):
        """done: a sentence that says what the commit did. debug: raise a fault of the program, to show its traceback."""
        self.done, self.debug = done, debug
        self.notes: list[str] = []

    @contextmanager
    def step(self, failed: str, then: str) -> Iterator[None]:
        """Guard one step. failed: the sentence for its failure, without full stop. then: what will do it instead."""
        try:
            yield
        except Exception as error:
            if self.debug and not isinstance(error, (Faults, OSError)):
                raise
            later = f"When that is done, {then[0].lower()}{then[1:]}" if lasts(error) else then
            self.add(f"{failed} ({reason_of(error)}). {later}")

    def add(self, *said: str) -> None:
        """Add sentences about a failure."""
        first = "" if self.notes else f"{self.done} "
        self.notes += [f"{first}{said[0]}", *said[1:]]


def turns_are_kept(turns: Sequence[int]) -> str:
    """Say that these consecutive turns are kept."""
    if len(turns) == 1:
        return f"Turn {turns[0]} is kept."
    return f"Turns {turns[0]} {'and' if len(turns) == 2 else 'to'} {turns[-1]} are kept."
