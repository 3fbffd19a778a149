"""Which campaign is meant if none was typed: the one around a folder, else the one that the environment names."""

from __future__ import annotations

import os
from collections.abc import Iterator

VARIABLE = "KINGDOM_CAMPAIGN"
_FILE = "campaign.yaml"


def is_campaign(folder: str) -> bool:
    """Whether a campaign lies in that folder, in whatever state."""
    return bool(folder) and os.path.lexists(os.path.join(folder, _FILE))


def campaign(*folders: str) -> str | None:
    """The campaign in which the first of these folders lies that lies in one, else the one that the variable names; None for neither."""
    for folder in folders:
        for found in _around(folder):
            if _is_own(found):
                return found
    return named() if is_campaign(named()) else None


def named() -> str:
    """The folder that the variable names, "" for none."""
    return os.environ.get(VARIABLE, "")


def of_somebody_else(folder: str) -> str | None:
    """A campaign around the folder that is another user's.

    A campaign can name commands for the program to run, so one that its user did not name must be the user's own.
    """
    return next((found for found in _around(folder) if not _is_own(found)), None)


def _around(folder: str) -> Iterator[str]:
    """The campaigns in which a folder lies, from the inside out."""
    inner, place = "", os.path.abspath(folder)
    while place != inner:
        if is_campaign(place):
            yield place
        inner, place = place, os.path.dirname(place)


def _is_own(folder: str) -> bool:
    return os.name != "posix" or os.lstat(os.path.join(folder, _FILE)).st_uid == os.geteuid()
