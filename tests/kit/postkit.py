"""A campaign that goes by mail, for tests of what it says: mails in, letters out, and their links pressed as a person would."""

from __future__ import annotations

import email
import re
import shutil
from collections.abc import Iterable
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.mail.incoming import taking
from kingdom.mail.incoming.outcome import Fate
from kingdom.mail.incoming.taking import Incoming
from kingdom.mail.journal import Journal, journal_of
from kingdom.mail.outgoing import outbox
from kingdom.mail.records import Letter
from tests.kit import mailkit
from tests.kit.mailkit import CAMPAIGN, NOW, Box, filed
from tests.kit.tiny_game import write

TOKENS = {"examplia": "k7f3q", "borderia": "b8w2m", "gm": "g5s1r"}
ADDRESSES = {"examplia": "ada@example.org", "borderia": "bo@example.org", "gm": "gm@example.org"}


class Post:
    """A campaign with a clock that tests set. `sent` counts what was sent to it."""

    def __init__(self, folder: Path, campaign: str = CAMPAIGN):
        self.folder, self.now, self.sent = folder, NOW, 0
        write(folder, "campaign.yaml", campaign)

    @property
    def campaign(self) -> Campaign:
        """The campaign as it stands on the disk."""
        return campaigns.open_campaign(self.folder)

    @property
    def journal(self) -> Journal:
        """The journal as it stands on the disk."""
        return journal_of(self.campaign)

    def mail(self, seat: str, text: str, subject: str = "", sender: str = "", token: str = "", **head: str) -> Fate:
        """A player's mail, and what became of it."""
        self.sent += 1
        told = subject or f"Re: Orders {seat} 3"
        lines = {
            "From": sender or ADDRESSES.get(seat, seat),
            "Subject": f"{told} [{token or TOKENS.get(seat, '')}]" if "[" not in told else told,
            "Date": format_datetime(self.now),
            "Message-ID": f"<{self.sent}@mail.example.org>",
            "Content-Type": "text/plain; charset=utf-8",
            **{name.replace("_", "-"): value for name, value in head.items()},
        }
        data = "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n" + text.replace("\n", "\r\n")
        return self.take(data.encode())

    def take(self, data: bytes) -> Fate:
        """A message as bytes, and what became of it."""
        self.before = set(self.journal.mails)
        taken = taking.take(self.campaign, self.journal, Box([Incoming(f"{self.sent}", data)]), self.now)
        return taken[-1].fate

    def queue(self, letters: Iterable[Letter]) -> list[Letter]:
        """Put them into the outbox."""
        made = list(letters)
        outbox.queue(self.campaign, self.journal, made, self.now)
        return made

    def new(self) -> list[EmailMessage]:
        """The mails that the last message brought about, the answer first."""
        return [self.letter(id) for id in self.journal.mails if id not in self.before]

    def answer(self) -> EmailMessage:
        """The one answer to the last message."""
        (found,) = [mail for mail in self.new() if "answer-" in mail["Message-ID"] or "warning-" in mail["Message-ID"]]
        return found

    def letter(self, id: str) -> EmailMessage:
        """A mail of the outbox."""
        return email.message_from_bytes(outbox.file_of(self.campaign, id).read_bytes(), policy=default)

    def forward(self) -> None:
        """Carry the reports of the outbox to their readers, and take them out."""
        for file in (self.folder / "mail/outbox").glob("report-*.eml"):
            file.unlink()

    def filed(self, seat: str = "examplia", turn: int = 3) -> dict[str, Any] | None:
        """What is filed for a seat, without its head."""
        return filed(self.campaign, seat, turn)

    def press(self, link: str, seat: str, text: str = "") -> Fate:
        """Tap a mailto link and send what the mail program opens, with a text below it."""
        to, subject, body = pressed(link)
        assert to == "orders@example.org"
        return self.mail(seat, body + text, subject)


def fresh(made: Path, folder: Path, campaign: str = CAMPAIGN) -> Post:
    """A copy of a campaign that was made once."""
    shutil.copytree(made, folder)
    return Post(folder, campaign)


def campaign(folder: Path) -> Path:
    """The small campaign with two turns kept; turn 3 is next."""
    return mailkit.campaign(folder)


def text_of(mail: EmailMessage) -> str:
    """The text part, which has no links and so speaks of none to be tapped."""
    text: str = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")
    assert not re.search(r"\btap\s+(the|its)\s+link\b", text), text
    return text


def html_of(mail: EmailMessage) -> str:
    """The HTML part."""
    return mail.get_body(("html",)).get_content().replace("\r\n", "\n")


def enclosed(mail: EmailMessage) -> dict[str, bytes]:
    """The attachments: name -> bytes."""
    return {part.get_filename(): part.get_payload(decode=True) for part in mail.iter_attachments()}


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._to = ""
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "a":
            self._to = dict(attrs).get("href") or ""

    def handle_data(self, data: str) -> None:
        if self._to.startswith("mailto:"):
            self.found[data.strip()] = self._to
        self._to = ""


def links(mail: EmailMessage) -> dict[str, str]:
    """Name -> mailto link, of a mail's HTML part."""
    parser = _Links()
    parser.feed(html_of(mail))
    return parser.found


def tags(mail: EmailMessage) -> set[str]:
    """The elements of a mail's HTML part."""
    parser = _Links()
    parser.feed(html_of(mail))
    return set(parser.tags)


def pressed(link: str) -> tuple[str, str, str]:
    """(to, subject, body) that a mail program makes of a mailto link."""
    assert len(link) < 2000
    parts = urlsplit(link)
    query = parse_qs(parts.query, strict_parsing=True)
    body = query.get("body", [""])[0]
    assert "\n" not in body.replace("\r\n", ""), "line ends are CRLF"
    return unquote(parts.path), query["subject"][0], body.replace("\r\n", "\n")


def long_lines(text: str) -> list[str]:
    """The lines that a terminal of 78 columns would break."""
    lines = (line for line in text.splitlines() if not line.strip().startswith("kingdom dice "))  # typed as it stands
    return [line for line in lines if len(line) > 78 and not re.search(r"\S{70}", line)]


def later(**span: int) -> timedelta:
    """A time later."""
    return timedelta(**span)


def at(text: str) -> datetime:
    """A time in UTC."""
    return datetime.fromisoformat(f"{text}+00:00")
