"""`review`: reports wait for the GM's release, apart from what goes out, and say what is so when they go out."""

from __future__ import annotations

import email
from datetime import timedelta
from email.message import Message
from pathlib import Path

import pytest

from tests.kit import tiny_game
from tests.kit.tiny_game import write
from tests.mail.test_following import MAILBOX, OPEN_SEAT, REVIEWED, Server
from tests.mail.test_week import CAMPAIGN, DAY, FRIDAY, HOUR, Campaign, text_of

NOW = FRIDAY - 5 * DAY


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    return Server(monkeypatch)


@pytest.fixture
def tally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Campaign:
    """Before turn 0."""
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", CAMPAIGN)
    return Campaign(folder, monkeypatch, capsys)


def apart(tally: Campaign, kind: str = "") -> list[Message]:
    """The mails that wait for the GM's release."""
    return [
        email.message_from_bytes(file.read_bytes())
        for file in sorted((tally.folder / "mail/review").glob(f"{kind}*.eml"))
    ]


def calendar_of(mail: Message) -> str:
    """The deadline that the attached file gives a calendar."""
    data = next(part for part in mail.walk() if part.get_filename() == "deadline.ics").get_payload(decode=True)
    assert isinstance(data, bytes)
    return next(line for line in data.decode().splitlines() if line.startswith("DTEND:"))


# --- the first evening


@pytest.mark.parametrize("mailbox", [MAILBOX, ""], ids=["server", "folder"])
def test_welcomes_and_the_reports_of_the_start_wait_for_no_release(
    tally: Campaign, server: Server, mailbox: str
) -> None:
    write(tally.folder, "campaign.yaml", REVIEWED + mailbox)
    tally.run(at=NOW)
    tally.run("bob", "bea@example.org", "--name", "Bea", command="invite")
    tally.run()
    gone = server.to("") + [str(mail["To"]) for mail in tally.out()]
    assert {"ann@example.org", "bea@example.org"} <= set(gone)
    assert not apart(tally)


def test_who_was_invited_before_turn_0_is_welcomed_by_the_run_that_makes_it(tally: Campaign, server: Server) -> None:
    text = OPEN_SEAT.replace("every: 7d", "every: 7d, review: 12h")
    write(tally.folder, "campaign.yaml", text + MAILBOX)
    tally.run("bob", "bob@example.org", "--name", "Bob", command="invite", at=NOW)
    tally.run()
    assert server.to("welcome") == ["bob@example.org"]
    book = next(mail for _, mail in server.got if "gm" in mail["Message-ID"])
    assert "for your release" not in text_of(book)


def test_the_first_book_says_that_the_welcome_of_a_later_player_waits_for_the_release(
    tally: Campaign, server: Server
) -> None:
    """With no server the first book still lies in the outbox, and is made again, when turn 1's reports wait."""
    write(tally.folder, "campaign.yaml", REVIEWED)
    tally.run(at=NOW)
    tally.run(at=FRIDAY + HOUR)
    tally.run("bob", "bea@example.org", "--name", "Bea", command="invite")
    tally.run()
    assert apart(tally, "welcome-bob")
    (book,) = tally.out("report-0000-gm")
    assert "The welcome mail of Bea (bob) to bea@example.org waits for your release." in " ".join(text_of(book).split())


# --- what waits lies apart


