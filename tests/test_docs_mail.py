"""The page on mail can be followed: its commands in their order, its mailbox with a real server, its files for cron and systemd."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import subprocess
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from kingdom.cli.main import main
from kingdom.cli.reading import parsed
from kingdom.mail.servers import round_trip
from tests.kit.mailservers import PASSWORD, Authority, Dovecot, Postbox
from tests.kit.tours import ROOT

DOCS = ROOT / "docs"
PAGE = (DOCS / "mail.md").read_text(encoding="utf-8")
STEPS = re.findall(r"^## (\d)\. (.*?)$", PAGE, re.M)
OWN_SERVER = "### A server of your own"
SCRIPT = '#!/bin/sh\necho "$GREENMARCH_PASSWORD: $*"\n'


def step(number: int) -> str:
    """The text of a numbered step."""
    return re.split(r"^## ", PAGE, flags=re.M)[number]


def typed(number: int) -> list[str]:
    """What a step says to type."""
    return [
        line for block in re.findall(r"^```sh\n(.*?)^```", step(number), re.M | re.S) for line in block.splitlines()
    ]


def say(line: str, seat: str, capsys: Any) -> str:
    """Type a line of the page; it must succeed."""
    words = [seat if word == "KINGDOM" else os.path.expanduser(word) for word in shlex.split(line)]
    capsys.readouterr()
    assert words[0] == "scripts/kingdom" and main(words[1:]) == 0, f"{line}: {capsys.readouterr().err}"
    return capsys.readouterr().out


def waiting(folder: Path) -> list[Any]:
    files = sorted((folder / "mail/outbox").glob("*.eml"))
    return [message_from_bytes(file.read_bytes(), policy=default) for file in files]


def settings_with(folder: Path, more: str, **change: str) -> None:
    text = (folder / "campaign.yaml").read_text() + more
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "campaign.yaml").write_text(text)


def seats(folder: Path) -> list[str]:
    return re.findall(r"^  (\w+): \{name: Player", (folder / "campaign.yaml").read_text(), re.M)


# --- the steps


def test_the_steps_are_numbered_and_listed() -> None:
    assert [int(number) for number, _ in STEPS] == [1, 2, 3, 4, 5, 6, 7]
    listed = re.findall(r"^(\d)\. \[(.*?)\]\(#", PAGE, re.M)
    assert listed == STEPS


def test_what_was_not_tried_says_so() -> None:
    providers = re.split(r"^### ", step(2), flags=re.M)[1:]
    assert len(providers) == 6
    for provider in providers:
        title = provider.partition("\n")[0]
        if title.startswith("A server of your own"):
            assert "Tried" in provider
        elif "OAuth2" in provider:
            assert "not at Microsoft or Google" in provider
        else:
            assert "Not tried here" in provider, title


def test_the_page_can_be_followed(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    """No server; an address mistyped; the mailbox set up later; a rehearsal; and one welcome for the right person."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "kingdoms/mine"
    new, invite, run, ls = typed(1)
    say(new, "", capsys)
    seat, *others = seats(folder)
    say(invite.replace("ada@", "adda@"), seat, capsys)
    assert "Nothing is sent: the campaign has no address" in say(run, seat, capsys)
    settings_with(folder, "", **{"gm: {name: Gm,": "gm: {name: Gm, email: gwen@example.org,"})
    say(run, seat, capsys)
    assert ls.endswith("~/kingdoms/mine/mail/outbox") and waiting(folder)
    (again,) = typed(5)
    say(again, seat, capsys)
    (calendar,) = re.findall(r"^```yaml\n(.*?)^```", step(4), re.M | re.S)
    settings_with(folder, "\nmail: {address: mine@example.org}\n" + calendar)
    for line in typed(6):
        assert "Nobody was mailed" in say(line, seat, capsys)
    assert Path("rehearsal.html").is_file() and Path("reminders.html").is_file()
    say(run, seat, capsys)
    mails = [mail for mail in waiting(folder) if mail["To"].addresses[0].addr_spec != "gwen@example.org"]
    assert {mail["To"].addresses[0].addr_spec for mail in mails} == {"ada@example.org"}
    welcomes = [mail for mail in mails if mail["Message-ID"].strip().startswith("<welcome-")]
    assert len(welcomes) == 1, [(mail["Message-ID"], mail["Subject"]) for mail in mails]
    assert welcomes[0]["From"].addresses[0].addr_spec == "mine@example.org"


