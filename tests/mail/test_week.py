"""A campaign by mail without a server: mail/inbox in, mail/outbox out, week after week, by `kingdom run` alone."""

from __future__ import annotations

import email
import errno
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from kingdom.campaign import clock
from kingdom.campaign.audit import audit
from kingdom.campaign.campaign import open_campaign
from kingdom.cli.main import main
from kingdom.mail.journal import Journal
from tests.campaign.test_crash import CALLS, Calls, Killed
from tests.kit import tiny_game
from tests.kit.tiny_game import contents, file_orders, write

CONTRACT = Path(__file__).parents[2] / "docs" / "contract.md"
FRIDAY = datetime(2026, 12, 4, 18, 0, tzinfo=UTC)  # the deadline of turn 1
HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
CAMPAIGN = """\
name: A tally
game: tally
seed: public, this is a test
public_seed: true
gm: {name: Gwen, email: gwen@example.org, token: gggg1}
players:
  ann: {name: Ann, email: ann@example.org, token: aaaa1}
  bob: {name: Bob, email: bob@example.org, token: bbbb1}
calendar: {deadline: 2026-12-04T18:00, zone: UTC, every: 7d, remind: [48h, 12h]}
"""


class Campaign:
    """A campaign in a folder, and a clock that the tests set."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
        self.folder, self.now, self.capsys = folder, FRIDAY - 5 * DAY, capsys
        monkeypatch.setattr(clock, "now", lambda: self.now)
        self.sent = 0

    def run(self, *words: str, at: datetime | None = None, command: str = "run") -> str:
        """What a run says; it must succeed."""
        self.now = at or self.now
        self.capsys.readouterr()
        code = main([*command.split(), str(self.folder), *words])
        said = self.capsys.readouterr()
        assert code == 0, said.err
        return said.out

    def mail(self, sender: str, text: str, subject: str = "", at: datetime | None = None) -> None:
        """A mail in the drop folder, that came at that time."""
        self.sent += 1
        at = at or self.now
        token = {"ann": "aaaa1", "bob": "bbbb1", "gwen": "gggg1"}[sender]
        name = "gm" if sender == "gwen" else sender
        head = (
            f"Received: from there by here; {format_datetime(at)}\nFrom: {sender} <{sender}@example.org>\n"
            f"Subject: {subject or f'Orders {name} {self.turns}'} [{token}]\nDate: {format_datetime(at)}\nMessage-ID: <{self.sent}@example.org>\n\n"
        )
        file = write(self.folder, f"mail/inbox/{self.sent}.eml", head + text)
        os.utime(file, (at.timestamp(), at.timestamp()))

    @property
    def turns(self) -> int:
        """How many turns are kept, turn 0 among them: the number of the next one."""
        return len(list((self.folder / "turns").glob("[0-9]*"))) if (self.folder / "turns").is_dir() else 0

    def out(self, kind: str = "", to: str = "") -> list[email.message.Message]:
        """The mails in the outbox."""
        files = sorted((self.folder / "mail/outbox").glob(f"{kind}*.eml"))
        return [mail for mail in (email.message_from_bytes(file.read_bytes()) for file in files) if to in mail["To"]]

    def forward(self, kind: str = "") -> None:
        """Carry what lies in the outbox to its readers, and take it out."""
        for file in (self.folder / "mail/outbox").glob(f"{kind}*.eml"):
            file.unlink()

    def journal(self, event: str) -> list[dict[str, object]]:
        lines = (self.folder / "mail/journal.jsonl").read_text().splitlines()
        return [entry for entry in map(json.loads, lines) if entry["event"] == event]


@pytest.fixture
def tally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Campaign:
    """Before turn 0."""
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", CAMPAIGN)
    return Campaign(folder, monkeypatch, capsys)


@pytest.fixture
def begun(tally: Campaign) -> Campaign:
    """Turn 0 is made, its reports are out."""
    tally.run()
    return tally


def text_of(mail: email.message.Message) -> str:
    part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    return " ".join(part.get_payload(decode=True).decode().split())


def filed(campaign: Campaign, turn: int, seat: str) -> str:
    file = campaign.folder / f"orders/{turn:04}/{seat}.yaml"
    return file.read_text() if file.is_file() else ""


# --- the week


def test_the_first_run_makes_turn_0_and_sends_its_reports(tally: Campaign) -> None:
    assert tally.run() == "Turn 0 is made.\n"
    assert [mail["To"] for mail in tally.out("report-0000")] == [
        "ann@example.org",
        "bob@example.org",
        "gwen@example.org",
    ]
    assert tally.out("report-0000", "ann")[0]["Subject"] == "[A tally] Report of turn 0"


def test_two_weeks(begun: Campaign) -> None:
    begun.mail("ann", "take: 2\n")
    begun.mail("bob", "take: 1\n")
    said = begun.run(at=FRIDAY - DAY)
    assert said.count("filed") == 2
    assert filed(begun, 1, "ann") == "kingdom: ann\nturn: 1\ntake: 2\n"
    assert len(begun.out("answer")) == 2
    assert begun.turns == 1
    assert begun.run(at=FRIDAY + HOUR) == "Turn 1 is due: its deadline has passed.\n"
    assert len(begun.out("report-0001")) == 3
    assert begun.run() == "Nothing to do.\n"
    begun.mail("ann", "take: 3\n")
    begun.mail("bob", "take: 3\n")
    begun.run(at=FRIDAY + WEEK - DAY)
    begun.run(at=FRIDAY + WEEK + HOUR)
    assert begun.turns == 3
    assert audit(open_campaign(begun.folder)).problems == []


def test_a_second_run_at_once_changes_nothing(begun: Campaign) -> None:
    begun.mail("ann", "take: 2\n")
    begun.run()
    before = contents(begun.folder)
    assert begun.run() == "Nothing to do.\n"
    assert contents(begun.folder) == before


def test_a_dry_run_says_and_does_nothing(begun: Campaign) -> None:
    begun.mail("ann", "take: 2\n")
    begun.mail("bob", "take: 2\n")
    begun.run()
    before = contents(begun.folder)
    assert begun.run("--dry-run", at=FRIDAY + HOUR) == "Turn 1 is due: its deadline has passed.\n"
    assert contents(begun.folder) == before
    begun.mail("ann", "take: 3\n")
    assert "1 mail would be taken in from mail/inbox" in begun.run("--dry-run")
    assert filed(begun, 1, "ann").endswith("take: 2\n")


def test_what_a_fetch_prints_for_other_programs(begun: Campaign) -> None:
    begun.mail("ann", "take: 2\n")
    file = write(begun.folder, "mail/inbox/x.eml", "From: eve@example.net\nSubject: hello\n\nhello\n")
    os.utime(file, (begun.now.timestamp(), begun.now.timestamp()))
    shown = re.search(
        r"`kingdom mail fetch --json` prints a list, one object a message: `({.*?})`", CONTRACT.read_text()
    )
    found = json.loads(begun.run("--json", command="mail fetch"))
    assert all(list(one) == re.findall(r'"(\w+)"', shown[1]) for one in found)
    assert found == [
        {"message_id": "<1@example.org>", "from": "ann@example.org", "subject": "Orders ann 1 [...]", "kingdom": "ann", "turn": 1,
         "outcome": "accepted", "became": "filed", "reason": ""},
        {"message_id": "", "from": "eve@example.net", "subject": "hello", "kingdom": None, "turn": None,
         "outcome": "refused", "became": "refused", "reason": "Nobody in this campaign has this address."},
    ]  # fmt: skip


def test_a_folder_of_ones_own_keeps_its_mails_in_two_subfolders(begun: Campaign, tmp_path: Path) -> None:
    begun.mail("ann", "take: 2\n")
    begun.mail("bob", "takes: 2\n")
    shutil.move(begun.folder / "mail/inbox", tmp_path / "post")
    assert begun.run("--from", str(tmp_path / "post"), command="mail fetch").count("\n") == 2
    assert list(contents(tmp_path / "post")) == ["Processed/1.eml", "Refused/2.eml"]
    assert begun.run("--from", str(tmp_path / "post"), command="mail fetch") == "No new mail.\n"


def test_the_answer_to_broken_orders_is_about_the_turn_that_the_subject_names(begun: Campaign) -> None:
    begun.mail("ann", "takes: 2\n", "Orders ann 2")
    begun.run()
    (answer,) = begun.out("answer")
    assert answer["Subject"] == "[A tally] NOT filed: 1 problem" and "Nothing is filed for turn 2." in text_of(answer)


# --- deadlines


def test_what_came_in_time_counts_however_late_it_is_fetched(begun: Campaign) -> None:
    begun.mail("ann", "take: 2\n", at=FRIDAY - HOUR)
    begun.mail("bob", "take: 2\n", at=FRIDAY - HOUR)
    begun.run(at=FRIDAY + 5 * HOUR)
    assert begun.turns == 2
    assert (begun.folder / "turns/0001/orders/ann.yaml").is_file()


def test_what_came_late_does_not(begun: Campaign) -> None:
    begun.mail("bob", "take: 2\n", at=FRIDAY - HOUR)
    begun.mail("ann", "take: 2\n", at=FRIDAY + HOUR)
    said = begun.run(at=FRIDAY + 2 * HOUR)
    assert (
        "ann@example.org: refused. Orders for turn 1 came 1 hour after the deadline: on Friday 4 December 2026, 19:00 (UTC)"
        in said
    )
    assert not (begun.folder / "turns/0001/orders/ann.yaml").exists()


def test_within_the_grace_it_does(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN.replace("every: 7d", "every: 7d, grace: 2h"))
    begun.mail("ann", "take: 2\n", at=FRIDAY + HOUR)
    begun.mail("bob", "take: 2\n", at=FRIDAY + HOUR)
    begun.run(at=FRIDAY + HOUR)
    assert begun.turns == 1
    assert "You can still file orders until Friday 4 December 2026, 20:00 (UTC); they count." in text_of(
        begun.out("answer", "ann")[0]
    )
    begun.run(at=FRIDAY + 3 * HOUR)
    assert (begun.folder / "turns/0001/orders/ann.yaml").is_file()


def test_a_reminder_for_each_mark_to_who_has_nothing_filed(begun: Campaign) -> None:
    begun.mail("ann", "take: 2\n")
    begun.run()
    for hours in (49, 47, 46, 13, 11, 10):
        begun.run(at=FRIDAY - hours * HOUR)
    assert [mail["To"] for mail in begun.out("reminder")] == ["bob@example.org"] * 2


def test_a_machine_that_slept_sends_but_the_last_reminder(begun: Campaign) -> None:
    begun.run(at=FRIDAY - 2 * HOUR)
    assert [mail["To"] for mail in begun.out("reminder")] == ["ann@example.org", "bob@example.org"]


def test_a_deadline_that_moves_is_mailed_to_all_and_reminded_of_anew(begun: Campaign) -> None:
    begun.run(at=FRIDAY - 40 * HOUR)
    begun.mail("gwen", "", "extend 2d")
    begun.run(at=FRIDAY - 39 * HOUR)
    begun.run(at=FRIDAY - 38 * HOUR)
    told = begun.out("deadline-0001")
    assert [mail["To"] for mail in told] == ["ann@example.org", "bob@example.org"], "the GM has the answer"
    assert "Sunday 6 December 2026, 18:00" in text_of(told[0])
    (answer,) = begun.out("answer", "gwen")
    assert "Turn 1 is now due on Sunday 6 December 2026, 18:00 (UTC), later by 2 days." in text_of(answer)
    (file,) = [part.get_payload(decode=True) for part in answer.walk() if part.get_filename() == "deadline.ics"]
    assert b"DTEND:20261206T180000Z" in file
    begun.run(at=FRIDAY + HOUR)
    assert begun.turns == 1
    assert len(begun.out("reminder-0001-ann")) == 2


def test_a_deadline_that_moves_in_campaign_yaml_is_told_to_the_gm_too(begun: Campaign) -> None:
    begun.run()
    write(begun.folder, "campaign.yaml", CAMPAIGN.replace("2026-12-04T18:00", "2026-12-06T18:00"))
    begun.run()
    assert len(begun.out("deadline-0001", "gwen")) == 1


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("2 weeks", "Friday 18 December 2026, 18:00"), ("2 days", "Sunday 6 December 2026, 18:00"), ("1 week", "Friday 11 December 2026, 18:00"),
        ("by a week", "Friday 11 December 2026, 18:00"), ("12 hours", "Saturday 5 December 2026, 06:00"), ("2d", "Sunday 6 December 2026, 18:00"),
        ("until Friday", "Friday 11 December 2026, 18:00"), ("until Monday", "Monday 7 December 2026, 18:00"), ("to 24 Dec", "Thursday 24 December 2026, 18:00"),
    ],
)  # fmt: skip
def test_a_deadline_is_put_off_in_the_words_that_people_use(begun: Campaign, words: str, day: str) -> None:
    begun.mail("gwen", "", f"extend {words}")
    begun.run()
    assert f"Turn 1 is now due on {day}" in text_of(begun.out("answer", "gwen")[0])


@pytest.mark.parametrize(
    "words",
    [
        "0d",
        "until doomsday",
        "until 2026-12-03",
        "until 1 December",
        "until 28 November",
        "2 moons",
        "-2d",
        "2 weeks or so",
    ],
)
def test_what_is_no_length_of_time_puts_nothing_off(begun: Campaign, words: str) -> None:
    begun.mail("gwen", "", f"extend {words}")
    begun.run()
    assert "such as `2d` or `2 weeks`, or a later day" in " ".join(
        text_of(begun.out("answer", "gwen")[0]).split()
    ) and not begun.journal("put_off")


def answered(campaign: Campaign, words: str, **at: datetime) -> tuple[str, str]:
    """(subject, text) of the answer to a mail of the GM's."""
    before = set((campaign.folder / "mail/outbox").iterdir())
    campaign.mail("gwen", "", words, **at)
    campaign.run(**at)
    (new,) = [
        file for file in set((campaign.folder / "mail/outbox").iterdir()) - before if file.name.startswith("answer")
    ]
    mail = email.message_from_bytes(new.read_bytes())
    return str(mail["Subject"]), text_of(mail)


