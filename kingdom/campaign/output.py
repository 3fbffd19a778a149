"""Writing files that a person names: each is written whole or stays as it was, and none takes the place of what is not ours to replace.

A campaign's own files, by their names in its folder, are never written over. Elsewhere a file that begins as the command's own output
is replaced; any other only with --force.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from kingdom.campaign import modes, store
from kingdom.campaign.errors import fault, writing

Sign: TypeAlias = Callable[[Path], bool]  # whether a file is an earlier output of the same command
LAYOUT = frozenset((
    "campaign.yaml", "map.yaml", "table.yaml", "kingdoms", "orders", "turns", "undone", "promises", "chronicle", "archive.zip", "mail", ".kingdom.lock",
    ".gitattributes",
))  # fmt: skip
OF_A_HOUSE = frozenset(("house.yaml", "mail", ".kingdom.lock"))
_HEAD = 4096  # bytes of a file that tell what it is
SCHEMA = "orders.schema.json"  # lies beside orders, for editors


def begins(pattern: bytes) -> Sign:
    """Return the sign that a file's beginning matches a pattern."""
    compiled = re.compile(pattern, re.DOTALL)

    def is_own(file: Path) -> bool:
        return bool(compiled.match(head_of(file)))

    return is_own


def begins_like(data: bytes, most: int) -> Sign:
    """Return the sign that a file's first line begins as that of a new text, whatever its numbers."""

    def shape(text: bytes) -> bytes:
        return re.sub(rb"[0-9]+", b"0", text.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0])[:most]

    return lambda file: shape(head_of(file)) == shape(data)


def begins_like_csv(data: bytes) -> Sign:
    """Return the sign that a file is a CSV whose first two columns are those of a new one."""

    def columns(text: bytes) -> list[bytes]:
        return text.removeprefix(b"\xef\xbb\xbf").splitlines()[:1][0].split(b",")[:2] if text.strip() else []

    return lambda file: columns(head_of(file)) == columns(data)


def head_of(file: Path) -> bytes:
    """Return the beginning of a file. Raises OSError."""
    with open(file, "rb") as opened:
        return opened.read(_HEAD)


def prove(file: Path, is_own: Sign, force: bool = False) -> None:
    """Raise Faults unless a command may write a file: it is none of a campaign's own, and new, an earlier output of it, or forced."""
    prove_outside_layout(file)
    real = Path(os.path.realpath(file))
    if force or not real.is_file():
        return
    with suppress(OSError, ValueError):  # what can't be looked at is not ours
        if not os.stat(real).st_size or is_own(real):
            return
    raise fault("not_own", file)


def prove_outside_layout(file: Path, allowed: str = "") -> None:
    """Raise Faults if a path is, or lies in, what a campaign or a house keeps its own files in. allowed: a name in that folder that may be
    written."""
    real = Path(os.path.realpath(file))
    for folder in real.parents:
        name = real.relative_to(folder).parts[0].casefold()
        own = LAYOUT if os.path.lexists(folder / "campaign.yaml") else frozenset()
        own |= OF_A_HOUSE if os.path.lexists(folder / "house.yaml") else frozenset()
        if name == "orders" and real.name == SCHEMA and not real.is_dir():
            continue
        if name in own and str(real.relative_to(folder)) != allowed:
            raise fault("layout", file, folder=folder)


def shows_a_campaign(folder: Path, own: Path) -> str:
    """Say why a folder that a web server shows would show files of a campaign: of that in `own`, or of another; "" if it would not."""
    real, own = Path(os.path.realpath(folder)), Path(os.path.realpath(own))
    if own.is_relative_to(real):
        return "holds this campaign" if own != real else "is this campaign's"
    for above in (real, *real.parents):
        if os.path.lexists(above / "campaign.yaml"):
            return f"lies in the campaign {above}"
    try:
        return _holds_a_campaign(real, os.stat(real).st_mtime_ns)
    except OSError:  # it is made when something is published
        return ""


@lru_cache(maxsize=4)
def _holds_a_campaign(folder: Path, stamp: int) -> str:
    """The same of what lies in the folder, remembered while nothing is put there: each seat's mail asks, and pages are many."""
    for pattern in ("house.yaml", "*/campaign.yaml", "*/*/campaign.yaml"):
        if inside := next(folder.glob(pattern), None):
            return f"holds {inside}"
    return ""


@contextmanager
def whole(file: Path, private: bool = False) -> Iterator[Path]:
    """Yield a temporary name beside the file. What the block writes there then takes the file's place, synced to the disk.

    private: a new file is for its owner alone; one that was there keeps its permissions. If writing fails, the file stays as it was and
    nothing else is left behind. Raises Faults.
    """
    partial = file.with_name(f".{file.name}.partial")
    try:
        mode = _mode_of(file, private)
        partial.unlink(missing_ok=True)  # what a killed run left
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if mode is not None else 0o666)
        os.close(descriptor)  # if that fails, the user hears it before the work begins
        try:
            yield partial
            if mode is not None:
                store.permit(partial, mode)
            descriptor = os.open(partial, os.O_RDONLY | store.AS_IT_IS)
            try:
                store.sync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(partial, file)
        finally:
            partial.unlink(missing_ok=True)
        store.sync_folder(file.parent)
    except OSError as error:
        raise fault("not_written", file, reason=error.strerror or error) from None


def _mode_of(file: Path, private: bool) -> int | None:
    """Return the permissions that a file gets, None for the usual ones."""
    with suppress(OSError):
        return os.stat(file).st_mode & 0o777
    return 0o666 & ~modes.umask_of(file.parent) if private else None


def put(file: Path, data: bytes, is_own: Sign, force: bool = False, private: bool = False) -> None:
    """Write a file whole or not at all; something else, such as /dev/stdout, is written to directly. Raises Faults, also for a file that
    is not to be replaced."""
    prove(file, is_own, force)
    real = Path(os.path.realpath(file)) if file.is_symlink() else file
    if real.exists() and not real.is_file():
        with writing(file):
            real.write_bytes(data)
        return
    with whole(real, private) as partial:
        partial.write_bytes(data)
