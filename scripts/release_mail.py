"""The campaign by mail that scripts/keep_release plays, with what it publishes: two turns by the calendar, one under way.

The clock is set, the mail comes as files in a folder, and the mail server is a mock.
"""

from __future__ import annotations

import email
import os
import shutil
import smtplib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime
from pathlib import Path
from unittest import mock

from kingdom.campaign import clock

FOLDER, PUBLISHED = "mail_underway", "published"
DEADLINE = datetime(2026, 12, 4, 17, 0, tzinfo=UTC)  # of turn 1
HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
TOKENS = {"ada": "k7f3q", "ada.work": "k7f3q", "bo": "b8w2m", "gm": "g5s1r", "fay": "n0b0d"}
FILES = {
    "campaign.yaml": """\
name: The two fords
game: realm
seed: public, what a release wrote
rules: {events: {chance: {normal: 0, after_quiet_turn: 0}}}
gm: {name: Gwen, email: gm@example.org, token: g5s1r}
players:
  examplia: {name: Ada, email: [ada@example.org, ada.work@example.org], token: k7f3q, zone: Europe/Berlin}
  borderia: {name: Bo, email: bo@example.org, token: b8w2m}
calendar: {deadline: 2026-12-04T18:00, zone: Europe/Berlin, every: 7d, grace: 1h, remind: [48h, 12h]}
publish: {folder: ../published, url: "https://example.org/fords"}
mail:
  address: orders@example.org
  smtp: {host: smtp.example.org, tls: implicit}
""",
    "map.yaml": """\
grid: |
  pppffh
  ppppfh
  ppphhm
  ppphhm
hexes:
  "0202": {features: [river]}
  "0103": {secret: an old crown}
""",
    "kingdoms/examplia.yaml": """\
name: Examplia
attributes: {economy: 4, loyalty: 4, stability: 4}
treasury: 50
capital: Oakhold
hexes: {"0202": [farm], "0203": []}
settlements: {Oakhold: {hex: "0203", buildings: [house, inn]}}
""",
    "kingdoms/borderia.yaml": """\
name: Borderia
attributes: {economy: 2, loyalty: 2, stability: 2}
treasury: 30
unrest: 2
capital: Fordham
hexes: {"0302": [], "0303": []}
settlements: {Fordham: {hex: "0303", buildings: [house]}}
""",
}


def played(folder: Path, run: Callable[..., None], second_thoughts: Callable[[Path], None]) -> None:
    """Play the campaign into folder/mail_underway; what it publishes goes beside it. run: a command of the program."""
    campaign = folder / FOLDER
    for file, text in FILES.items():
        (campaign / file).parent.mkdir(parents=True, exist_ok=True)
        (campaign / file).write_text(text, encoding="utf-8")
    post = Post(campaign, run)
    with post.on_the_way():
        _first_turn(post)
        _second_turn(post, second_thoughts)
        _third_turn(post)
    for report in (campaign / "mail/sent").glob("report-000[01]-*"):
        report.unlink()  # the largest files by far; a GM may clear them out
    shutil.rmtree(post.drop)


def _first_turn(post: Post) -> None:
    """Orders, a message, a question for how things stand, words of the GM; and what is refused or ignored."""
    post.at(DEADLINE - 6 * DAY)
    post.run("run")
    post.mail(
        "ada",
        "orders examplia 1",
        "claim: 0102\nbuild: house in Oakhold\nrequests: May I dig at the ford?\n",
        quoted="report-0000-examplia-*",
    )
    post.mail("bo", "to examplia", "Shall we talk of the ford?\n")
    post.mail("bo", "orders borderia 1", "clam: 0402\ntaxation: heavvy\n")
    post.mail("fay", "May I play, too?", "Is there a seat for me?\n")
    post.mail("bo", "Out of office", "I am at sea.\n", **{"Auto-Submitted": "auto-replied"})
    post.fetch()
    post.at(DEADLINE - 40 * HOUR)
    post.run("run")  # bo is reminded
    post.mail("bo", "orders borderia 1", "holiday: long\nclaim: 0402\nfinal: true\n")
    post.mail("bo", "status", "")
    post.mail(
        "gm",
        "orders gm 1",
        "gm: [{grant: borderia, account: treasury, by: 3, reason: winter tolls}]\ntell: {all: Winter comes early.}\n",
    )
    post.fetch()
    post.at(DEADLINE - 10 * HOUR)
    post.run("run")
    post.away = ("bo@example.org",)  # the server takes nothing for this address for now
    post.at(DEADLINE + 2 * HOUR)
    post.run("run")