def test_the_same_day_asked_for_again_moves_nothing(begun: Campaign) -> None:
    assert "later by 5 days" in answered(begun, "extend until 9 December")[1]
    subject, said = answered(begun, "extend until 9 December")
    assert subject.startswith("[A tally] Nothing changed")
    assert "Turn 1 is due on Wednesday 9 December 2026, 18:00 (UTC) already: nothing changes." in said
    assert len(begun.journal("put_off")) == 1 and len(begun.out("deadline-0001", "ann")) == 1


@pytest.mark.parametrize("day", ["6 December", "8 December", "10 May"])
def test_a_day_without_a_year_before_the_deadline_or_months_off_is_refused_with_the_deadline(
    begun: Campaign, day: str
) -> None:
    answered(begun, "extend until 9 December")
    said = answered(begun, f"extend until {day}", at=FRIDAY + 3 * DAY)[1]
    assert "Turn 1 is due on Wednesday 9 December 2026, 18:00 (UTC)" in said and "needs its year" in said
    assert len(begun.journal("put_off")) == 1


def test_a_day_months_off_is_taken_with_its_year(begun: Campaign) -> None:
    assert "Turn 1 is now due on Monday 10 May 2027" in answered(begun, "extend until 10 May 2027")[1]


def test_the_gm_takes_delays_back_one_by_one_and_all_are_told(begun: Campaign) -> None:
    for words in ("2d", "until 24 December"):
        assert "`extend back`" in answered(begun, f"extend {words}")[1]
    for day in ("Sunday 6 December", "Friday 4 December"):
        assert f"is now due on {day} 2026, 18:00" in answered(begun, "extend back")[1]
        assert any(f"due on {day} 2026" in text_of(mail) for mail in begun.out("deadline-0001", "ann"))
    assert "later" not in begun.run(command="status") and "Moved" not in begun.run(command="status")
    assert "was not put off by mail" in answered(begun, "extend back")[1]


