"""Copies of a campaign: if two folders hold the same campaign, only the folder acts that its GM named.

`mail/place` keeps the folder in which the campaign ran last. If a folder finds another place there, and that place still has the campaign,
the folder is a copy: it notes itself in that other folder, and neither acts until `kingdom here` names one of them. In a house all folders
of a campaign are compared at once. The folder in which a campaign ran before it moved is kept, too: a disk that is plugged in again, or a
backup that is put back there, is a copy.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kingdom.campaign import house, modes, settings
from kingdom.campaign.errors import trouble, writing
from kingdom.campaign.store import BROKEN
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Problem
from kingdom.engine.regex import regex

NAME = "place"  # in the folder `mail`
_MACHINE = Path("/etc/machine-id")
_KEY = "mail/key"
_COMMENT = regex(rb"^[ \t]*#.*", re.MULTILINE)
_SEED = regex(rb"^seed:[ \t]*(.+?)[ \t]*(?:[ \t]#.*)?$|[ \t{,]seed:[ \t]*([^\n,}]+)", re.MULTILINE)
_TOKEN = regex(rb"\btoken:[ \t]*[\"']?([A-Za-z0-9]{4,})")
_PUBLIC = regex(rb"(?:^|[\s{,])public_seed:[ \t]*[\"']?(?:on|yes|true)\b", re.MULTILINE | re.IGNORECASE)


class LastRun(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Where a campaign ran last. machine: a digest of the system's machine-id, "" where it has none. key: the inode of mail/key.
    copies: folders that the GM called copies. former: folders that the campaign left. is_copy: the GM called this folder a copy, which it
    stays wherever it is moved. other: the folder of a copy that wanted to act."""

    host: str
    machine: str = ""
    key: int = 0
    copies: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    is_copy: bool = False
    other: str = ""
    folder: str


class Standing(NamedTuple):
    """Whether a folder acts for its campaign. problem: why it does not. others: the other folders of the campaign, as long as its GM has not
    named one. moved: the folder in which it ran before, if that is gone."""

    problem: Problem | None = None
    others: tuple[Path, ...] = ()
    moved: str = ""

    @property
    def acts(self) -> bool:
        """Whether the folder may take mail in, send and publish."""
        return self.problem is None

    @property
    def is_settled_copy(self) -> bool:
        """Whether the GM named another folder, so that this one is passed over."""
        return self.problem is not None and self.problem.code in ("copy_of", "copy_left")


def standing(folder: Path) -> Standing:
    """Return how a campaign's folder stands, from files alone. A campaign whose seed is public always acts."""
    here = Path(os.path.realpath(folder))
    if not _marks(here):
        return Standing()
    last, moved = last_run(here), ""
    others = [*_of_house(folder, here)]
    if last is None:
        others += _that_ran(here, here.parent)
    elif _is_here(last, here):
        others += [Path(last.other)] if last.other else []
        others += [*_that_ran(here, here.parent), *filter(_ran_there, map(Path, last.former))]
    elif not _is_this_machine(last):
        return Standing(_problem("copy_elsewhere", here, Path(last.folder), host=last.host))
    elif _is_unseen(origin := Path(last.folder)):
        return Standing(_problem("copy_unseen", here, origin))
    elif is_same(origin, here):
        theirs = last_run(origin)
        if last.is_copy or (theirs and theirs.folder == str(origin) and str(here) in theirs.copies):
            return Standing(_problem("copy_of", here, origin))
        others.append(origin)
    elif last.is_copy or str(here) in last.copies:
        return Standing(_problem("copy_left", here, origin))
    else:
        moved = last.folder
        others += [*_that_ran(here, here.parent), *_that_ran(here, origin.parent)]
        others += filter(_ran_there, map(Path, last.former))
    known = last.copies if last else ()
    there = [
        one
        for one in dict.fromkeys(others)
        if str(one) not in known and is_same(one, here) and not _is_copy_of(one, here)
    ]
    if not there:
        return Standing(moved=moved)
    return Standing(_problem("copies", here, there[0]), tuple(there))


