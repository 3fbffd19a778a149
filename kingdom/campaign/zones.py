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

from kingdom.engine.regex import regex

SYSTEM = Path("/usr/share/zoneinfo")
_USUAL = regex(r"[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_-]+)+")  # for these a look at the folder will do, which is quicker
_ABBREVIATED = {  # a zone -> the words that people write for it
    "UTC": "UTC Z ZULU UT UCT",
    "Europe/Berlin": "CET CEST MEZ MESZ MET MEST",
    "Europe/London": "BST GB UK",
    "Europe/Lisbon": "WET WEST",
    "Europe/Helsinki": "EET EEST",
    "Europe/Moscow": "MSK",
    "America/New_York": "EST EDT ET EST5EDT",
    "America/Chicago": "CST CDT CT CST6CDT",
    "America/Denver": "MST MDT MT MST7MDT",
    "America/Los_Angeles": "PST PDT PT PST8PDT",
    "America/Anchorage": "AKST AKDT",
    "America/Halifax": "AST ADT",
    "America/St_Johns": "NST NDT",
    "America/Sao_Paulo": "BRT",
    "Pacific/Honolulu": "HST",
    "Asia/Kolkata": "IST",
    "Asia/Tokyo": "JST",
    "Asia/Seoul": "KST",
    "Asia/Singapore": "SGT",
    "Asia/Hong_Kong": "HKT",
    "Australia/Sydney": "AEST AEDT AET",
    "Australia/Adelaide": "ACST ACDT",
    "Australia/Perth": "AWST",
    "Pacific/Auckland": "NZST NZDT NZT",
}
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
    """Return the names of all time zones that this machine knows, but for those that only say how far from UTC it is in winter."""
    from zoneinfo import available_timezones

    _choose()
    return {name for name in available_timezones() if "/" in name and not name.startswith("Etc/")} | {"UTC"}


def meant(word: str) -> str:
    """Return the zone that somebody means who writes an abbreviation, `localtime`, or how far it is from UTC; "" for none."""
    plain = word.upper()
    if plain in ("LOCALTIME", "LOCAL", "SYSTEM", "POSIXRULES", "FACTORY"):
        return _machines()
    if place := re.fullmatch(r"(?:posix|right)/(.+)", word, re.IGNORECASE):
        return next((name for name in names() if name.lower() == place[1].lower()), "")
    # in the names of these zones the sign is the other way round
    if ahead := re.fullmatch(r"(?:UTC|GMT)?([+-])0?(\d{1,2})", plain):
        return f"Etc/GMT{'-' if ahead[1] == '+' else '+'}{int(ahead[2])}" if 0 < int(ahead[2]) <= 12 else ""
    return next((zone for zone, words in _ABBREVIATED.items() if plain in words.split()), "")


def _machines() -> str:
    """Return the zone of this machine, "" if that can't be told."""
    _, _, name = os.path.realpath("/etc/localtime").partition("/zoneinfo/")
    return name if name in names() else ""


def doubt(name: str) -> str:
    """Say why a zone that this machine knows is none to write; "" if it is one."""
    if name in ("EST", "MST"):
        return "has no summer time"
    if name in ("localtime", "posixrules"):
        return "is another zone on another machine"
    if name.startswith("right/"):
        return "counts leap seconds, so it is half a minute off"
    old = name in ("EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "HST") or name.startswith("posix/")
    return "is an old name that some machines don't know" if old else "is nobody's zone" if name == "Factory" else ""


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
