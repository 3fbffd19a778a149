"""The newer of two databases of time zones counts, and status says what differs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo, reset_tzpath

import pytest

from kingdom.campaign import settings, zones
from kingdom.campaign.calendar import Calendar
from kingdom.cli.main import main
from tests.kit import tiny_game

PACKAGE = zones.databases()[-1]
WINTER = datetime(2026, 12, 4, 18)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A system's database of 2025, in which Vancouver still puts its clocks back in the autumn of 2026, as Los Angeles does."""
    folder = tmp_path / "zoneinfo"
    (folder / "America").mkdir(parents=True)
    shutil.copy(PACKAGE.folder / "America/Los_Angeles", folder / "America/Vancouver")
    (folder / "tzdata.zi").write_text("# version 2025b\n# redo posix_only\n")
    monkeypatch.setattr(zones, "SYSTEM", folder)
    monkeypatch.delenv("PYTHONTZPATH", raising=False)
    forget()
    yield folder
    monkeypatch.undo()
    forget()
    reset_tzpath()


def forget() -> None:
    for function in (zones.used, zones._choose):
        function.cache_clear()
    ZoneInfo.clear_cache()


def hours(name: str) -> float:
    """How far from UTC the zone is in the winter of 2026."""
    offset = WINTER.replace(tzinfo=zones.zone(name)).utcoffset()
    assert offset is not None
    return offset.total_seconds() / 3600


def test_the_package_counts_where_the_system_is_older(system: Path) -> None:
    assert zones.used() == PACKAGE and hours("America/Vancouver") == -7
    assert zones.is_zone("America/Vancouver") and zones.is_zone("Europe/Berlin")
    assert not zones.is_zone("Europe/Berlim") and not zones.is_zone("tzdata.zi")


def test_the_system_counts_where_it_is_newer(system: Path) -> None:
    (system / "tzdata.zi").write_text("# version 2099a\n")
    assert hours("America/Vancouver") == -8
    assert zones.differing("America/Vancouver", [WINTER.replace(tzinfo=zones.zone("America/Vancouver"))]) == []


def test_a_system_without_a_database_or_a_version_has_the_packages(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (system / "tzdata.zi").unlink()
    assert hours("America/Vancouver") == -7
    monkeypatch.setattr(zones, "SYSTEM", system / "none")
    forget()
    assert hours("America/Vancouver") == -7 and zones.databases() == [PACKAGE]


def test_folders_that_somebody_set_are_left_alone(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONTZPATH", str(system))
    reset_tzpath()
    forget()
    assert zones.used() is None and hours("America/Vancouver") == -8


def test_status_says_which_deadline_is_another_by_the_older_one(
    system: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calendar = "calendar: {deadline: 2026-10-20T18:00, zone: %s, every: 7d}\n"
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "campaign")
    text = (folder / "campaign.yaml").read_text()
    (folder / "campaign.yaml").write_text(text + calendar % "America/Vancouver")
    assert main(["turn", "--yes", str(folder)]) == 0
    capsys.readouterr()
    main(["status", str(folder)])
    said = " ".join(capsys.readouterr().out.split())
    assert "the system (" not in said and "time zones (2025b) are older than those of the package tzdata (" in said
    assert "the deadline of turn 3 would be another moment: it is Wednesday 4 November 2026, 01:00 (UTC)" in said
    (folder / "campaign.yaml").write_text(text + calendar % "Europe/Berlin")
    main(["status", str(folder)])
    assert "time zones" not in capsys.readouterr().out


def test_times_are_told_in_the_zone_that_counts(system: Path) -> None:
    at = datetime(2026, 12, 4, 18, tzinfo=UTC)
    assert at.astimezone(zones.zone("America/Vancouver")).hour == 11


@pytest.mark.parametrize(
    ("written", "zone"),
    [("CEST", "Europe/Berlin"), ("cet", "Europe/Berlin"), ("PST", "America/Los_Angeles"), ("EST5EDT", "America/New_York"), ("Z", "UTC"), ("utc", "UTC"),
     ("BST", "Europe/London"), ("JST", "Asia/Tokyo"), ("UTC+1", "Etc/GMT-1"), ("GMT-05", "Etc/GMT+5"), ("+2", "Etc/GMT-2"), ("UTC+25", ""),
     ("right/Europe/Berlin", "Europe/Berlin"), ("posix/europe/berlin", "Europe/Berlin"), ("XYZ", ""), ("Europe/Berln", "")],
)  # fmt: skip
def test_a_zone_that_is_none_is_offered_as_the_one_that_is_meant(written: str, zone: str) -> None:
    assert zones.meant(written) == zone
    assert not zone or zones.is_zone(zone) and not zones.doubt(zone)


def test_localtime_is_offered_as_the_zone_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.realpath", lambda path: "/usr/share/zoneinfo/Europe/Vienna")
    assert zones.meant("localtime") == "Europe/Vienna"
    monkeypatch.setattr("os.path.realpath", lambda path: "/etc/localtime")
    assert zones.meant("localtime") == ""


def test_no_abbreviation_is_offered_for_another() -> None:
    assert not {"EST", "MST", "HST", "CET", "EST5EDT", "localtime", "Factory"} & zones.names()
    assert {"UTC", "Europe/Berlin", "US/Pacific"} <= zones.names()


@pytest.mark.parametrize(("zone", "said"), [
    ("EST5EDT", "`zone: EST5EDT` in campaign.yaml is an old name that some machines don't know. Write `zone: America/New_York`."),
    ("MST", "`zone: MST` in campaign.yaml has no summer time. Write `zone: America/Denver`."),
    ("Europe/Berlin", ""),
    ("Japan", ""),
    ("CET", ""),
])  # fmt: skip
def test_a_zone_that_nobody_should_write_is_told_once_by_campaign_and_player(zone: str, said: str) -> None:
    given = settings.Settings(
        "x", "realm", "s", players={"ann": settings.Player(zone=zone)}, calendar=Calendar("2026-12-04T18:00", zone=zone)
    )
    assert settings.doubts(given) == ([said] if said else [])
