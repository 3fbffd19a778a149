"""Who may read what the program writes: a campaign's files are the GM's alone, whatever the umask.

A folder whose setgid bit is set was opened to a group: what is written there is the group's too.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PUBLISHED, PUBLISHED_FOLDER = 0o644, 0o755  # for a web server
_SECRETS = ("campaign.yaml", "map.yaml", "kingdoms", "orders", "mail", "turns", "undone")


def umask_of(folder: Path) -> int:
    """What is taken from everything that is written in a folder. Raises OSError."""
    return 0o007 if os.stat(folder).st_mode & stat.S_ISGID else 0o077


@contextmanager
def private(folder: Path) -> Iterator[None]:
    """What is made inside this block belongs to the owner of a folder alone, or to its group. Raises OSError."""
    usual = os.umask(umask_of(folder))
    try:
        yield
    finally:
        os.umask(usual)


def open_to_others(folder: Path) -> list[str]:
    """The secrets of a campaign that anybody on this machine can read, by their names in its folder."""
    above = [folder.resolve(), *folder.resolve().parents]
    if not all(_mode(each) & stat.S_IXOTH for each in above):
        return []
    return [name for name in _SECRETS if _mode(folder / name) & stat.S_IROTH]


def _mode(file: Path) -> int:
    try:
        return os.stat(file).st_mode
    except OSError:
        return 0
