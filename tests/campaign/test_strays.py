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


@pytest.mark.parametrize("name", ["1/examplia.yaml", "00001/examplia.yaml", "turn 1/examplia.yaml", "examplia.yaml"])
def test_orders_in_a_folder_that_is_spelt_otherwise_are_told_by_status_and_turn(name: str, folder: Path) -> None:
    write(folder, f"orders/{name}", "kingdom: examplia\nturn: 1\n")
    said = f"orders/{name.partition('/')[0]} is not read: the orders of turn 1 belong in orders/0001."
    assert said in " ".join(kingdom("status", str(folder)).out.split())
    assert said in kingdom("turn", str(folder), "--dry-run").errors
    assert said in kingdom("turn", str(folder), "--yes").errors
    assert said not in " ".join(kingdom("status", str(folder)).out.split()) or name == "examplia.yaml"


@pytest.mark.parametrize(
    "name", ["0001/examplia.yaml", "0002/examplia.yaml", "old/1.yaml", "notes 2026/a.txt", "readme.txt"]
)
def test_other_things_beside_the_orders_are_nobodys_affair(name: str, folder: Path) -> None:
    write(folder, f"orders/{name}", "kingdom: examplia\nturn: 1\n")
    assert "is not read" not in kingdom("status", str(folder)).out


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
    assert "gives all turns one deadline" in calendar.doubts(Calendar(day, every="0d"))[0]
    assert "`grace: 2d`" in calendar.doubts(Calendar(day, every="1d", grace="2d"))[0]
    assert "`review: 25h`" in calendar.doubts(Calendar(day, every="1d", review="25h"))[0]


DOUBTFUL = {
    "every: 0d": ("deadline: 2026-11-24T18:00, every: 0d", "gives all turns one deadline. Write the time between deadlines", "its deadline is also that of turn 1"),
    "a year before all clocks": ("deadline: 0001-01-01T12:00, every: 7d", "is too far away. Leave `calendar` out", "its deadline in campaign.yaml is too far away"),
}  # fmt: skip


@pytest.mark.parametrize("case", DOUBTFUL)
def test_a_calendar_that_would_play_a_turn_at_each_run_is_told_once_and_plays_none(case: str, folder: Path) -> None:
    dates, said, why = DOUBTFUL[case]
    text = (folder / "campaign.yaml").read_text(encoding="utf-8")
    write(folder, "campaign.yaml", f"{text}calendar: {{{dates}}}\nmissing_limit: 1\n")
    assert kingdom("turn", str(folder), "--yes").exit == 0
    first, second = kingdom("run", str(folder)).out, kingdom("run", str(folder)).out
    assert said in first and said not in second
    assert why in first + second and len(list((folder / "turns").iterdir())) == 2
    assert kingdom("turn", str(folder), "--yes").exit == 0, "the GM may"


def test_a_delay_by_mail_lets_such_a_turn_have_a_deadline_of_its_own() -> None:
    day = Calendar("2026-12-04T18:00", every="0d")
    assert calendar.doubt(day, 1) == "" and calendar.doubt(day, 2) and calendar.doubt(day, 3)
    assert calendar.doubt(day, 2, [(2, "7d")]) == "" and calendar.doubt(day, 3, [(2, "7d")])


def test_spans_longer_than_the_week_are_told_by_the_run_once_and_turns_go_on(folder: Path) -> None:
    text = (folder / "campaign.yaml").read_text(encoding="utf-8")
    write(
        folder,
        "campaign.yaml",
        f"{text}calendar: {{deadline: 2026-11-24T18:00, every: 7h, grace: 8h}}\nmissing_limit: 1\n",
    )
    first = kingdom("run", str(folder)).out
    assert "`grace: 8h` in campaign.yaml is longer than `every: 7h`. Make it shorter." in first
    assert (folder / "turns/0001").is_dir()
    assert "grace" not in kingdom("run", str(folder)).out