def take_place(folder: Path) -> Standing:
    """Return how a campaign's folder stands. The caller holds it. If the folder acts, that is noted here; if it wants to act but may be a copy,
    that is noted in the other folder."""
    found, here = standing(folder), Path(os.path.realpath(folder))
    last = last_run(here)
    now = _of_today(here, last.copies if last else (), _left(last, here))
    if found.acts and now != last and _marks(here):
        with suppress(OSError):  # a disk that takes nothing is told by what the run is for
            _write(here, now)
    for other in found.others:
        theirs = last_run(other) or _of_today(other)
        if theirs.folder == str(other) and theirs.other != str(here):
            with suppress(OSError):  # another user's: then this one alone says so
                _write(other, replace(theirs, other=str(here)))
    return found


def settle(folder: Path) -> tuple[list[Path], list[Path]]:
    """Make a folder the campaign, and all other known folders of it copies. The caller holds it. Returns (the copies, the copies in which that
    could not be noted). Raises Faults."""
    here = Path(os.path.realpath(folder))
    last = last_run(here)
    near = [*_of_house(folder, here), *_that_ran(here, here.parent)]
    if last is not None:
        near += [Path(one) for one in (last.folder, last.other, *last.copies, *last.former) if one]
        theirs = last_run(Path(last.folder))
        near += [Path(one) for one in theirs.copies] if theirs else []
    copies = [one for one in dict.fromkeys(near) if is_same(one, here)]
    now = _of_today(here, tuple(map(str, copies)), _left(last, here))
    with writing(here / "mail" / NAME):
        _write(here, now)
    untold = [Path(last.folder)] if last is not None and _is_unseen(Path(last.folder)) else []
    for copy in copies:
        try:
            _write(copy, replace(now, is_copy=True))
        except OSError:
            untold.append(copy)
    return copies, untold


def of_house(folders: Iterable[Path]) -> tuple[dict[str, Path], dict[str, list[Path]]]:
    """Return (name -> folder of each campaign for which a house takes mail in; such a name -> other folders that may be the campaign).

    A folder that its GM called a copy is left out. Of several folders that may be the campaign, one stands for all.
    """
    found: dict[str, Path] = {}
    also: dict[str, list[Path]] = {}
    stood_for: set[Path] = set()
    for folder in sorted(folders, key=_has_moved):
        here = Path(os.path.realpath(folder))
        stands = standing(folder) if _is_twice(folder.parent, here) or _has_moved(folder) else Standing()
        if here in stood_for or stands.is_settled_copy:
            continue
        found[folder.name] = folder
        if stands.others:
            also[folder.name] = [*stands.others]
            stood_for.update(stands.others)
    return found, also


def _has_moved(folder: Path) -> bool:
    """Return whether another campaign ran in a folder last than the one that is there now, which then may be a copy."""
    last = last_run(folder)
    return last is not None and last.folder != os.path.realpath(folder)


def _is_twice(parent: Path, here: Path) -> bool:
    index = _index_of(parent)
    return any(len(index.get(mark, ())) > 1 for mark in _marks(here))


def is_same(one: Path, other: Path) -> bool:
    """Return whether two different folders hold the same campaign: the same key of its mail, or the same seed with a token."""
    with suppress(OSError):
        if os.path.samefile(one, other):
            return False
    return not _marks(one).isdisjoint(_marks(other))


def last_run(folder: Path) -> LastRun | None:
    """Return where the campaign in a folder ran last; None where that is not known."""
    try:
        return msgspec.json.decode((folder / "mail" / NAME).read_bytes(), type=LastRun)
    except (OSError, *BROKEN):
        return None


def _left(last: LastRun | None, here: Path) -> tuple[str, ...]:
    """Return the folders of this machine in which a campaign ran before it came to a folder."""
    if last is None or not (_is_this_machine(last) or _is_here(last, here)):
        return ()
    return tuple(folder for folder in dict.fromkeys((*last.former, last.folder)) if folder != str(here))


def _ran_there(folder: Path) -> bool:
    """Return whether a campaign takes a folder for its own, as it does when it comes back to a folder in which it ran."""
    last = last_run(folder)
    return last is not None and last.folder == str(folder)


def _is_copy_of(one: Path, here: Path) -> bool:
    """Return whether a GM called a folder a copy of the campaign in another one."""
    last = last_run(one)
    return last is not None and last.is_copy and last.folder == str(here)


def _is_unseen(folder: Path) -> bool:
    """Return whether the content of a folder can't be seen from here: it is another user's, or its disk does not answer."""
    try:
        (folder / settings.FILE).open("rb").close()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return False


