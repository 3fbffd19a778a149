"""Finding the campaign if none was typed: the campaign around a folder, else the one that the environment names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

VARIABLE = "KINGDOM_CAMPAIGN"
_FILE = "campaign.yaml"


def is_campaign(folder: str) -> bool:
    """Return whether the folder holds a campaign, broken or not."""
    return bool(folder) and os.path.lexists(os.path.join(folder, _FILE))


def is_house(folder: str) -> bool:
    """Return whether the folder has a house.yaml, so that it is one of campaigns even while it holds none."""
    return os.path.lexists(os.path.join(folder, "house.yaml"))


def campaign(*folders: str) -> str | None:
    """Return the campaign around the first of these folders that lies in one, else the one that the variable names, else None."""
    for folder in folders:
        for place in _around(folder):
            if _is_own(place):
                return place
    return named() if is_campaign(named()) else None


def inside(folder: str) -> tuple[list[str], list[str]]:
    """Return the campaigns in a folder, by name: (the user's own, those of other users). None if the folder can't be read."""
    try:
        with os.scandir(folder or os.curdir) as entries:
            names = sorted(entry.name for entry in entries if not entry.name.startswith("."))
    except OSError:
        return [], []
    places = [place for name in names if is_campaign(place := os.path.join(folder, name))]
    return [place for place in places if _is_own(place)], [place for place in places if not _is_own(place)]


def named() -> str:
    """Return the folder that the variable names, "" for none."""
    return os.environ.get(VARIABLE, "")


def of_somebody_else(folder: str) -> str | None:
    """Return the nearest campaign around the folder that belongs to another user, None if there is none.

    A campaign can name commands for the program to run, so a campaign that the user did not type must be the user's own.
    """
    return next((place for place in _around(folder) if not _is_own(place)), None)


def not_ones_own(folder: str) -> str:
    """Say that a campaign of another user in a folder of campaigns is left out."""
    return f"{folder}: This campaign is somebody else's, so it is left out. To use it, name it."


def _around(folder: str) -> Iterator[str]:
    """Yield the campaigns around a folder, from the inside out."""
    inner, place = "", os.path.abspath(folder)
    while place != inner:
        if is_campaign(place):
            yield place
        inner, place = place, os.path.dirname(place)


def _is_own(folder: str) -> bool:
    return os.name != "posix" or os.lstat(os.path.join(folder, _FILE)).st_uid == os.geteuid()


def names_of(folders: Sequence[str]) -> dict[str, str]:
    """Return folder -> its name in a table of several campaigns: the folder's name, or as it was typed if two have the same
    name."""
    names = {folder: os.path.basename(os.path.realpath(folder)) for folder in folders}
    return names if len({*names.values()}) == len(names) else {folder: folder for folder in names}
