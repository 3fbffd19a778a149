"""The links in mails: a `mailto:` with subject and body filled in, which one tap sends, and the addresses of published pages."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from kingdom.campaign.campaign import Campaign

LONGEST = 2000  # characters; some programs cut longer ones
_DIGITS = 40  # of a published page's name: 160 bits


class Link(NamedTuple):
    """What a tap sends. to: the mailto link, "" where it would be too long. lines: the same to be typed, for a mail's text."""

    name: str
    to: str
    lines: Sequence[str]

    def view(self) -> Mapping[str, object]:
        """For a template."""
        return {"name": self.name, "to": self.to, "lines": list(self.lines)}


def mailto(address: str, subject: str, body: str) -> str:
    """The link; "" where it would be too long. Line ends are CRLF."""
    text = "".join(f"{line}\r\n" for line in body.splitlines())
    link = f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}"
    link += f"&body={quote(text, safe='')}" if text else ""
    return link if len(link) < LONGEST else ""


def link(name: str, address: str, subject: str, lines: Iterable[str]) -> Link:
    """A link that sends these lines; where they are too many for one, those behind a # are left out of it."""
    lines = list(lines)
    to = mailto(address, subject, "\n".join(lines))
    return Link(
        name, to or mailto(address, subject, "\n".join(line for line in lines if not line.startswith("#"))), lines
    )


class Shown(NamedTuple):
    """Where a seat's pages are: addresses, or paths of files where the campaign does not say under which address they are shown."""

    report: str
    form: str


def shown(campaign: Campaign, seat: str, turn: int) -> Shown | None:
    """Where a seat's report of a turn and its form are; None where nothing is published for it."""
    to = campaign.settings.publish
    if not to.folder or campaign.settings.players[seat].bot:
        return None
    base = to.url.rstrip("/") if to.url else str(published_folder(campaign))
    return Shown(
        f"{base}/{published_name(campaign, seat, f'report {turn}')}", f"{base}/{published_name(campaign, seat, 'form')}"
    )


def published_folder(campaign: Campaign) -> Path:
    """The folder that `publish` names; a relative path begins at the campaign."""
    return campaign.folder / campaign.settings.publish.folder


def published_name(campaign: Campaign, seat: str, what: str) -> str:
    """The name of a seat's page, which nobody guesses who lacks the campaign's seed and the seat's token."""
    token = campaign.settings.players[seat].token
    made = hmac.new(campaign.settings.seed.encode(), f"publish {seat} {token} {what}".encode(), sha256)
    return f"{made.hexdigest()[:_DIGITS]}.html"