# --- which campaign a folder holds


def _marks(folder: Path) -> frozenset[bytes]:
    """Return marks that tell a campaign from all others, from its files; none where its seed is public."""
    try:
        text = (folder / settings.FILE).read_bytes()
    except OSError:
        return frozenset()
    text = _COMMENT.sub(b"", text)
    if _PUBLIC.search(text):
        return frozenset()
    marks = set()
    with suppress(OSError):
        marks.add(b"key " + (folder / _KEY).read_bytes())
    if seed := _SEED.search(text):
        words = (seed[1] or seed[2]).strip(b"\"' \t\r")
        marks |= {b" ".join((b"seed", words, token)) for token in _TOKEN.findall(text) or [b""]}
    return frozenset(marks)


def _of_house(folder: Path, here: Path) -> Iterator[Path]:
    """Yield the other folders of its house that hold the same campaign."""
    parent = Path(os.path.abspath(folder)).parent
    if (parent / house.FILE).is_file():
        yield from _with_marks_of(here, parent)


def _that_ran(here: Path, parent: Path) -> Iterator[Path]:
    """Yield the other folders in `parent` that hold the same campaign, and have run where they are."""
    for other in _with_marks_of(here, parent):
        if _ran_there(other):
            yield other


def _with_marks_of(here: Path, parent: Path) -> list[Path]:
    index = _index_of(parent)
    found = [folder for mark in _marks(here) for folder in index.get(mark, ())]
    return sorted({folder for folder in found if folder != here})


def _index_of(parent: Path) -> dict[bytes, tuple[Path, ...]]:
    """Return mark -> the folders right below `parent` that have it."""
    try:
        return _indexed(parent, os.stat(parent).st_mtime_ns)
    except OSError:
        return {}


@lru_cache(maxsize=4)
def _indexed(parent: Path, stamp: int) -> dict[bytes, tuple[Path, ...]]:
    """As `_index_of`, remembered as long as nothing is put into the folder: a run of a house asks once for each campaign."""
    index: dict[bytes, dict[Path, None]] = {}
    for name in sorted(os.listdir(parent)):
        if not name.startswith("."):
            folder = Path(os.path.realpath(parent / name))
            for mark in _marks(folder):
                index.setdefault(mark, {})[folder] = None
    return {mark: tuple(folders) for mark, folders in index.items()}


# --- where that is


def _of_today(here: Path, copies: tuple[str, ...] = (), former: tuple[str, ...] = ()) -> LastRun:
    host = os.uname().nodename
    return LastRun(host=host, machine=_machine(), key=_inode(here), copies=copies, former=former, folder=str(here))


def _is_here(last: LastRun, here: Path) -> bool:
    """Return whether the campaign ran last in this folder: on this machine; or, if the machine has another id now, as a container has each
    time, with the very same key file."""
    if _is_another(last.machine):
        return False
    if last.host != os.uname().nodename:
        return last.key == _inode(here)
    with suppress(OSError):
        return last.folder == str(here) or os.path.samefile(last.folder, here)
    return False


def _is_this_machine(last: LastRun) -> bool:
    return last.host == os.uname().nodename and not _is_another(last.machine)


def _is_another(machine: str) -> bool:
    return bool(machine and (own := _machine()) and machine != own)


def _machine() -> str:
    try:
        id_ = _MACHINE.read_bytes().strip()
    except OSError:
        return ""
    return sha256(b"kingdom " + id_).hexdigest()[:16] if id_ else ""


def _inode(here: Path) -> int:
    try:
        return os.stat(here / _KEY).st_ino
    except OSError:
        return 0


def _write(folder: Path, last: LastRun) -> None:
    """Write mail/place whole or not at all. Nothing is lost if the disk forgets it. Raises OSError."""
    with modes.private(folder):
        place = folder / "mail" / NAME
        place.parent.mkdir(exist_ok=True)
        partial = place.with_name(f".{NAME}.{os.getpid()}.partial")
        partial.write_bytes(msgspec.json.encode(last) + b"\n")
        os.replace(partial, place)


def _problem(code: str, here: Path, other: Path, host: str = "") -> Problem:
    this, that = shlex.quote(str(here)), shlex.quote(str(other))
    return trouble(code, here, this=this, other=other, that=that, host=host)