@pytest.mark.package("openssl", "openssl")
@pytest.mark.package("dovecot-imapd", "dovecot")
@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_a_server_of_ones_own(
    dovecot: Dovecot, authority: Authority, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The block of the page, with the tests' server in it; what the check proposes is written, and the check is content."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setenv("GREENMARCH_PASSWORD", PASSWORD)
    monkeypatch.setattr(round_trip, "PAUSE", 0.1)
    box, post = dovecot.mailbox(), Postbox(authority)
    post.boxes["greenmarch@example.org"], post.tags, post.results = (
        box,
        True,
        "mx.example.org; dkim=pass header.d=example.org",
    )
    (block,) = re.findall(r"^```yaml\n(.*?)^```", step(2)[step(2).index(OWN_SERVER) :].split("\n### ")[0], re.M | re.S)
    imap, smtp = (line for line in block.splitlines() if "host:" in line)
    user = "username: greenmarch@example.org"
    block = block.replace(
        imap,
        imap.replace("imap.example.org", "localhost")
        .replace("993", str(dovecot.implicit))
        .replace(user, f"username: {box.user}"),
    )
    block = block.replace(
        smtp,
        smtp.replace("smtp.example.org", "localhost").replace("587", str(post.port)).replace(user, "username: orders"),
    )
    folder = tmp_path / "greenmarch"
    assert main(["new", str(folder), "--game", "kings_pouch"]) == 0
    settings_with(folder, block)
    said = checked(folder, capsys)
    assert "Write `tags: on`" in said and "Write `authserv_id: mx.example.org`" in said
    more = "  tags: on\n  authserv_id: mx.example.org\n  authenticate: [sender, token, authentication_results]\n"
    settings_with(folder, more)
    said = checked(folder, capsys)
    post.stop()
    assert "as `tags: on` says" in said and "as `authserv_id` says" in said


def checked(folder: Path, capsys: Any) -> str:
    (line,) = typed(3)
    words = shlex.split(line)
    assert words[:2] == ["GREENMARCH_PASSWORD=...", "scripts/kingdom"] and words[-1] == "~/kingdoms/mine"
    capsys.readouterr()
    assert main([*words[2:-1], str(folder)]) == 0, capsys.readouterr().out
    return str(capsys.readouterr().out)


# --- cron and systemd


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the passwords, and a program that tells what it was called with."""
    script = tmp_path / "kingdom/scripts/kingdom"
    script.parent.mkdir(parents=True)
    script.write_text(SCRIPT)
    script.chmod(0o755)
    (tmp_path / ".kingdom-passwords").write_text("GREENMARCH_PASSWORD='abcd efgh'\n")
    return tmp_path


def is_the_weekly_job(words: list[str]) -> None:
    args = parsed(words)
    assert (args.command, args.dry_run) == ("run", False)


def test_the_line_for_cron(home: Path) -> None:
    lines = [line for line in (DOCS / "kingdom.cron").read_text().splitlines() if not line.startswith("#")]
    assert f"\n  {lines[0]}\n" in step(7)
    minute, *others, command = lines[0].split(" ", 5)
    assert len(lines) == 1 and (minute, others) == ("*/5", ["*"] * 4) and "%" not in command  # cron ends a line at a %
    subprocess.run(["sh", "-c", command], env={"HOME": str(home), "PATH": os.environ["PATH"]}, check=True)
    said = (home / "mine.log").read_text()
    assert said == f"abcd efgh: run {home}/kingdoms/mine\n"
    is_the_weekly_job(said.split(": ")[1].split())


def test_the_units_for_systemd(home: Path) -> None:
    def unit(name: str) -> configparser.ConfigParser:
        found = configparser.ConfigParser(interpolation=None)
        found.optionxform = str  # type: ignore[assignment,method-assign]
        found.read(DOCS / name)
        return found

    service, timer = unit("kingdom-run@.service"), unit("kingdom-run@.timer")
    command = service["Service"]["ExecStart"].replace("%h", str(home)).replace("%f", f"{home}/kingdoms/mine")
    said = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True).stdout
    assert said == f": run {home}/kingdoms/mine\n"
    is_the_weekly_job(shlex.split(command)[1:])
    assert service["Service"]["EnvironmentFile"] == "%h/.kingdom-passwords"
    assert (service["Service"]["Type"], service["Service"]["SuccessExitStatus"]) == ("oneshot", "3")
    assert timer["Timer"]["OnCalendar"] == "*:0/5" and timer["Install"]["WantedBy"] == "timers.target"
