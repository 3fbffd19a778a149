"""Time zones, by the newer of two databases: the system's, and that of the package tzdata, which comes with the program.

Python alone takes the system's wherever there is one, however old it is, and then a deadline is an hour off in each zone whose clocks
have been changed by law since.
"""

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

SYSTEM = Path("/usr/share/zoneinfo")
_USUAL = re.compile(r"[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_-]+)+")  # for these a look at the folder will do, which is quicker
_VERSION = 40  # characters of a database's first line that may hold its version


class Database(Struct, frozen=True):
    """A database of time zones. version: such as 2026f, "" where it does not say. what: in words."""

    folder: Path
    version: str
    what: str


def zone(name: str) -> tzinfo:
    """Return the time zone of that name. Raises KeyError if there is none."""
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo  # slow to load

    _choose()
    try:
        return ZoneInfo(name)
    except (ValueError, OSError):
        raise KeyError(name) from None


def is_zone(name: str) -> bool:
    """Return whether there is a time zone of that name."""
    database = used()
    if name == "UTC" or (database and _USUAL.fullmatch(name) and os.path.isfile(database.folder / name)):
        return True
    try:
        zone(name)
    except KeyError:
        return False
    return True


def names() -> set[str]:
    """Return the names of all time zones that this machine knows."""
    from zoneinfo import available_timezones

    _choose()
    return available_timezones()


@lru_cache(maxsize=1)
def used() -> Database | None:
    """Return the database that counts: the newer of the two. None where PYTHONTZPATH names folders, which are left alone."""
    if "PYTHONTZPATH" in os.environ:
        return None
    return max(databases(), key=lambda database: database.version)


def databases() -> list[Database]:
    """Return the system's, if it has one, and the package's."""
    import tzdata

    package = Database(Path(tzdata.__file__).parent / "zoneinfo", tzdata.IANA_VERSION, "the package tzdata")
    return [*([Database(SYSTEM, _version_of(SYSTEM), "the system")] if SYSTEM.is_dir() else []), package]


def differing(name: str, times: Sequence[datetime]) -> list[datetime]:
    """Return which of these times, with the zone of that name, the system's database would place at another moment."""
    chosen, system = used(), SYSTEM / name
    if chosen is None or chosen.folder == SYSTEM or not system.is_file():
        return []
    from zoneinfo import ZoneInfo

    with system.open("rb") as file:
        older = ZoneInfo.from_file(file)
    return [time for time in times if time.replace(tzinfo=older).utcoffset() != time.utcoffset()]


@lru_cache(maxsize=1)
def _choose() -> None:
    """Let Python look into the database that counts, and nowhere else."""
    from zoneinfo import reset_tzpath

    database = used()
    if database is not None:
        reset_tzpath([str(database.folder)])


def _version_of(folder: Path) -> str:
    """Return the version of a database, which one of two files begins with; "" where neither is there."""
    for name in ("+VERSION", "tzdata.zi"):
        with suppress(OSError), open(folder / name, encoding="ascii", errors="replace") as file:
            return file.readline(_VERSION).removeprefix("# version").strip()
    return ""
