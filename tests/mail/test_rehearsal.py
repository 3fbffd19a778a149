"""kingdom rehearse: the run at some moment, on a copy; every mail as a page, nobody mailed, nothing changed."""

from __future__ import annotations

import re
import shutil
import socket
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import clock
from kingdom.cli.main import main
from kingdom.mail.journal import Journal
from tests.kit import mailkit, tiny_game
from tests.kit.mailkit import NOW
from tests.kit.tiny_game import contents, file_orders, write
from tests.mail.test_following import OPEN_SEAT, Server
from tests.mail.test_week import CAMPAIGN

DEADLINE = datetime(2026, 12, 18, 17, 0, tzinfo=UTC)  # of turn 3, by Berlin's winter clock; an hour of grace
SERVERS = (
    "imap: {host: mail.example.invalid, username: orders, password_env: NO_SUCH}, "
    "smtp: {host: mail.example.invalid, username: orders, password_env: NO_SUCH}, "
)
HOSTILE = "</iframe><script>alert(1)</script>"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two turns are kept, and the reports of the second went out in time."""
    folder = mailkit.campaign(tmp_path_factory.mktemp("made") / "marches")
    with pytest.MonkeyPatch.context() as patch:
        at(patch, DEADLINE - timedelta(days=6))
        assert main(["run", str(folder)]) == 0
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Turn 3 is due in two days. Both have filed."""
    at(monkeypatch, NOW)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "marches"
    shutil.copytree(made, folder)
    for seat in ("examplia", "borderia"):
        file_orders(folder, 3, seat, "taxation: light\n")
    return folder