def test_a_delay_is_not_taken_back_when_the_deadline_before_it_is_past(begun: Campaign) -> None:
    answered(begun, "extend 2d")
    assert "which is past" in answered(begun, "extend back", at=FRIDAY + HOUR)[1]
    assert begun.turns == 1


def test_orders_in_the_same_mail_as_the_gms_word_are_not_called_missing(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_orders: hold\n")
    begun.run(at=FRIDAY + HOUR)
    begun.mail("gwen", "", "run it", at=FRIDAY + HOUR)
    begun.mail("ann", "take: 2\n", "Orders ann 1", at=FRIDAY - HOUR)
    begun.run()
    (said,) = [text_of(mail) for mail in begun.out("answer", "gwen")]
    assert (begun.folder / "turns/0001/orders/ann.yaml").is_file()
    assert "what this run does not take in either counts as missing" in said and "These count as missing" not in said


def test_a_release_in_the_shell_ends_a_hold_and_lets_a_turn_that_waits_go_on(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_orders: hold\n")
    begun.mail("gwen", "", "hold")
    assert "Turn 1 is held by the GM" in begun.run(at=FRIDAY + HOUR)
    said = " ".join(begun.run(command="release").split())
    assert "Turn 1 is no longer held. Turn 1 is due: the GM lets it go on. `kingdom run" in said
    begun.run()
    assert begun.turns == 2
    assert "Turn 2 waits for ann, bob" in begun.run(at=FRIDAY + WEEK + HOUR)
    assert "Turn 2 is due" in begun.run(command="release")
    begun.run()
    assert begun.turns == 3


def test_a_deadline_that_moves_there_and_back_is_mailed_each_time(begun: Campaign) -> None:
    begun.run()
    for deadline in ("2026-12-06T18:00", "2026-12-04T18:00"):
        write(begun.folder, "campaign.yaml", CAMPAIGN.replace("2026-12-04T18:00", deadline))
        begun.run()
    told = " ".join(text_of(mail) for mail in begun.out("deadline-0001", "ann"))
    assert "Sunday 6 December 2026" in told and "Friday 4 December 2026" in told


def test_a_day_before_the_deadline_the_gm_hears_who_is_missing(begun: Campaign) -> None:
    begun.mail("ann", "take: 2\n")
    begun.run(at=FRIDAY - 23 * HOUR)
    begun.run(at=FRIDAY - 22 * HOUR)
    (digest,) = begun.out("digest")
    assert "Nothing is filed yet for Bob (bob)." in text_of(digest)


# --- when a turn waits


def test_with_most_players_silent_the_turn_waits_and_the_gm_is_told_once(begun: Campaign) -> None:
    for hours in (1, 2, 3):
        assert "2 of 2 players filed nothing" in begun.run(at=FRIDAY + hours * HOUR)
    assert begun.turns == 1
    assert len(begun.out("news")) == 1


def test_while_it_waits_the_silent_may_still_file(begun: Campaign) -> None:
    begun.run(at=FRIDAY + HOUR)
    begun.mail("ann", "", "status", at=FRIDAY + HOUR)
    begun.run(at=FRIDAY + 2 * HOUR)
    status = text_of(begun.out("answer", "ann")[0])
    assert "You can still file orders: turn 1 waits for players who filed nothing." in status
    begun.mail("ann", "take: 2\n", at=FRIDAY + 2 * HOUR)
    said = begun.run(at=FRIDAY + 3 * HOUR)
    assert "filed" in said and "its deadline has passed" in said
    assert (begun.folder / "turns/0001/orders/ann.yaml").is_file()


def test_after_late_reports_orders_count_as_long_as_the_turn_would_wait_though_no_run_said_so(begun: Campaign) -> None:
    """A machine that slept: its first run after the time that the reports promised finds the mails of all who filed nothing."""
    begun.run(at=FRIDAY + HOUR)
    begun.mail("gwen", "", "run it", at=FRIDAY + 7 * DAY)
    begun.run(at=FRIDAY + 7 * DAY)  # the reports of turn 1 promise time until 15 December
    for name in ("ann", "bob"):
        begun.mail(name, "take: 1\n", "Orders " + name + " 2", at=FRIDAY + 12 * DAY)
    said = begun.run(at=FRIDAY + 12 * DAY + HOUR)
    assert said.count("filed") == 2 and begun.turns == 3
    assert sorted(file.name for file in (begun.folder / "turns/0002/orders").iterdir()) == ["ann.yaml", "bob.yaml"]


def test_who_has_filed_may_not_change_it_after_that_time(begun: Campaign) -> None:
    begun.run(at=FRIDAY + HOUR)
    begun.mail("gwen", "", "run it", at=FRIDAY + 7 * DAY)
    begun.run(at=FRIDAY + 7 * DAY)
    begun.mail("ann", "take: 1\n", "Orders ann 2", at=FRIDAY + 8 * DAY)
    begun.mail("ann", "take: 2\n", "Orders ann 2", at=FRIDAY + 12 * DAY)
    assert "after the deadline" in begun.run(at=FRIDAY + 12 * DAY + HOUR)
    assert "take: 1" in (begun.folder / "turns/0002/orders/ann.yaml").read_text()


def test_players_hear_once_that_a_turn_is_held_and_may_file_after_its_deadline(begun: Campaign) -> None:
    begun.mail("gwen", "", "hold")
    for hours in (-30, -29, 1, 2):
        begun.run(at=FRIDAY + hours * HOUR)
    told = begun.out("hold")
    assert [mail["To"] for mail in told] == ["ann@example.org", "bob@example.org"]
    assert told[0]["Subject"] == "[A tally] Turn 1 is held" and "after the deadline too" in text_of(told[0])
    begun.mail("ann", "", "status", at=FRIDAY + 2 * HOUR)
    begun.mail("ann", "take: 2\n", at=FRIDAY + 2 * HOUR)
    begun.run()
    answers = [text_of(mail) for mail in begun.out("answer", "ann")]
    assert len(answers) == 2 and all("You can still file orders: the GM holds turn 1." in text for text in answers)
    assert "take: 2" in filed(begun, 1, "ann") and begun.turns == 1


def test_a_hold_that_ended_in_the_same_run_is_told_to_nobody(begun: Campaign) -> None:
    begun.mail("gwen", "", "hold")
    begun.mail("gwen", "", "release")
    begun.run()
    assert begun.out("hold") == []


def test_who_gets_the_reports_after_the_next_deadline_may_file_for_half_the_usual_time(begun: Campaign) -> None:
    begun.mail("ann", "take: 1\n")
    begun.mail("bob", "take: 1\n")
    slept = FRIDAY + WEEK + HOUR
    begun.run(at=slept)
    assert begun.turns == 2
    (report,) = begun.out("report-0001", "ann")
    said = "You can still file orders until Tuesday 15 December 2026, 07:00 (UTC): the reports before turn 2 went out late."
    assert said in text_of(report) and "11 December" not in text_of(report), "one moment, and no other beside it"
    begun.mail("ann", "take: 2\n", at=slept + HOUR)
    begun.run(at=slept + 2 * HOUR)
    assert "take: 2" in filed(begun, 2, "ann") and any(said in text_of(mail) for mail in begun.out("answer", "ann"))
    assert "waits until Tuesday 15 December 2026, 07:00 (UTC): the reports" in " ".join(map(text_of, begun.out("news")))


def test_held_and_released_by_mail(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_limit: 1\n")
    begun.mail("gwen", "", "hold")
    assert "Turn 1 is held by the GM" in begun.run(at=FRIDAY + HOUR)
    begun.mail("gwen", "", "release", at=FRIDAY + 2 * HOUR)
    begun.run(at=FRIDAY + 2 * HOUR)
    assert begun.turns == 2


@pytest.mark.parametrize("word", ["release", "run it"])
def test_a_turn_that_waits_for_the_silent_goes_on_by_a_word_of_the_gm(begun: Campaign, word: str) -> None:
    begun.mail("ann", "take: 2\n")
    begun.mail("gwen", "", "release")  # before the deadline it is about what waits then
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_orders: hold\n")
    assert "Turn 1 waits for bob" in begun.run(at=FRIDAY + HOUR)
    begun.mail("gwen", "", word, at=FRIDAY + 2 * HOUR)
    said = begun.run(at=FRIDAY + 2 * HOUR)
    assert "the GM lets it go on" in said and begun.turns == 2
    assert "Turn 2 waits for ann, bob" in begun.run(at=FRIDAY + WEEK + HOUR), "the word was for that turn alone"


def test_no_word_of_the_gm_runs_a_turn_before_its_deadline(begun: Campaign) -> None:
    for word in ("release", "run it", "skip ann", "skip bob"):
        begun.mail("gwen", "", word)
    begun.run(at=FRIDAY - HOUR)
    assert begun.turns == 1


def test_a_first_deadline_soon_after_the_start_is_no_delay(tally: Campaign) -> None:
    """The GM chose it; only a first report that comes after it gives time."""
    write(tally.folder, "campaign.yaml", CAMPAIGN + "missing_limit: 1\n")
    tally.run(at=FRIDAY - DAY)
    assert "went out late" not in text_of(tally.out("report-0000", "ann")[0])
    tally.run(at=FRIDAY + HOUR)
    assert tally.turns == 2


def test_after_late_reports_no_skip_is_offered_for_it_would_shorten_nothing(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_limit: 1\n")
    begun.run(at=FRIDAY + 6 * DAY)  # a machine that slept: the reports of turn 1 go out a day before the next deadline
    begun.run(at=FRIDAY + 7 * DAY + HOUR)
    (news,) = [text_of(mail) for mail in begun.out("news") if "went out late" in text_of(mail)]
    assert "run it" in news and "skip" not in news and "skip" not in begun.run(command="status")


@pytest.mark.parametrize("more", ["", "missing_orders: hold\n", "missing_limit: 0\n"])
def test_who_is_away_is_neither_reminded_nor_missing_nor_waited_for(begun: Campaign, more: str) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + more)
    begun.mail("ann", "", "away 1")
    begun.mail("bob", "take: 1\n")
    begun.run()
    begun.run(at=FRIDAY - 10 * HOUR)
    assert not begun.out("reminder") and "All who are not away have filed." in text_of(begun.out("digest")[0])
    assert begun.run(at=FRIDAY + HOUR) == "Turn 1 is due: its deadline has passed.\n"
    assert "No orders came" not in text_of(begun.out("report-0001", "gwen")[0])
    begun.run(at=FRIDAY + WEEK - HOUR)
    assert [mail["To"] for mail in begun.out("reminder-0002")] == ["ann@example.org", "bob@example.org"], "back again"


def test_where_all_but_the_silent_are_away_the_turn_waits_for_them(begun: Campaign) -> None:
    begun.mail("ann", "", "away 1")
    begun.run()
    assert "1 of 1 players filed nothing (bob)" in begun.run(at=FRIDAY + HOUR)
    assert "skip ann" not in text_of(begun.out("news")[-1])
    begun.mail("ann", "take: 1\n", at=FRIDAY + 2 * HOUR)
    begun.run(at=FRIDAY + 2 * HOUR)
    assert filed(begun, 1, "ann"), "who comes back while it waits may file"


def test_a_seat_that_the_gm_skips_is_not_waited_for_and_its_orders_count_all_the_same(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_orders: hold\n")
    begun.mail("gwen", "", "skip bob")
    begun.mail("bob", "take: 2\n")
    assert "Turn 1 waits for ann (" in begun.run(at=FRIDAY + HOUR)
    begun.mail("gwen", "", "skip Ann", at=FRIDAY + 2 * HOUR)
    begun.run(at=FRIDAY + 2 * HOUR)
    assert begun.turns == 2 and (begun.folder / "turns/0001/orders/bob.yaml").is_file()


def test_a_word_about_a_turn_that_was_taken_back_is_none_about_its_next_attempt(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_orders: hold\n")
    begun.mail("gwen", "", "run it", at=FRIDAY + HOUR)
    begun.run(at=FRIDAY + HOUR)
    assert begun.turns == 2
    begun.run("--reopen", command="undo")
    assert "Turn 1 waits for ann, bob" in begun.run(at=FRIDAY + 2 * HOUR)


def test_orders_that_missed_a_turn_by_minutes_are_late_and_those_by_days_are_for_a_past_turn(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_limit: 1\n")
    begun.run(at=FRIDAY + HOUR / 6)
    begun.mail("ann", "take: 2\n", "Orders ann 1", at=FRIDAY + HOUR / 15)
    begun.mail("bob", "take: 2\n", "Orders bob 1", at=FRIDAY + 2 * DAY)
    said = begun.run(at=FRIDAY + 2 * DAY)
    assert "Orders for turn 1 came 4 minutes after the deadline" in said and "Turn 1 is resolved already." in said


def test_when_all_is_final_it_runs_early_if_the_campaign_says_so(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN.replace("every: 7d", "every: 7d, early: true"))
    begun.mail("ann", "take: 2\nfinal: true\n")
    begun.run()
    assert begun.turns == 1
    begun.mail("bob", "take: 2\nfinal: true\n")
    assert "all orders are final" in begun.run()
    assert begun.turns == 2


ONE_BY_ONE = """\
name: One by one
game: kings_progress
seed: public, this is a test
public_seed: true
rules: {pace: strict}
gm: {name: Gwen, email: gwen@example.org}
players:
  ann: {name: Ann, email: ann@example.org, token: aaaa1}
  bob: {name: Bob, email: bob@example.org, token: bbbb1}
  cid: {bot: random}
calendar: {deadline: 2026-12-04T18:00, zone: UTC, every: 7d, remind: [48h], early: true}
"""


@pytest.fixture
def one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Campaign:
    """A board game in which one seat after the other decides, ann first, then bob, then a bot."""
    folder = tmp_path / "one_by_one"
    write(folder, "campaign.yaml", ONE_BY_ONE)
    write(folder, "table.yaml", "clockwise: [ann, bob, cid]\nfirst_chancellor: ann\n")
    for seat in ("ann", "bob", "cid"):
        write(folder, f"kingdoms/{seat}.yaml", f"name: {seat.title()}\n")
    campaign = Campaign(folder, monkeypatch, capsys)
    campaign.run()
    return campaign


def test_of_a_turn_for_one_seat_no_other_is_reminded_or_missed(one_by_one: Campaign) -> None:
    one_by_one.run(at=FRIDAY - 47 * HOUR)
    one_by_one.run(at=FRIDAY - 23 * HOUR)
    assert [mail["To"] for mail in one_by_one.out("reminder")] == ["ann@example.org"]
    (digest,) = one_by_one.out("digest")
    assert "Nothing is filed yet for Ann." in text_of(digest)


def test_who_asks_for_the_status_hears_whom_the_turn_is_for(one_by_one: Campaign) -> None:
    one_by_one.mail("bob", "", "status")
    one_by_one.run()
    (answer,) = one_by_one.out("answer")
    assert "Ann nothing filed yet Bob, you not asked in this turn Cid not asked in this turn" in text_of(answer)


def test_of_a_turn_for_one_seat_it_is_enough_that_this_one_is_done(one_by_one: Campaign) -> None:
    file_orders(one_by_one.folder, 1, "bob", "final: true\n")
    one_by_one.run()
    assert one_by_one.turns == 1
    file_orders(one_by_one.folder, 1, "ann", "final: true\n")
    assert "all orders are final" in one_by_one.run() and one_by_one.turns == 2


def test_a_turn_for_a_bot_alone_waits_for_nobody(one_by_one: Campaign) -> None:
    for turn, seat in ((1, "ann"), (2, "bob")):
        file_orders(one_by_one.folder, turn, seat, "final: true\n")
        one_by_one.run()
    assert "all orders are final" in one_by_one.run()
    assert one_by_one.turns == 4


def test_one_silent_seat_is_not_most_of_the_players_though_the_turn_is_for_it_alone(one_by_one: Campaign) -> None:
    assert "its deadline has passed" in one_by_one.run(at=FRIDAY + HOUR)
    assert one_by_one.turns == 2


def test_a_machine_that_slept_through_three_deadlines_runs_one_turn_and_waits(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_limit: 1\n")
    slept = FRIDAY + 3 * WEEK
    begun.run(at=slept)
    assert begun.turns == 2
    assert "players need time" in begun.run(at=slept + HOUR)
    assert begun.turns == 2
    begun.run(at=slept + 4 * DAY)
    assert begun.turns == 3


def test_a_broken_file_counts_as_missing_and_the_gm_is_told(begun: Campaign) -> None:
    begun.mail("ann", "take: 2\n")
    begun.run()
    write(begun.folder, "orders/0001/bob.yaml", "kingdom: bob\nturn: 1\ntakes: 2\n")
    begun.run(at=FRIDAY + HOUR)
    assert begun.turns == 2
    assert not (begun.folder / "turns/0001/orders/bob.yaml").exists()
    assert "`takes` is not a key here. Did you mean `take`?" in text_of(begun.out("news")[0])


def test_a_broken_campaign_is_told_to_the_gm_once_and_nothing_is_done(
    begun: Campaign, capsys: pytest.CaptureFixture[str]
) -> None:
    state = begun.folder / "turns/0000/state.json"
    state.write_bytes(state.read_bytes() + b" ")
    for hours in (1, 2):
        begun.now = FRIDAY + hours * HOUR
        assert main(["run", str(begun.folder)]) == 1
        assert "not as it was kept" in capsys.readouterr().err
    assert len(begun.out("fails")) == 1 and begun.turns == 1


def test_a_message_that_the_program_fails_over_stops_no_other_and_its_sender_hears_of_it(
    begun: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kingdom.mail.reading import parts

    read = parts.read
    monkeypatch.setattr(parts, "read", lambda data: 1 / 0 if b"take: 7" in data else read(data))
    begun.mail("ann", "take: 7\n")
    begun.mail("bob", "take: 1\n")
    said = begun.run()
    assert "ann@example.org: refused. The program failed over this message" in said and "bob@example.org: filed" in said
    (warning,) = begun.out("warning")
    assert (
        warning["To"] == "ann@example.org"
        and "is kept" in text_of(warning)
        and "ZeroDivisionError" not in text_of(warning)
    )
    assert "ZeroDivisionError" in str(begun.journal("handled")[0]["error"])


def test_a_mail_that_is_refused_for_good_is_told_to_the_gm_once_and_stands_in_status(
    begun: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kingdom.mail.servers import smtp

    (mail,) = [entry["mail"] for entry in begun.journal("queued") if entry["kingdom"] == "ann"]

    def send(campaign: object, journal: Journal, now: datetime, calls: object) -> smtp.Sent:
        dropped = [mail] if journal.mails[mail]["fate"] == "waits" else []
        journal.add_all(
            "dropped", now, [{"mail": one, "code": 550, "text": "no such user", "tries": 1} for one in dropped]
        )
        return smtp.Sent([], [], dropped, [])

    monkeypatch.setattr(smtp, "send", send)
    server = "mail: {address: orders@tally.example, smtp: {host: localhost, port: 25, tls: none}}\n"
    write(begun.folder, "campaign.yaml", CAMPAIGN + server)
    for _ in range(2):
        begun.run()
    (told,) = begun.out("news")
    assert told["To"] == "gwen@example.org" and "no such user" in text_of(told)
    assert "The report of turn 0 for Ann (ann) to ann@example.org was refused for good." in text_of(told)
    assert "refused for good: no such user" in " ".join(begun.run(command="status").split())


# --- turns that are taken back, and corrected


def test_undo_drops_the_reports_that_were_not_sent(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN + "missing_limit: 1\n")
    begun.run(at=FRIDAY + HOUR)
    assert len(begun.out("report-0001")) == 3
    begun.run(command="undo")
    assert begun.out("report-0001") == []
    begun.run(at=FRIDAY + 2 * HOUR)
    assert len(begun.out("report-0001")) == 3


@pytest.mark.parametrize("words", [(), ("--reopen",)])
def test_undo_says_that_the_next_run_plays_the_turn_again_and_how_to_have_time(
    begun: Campaign, words: tuple[str, ...]
) -> None:
    for name in ("ann", "bob"):
        begun.mail(name, "take: 1\n")
    begun.run(at=FRIDAY + HOUR)
    said = " ".join(begun.run(*words, command="undo").split())
    assert "Its deadline has passed, so the " in said and "send `hold`" in said
    first = "first `kingdom run` after you forwarded these mails and took them out of mail/outbox plays it again."
    assert (first if words else "next `kingdom run` plays it again.") in said
    settings = begun.folder / "campaign.yaml"
    more = said.partition("write `")[2].partition("`")[0]
    settings.write_text(CAMPAIGN.replace("every: 7d", f"every: 7d, {more}"))
    assert begun.turns == 1 and "Turn 1 is due" not in begun.run() and begun.turns == 1


@pytest.mark.parametrize("words", [(), ("--reopen",)])
def test_undo_before_the_deadline_says_when_the_turn_is_played_again(begun: Campaign, words: tuple[str, ...]) -> None:
    begun.run("--yes", command="turn")
    said = " ".join(begun.run(*words, command="undo").split())
    assert "The first `kingdom run` after Friday 4 December 2026, 18:00 (UTC) plays it." in said
    assert "hold" not in said, "nothing is in a hurry"


def test_a_turn_that_is_played_again_as_filed_waits_for_nobody_and_an_open_one_for_who_got_late_reports(
    begun: Campaign,
) -> None:
    begun.run("--yes", at=FRIDAY + 6 * DAY, command="turn")
    begun.run()  # late reports: players have half a week with them
    begun.run("--yes", command="turn")
    begun.run()
    assert "after Friday 11 December 2026, 18:00 (UTC) plays it." in " ".join(begun.run(command="undo").split())
    said = " ".join(begun.run("--reopen", command="undo").split())
    assert "The first `kingdom run` after Monday 14 December 2026, 06:00 (UTC) plays it." in said
    for mail in (begun.folder / "mail/outbox").glob("reopened-*"):
        mail.unlink()
    begun.run("--yes", command="turn")
    begun.run()
    begun.run(command="undo")
    begun.run(at=FRIDAY + WEEK + HOUR)
    assert begun.turns == 3, "nobody can file for it, though nobody has"


def test_undo_says_that_the_next_run_plays_a_turn_again_for_which_all_orders_are_final(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN.replace("every: 7d", "every: 7d, early: true"))
    for name in ("ann", "bob"):
        begun.mail(name, "take: 1\nfinal: true\n")
    begun.run()
    assert begun.turns == 2
    said = " ".join(begun.run(command="undo").split())
    assert (
        "All orders for it are final, so the next `kingdom run` plays it again. For more time send `hold` to the campaign by mail before that."
        in said
    )
    begun.run()
    assert begun.turns == 2 and not begun.out("undone")


def test_who_has_the_report_of_a_turn_that_is_taken_back_hears_of_it_once(begun: Campaign) -> None:
    begun.run("--yes", command="turn")
    begun.run()
    begun.forward("report-0001")
    begun.run(command="undo")
    begun.run()
    begun.run()
    told = begun.out("undone-0001")
    assert [mail["To"] for mail in told] == ["ann@example.org", "bob@example.org"]
    said = " ".join(text_of(told[0]).split())
    assert (
        told[0]["Subject"] == "[A tally] Turn 1 is taken back"
        and "the report of it that you have no longer counts" in said
    )
    assert (
        "It is played again at its deadline, Friday 4 December 2026, 18:00 (UTC), with the orders that you sent" in said
    )
    begun.run("--reopen", command="undo")
    begun.run()
    assert not begun.out("undone-0001") and len(begun.out("reopened-0001")) == 3, "what is no longer so is withdrawn"


def test_nobody_hears_that_a_turn_is_taken_back_which_is_played_again_at_once_or_whose_reports_waited(
    begun: Campaign,
) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN.replace("every: 7d", "every: 7d, review: 12h") + "missing_limit: 1\n")
    begun.run(at=FRIDAY + HOUR)  # the reports wait for the GM
    begun.run(command="undo")
    assert not begun.out("undone"), "nobody has its report"
    begun.run(at=FRIDAY + 2 * HOUR)
    begun.run(at=FRIDAY + 20 * HOUR)
    begun.forward("report-0001")
    begun.run(command="undo")
    begun.run(command="turn")
    begun.run(at=FRIDAY + 21 * HOUR)
    assert not begun.out("undone")


def test_who_has_an_earlier_report_of_a_corrected_turn_that_is_taken_back_hears_of_it_once(begun: Campaign) -> None:
    begun.mail("ann", "take: 5\n")
    begun.run()
    begun.run("--yes", command="turn")
    begun.run()
    begun.forward("report-0001")
    write(
        begun.folder,
        "campaign.yaml",
        CAMPAIGN.replace("every: 7d", "every: 7d, review: 12h") + "rules: {take: {most: 2}}\n",
    )
    begun.run("--yes", command="redo")
    begun.run()  # the corrected ones wait for the GM
    begun.run(command="undo")
    told = ["undone-0001-ann-2", "undone-0001-bob-2"]
    assert [line["mail"] for line in begun.journal("queued") if "undone" in str(line["mail"])] == told
    for mail in told:
        Journal(begun.folder / "mail").add("sent", begun.now, mail=mail)
    begun.run("--yes", command="turn")
    begun.run()  # again they wait
    begun.run(command="undo")
    assert len([line for line in begun.journal("queued") if "undone" in str(line["mail"])]) == 2


def test_who_has_the_report_of_a_turn_with_a_welcome_hears_that_it_is_taken_back(begun: Campaign) -> None:
    begun.run("--yes", command="turn")
    begun.run("ann", "ann@example.net", command="invite")
    begun.run()
    assert len(begun.out("welcome-ann")) == 1 and not begun.out("report-0001-ann"), "the welcome brings the report"
    begun.forward()
    begun.run(command="undo")
    assert [mail["To"] for mail in begun.out("undone-0001")] == ["ann@example.net", "bob@example.org"]
    begun.run("--yes", command="turn")
    begun.run()
    (report,) = begun.out("report-0001-ann")
    assert report["Subject"] == "[A tally] Corrected report of turn 1"


def test_a_command_in_a_mail_names_the_folder_as_it_is_typed(tmp_path: Path, begun: Campaign) -> None:
    spaced = begun.folder.rename(tmp_path / "The March")
    begun.folder = spaced
    begun.run("--yes", command="turn")
    said = begun.run(command="undo")
    assert f"`kingdom undo '{spaced}' --reopen` opens it" in " ".join(said.split())


def test_what_comes_for_a_turn_that_was_taken_back_is_filed_once_the_gm_has_opened_it(begun: Campaign) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN.replace("[48h, 12h]", "[24h]"))
    begun.mail("bob", "take: 1\n")
    begun.run()
    begun.run("--yes", command="turn")
    begun.run(command="undo")
    begun.mail("ann", "take: 2\n")
    begun.run(at=FRIDAY - 20 * HOUR)
    assert not begun.out("reminder"), "nobody is asked for orders that would be refused"
    cure = re.search(r"To take them: `kingdom (undo \S+ --reopen)`, then `(accept \d+)`", text_of(begun.out("news")[0]))
    assert cure is not None
    begun.mail("gwen", "", cure[2])
    begun.run()
    assert f"`kingdom {cure[1]}` first" in text_of(begun.out("answer", "gwen")[0]) and not filed(begun, 1, "ann")
    assert main(cure[1].split()) == 0
    begun.mail("gwen", "", cure[2])
    begun.run()
    for file in (begun.folder / "mail" / "outbox").iterdir():
        file.unlink()  # forwarded
    begun.run(at=FRIDAY + HOUR)
    assert "take: 2" in (begun.folder / "turns/0001/orders/ann.yaml").read_text()


@pytest.fixture
def in_newfoundland(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose clock is set to a zone of its own."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "America/St_Johns")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("in_newfoundland")
def test_in_a_log_each_run_begins_with_its_date_and_the_zone(
    begun: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "march.log"
    for hours in (0, 1):
        begun.now = FRIDAY - 4 * DAY + hours * HOUR
        with log.open("a") as stream, monkeypatch.context() as patch:
            patch.setattr("sys.stdout", stream)
            assert main(["run", str(begun.folder)]) == 0
    first, _, second, said = log.read_text().splitlines()
    assert [first, second] == [f"Monday 30 November 2026, {at} (UTC-03:30):" for at in ("14:30", "15:30")]
    assert said == "Nothing to do."
    assert "2026" not in begun.run(), "where a program or a person reads it"


@pytest.mark.parametrize("review", ["0h", "12h"])
def test_a_turn_that_is_reopened_is_told_with_its_new_commitments(begun: Campaign, review: str) -> None:
    write(begun.folder, "campaign.yaml", CAMPAIGN.replace("7d,", f"7d, review: {review},") + "missing_limit: 1\n")
    begun.run(at=FRIDAY + HOUR)
    begun.forward()
    begun.run("--reopen", command="undo")
    told = begun.out("reopened-0001")
    assert [mail["To"] for mail in told] == ["ann@example.org", "bob@example.org", "gwen@example.org"]
    assert re.search(r"ann: [0-9a-f]{64}", text_of(told[0]))
    assert ("The report of it that you have no longer counts." in text_of(told[0])) == (review == "0h")


def test_the_start_that_is_taken_back_asks_for_no_orders(begun: Campaign) -> None:
    begun.forward()
    said = begun.run(command="undo") + text_of(begun.out("undone-0000")[0])
    assert "`kingdom turn` makes it again from the campaign's files" in said and "It is made again soon" in said
    said += begun.run("--reopen", command="undo") + text_of(begun.out("reopened-0000")[0])
    assert "Turn 0 was taken back and is made again, with new dice: attempt 2." in said
    assert "orders" not in said and "holds" not in said


def test_a_corrected_report_is_sent_and_says_so(begun: Campaign) -> None:
    begun.mail("ann", "take: 5\n")
    begun.mail("bob", "take: 1\n")
    begun.run()
    begun.run(at=FRIDAY + HOUR)
    begun.forward()
    write(begun.folder, "campaign.yaml", CAMPAIGN + "rules: {take: {most: 2}}\n")
    begun.run("--yes", command="redo")
    begun.run(at=FRIDAY + 2 * HOUR)
    corrected = [mail for mail in begun.out("report-0001", "ann") if "corrects an earlier one" in text_of(mail)]
    assert len(corrected) == 1


@pytest.mark.parametrize("how", ["waits", "is released", "is forwarded", "goes out unreleased", "is carried too early"])
def test_a_report_that_a_person_carries_was_read_once_it_is_taken_out(begun: Campaign, how: str) -> None:
    more = CAMPAIGN.replace("every: 7d", "every: 7d, review: 12h") + "missing_limit: 1\n"
    write(begun.folder, "campaign.yaml", more)
    begun.mail("ann", "take: 5\n")
    begun.run()
    begun.run(at=FRIDAY + HOUR)
    if how in ("is released", "is forwarded"):
        begun.run(command="release")
    elif how == "goes out unreleased":
        begun.run(at=begun.now + 13 * HOUR)
    if how in ("is forwarded", "goes out unreleased"):
        begun.forward("report-0001")
    elif how == "is carried too early":
        for file in (begun.folder / "mail/review").glob("report-0001*"):
            file.unlink()
    write(begun.folder, "campaign.yaml", more + "rules: {take: {most: 2}}\n")
    begun.run("--yes", command="redo")
    assert not begun.out("report-0001"), "nobody forwards the old ones by mistake"
    begun.run()
    begun.run(command="release")
    (report,) = begun.out("report-0001", "ann")
    title = "Report" if how in ("waits", "is released") else "Corrected report"
    assert report["Subject"] == f"[A tally] {title} of turn 1"


# --- killed


def finished(campaign: Campaign, at: datetime) -> dict[str, object]:
    """What it all came to once a run came to its end: turns, filings, the mails that went out, each message's fate."""
    campaign.run(at=at)
    there = contents(campaign.folder)
    return {
        "turns": {name: data for name, data in there.items() if name.startswith(("turns/", "orders/"))},
        "out": [name for name in there if name.startswith("mail/outbox/")],
        "fates": sorted((entry["message"], entry["outcome"]) for entry in campaign.journal("handled")),
        "queued": sorted(entry["mail"] for entry in campaign.journal("queued")),
        "inbox": [name for name in there if name.startswith(("mail/inbox/", "mail/refused/"))],
    }


@pytest.mark.parametrize("step", [97, pytest.param(1, marks=pytest.mark.long)], ids=["one call in 97", "every call"])
def test_killed_at_any_file_system_call_nothing_is_lost_and_nothing_done_twice(
    begun: Campaign, tmp_path: Path, step: int
) -> None:
    begun.mail("ann", "take: 2\n", at=FRIDAY - HOUR)
    begun.mail("bob", "takes: 2\n", at=FRIDAY - HOUR)
    begun.mail("ann", "", "status", at=FRIDAY - HOUR)
    expected = _killed_anywhere(begun, tmp_path, FRIDAY + HOUR, step)
    assert len(expected["fates"]) == 3 and any("report-0001-ann" in name for name in expected["out"])


@pytest.mark.parametrize("step", [53, pytest.param(1, marks=pytest.mark.long)], ids=["one call in 53", "every call"])
def test_killed_at_any_call_a_withdrawal_and_what_the_gm_accepts_come_to_the_same(
    begun: Campaign, tmp_path: Path, step: int
) -> None:
    begun.mail("bob", "take: 2\n")
    begun.mail("ann", "takes: 2\n")
    begun.run()
    refused = next(entry for entry in begun.journal("handled") if entry["outcome"] == "refused")
    kept = next((begun.folder / "mail/refused").glob("*.eml"))
    kept.write_bytes(kept.read_bytes().replace(b"takes:", b"take:"))
    assert refused["from"] == "ann@example.org"
    begun.mail("bob", "", "withdraw", at=FRIDAY - HOUR)
    begun.mail("gwen", "", "accept 1", at=FRIDAY - HOUR)
    expected = _killed_anywhere(begun, tmp_path, FRIDAY - HOUR, step)
    assert any("answer-" in name for name in expected["out"]) and list(expected["turns"]) != []


def _killed_anywhere(begun: Campaign, tmp_path: Path, due: datetime, step: int) -> dict[str, object]:
    """What a run comes to, the same wherever it was killed before."""
    before, whole = begun.folder, tmp_path / "whole"
    shutil.copytree(before, whole)
    begun.folder = whole
    with pytest.MonkeyPatch.context() as patch:
        calls = Calls(patch, whole, CALLS, at=0)
        expected = finished(begun, due)
    for number in range(1, calls.count + 1, step):
        begun.folder = tmp_path / f"killed-{number}"
        shutil.copytree(before, begun.folder)
        begun.now = due
        with pytest.MonkeyPatch.context() as patch:
            Calls(patch, begun.folder, CALLS, at=number)
            with suppress(Killed):
                main(["run", str(begun.folder)])
        assert finished(begun, due) == expected, f"killed at call {number} of {calls.count}"
        shutil.rmtree(begun.folder)
    return expected


def test_there_is_a_place_to_drop_mail_into(tally: Campaign) -> None:
    tally.run()
    assert (tally.folder / "mail/inbox").is_dir()


def test_who_is_done_with_a_castle_that_others_still_play_is_known_to_the_gm_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "castles"
    told = ONE_BY_ONE.replace("kings_progress", "cardinals_guards").replace("rules: {pace: strict}\n", "")
    write(folder, "campaign.yaml", told.replace("gwen@example.org", "gwen@example.org, token: gggg1"))
    for seat in ("ann", "bob", "cid"):
        write(folder, f"kingdoms/{seat}.yaml", f"name: {seat.title()}\n")
    castles = Campaign(folder, monkeypatch, capsys)
    castles.run()
    file_orders(folder, 1, "ann", "finish: true\n")
    castles.run("--yes", command="turn")
    for sender in ("bob", "gwen"):
        castles.mail(sender, "", "status")
    castles.run()
    said = {mail["To"]: text_of(mail) for mail in castles.out("answer")}
    assert "Ann nothing filed yet Bob, you nothing filed yet" in said["bob@example.org"]
    assert "Ann not asked in this turn Bob nothing filed yet" in said["gwen@example.org"]


# --- a full disk


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Fill the disk or make room: while it is full, nothing new can be written."""
    opened, full = os.open, [False]

    def open_or_not(path: object, flags: int, *rest: int, **more: int) -> int:
        if full[0] and flags & os.O_CREAT and ".kingdom.lock" not in str(path):
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, flags, *rest, **more)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(os, "open", open_or_not)
    return lambda is_full: full.__setitem__(0, is_full)


def test_a_full_disk_is_told_once_a_day_and_loses_nothing(
    begun: Campaign, full_disk: Callable[[bool], None], tmp_path: Path
) -> None:
    settings = begun.folder / "campaign.yaml"
    settings.write_text(f"{settings.read_text()}alert: tee -a {tmp_path}/alerts\n")
    begun.run()
    size = (begun.folder / "mail/journal.jsonl").stat().st_size
    begun.mail("ann", "take: 2\n")
    full_disk(True)
    for _ in range(3):
        begun.capsys.readouterr()
        assert main(["run", str(begun.folder)]) == 1
        assert "No space left on device" in begun.capsys.readouterr().err
    told = (tmp_path / "alerts").read_text()
    assert told.count("No space left on device") == 1 and told.startswith("A tally: "), told
    begun.now += DAY
    assert main(["run", str(begun.folder)]) == 1
    assert (tmp_path / "alerts").read_text().count("No space left on device") == 2
    assert (begun.folder / "mail/journal.jsonl").stat().st_size == size
    full_disk(False)
    assert "filed" in begun.run() and len(begun.out("answer", "ann")) == 1


def test_a_disk_that_is_nearly_full_is_told_by_status(begun: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "The disk of the campaign" not in begun.run(command="status")
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=40_900_000))
    said = " ".join(begun.run(command="status").split())
    assert "The disk of the campaign has only 40 MB left. Make room" in said
    begun.now = FRIDAY - 20 * HOUR
    begun.run()
    (digest,) = begun.out("digest")
    assert "only 40 MB left" in text_of(digest)


# --- files that somebody put there by hand


def test_a_mail_that_came_days_after_a_file_was_put_there_by_hand_is_newer(begun: Campaign) -> None:
    file_orders(begun.folder, 1, "ann", "take: 3\n")
    begun.run()
    begun.now += DAY
    begun.mail("ann", "take: 1\n")
    assert "filed" in begun.run()
    assert "take: 1" in filed(begun, 1, "ann")
    begun.mail("ann", "take: 2\n")
    file_orders(begun.folder, 1, "ann", "take: 5\n")
    assert "refused. A newer filing" in begun.run(), "that file was put there after the mail was written"


# --- what the GM looks through first


@pytest.mark.parametrize("subject", ["report again", "report 1", "form", "map"])
def test_nothing_of_a_turn_is_told_before_its_reports_are_released(begun: Campaign, subject: str) -> None:
    settings = begun.folder / "campaign.yaml"
    settings.write_text(settings.read_text().replace("every: 7d", "every: 7d, review: 12h"))
    begun.mail("ann", "take: 2\n")
    begun.mail("bob", "take: 1\n")
    begun.run(at=FRIDAY + HOUR)
    before = {mail["Message-ID"] for mail in begun.out("answer")}
    begun.mail("ann", "", subject)
    begun.mail("ann", "take: 3\n")
    begun.run()
    asked, ordered = sorted(text_of(mail) for mail in begun.out("answer") if mail["Message-ID"] not in before)[::-1]
    assert asked.startswith("Not done. The report of turn 1 is not out yet: the GM looks through the reports first."), (
        asked
    )
    assert "What becomes of them is told once the report of the last turn is out" in ordered
    assert "Coins" not in ordered, ordered
    begun.mail("gwen", "", "release")
    begun.run()
    before = {mail["Message-ID"] for mail in begun.out("answer")}
    begun.mail("ann", "", "report again")
    begun.run()
    (released,) = [text_of(mail) for mail in begun.out("answer") if mail["Message-ID"] not in before]
    assert "The report of turn 1 is attached." in released
    begun.mail("ann", "take: 1\n")
    begun.run()
    assert any("Coins" in text_of(mail) and "Filed for turn 2" in text_of(mail) for mail in begun.out("answer", "ann"))


def test_a_release_that_lets_a_held_turn_go_on_does_not_send_its_reports(begun: Campaign) -> None:
    settings = begun.folder / "campaign.yaml"
    settings.write_text(settings.read_text().replace("every: 7d", "every: 7d, review: 12h"))
    begun.mail("gwen", "", "hold")
    begun.mail("ann", "take: 2\n")
    begun.mail("bob", "take: 1\n")
    begun.run()
    begun.run(at=FRIDAY + HOUR)
    begun.mail("gwen", "", "release")
    begun.run()
    assert begun.turns == 2 and "2 reports wait for your `release`" in begun.run(command="status")
    begun.mail("gwen", "", "release")
    begun.run()
    assert "wait for your `release`" not in begun.run(command="status")
