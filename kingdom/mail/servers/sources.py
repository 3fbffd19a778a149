"""Where mail lies without a server: the drop folder mail/inbox, any folder of .eml files, a Maildir."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from kingdom.campaign import store
from kingdom.campaign.errors import fault, writing
from kingdom.engine.problems import Faults, Problem
from kingdom.engine.regex import regex
from kingdom.mail import headers, stored
from kingdom.mail.incoming.taking import Incoming
from kingdom.mail.journal import Journal

# The number that mbsync and OfflineIMAP give a message in its folder: in another folder it is wrong, and mbsync 1.4 refuses that folder then.
_SYNC_MARKS = regex(r",(?:U=[0-9]+|FMD5=[0-9a-f]+)(?=[,:]|$)")
BYTES_AT_ONCE = 32 << 20
_COPY = regex(r"[0-9a-f]{64}\.eml")  # of a message that was taken, under its digest

Place = TypeVar("Place")


def grouped(sizes: Iterable[tuple[Place, int]], most: int) -> Iterator[list[Place]]:
    """Places of messages in groups that are neither too many nor, with their sizes in bytes, too much to hold."""
    group: list[Place] = []
    total = 0
    for place, size in sizes:
        if group and (len(group) >= most or total + size > BYTES_AT_ONCE):
            yield group
            group, total = [], 0
        group.append(place)
        total += size
    if group:
        yield group


class Folder:
    """A folder of .eml files. What was taken goes to its subfolders Processed and Refused."""

    stops = True  # a file that can't be read stops the run, once all others are taken

    def __init__(self, folder: Path, journal: Journal):
        self.folder = folder
        self.journal = journal

    def batches(self, size: int) -> Iterator[list[Incoming]]:
        """The files, by their dates; none that was taken under the name of its own digest. Raises Faults."""
        # a copy under its digest that a killed run left comes behind its original, whose time is the right one
        names = sorted(
            self.names(), key=lambda name: (_COPY.fullmatch(name) is not None, _written(self.folder / name), name)
        )
        return _batches([(name, self.folder / name) for name in names], size, self.stops)

    def done(self, places: Sequence[str], refused: Sequence[str]) -> None:
        """Move them. In a folder that may not be written they stay: the journal knows them by place and digest."""
        for names, into in ((places, "Processed"), (refused, "Refused")):
            for name in names:
                with suppress(OSError):
                    os.makedirs(self.folder / into, exist_ok=True)
                    os.replace(self.folder / name, self.folder / into / name)

    def names(self) -> list[str]:
        """The files that are to be taken."""
        return [name for name in _names(self.folder) if name.lower().endswith(".eml") and not self._kept(name)]

    def _kept(self, name: str) -> bool:
        return Path(name).stem in self.journal.taken


class Inbox(Folder):
    """The campaign's own drop folder, mail/inbox, where what was taken lies too, under the names of digests."""

    stops = False  # status and the GM's mail name a file that can't be read

    def done(self, places: Sequence[str], refused: Sequence[str]) -> None:
        """Delete what was dropped: it lies beside it by then."""
        for name in (*places, *refused):
            if not self._kept(name):
                with writing(self.folder):
                    (self.folder / name).unlink(missing_ok=True)


class Delivered(Inbox):
    """The drop folder of a campaign whose house fetches its mail and puts it there. failed: why the house could not fetch all."""

    def __init__(self, folder: Path, journal: Journal, failed: Exception | None):
        super().__init__(folder, journal)
        self.failed = failed

    def batches(self, size: int) -> Iterator[list[Incoming]]:
        """The same; raises what kept the house from fetching, since more may lie on the server."""
        yield from super().batches(size)
        if self.failed is not None:
            raise self.failed


class Maildir:
    """A Maildir: messages in `new` and `cur`, the latter with their flags behind a colon.

    What was taken goes to the subfolders .Processed and .Refused, marked as seen. Another program may give a message
    flags meanwhile, and so another name: what it is known by is the part before the colon.
    """

    def __init__(self, folder: Path):
        self.folder = folder

    def batches(self, size: int) -> Iterator[list[Incoming]]:
        """The messages, the oldest first, as their names begin with the time. None that is marked as deleted. Raises Faults, for files
        that can't be read after all others."""
        files = [(unique, file) for unique, file in sorted(self._files().items()) if "T" not in _flags(file)]
        return _batches(files, size, True)

    def done(self, places: Sequence[str], refused: Sequence[str]) -> None:
        """Move them to `cur` of the subfolder. What another program took away meanwhile is left to it."""
        there = self._files()
        for uniques, folder in ((places, ".Processed"), (refused, ".Refused")):
            target = self.folder / folder
            files = [(unique, there[unique]) for unique in uniques if unique in there]
            if files:
                self._make(target)
            for unique, file in files:
                flags = "".join(sorted({*_flags(file), "S"}))
                with writing(target), suppress(FileNotFoundError):
                    os.rename(file, target / "cur" / f"{_SYNC_MARKS.sub('', unique)}:2,{flags}")

    def _make(self, folder: Path) -> None:
        with writing(folder):
            for part in ("new", "cur", "tmp"):
                os.makedirs(folder / part, mode=0o700, exist_ok=True)
            (folder / "maildirfolder").touch()  # says that it is a subfolder

    def _files(self) -> dict[str, Path]:
        """Each message by the part of its name that stays the same."""
        places = [self.folder / part / name for part in ("new", "cur") for name in _names(self.folder / part)]
        return {place.name.partition(":")[0]: place for place in places}


def _flags(file: Path) -> str:
    return file.name.partition(":2,")[2]


def _names(folder: Path) -> list[str]:
    """The names of a folder's files, sorted; none where there is no such folder. Raises Faults."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if not entry.name.startswith(".") and entry.is_file())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise fault("not_readable", folder, reason=error.strerror) from None


def _size(file: Path) -> int:
    try:
        return os.stat(file).st_size
    except FileNotFoundError:
        return 0


def _written(file: Path) -> datetime:
    """When a message counts as written; a file that can't be read comes first."""
    try:
        return headers.written(stored.head(file), datetime.fromtimestamp(os.stat(file).st_mtime, UTC))
    except (OSError, stored.NoMessage):
        return datetime.min.replace(tzinfo=UTC)


def _incoming(place: str, file: Path) -> Incoming | None:
    """A message; None where another program took it away since. When it was written is when it was first seen. Raises Faults."""
    try:
        seen = datetime.fromtimestamp(os.stat(file).st_mtime, UTC)
    except FileNotFoundError:
        return None
    try:
        return Incoming(place, stored.message(store.read(file)), seen)
    except stored.NoMessage as error:
        raise fault("no_mail", file, why=error) from None


def _batches(files: Sequence[tuple[str, Path]], size: int, stops: bool) -> Iterator[list[Incoming]]:
    """The messages in these files, each known by a word, some at a time. stops: raises Faults for files that can't be read, after all
    others."""
    unread: list[Problem] = []
    for group in grouped([((place, file), _size(file)) for place, file in files], size):
        batch: list[Incoming] = []
        held = 0  # bytes; what was compressed may be much larger than its file
        for place, file in group:
            try:
                one = _incoming(place, file)
            except Faults as faults:
                unread += faults.problems
                continue
            if one and batch and held + len(one.data) > BYTES_AT_ONCE:
                yield batch
                batch, held = [], 0
            if one:
                batch.append(one)
                held += len(one.data)
        yield batch
    if unread and stops:
        raise Faults(unread)
