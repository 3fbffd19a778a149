"""The progress of long work, shown on a terminal after a second and never in a log.

Long work gets a callback `told` and calls it whenever a part is done. The command line makes a Progress for each command
and hands it on as `args.told`; without a terminal it stays `silent`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:  # slow to load, and needed only on a terminal
    import threading

    import rich.progress

AFTER = 1.0  # seconds that work lasts before it shows
DUMB = ("dumb", "unknown")  # terminals that can't wipe a line


class Told(Protocol):
    """The callback by which long work says how far it is."""

    def __call__(self, what: str, done: int = 0, of: int = 0) -> None:
        """Say what is being done. done: number of finished parts; of: number of all parts, 0 if unknown."""
        ...


def silent(what: str, done: int = 0, of: int = 0) -> None:
    """Tell nobody."""


class Progress:
    """A line on a terminal with the work and its progress, which disappears when the work is over.

    stream: standard error. If it is no terminal, nothing is shown and nothing loaded. The clock starts with the first
    call; a second later the line appears, even without a further call.
    """

    def __init__(self, stream: TextIO):
        self._stream = stream
        self._clock: threading.Timer | None = None  # shows the line after a second
        self._lock: threading.Lock | None = None  # made with the clock
        self._bar: rich.progress.Progress | None = None  # while it is shown
        self._now: tuple[str, int, int] = ("", 0, 0)
        self._late = False  # the work has lasted long enough
        self._over = not stream.isatty() or os.environ.get("TERM") in DUMB

    @property
    def shown(self) -> bool:
        """Return whether the line stands on the terminal."""
        return self._bar is not None

    def __call__(self, what: str, done: int = 0, of: int = 0) -> None:
        """Tell what is being done."""
        if self._over:
            return
        with self._lock or self._begin():
            self._now = what, done, of
            if self._late:
                self._show()

    def hide(self) -> None:
        """Remove the line, so that something else can be printed; it comes back with the next call."""
        if self._lock is not None:
            with self._lock:
                self._stop()

    def end(self) -> None:
        """Remove the line for good: the work is over."""
        self._over = True
        if self._clock is not None:
            self._clock.cancel()
            self.hide()

    def _begin(self) -> threading.Lock:
        import threading

        self._lock = lock = threading.Lock()
        self._clock = threading.Timer(AFTER, self._is_late)
        self._clock.daemon = True
        self._clock.start()
        return lock

    def _is_late(self) -> None:
        if self._lock is None:
            return
        with self._lock:
            if not self._over:
                self._late = True
                self._show()

    def _show(self) -> None:
        what, done, of = self._now
        if self._bar is None:
            self._bar = _bar(self._stream)
            self._bar.add_task(what, completed=done, total=of or None, count=_count(done, of))
            self._bar.start()
            return
        task = self._bar.task_ids[0]
        self._bar.update(task, description=what, completed=done, total=of or None, count=_count(done, of))

    def _stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _count(done: int, of: int) -> str:
    return f"{done} of {of}" if of else ""


def _bar(stream: TextIO) -> rich.progress.Progress:
    """A progress line of the package rich. It shows square brackets as they are, and leaves standard output alone."""
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    what, count = (TextColumn(text, markup=False) for text in ("{task.description}", "{task.fields[count]}"))
    columns = (SpinnerColumn("line"), what, BarColumn(24), count, TimeElapsedColumn())
    return Bar(*columns, console=Console(file=stream), transient=True, redirect_stdout=False, redirect_stderr=False)
