"""How often a run waits for the disk, and in which order: what is told is on the disk before it is told."""

from __future__ import annotations

import errno
import os
import shutil
import smtplib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kingdom.cli.main import main
from kingdom.mail.journal import NAME, Journal
from tests.kit import tiny_game
from tests.kit.mailservers import PASSWORD, VARIABLE, Authority, Postbox
from tests.kit.tiny_game import write
from tests.mail.test_week import CAMPAIGN, FRIDAY, HOUR, Campaign

ROOT = Path(__file__).parents[2]
MOST = 54  # syncs of the week that the README shows, a record for each of its four seats among them; on a slow disk each takes a tenth of a second


class Call(NamedTuple):
    """A call of the program. name: `fsync`, `rename`, `write`, `unlink`, or `server` for what a server is told."""

    name: str
    file: Path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """What a run asks of the disk and of servers, in that order."""
    made: list[Call] = []

    def noted(name: str) -> None:
        real = getattr(os, name)

        def call(file: Any, *given: Any, **named: Any) -> Any:
            place = os.readlink(f"/proc/self/fd/{file}") if isinstance(file, int) else given[0] if given else file
            made.append(Call(name, Path(place)))
            return real(file, *given, **named)

        monkeypatch.setattr(os, name, call)

    for name in ("fsync", "rename", "write"):
        noted(name)
    data = smtplib.SMTP.data
    monkeypatch.setattr(
        smtplib.SMTP, "data", lambda server, text: (made.append(Call("server", Path())), data(server, text))[1]
    )
    return made


def test_the_week_of_the_readme_syncs_at_most_so_often(tmp_path: Path, calls: list[Call]) -> None:
    folder = shutil.copytree(ROOT / "campaigns" / "greenmarch", tmp_path / "greenmarch")
    assert main(["run", str(folder)]) == 0
    assert sum(call.name == "fsync" for call in calls) <= MOST
    prove(calls, folder)


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_what_a_server_hears_is_on_the_disk(
    tmp_path: Path,
    post: Postbox,
    authority: Authority,
    calls: list[Call],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tiny_game.register()
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setenv(VARIABLE, PASSWORD)
    smtp = f"{{host: localhost, port: {post.port}, tls: starttls, username: orders, password_env: {VARIABLE}}}"
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", CAMPAIGN + f"mail: {{address: orders@example.org, smtp: {smtp}}}\n")
    tally = Campaign(folder, monkeypatch, capsys)
    tally.run()
    for sender in ("ann", "bob"):
        tally.mail(sender, "take: 2\n", subject=f"Orders {sender} 1")
    tally.run(at=FRIDAY - 3 * HOUR)
    tally.run(at=FRIDAY + HOUR)
    assert sum(call.name == "server" for call in calls) > 6
    prove(calls, folder)


def prove(calls: list[Call], folder: Path) -> None:
    """When a turn gets its name, when orders are filed, when a server hears of a mail and when the run ends, all lines of the journal are
    synced; a line of the journal is synced only when the names of mails that it tells of are."""
    journal, unsynced, names = folder / "mail" / NAME, False, set[Path]()
    for name, file in [*calls, Call("end", Path())]:
        if name == "write" and file == journal:
            unsynced = True
        elif name == "fsync" and file == journal:
            assert not names, f"the journal is synced before the names in {names}"
            unsynced = False
        elif name == "rename" and file.parent.name in ("outbox", "review"):
            names.add(file.parent)
        elif name == "fsync":
            names.discard(file)
        turn = name == "rename" and file.parent.name == "turns"
        filed = name == "rename" and file.parent.parent.name == "orders"
        assert not (unsynced and (turn or filed or name in ("server", "end"))), (name, file)


def test_lines_that_a_power_cut_left_as_zeros_are_not_there(tmp_path: Path) -> None:
    whole = b'{"at":"2026-12-04T18:00:00+00:00","event":"told","what":"x","kingdom":"gm","turn":0,"mark":""}\n'
    write(tmp_path, NAME, (whole + b"\0" * 200 + b"\n" + whole).decode())
    journal = Journal(tmp_path)
    assert len(journal.told) == 1 and not journal.amiss
    journal.tell_once(FRIDAY, "y")
    assert (tmp_path / NAME).read_bytes().count(b"\n") == 2 and b"\0" not in (tmp_path / NAME).read_bytes()


def test_what_the_disk_does_not_take_at_the_end_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines that were deferred may meet a full disk only when they are synced."""
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    write(folder, "campaign.yaml", CAMPAIGN)
    real, journal = os.fsync, folder / "mail" / NAME

    def full(descriptor: int) -> None:
        if os.readlink(f"/proc/self/fd/{descriptor}") == str(journal):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    assert main(["run", str(folder)]) == 1
    assert f"{journal}: This can't be written: No space left on device." in capsys.readouterr().err