def _second_turn(post: Post, second_thoughts: Callable[[Path], None]) -> None:
    """Orders from another address of hers; the turn is taken back, reopened, and resolved again before it is told."""
    post.away = ()
    post.at(DEADLINE + DAY)
    post.run("run")
    post.mail(
        "ada.work",
        "orders examplia 2",
        "claim: 0103\naid: economy to borderia\nmessages: {borderia: Grain for the ford.}\n",
    )
    post.mail("bo", "orders borderia 2", "improve: road 0302\ntaxation: light\n")
    post.fetch()
    post.at(DEADLINE + WEEK + 2 * HOUR)
    post.run("turn")
    second_thoughts(post.campaign)
    post.run("run")


def _third_turn(post: Post) -> None:
    """One has filed, one was refused, the GM has said something; the answers wait in the outbox."""
    post.at(DEADLINE + 10 * DAY)
    post.mail(
        "ada", "orders examplia 3", "claim: 0102\ntaxation: light\nfinal: true\n", quoted="report-0002-examplia-*"
    )
    post.mail("bo", "orders borderia 3", "build: castel in Fordham\n")
    post.mail("bo", "to examplia", "Thank you for the grain.\n")
    post.mail("gm", "orders gm 3", "tell: {examplia: The heir smiles.}\n")
    post.fetch()


class Post:
    """The clock, the mail that comes in, and a server for what goes out. away: addresses for which it takes nothing now."""

    def __init__(self, campaign: Path, run: Callable[..., None]):
        self.campaign, self.now, self.away = campaign, DEADLINE, tuple[str, ...]()
        self.drop = campaign.parent / "drop"  # where new mail lies; it is no part of the campaign
        self._run, self._count = run, 0

    @contextmanager
    def on_the_way(self) -> Iterator[None]:
        """Everything inside happens at the time that is set, and meets the server."""
        server = mock.Mock(return_value=_Server(self))
        with mock.patch.object(clock, "now", lambda: self.now), mock.patch.object(smtplib, "SMTP_SSL", server):
            yield

    def at(self, now: datetime) -> None:
        """Set the clock."""
        self.now = now

    def run(self, *words: str) -> None:
        """A command for this campaign."""
        self._run(*words, str(self.campaign))

    def fetch(self) -> None:
        """Take in the mail that lies there."""
        self._run("mail", "fetch", str(self.campaign), "--from", str(self.drop))

    def mail(self, sender: str, subject: str, text: str, quoted: str = "", **more: str) -> None:
        """A mail with the sender's token; quoted: the mail of the campaign that it answers."""
        self._count += 1
        told, head = f"{subject} [{TOKENS[sender]}]", dict(more)
        if quoted:
            before = self._sent(quoted)
            told, head["In-Reply-To"] = f"Re: {before['Subject']}", str(before["Message-ID"])
            plain = before.get_body(("plain",))
            lines = plain.get_content().splitlines()[:12] if plain else []
            below = "".join(f"> {line}".rstrip() + "\n" for line in lines)
            text += f"\nOn Sat, The two fords <orders@example.org> wrote:\n{below}"
        headers = {
            "Received": f"from mail.example.org by mx.example.org with ESMTPS; {format_datetime(self.now)}",
            "From": f"{sender}@example.org",
            "To": "The two fords <orders@example.org>",
            "Subject": told,
            "Date": format_datetime(self.now),
            "Message-ID": f"<{self._count}@mail.example.org>",
            "Content-Type": "text/plain; charset=utf-8",
            **head,
        }
        written = (
            "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n" + text.replace("\n", "\r\n")
        )
        self.drop.mkdir(exist_ok=True)
        file = self.drop / f"{self._count:02}.eml"
        file.write_bytes(written.encode())
        os.utime(file, (self.now.timestamp(), self.now.timestamp()))

    def _sent(self, name: str) -> EmailMessage:
        (file,) = (self.campaign / "mail/sent").glob(f"{name}.eml")
        return email.message_from_bytes(file.read_bytes(), policy=default)


class _Server:
    """The part of a mail server that the program speaks to."""

    def __init__(self, post: Post):
        self.post, self.sock, self.away = post, mock.Mock(), False

    def ehlo_or_helo_if_needed(self) -> None:
        """Say hello."""

    def has_extn(self, name: str) -> bool:
        """It has no extensions."""
        return False

    def mail(self, sender: str, options: list[str]) -> tuple[int, bytes]:
        """Take the sender of the next mail."""
        return 250, b"OK"

    def rcpt(self, to: str) -> tuple[int, bytes]:
        """Take a recipient."""
        return (451, b"4.2.1 try again later") if to in self.post.away else (250, b"OK")

    def data(self, data: bytes) -> tuple[int, bytes]:
        """Take its text."""
        return 250, b"taken"

    def rset(self) -> None:
        """Forget the mail."""

    quit = close = rset
