"""Finding the campaign if none was typed: the one around a folder, else the one that the environment names."""

from __future__ import annotations

import os
from collections.abc import Iterator

VARIABLE = "KINGDOM_CAMPAIGN"
_FILE = "campaign.yaml"


def is_campaign(folder: str) -> bool:
    """Return whether the folder holds a campaign, broken or not."""
    return bool(folder) and os.path.lexists(os.path.join(folder, _FILE))


def campaign(*folders: str) -> str | None:
    """Return the campaign around the first of these folders that lies in one, else the one that the variable names, else None."""
    for folder in folders:
        for place in _around(folder):
            if _is_own(place):
                return place
    return named() if is_campaign(named()) else None


def named() -> str:
    """Return the folder that the variable names, "" for none."""
    return os.environ.get(VARIABLE, "")


def of_somebody_else(folder: str) -> str | None:
    """Return the nearest campaign around the folder that belongs to another user, None if there is none.

    A campaign can name commands for the program to run, so one that its user did not name must be the user's own.
    """
    return next((place for place in _around(folder) if not _is_own(place)), None)


def _around(folder: str) -> Iterator[str]:
    """Yield the campaigns around a folder, from the inside out."""
    inner, place = "", os.path.abspath(folder)
    while place != inner:
        if is_campaign(place):
            yield place
        inner, place = place, os.path.dirname(place)


def _is_own(folder: str) -> bool:
    return os.name != "posix" or os.lstat(os.path.join(folder, _FILE)).st_uid == os.geteuid()
