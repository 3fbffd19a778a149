"""The program's folders: its templates, pages and examples, and its cache."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_HERE = Path(__file__).parent.parent


def templates() -> Path:
    """The folder of the report templates: inside the package where it is installed, beside it in a checkout."""
    inside = _HERE / "templates"
    return inside if inside.is_dir() else _HERE.parent / "templates"


def docs() -> Path:
    """The folder of the pages: inside the package where it is installed, beside it in a checkout."""
    inside = _HERE / "docs"
    return inside if inside.is_dir() else _HERE.parent / "docs"


def readme() -> Path:
    """The first page to read: the page of a checkout, or the page for people who installed the program."""
    return docs() / "installed.md" if is_installed() else _HERE.parent / "README.md"


def is_installed() -> bool:
    """Return whether the program runs as an installed package, without its checkout."""
    return (_HERE / "docs").is_dir()


def examples() -> Path:
    """The folder of the example campaigns: inside the package where it is installed, beside it in a checkout."""
    inside = _HERE / "examples"
    return inside if inside.is_dir() else _HERE.parent / "campaigns"


def cache() -> Path | None:
    """Return the user's cache folder of this program, which may be missing or unwritable; None if it is switched off.

    KINGDOM_CACHE names another folder, or `off`.
    """
    chosen = os.environ.get("KINGDOM_CACHE", "")
    if chosen == "off" or os.name != "posix":  # other systems do not tell who owns a file
        return None
    if chosen:
        return Path(chosen)
    home = os.path.expanduser("~")
    if not home.startswith("/"):
        return None
    if sys.platform == "darwin":
        return Path(home, "Library", "Caches", "kingdom")
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named if named.startswith("/") else f"{home}/.cache", "kingdom")