def at(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr(clock, "now", lambda: now)


class Page(HTMLParser):
    """A page: its frames, each with what stands in it, its other tags and its text."""

    def __init__(self, file: Path):
        super().__init__()
        self.frames: list[dict[str, str | None]] = []
        self.tags: list[str] = []
        self.said = ""
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "iframe":
            self.frames.append(dict(attrs))

    def handle_data(self, data: str) -> None:
        self.said += data


def rehearsed(folder: Path, capsys: Any, *words: str, code: int = 0) -> tuple[str, Page]:
    """(what it says, its page); nothing in the campaign changes, not even a time of a file."""
    before, times = contents(folder), {file: file.stat().st_mtime_ns for file in folder.rglob("*")}
    capsys.readouterr()
    assert main(["rehearse", str(folder), *words]) == code
    assert contents(folder) == before and {file: file.stat().st_mtime_ns for file in folder.rglob("*")} == times
    return " ".join(capsys.readouterr().out.split()), Page(Path("rehearsal.html"))


def mails(folder: Path) -> set[tuple[str, str]]:
    """(to, subject) of what lies in the outbox."""
    found = [message_from_bytes(file.read_bytes(), policy=default) for file in (folder / "mail/outbox").glob("*.eml")]
    return {(mail["To"].addresses[0].addr_spec, str(mail["Subject"])) for mail in found}


def listed(said: str) -> set[tuple[str, str]]:
    """The same of what the command lists."""
    return set(re.findall(r"- (\S+@\S+): (.*?)(?:; with.*?)?(?= - | The mails are)", said))


def test_the_mails_are_those_of_the_run_at_that_time(
    folder: Path, capsys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said, page = rehearsed(folder, capsys)
    assert "The run on Friday 18 December 2026, 19:01 (Europe/Berlin)" in said and "Turn 3 is due" in said
    before = mails(folder)
    at(monkeypatch, DEADLINE + timedelta(hours=1, minutes=1))
    assert main(["run", str(folder)]) == 0
    assert listed(said) == mails(folder) - before and len(listed(said)) == 3
    assert Path("rehearsal.html").stat().st_mode & 0o077 == 0, "it holds everybody's mails"
    assert len(page.frames) == 3 and "with gm-0003.html" in said and "orders-0004.txt" in said


def test_a_time_is_read_by_the_clock_of_the_calendar(folder: Path, capsys) -> None:
    said, page = rehearsed(folder, capsys, "--at", "2026-12-17T18:30")
    assert "The run on Thursday 17 December 2026, 18:30 (Europe/Berlin)" in said
    assert "The GM is told how turn 3 stands." in said and "gm@example.org" in said
    assert "ada@example.org" not in page.said, "her report went out with the run before"


@pytest.mark.parametrize("typed", ["tomorrow", "2026-12-17", "2026-13-40T18:00", "2026-12-17T18:00+01:00"])
def test_what_is_no_time_is_told(folder: Path, capsys, typed: str) -> None:
    assert main(["rehearse", str(folder), "--at", typed]) == 2
    assert "write the day and the time, such as 2026-12-04T18:00" in capsys.readouterr().err


def test_no_server_is_asked_no_command_run_and_nothing_published(
    folder: Path, capsys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def called(*_: object, **__: object) -> None:
        raise AssertionError("it called somebody")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, called)
    monkeypatch.setattr(socket, "getaddrinfo", called)
    with_servers(folder)
    journal = Journal(folder / "mail")
    for mail in journal.mails:
        journal.add("sent", DEADLINE - timedelta(days=6), mail=mail)
    shown = tmp_path / "www"
    more = f"alert: touch {tmp_path}/alarm\npublish: {{folder: {shown}, url: https://example.org/marches}}\n"
    write(folder, "campaign.yaml", (folder / "campaign.yaml").read_text() + more)
    said, page = rehearsed(folder, capsys)
    assert not shown.exists() and not (tmp_path / "alarm").exists()
    assert "The mailbox was not asked" in said and "With the next run" not in said
    assert len(listed(said)) == 3
    assert any("https://example.org/marches" in str(frame["srcdoc"]) for frame in page.frames)


def with_servers(folder: Path) -> None:
    text = (folder / "campaign.yaml").read_text()
    write(folder, "campaign.yaml", text.replace("mail: {", f"mail: {{{SERVERS}"))


def test_what_goes_out_with_the_next_run_is_shown_first(folder: Path, capsys) -> None:
    with_servers(folder)
    said, page = rehearsed(folder, capsys, "--at", "2026-12-16T14:00")
    assert "With the next run 3 mails go out, before that one:" in said and "It would send no mail." in said
    assert len(listed(said)) == len(page.frames) == 3 and "The first 3 go out with the next run already" in page.said
    said, page = rehearsed(folder, capsys, "--at", "2026-12-16T13:00")
    assert len(listed(said)) == len(page.frames) == 3


def test_reports_that_would_wait_for_a_review_are_shown_as_such(folder: Path, capsys) -> None:
    text = (folder / "campaign.yaml").read_text().replace("grace: 1h", "grace: 1h, review: 12h")
    write(folder, "campaign.yaml", text)
    said, page = rehearsed(folder, capsys)
    assert said.count("waits for your release until Saturday 19 December 2026, 07:01 (Europe/Berlin)") == 2
    assert page.said.count("It would wait for your release") == 2


def test_frames_have_no_rights_and_the_page_loads_nothing(folder: Path, capsys) -> None:
    """Whatever stands in a mail, it stays in its frame; pictures are inside."""
    file_orders(folder, 3, "borderia", f"messages: {{examplia: '{HOSTILE}'}}\n")
    _, page = rehearsed(folder, capsys)
    text = Path("rehearsal.html").read_text()
    assert "default-src 'none'; img-src data:; style-src 'unsafe-inline'" in text
    assert page.frames and all(frame["sandbox"] == "" for frame in page.frames)
    assert "script" not in page.tags and HOSTILE in page.said and "<script" not in text.replace("&lt;script", "")
    assert any("data:image/png;base64," in str(frame["srcdoc"]) for frame in page.frames) and "cid:" not in text


def test_mail_in_the_drop_folder_is_taken_on_the_copy(folder: Path, capsys) -> None:
    letter = (
        "From: ada@example.org\nSubject: Orders examplia 3 [k7f3q]\nDate: Wed, 16 Dec 2026 10:00:00 +0000\n"
        "Message-ID: <1@there>\n\ntaxation: heavy\n"
    )
    (folder / "orders/0003/examplia.yaml").unlink()
    write(folder, "mail/inbox/one.eml", letter)
    said, _ = rehearsed(folder, capsys, "--at", "2026-12-16T13:00")
    assert "ada@example.org: filed." in said


def test_it_names_the_moment_of_the_first_reminder_and_the_mails_that_it_does_not_show(
    tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first evening: two are invited, and nothing was sent yet."""
    monkeypatch.chdir(tmp_path)
    at(monkeypatch, datetime(2026, 11, 30, 19, 0, tzinfo=UTC))
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", OPEN_SEAT)
    assert main(["invite", str(folder), "bob", "bob@example.org"]) == 0
    said, _ = rehearsed(folder, capsys)
    assert "mails that lie in mail/outbox before that are not shown." in said
    assert "`--at 2026-12-02T18:00` shows the run of the first reminder instead." in said
    said, _ = rehearsed(folder, capsys, "--at", "2026-12-02T18:00")
    assert "bob is reminded of turn 1." in said and "`--at" not in said


def test_while_nobody_has_filed_it_names_the_option_that_shows_the_reports(
    tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    at(monkeypatch, datetime(2026, 11, 30, 19, 0, tzinfo=UTC))
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", CAMPAIGN)
    said, _ = rehearsed(folder, capsys)
    assert "No turn is played here, so no report is shown" in said and "`--run-it` plays it" in said
    assert "Report of turn 1" not in said
    said, page = rehearsed(folder, capsys, "--run-it")
    assert "Turn 1 is due: the GM lets it go on." in said and "`--run-it`" not in said
    assert "ann@example.org: [A tally] Report of turn 1" in said and "Report of turn 1" in page.said


def test_before_the_start_it_shows_the_start(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    said, _ = rehearsed(folder, capsys)
    assert "Turn 0 is made." in said and "It would send no mail." in said


def test_a_campaign_that_says_something_wrong_is_told(folder: Path, capsys) -> None:
    write(folder, "campaign.yaml", (folder / "campaign.yaml").read_text() + "rules: {control_cd: {base: 1}}\n")
    said, _ = rehearsed(folder, capsys, code=1)
    assert "can't go on" in said or "It would send" in said


def test_it_lists_the_mails_that_the_run_sends_and_no_others(
    tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players named in the file have reports in the outbox; then they are invited, so that the welcome brings the report instead."""
    monkeypatch.chdir(tmp_path)
    at(monkeypatch, datetime(2026, 11, 29, 19, 0, tzinfo=UTC))
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", CAMPAIGN)
    assert main(["run", str(folder)]) == 0
    for seat in ("ann", "bob"):
        assert main(["invite", str(folder), seat, f"{seat}@example.org"]) == 0
    text = (folder / "campaign.yaml").read_text()
    write(
        folder,
        "campaign.yaml",
        text + "mail: {address: tally@example.org, smtp: {host: localhost, port: 25, tls: none}}\n",
    )
    said, _ = rehearsed(folder, capsys)
    server = Server(monkeypatch)
    assert main(["run", str(folder)]) == 0
    sent = {(to, str(mail["Subject"])) for to, mail in server.got}
    assert "With the next run 3 mails go out" in said and len(server.got) == 3 and " sent, " not in said
    assert listed(said.split("It would send")[0] + " The mails are") == sent
