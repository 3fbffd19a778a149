"""The user's cache folder, for texts that are quicker to read than to make again. The program works without it.

A kept file is the SHA-256 of its content, a line end, and the content; it is named for the digest of what it was made
from. A file that is missing, broken or too big, or that another user could have written, is not used.
"""

from __future__ import annotations

import os
import stat
from hashlib import sha256

from kingdom.orders import places

MOST_BYTES = 4 << 20  # of a kept file
MOST_FILES = 400  # files of all campaigns: at this number all are thrown away before another is kept
TEMPLATE = "kingdom-template-"  # files that begin so are the same for all campaigns, and are never thrown away
_HEAD = 65


def get(name: str) -> bytes | None:
    """Return the content kept under that name, or None."""
    folder = places.cache()
    if folder is None:
        return None
    try:
        kept = _read(os.path.join(folder, name))
    except OSError:
        return None
    content = kept[_HEAD:]
    return content if kept[:_HEAD] == f"{sha256(content).hexdigest()}\n".encode() else None


def _read(path: str) -> bytes:
    """Read a plain file that this user owns and nobody else can write; b"" for any other. Raises OSError."""
    # so that no link is followed, and no pipe is waited for
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode) or about.st_mode & 0o022 or about.st_uid != os.geteuid():
            return b""
        return os.read(descriptor, MOST_BYTES) if about.st_size < MOST_BYTES else b""
    finally:
        os.close(descriptor)


def put(name: str, content: bytes) -> None:
    """Keep the content under that name, if possible. The file is written whole or not at all."""
    folder = places.cache()
    if folder is None:
        return
    path = os.path.join(folder, name)
    partial = f"{path}.{os.getpid()}.partial"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _make_room(os.fspath(folder))
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as file:
            file.write(f"{sha256(content).hexdigest()}\n".encode() + content)
        os.replace(partial, path)
    except OSError:
        pass


def _make_room(folder: str) -> None:
    """Delete the kept files of a full folder, except templates and files that are not ours."""
    kept = [name for name in os.listdir(folder) if name.startswith("kingdom-") and not name.startswith(TEMPLATE)]
    if len(kept) >= MOST_FILES:
        for name in kept:
            os.unlink(os.path.join(folder, name))
