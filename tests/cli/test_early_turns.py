"""kingdom turn asks before it runs a turn whose deadline is ahead: players may still file, and reports may not be read yet."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from kingdom.campaign import clock
from kingdom.cli import main as cli
from kingdom.cli.main import main
from tests.kit import tiny_game
from tests.kit.tiny_game import file_orders, write

DEADLINE = datetime(2026, 12, 18, 17, 0, tzinfo=UTC)  # of turn 3
CALENDAR = "calendar: {deadline: 2026-12-04T18:00, zone: Europe/Berlin, every: 7d}\n"
QUESTION = "Turn 3 is due on Friday 18 December 2026, 18:00 (Europe/Berlin); until then players may file orders."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two turns are kept, and a calendar runs."""
    tiny_game.register()
    at(monkeypatch, DEADLINE - timedelta(hours=1))
    made = tiny_game.played(tmp_path / "tally")
    write(made, "campaign.yaml", (made / "campaign.yaml").read_text() + CALENDAR)
    return made


def at(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr(clock, "now", lambda: now)


def turns(folder: Path) -> int:
    return max(int(place.name) for place in (folder / "turns").iterdir())


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def typing(monkeypatch: pytest.MonkeyPatch, typed: str) -> Terminal:
    """Somebody sits at a terminal and types that; gives what it shows as errors are shown."""
    shown = Terminal()
    monkeypatch.setattr(cli.sys, "stdin", Terminal(typed))
    monkeypatch.setattr(cli.sys, "stderr", shown)
    return shown


def test_without_a_terminal_it_says_so_and_does_nothing(folder: Path, capsys) -> None:
    assert main(["turn", str(folder)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"kingdom turn: {QUESTION} To run it now, write `--yes`.\n")
    assert turns(folder) == 2


@pytest.mark.parametrize(
    ("typed", "runs"), [("y\n", True), ("Yes\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_at_a_terminal_it_asks(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch, typed: str, runs: bool) -> None:
    shown = typing(monkeypatch, typed)
    assert main(["turn", str(folder)]) == 0
    assert shown.getvalue().startswith(f"{QUESTION} Run it now? [y/N] ")
    assert turns(folder) == 2 + runs and ("Nothing was done." in capsys.readouterr().out) is not runs


def test_yes_a_dry_run_and_a_deadline_that_has_passed_are_not_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["turn", str(folder), "--dry-run"]) == 0 and turns(folder) == 2
    assert main(["turn", str(folder), "--yes"]) == 0 and turns(folder) == 3
    assert main(["turn", str(folder)]) == 2
    at(monkeypatch, DEADLINE + timedelta(days=7))
    assert main(["turn", str(folder)]) == 0 and turns(folder) == 4


def test_of_several_turns_the_first_early_one_is_named(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, DEADLINE + timedelta(days=1))
    assert main(["turn", str(folder), "--turns", "2"]) == 2
    assert "Turn 4 is due on Friday 25 December 2026" in capsys.readouterr().err and turns(folder) == 2


def test_what_the_gm_put_off_counts(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, DEADLINE + timedelta(hours=1))
    write(
        folder,
        "mail/journal.jsonl",
        '{"at":"2026-12-16T00:00:00+00:00","event":"put_off","message":"a","turn":3,"by":"1d"}\n',
    )
    assert main(["turn", str(folder)]) == 2
    assert "Saturday 19 December 2026, 18:00" in capsys.readouterr().err


def test_it_says_how_many_reports_wait_for_the_gm(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (folder / "campaign.yaml").read_text().replace("every: 7d", "every: 7d, review: 12h")
    players = "ann: {email: ann@example.org, token: aaaaa}, bob: {email: bob@example.org, token: bbbbb}"
    write(folder, "campaign.yaml", text.replace("ann: {name: Ann}, bob: {}", players) + "gm: {email: gm@example.org}\n")
    assert main(["run", str(folder)]) == 0
    capsys.readouterr()
    assert main(["turn", str(folder)]) == 2
    assert (
        "2 reports of the turn before wait for your release, so nobody has read how it went." in capsys.readouterr().err
    )


def test_the_start_is_made_without_a_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, DEADLINE - timedelta(days=30))
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", (folder / "campaign.yaml").read_text() + CALENDAR)
    file_orders(folder, 1, "ann", "take: 1\n")
    assert main(["turn", str(folder)]) == 2 and not (folder / "turns").exists(), "with turn 1 filed it would run too"
    (folder / "orders/0001/ann.yaml").unlink()
    assert main(["turn", str(folder)]) == 0 and turns(folder) == 0


def test_a_campaign_that_is_over_says_so(folder: Path, capsys) -> None:
    write(folder, "campaign.yaml", (folder / "campaign.yaml").read_text() + "ends: {turn: 2}\n")
    assert main(["turn", str(folder)]) == 1
    assert "There is no turn 3" in capsys.readouterr().err


def test_without_a_calendar_nothing_is_asked(tmp_path: Path) -> None:
    folder = tiny_game.played(tmp_path / "tally")
    assert main(["turn", str(folder)]) == 0
