"""One-tap links: a `mailto:` with subject and body filled in, short enough for every mail program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

LONGEST = 2000  # characters; some programs cut longer ones


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
