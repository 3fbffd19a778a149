"""Exchanging two folders in one step, which Linux and macOS can on most file systems."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from kingdom.campaign.errors import LACKING

_HERE = -100  # AT_FDCWD: paths are relative to where we are
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS


def exchange(first_folder: Path, other: Path) -> bool:
    """Let two folders take each other's place at once. Returns False if the system can't. Raises OSError.

    A rename can't replace a folder that holds files, and between two renames one of the folders would be missing.
    """
    import ctypes

    system = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(first_folder), os.fsencode(other)
    try:
        if sys.platform == "darwin":
            failed = system.renamex_np(first, second, _EXCHANGE)
        else:
            failed = system.renameat2(_HERE, first, _HERE, second, _EXCHANGE)
    except AttributeError:
        return False
    code = ctypes.get_errno()
    if failed and code not in LACKING:  # then two renames say what is wrong, or do it
        raise OSError(code, os.strerror(code), os.fspath(first_folder))
    return not failed
