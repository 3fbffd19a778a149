"""The small campaigns that scripts/keep_release plays, one a board game: a person holds a seat, bots the others.

Each is a folder tests/plays/small/NAME with orders for two turns; a game is found by its folder.
"""

from __future__ import annotations

import shutil
from pathlib import Path

SMALL = Path(__file__).parents[1] / "tests" / "plays" / "small"
LAST = 2  # the last turn that is played


def names() -> tuple[str, ...]:
    """The games that have such a campaign."""
    return tuple(sorted(folder.name for folder in SMALL.iterdir()))


def laid_down(name: str, folder: Path) -> Path:
    """The campaign of a game before turn 0, with its orders filed; gives the folder."""
    return Path(shutil.copytree(SMALL / name, folder, dirs_exist_ok=True))
