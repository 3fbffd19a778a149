"""The lock by which one run at a time holds a campaign; readers need none. The system releases it however a run ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kingdom.campaign import modes, store
from kingdom.engine.problems import Faults

# a note on a fault of the program: what was to be done may be done
CHANGED = "after it had begun to change the campaign"
NAME = ".kingdom.lock"  # stays in the campaign: if it were deleted, two runs could each hold a file


class Held(Exception):
    """Another run holds the campaign. `by` names its command and process, if it could write them down."""

    def __init__(self, folder: Path, by: str, what: str = "campaign"):
        self.folder = folder
        self.by = by
        super().__init__(f"{folder}: another run holds this {what} ({by}). Wait until it ends, then run this again.")


class NoLocks(Exception):
    """This system has no file locks, so the program writes no campaign on it."""

    def __init__(self) -> None:
        super().__init__("writing a campaign needs the file locks of Linux or macOS; on Windows, run it in WSL.")


def prove() -> None:
    """Raise NoLocks if the system has no file locks."""
    try:
        import fcntl  # noqa: F401 - only to see whether it exists
    except ImportError:
        raise NoLocks from None


def wait_for(descriptor: int) -> None:
    """Wait until no other process holds an open file, and hold it until it is closed. A system without file locks has one user."""
    with suppress(ImportError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextmanager
def held(folder: Path, command: str, what: str = "campaign") -> Iterator[None]:
    """Hold the campaign, or a house, while the block runs; other runs are told `command`. Files written inside are readable by the owner alone.

    Raises Held, NoLocks and OSError.
    """
    prove()
    import fcntl

    with modes.private(folder):
        descriptor = os.open(folder / NAME, os.O_RDWR | os.O_CREAT | store.AS_IT_IS, 0o666)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                by = os.read(descriptor, 200).decode("utf-8", "replace").strip()
                raise Held(folder, by or "just started", what) from None
            except OSError as error:  # the disk has no locks
                error.filename = folder / NAME
                raise
            os.ftruncate(descriptor, 0)
            with suppress(OSError):  # on a full disk; the text is only for the message to another run
                os.write(descriptor, f"kingdom {command}, process {os.getpid()}\n".encode())
            try:
                yield
            except Exception as error:
                if not isinstance(error, (Faults, OSError)) and _is_changed(folder, os.fstat(descriptor).st_mtime_ns):
                    error.add_note(CHANGED)
                raise
        finally:
            os.close(descriptor)


def _is_changed(folder: Path, since: int) -> bool:
    """Return whether a file or folder of the campaign was made, written or moved since then, apart from those that readers skip."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (*folders, *files):
            if not name.startswith(".") and os.lstat(f"{place}/{name}").st_ctime_ns >= since:
                return True
    return False
