"""File permissions: the program writes a campaign's files for the GM alone, whatever the umask.

If the folder has the setgid bit, the GM shares it with a group, so the group may read and write its files too.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PUBLISHED, PUBLISHED_FOLDER = 0o644, 0o755  # for a web server
_SECRETS = ("campaign.yaml", "map.yaml", "kingdoms", "orders", "mail", "turns", "undone", "promises")


def umask_of(folder: Path) -> int:
    """Return the umask for files written in a folder. Raises OSError."""
    return 0o007 if os.stat(folder).st_mode & stat.S_ISGID else 0o077


@contextmanager
def private(folder: Path) -> Iterator[None]:
    """Let only the folder's owner, or also its group, read files made inside this block. Raises OSError."""
    usual = os.umask(umask_of(folder))
    try:
        yield
    finally:
        os.umask(usual)


def open_to_others(folder: Path) -> list[str]:
    """Return the campaign's secret files that anybody on this machine can read, by their names in its folder."""
    above = [folder.resolve(), *folder.resolve().parents]
    if not all(_mode(parent) & stat.S_IXOTH for parent in above):
        return []
    return [name for name in _SECRETS if _mode(folder / name) & stat.S_IROTH]


def _mode(file: Path) -> int:
    try:
        return os.stat(file).st_mode
    except OSError:
        return 0
