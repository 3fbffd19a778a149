"""Mail that fetchmail, getmail6, mpop or mbsync brings from the server: in time if the server had it in time, and taken once."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.campaigns import FRIDAY, HOUR, MINUTE, MONDAY, the_two_fords
from tests.journeys.gm import Gm
from tests.journeys.programs import gmail
from tests.journeys.world import World
from tests.kit.mailservers import NAME, PASSWORD

pytestmark = [
    pytest.mark.long,
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.package("postfix", "postfix"),
    pytest.mark.package("faketime", "faketime"),
]

FETCHMAIL = """\
poll {host} protocol imap port {port} username "{user}" password "{password}" ssl sslcertck sslcertfile "{authority}" fetchall
mda "{home}/put"
"""
GETMAIL = """\
[retriever]
type = SimpleIMAPSSLRetriever
server = {host}
port = {port}
username = {user}
password = {password}
ca_certs = {authority}
[destination]
type = MDA_external
path = {home}/put
allow_root_commands = true
[options]
delete = true
"""
MBSYNC = """\
IMAPAccount fords
Host {host}
Port {port}
User {user}
Pass {password}
SSLType IMAPS
CertificateFile {authority}

IMAPStore far
Account fords

MaildirStore near
Inbox {box}
SubFolders Maildir++

Channel fords
Far :far:
Near :near:
Sync Pull
Create Near
SyncState *
"""


def fetchmail(gm: Gm, box: Path) -> None:
    _puts(gm, box)
    words = [
        "fetchmail",
        "-f",
        _settings(gm, ".fetchmailrc", FETCHMAIL, box),
        "--pidfile",
        str(gm.home / "pid"),
        "--nosyslog",
    ]
    _run(gm, words, 0, 1)  # 1: there was no mail


def getmail(gm: Gm, box: Path) -> None:
    _puts(gm, box)
    _run(gm, ["getmail", "--getmaildir", str(gm.home), "--rcfile", _settings(gm, "getmailrc", GETMAIL, box)])


def _puts(gm: Gm, box: Path) -> None:
    """A script that puts a mail into a Maildir, as procmail and maildrop would."""
    put = gm.home / "put"
    put.write_text(
        f'#!/bin/sh\nname=$(date +%s.%N).$$.home\ncat >"{box}/tmp/$name" && mv "{box}/tmp/$name" "{box}/new/$name"\n'
    )
    put.chmod(0o755)


def mbsync(gm: Gm, box: Path) -> None:
    _run(gm, ["mbsync", "-c", _settings(gm, "mbsyncrc", MBSYNC, box), "-a"])


def _settings(gm: Gm, name: str, text: str, box: Path) -> str:
    """The path of a fetcher's settings for the mailbox of the campaign."""
    file = gm.home / name
    account, world = gm.world.boxes["fords"], gm.world
    file.write_text(text.format(host=NAME, port=world.dovecot.implicit, user=account.user, password=PASSWORD,
        authority=world.authority.file, home=gm.home, box=box))  # fmt: skip
    file.chmod(0o600)
    return str(file)


def _run(gm: Gm, words: list[str], *codes: int) -> None:
    done = subprocess.run(words, env=gm.environment, cwd=gm.home, capture_output=True, text=True, timeout=60)
    assert done.returncode in (codes or (0,)), done.stdout + done.stderr


@pytest.mark.parametrize("fetch", [
    pytest.param(fetchmail, id="fetchmail", marks=pytest.mark.package("fetchmail", "fetchmail")),
    pytest.param(getmail, id="getmail6", marks=pytest.mark.package("getmail6", "getmail")),
    pytest.param(mbsync, id="mbsync", marks=pytest.mark.package("isync", "mbsync")),
])  # fmt: skip
def test_what_came_in_time_and_was_fetched_late_counts(
    a_world: Callable[..., World], fetch: Callable[[Gm, Path], None]
) -> None:
    world = a_world(MONDAY, "fords", "gm", "ada", "ben")
    gm, ada = Gm(world, "gm", "Gwen", gmail), world.person("ada", "Ada", gmail)
    the_two_fords(gm)
    folder = gm.home / "kingdoms" / "fords"
    server = next(line for line in (folder / "campaign.yaml").read_text().splitlines() if line.startswith("  imap:"))
    gm.edits("kingdoms/fords/campaign.yaml", server + "\n", "")  # the mail comes by the fetcher alone
    box = gm.home / "fetched"
    for part in ("new", "cur", "tmp"):
        (box / part).mkdir(parents=True)
    shell = ". ~/.kingdom-passwords; scripts/kingdom"
    gm.types(f"{shell} run ~/kingdoms/fords")
    ada.reads_one("orders for turn 1 are due Friday 5 March 2027")

    world.clock.moves_to(FRIDAY - HOUR)
    ada.replies("claim: 0102\n")
    world.clock.moves_to(FRIDAY + HOUR)
    fetch(gm, box)
    assert len([*(box / "new").iterdir(), *(box / "cur").iterdir()]) == 1
    assert "ada@example.org: filed" in gm.types(f"{shell} mail fetch ~/kingdoms/fords --from {box}")
    gm.types(f"{shell} run ~/kingdoms/fords")
    answer, report = ada.reads()
    assert answer.says("Filed for turn 1") and report.says("] 1: ", "0102")

    # what it fetched is not fetched again, and a letter that comes later is
    world.clock.moves_to(FRIDAY + HOUR + MINUTE)
    ada.replies("claim: 0103\n", report)
    fetch(gm, box)
    assert gm.types(f"{shell} mail fetch ~/kingdoms/fords --from {box}").count(": filed") == 1
    fetch(gm, box)
    assert not gm.types(f"{shell} mail fetch ~/kingdoms/fords --from {box}").count(": filed.")
    assert len([*(box / ".Processed" / "cur").iterdir()]) == 2 and not list((folder / "mail" / "refused").glob("*"))
