"""What lies among the orders and is none: nobody's turn waits for it, and it is named."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kingdom.campaign import calendar, clock, filings
from kingdom.campaign.calendar import Calendar
from tests.kit import small_realm
from tests.kit.problemkit import kingdom
from tests.kit.tiny_game import write

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign with turn 0 kept, on a Wednesday in November."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    monkeypatch.setattr(clock, "now", lambda: NOW)
    folder = small_realm.campaign(tmp_path)
    assert kingdom("turn", str(folder), "--yes").exit == 0
    return folder


DROPPED = (
    "desktop.ini",
    "Thumbs.db",
    "Icon\r",
    "#examplia.yaml#",
    "examplia (conflicted copy 2026-11-25).yaml",
    "examplia.sync-conflict-20261125-101010-ABCDEFG.yaml",
    "examplia.yaml.orig",
)


@pytest.mark.parametrize("name", DROPPED)
def test_what_a_system_drops_among_the_orders_stops_no_turn(name: str, folder: Path) -> None:
    write(folder, f"orders/0001/{name}", "x")
    write(folder, "orders/0001/examplia.yaml", "kingdom: examplia\nturn: 1\ntaxation: light\n")
    assert "is nobody's orders, and is left alone." in " ".join(kingdom("status", str(folder)).out.split())
    assert kingdom("turn", str(folder), "--yes").exit == 0
    assert (folder / "turns/0001/orders/examplia.yaml").is_file()


@pytest.mark.parametrize("name", ["exampla.yaml", "examplia.yml", "Examplia.yaml", "examplia", "examplia.txt"])
def test_what_may_be_somebodys_orders_is_asked_about(name: str, folder: Path) -> None:
    write(folder, f"orders/0001/{name}", "kingdom: examplia\nturn: 1\n")
    assert kingdom("turn", str(folder), "--yes").exit == 1


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_is_no_plain_file_holds_nobody_up(kind: str, folder: Path) -> None:
    file = folder / "orders/0001/examplia.yaml"
    file.parent.mkdir(parents=True)
    os.mkfifo(file) if kind == "pipe" else file.symlink_to("/dev/zero")
    assert filings.files_in(file.parent, ["examplia"]) == {}
    assert "examplia.yaml is nobody's orders" in " ".join(kingdom("status", str(folder)).out.split())
    assert kingdom("turn", str(folder), "--yes").exit == 0


@pytest.mark.parametrize("day", ["9999-12-31T23:59", "0001-01-01T00:00", "0001-01-01T12:00"])
def test_a_deadline_beyond_all_clocks_stops_no_campaign_that_runs(day: str, folder: Path) -> None:
    text = (folder / "campaign.yaml").read_text(encoding="utf-8")
    write(folder, "campaign.yaml", f"{text}calendar: {{deadline: {day}, zone: Europe/Berlin, every: 7d}}\n")
    assert "is too far away. Leave `calendar` out" in " ".join(kingdom("status", str(folder)).out.split())
    for command in (("turn", "--yes"), ("run",)):
        said = kingdom(command[0], str(folder), *command[1:])
        assert "fault of the program" not in said.out + said.errors


def test_spans_that_nobody_can_have_meant_are_told_with_their_cure() -> None:
    day = "2026-12-04T18:00"
    assert calendar.doubts(Calendar(day)) == []
    assert "plays a turn at each `kingdom run`" in calendar.doubts(Calendar(day, every="0d"))[0]
    assert "`grace: 2d`" in calendar.doubts(Calendar(day, every="1d", grace="2d"))[0]
    assert "`review: 25h`" in calendar.doubts(Calendar(day, every="1d", review="25h"))[0]
