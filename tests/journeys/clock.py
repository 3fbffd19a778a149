"""The time of a journey: all programs of it, the mail server among them, see the time that the test sets."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from tests.kit.mailservers import faketime

WIDE = 100 * 365  # days, of certificates: they must hold at any time that a journey takes place


class Clock:
    """A clock that runs on from the time at which it was set. The programs read it from a file, through libfaketime."""

    def __init__(self, start: datetime):
        self.folder = Path(tempfile.mkdtemp(prefix="kingdom-clock-"))
        self.folder.chmod(0o755)  # the mail server has a user of its own
        self.file = self.folder / "clock"
        self._ahead = 0.0
        self.moves_to(start)

    @property
    def now(self) -> datetime:
        """The time of the journey, in UTC."""
        return datetime.fromtimestamp(time.time() + self._ahead, UTC)

    def moves_to(self, moment: datetime) -> None:
        """It is that time now. Nobody goes back."""
        ahead = moment.timestamp() - time.time()
        assert not self.file.exists() or ahead >= self._ahead, f"{moment} has passed"
        self._ahead = ahead
        partial = self.file.with_suffix(".partial")
        partial.write_text(f"{ahead:+.3f}\n")
        partial.chmod(0o644)
        partial.rename(self.file)

    def stop(self) -> None:
        """Take the file away."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def environment(self) -> Mapping[str, str]:
        """What a program needs in its environment to see this time. Times of files stay as they are."""
        return {
            "LD_PRELOAD": faketime(),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            "NO_FAKE_STAT": "1",
        }