def test_reports_that_wait_lie_apart_from_what_is_to_be_forwarded(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", REVIEWED)
    tally.run(at=NOW)
    tally.run(at=FRIDAY + HOUR)
    assert [mail["To"] for mail in tally.out("report-0001")] == ["gwen@example.org"]
    assert [mail["To"] for mail in apart(tally)] == ["ann@example.org", "bob@example.org"]
    tally.run(command="release")
    assert not apart(tally) and len(tally.out("report-0001")) == 3
    assert len(tally.journal("out")) == 2


def test_those_that_nobody_released_are_put_out_when_their_time_is_over(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", REVIEWED)
    tally.run(at=NOW)
    tally.run(at=FRIDAY + HOUR)
    tally.run(at=FRIDAY + 14 * HOUR)
    assert not apart(tally) and len(tally.out("report-0001")) == 3


def test_those_that_an_older_program_put_into_the_outbox_are_put_apart(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", REVIEWED)
    tally.run(at=NOW)
    tally.run(at=FRIDAY + HOUR)
    for file in (tally.folder / "mail/review").iterdir():
        file.rename(tally.folder / "mail/outbox" / file.name)
    tally.run()
    assert len(apart(tally)) == 2 and len(tally.out("report-0001")) == 1


def test_no_turn_is_run_over_reports_that_still_lie_apart(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", REVIEWED.replace("12h", "7d"))
    tally.run(at=NOW)
    tally.run(at=FRIDAY + HOUR)
    late = FRIDAY + 7 * DAY + HOUR / 2  # the deadline is over, and the review is not yet
    assert "no report of the turn before has reached a player yet" in tally.run(at=late) and tally.turns == 2
    tally.run(command="release")
    assert "the reports of the turn before went out late" in tally.run(at=late + HOUR) and tally.turns == 2
    tally.run(at=late + 4 * DAY)
    assert tally.turns == 3


def test_a_report_that_waited_names_the_deadline_of_the_moment_at_which_it_is_put_out(tally: Campaign) -> None:
    write(tally.folder, "campaign.yaml", REVIEWED)
    tally.run(at=NOW)
    tally.run(at=FRIDAY + HOUR)
    tally.mail("gwen", "", "extend 2d")
    tally.run(at=FRIDAY + 2 * HOUR)
    tally.run(command="release", at=FRIDAY + 3 * HOUR)
    (mail,) = tally.out("report-0001", "ann")
    assert "due on Sunday 13 December 2026, 18:00 (UTC), in 8 days 21 hours" in text_of(mail)
    assert calendar_of(mail) == "DTEND:20261213T180000Z"


@pytest.mark.parametrize("mailbox", [MAILBOX, ""], ids=["server", "folder"])
def test_after_late_reports_the_calendar_has_the_time_until_which_orders_count(
    tally: Campaign, server: Server, mailbox: str
) -> None:
    write(tally.folder, "campaign.yaml", REVIEWED.replace("12h", "7d") + mailbox)
    tally.run(at=NOW)
    tally.run(at=FRIDAY + HOUR)
    tally.run(command="release", at=FRIDAY + 6 * DAY)
    (mail,) = [one for _, one in server.got if "report-0001-ann" in one["Message-ID"]] or tally.out("report-0001-ann")
    assert "due on Monday 14 December 2026, 06:00 (UTC)" in text_of(mail) and "11 December" not in text_of(mail)
    assert calendar_of(mail) == "DTEND:20261214T060000Z"


# --- corrected is only what somebody has


@pytest.mark.parametrize("forwarded", [True, False])
def test_corrected_is_said_only_where_the_earlier_report_was_forwarded(tally: Campaign, forwarded: bool) -> None:
    write(tally.folder, "campaign.yaml", REVIEWED)
    tally.mail("ann", "take: 5\n", "Orders ann 1", at=NOW)
    tally.run(at=NOW)
    tally.run(at=FRIDAY + HOUR)
    tally.run(command="release")
    if forwarded:
        next((tally.folder / "mail/outbox").glob("report-0001-ann*")).unlink()
    write(tally.folder, "campaign.yaml", REVIEWED + "rules: {take: {most: 2}}\n")
    tally.run("--yes", command="redo")
    tally.run(command="release", at=tally.now + timedelta(minutes=5))
    (report,) = tally.out("report-0001", "ann")
    assert report["Subject"] == f"[A tally] {'Corrected report' if forwarded else 'Report'} of turn 1"
    assert ("corrects an earlier one" in text_of(report)) == forwarded
