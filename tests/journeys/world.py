"""The world of a journey: people with mailboxes, the mail server between them, and one clock for all programs."""

from __future__ import annotations

import email
import itertools
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage
from email.policy import default
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from tests.journeys.clock import Clock
from tests.journeys.postfix import Postfix, is_there
from tests.kit.mailservers import PASSWORD, Authority, Dovecot, Mailbox, Postbox

DOMAIN = "example.org"
_WORLDS = itertools.count(1)
_TOKEN = re.compile(r"\[\w+\]")
_LINK = re.compile(r'<a[^>]+href="(mailto:[^"]+)"[^>]*>(.*?)</a>', re.DOTALL)


class Read(NamedTuple):
    """A mail as its reader sees it. text: the plain text; page: the HTML, "" for none; files: what is attached, by name."""

    mail: EmailMessage
    subject: str
    sender: str
    text: str
    page: str
    files: Mapping[str, bytes]

    def says(self, *words: str) -> bool:
        """Whether all these words stand in it, wherever a line is broken."""
        return all(word in f"{self.subject}\n{' '.join(self.text.split())}" for word in words)

    @property
    def whole(self) -> str:
        """All of it, as nobody sees it: headers, text, page and files, with nothing encoded."""
        heads = [f"{name}: {value}" for name, value in self.mail.items()]
        files = [data.decode(errors="replace") for data in self.files.values()]
        return unquote("\n".join([*heads, self.text, unescape(self.page), *files]))


class Written(NamedTuple):
    """What somebody tells a mail program to send. answers: the mail that was open when they pressed Reply. link: the mailto: link that they
    pressed."""

    to: str
    subject: str
    text: str
    answers: Read | None
    link: str = ""


Program = Callable[["Person", Written], None]  # sends what a person writes; tests/journeys/programs.py


class World:
    """Everything that a journey needs. `stop` ends what it started."""

    def __init__(self, folder: Path, dovecot: Dovecot, authority: Authority, start: datetime, names: Sequence[str]):
        """names: whose mailboxes there are, each NAME@example.org."""
        self.folder, self.dovecot, self.authority = folder, dovecot, authority
        self.clock = Clock(start)
        self._stamped: set[str] = set()  # the names of the delivered files that have the journey's time
        number = next(_WORLDS)
        self.boxes: dict[str, Mailbox] = {name: dovecot.mailbox(f"{name}.{number}") for name in names}
        boxes = {f"{name}@{DOMAIN}": box for name, box in self.boxes.items()}
        self.post: Postfix | Postbox
        if is_there():
            homes = {address: box.home for address, box in boxes.items()}
            certificate = authority.certificate()
            self.post = Postfix(homes, dovecot.owner, dovecot.passwords, certificate, self.clock.environment)
        else:
            self.post = Office(authority)
            self.post.boxes, self.post.now = boxes, lambda: self.clock.now

    def stop(self) -> None:
        """End what was started."""
        self.post.stop()
        self.clock.stop()

    def person(self, name: str, full: str, program: Program) -> Person:
        """Somebody who has a mailbox and a mail program."""
        return Person(self, name, full, program)

    def changes_the_password(self, name: str, password: str) -> None:
        """From now on the mail server lets this mailbox's owner in with another password alone."""
        file = self.dovecot.folder / "users" / self.boxes[name].user
        user, _, rest = file.read_text().split(":", 2)
        time.sleep(1.1)  # Dovecot reads a file anew only in another second
        file.write_text(f"{user}:{{PLAIN}}{password}:{rest}")

    def settle(self) -> None:
        """Wait until all that was sent is delivered."""
        end = time.monotonic() + 20
        while isinstance(self.post, Postfix) and not self.post.is_idle():
            assert time.monotonic() < end, self.post.log.read_text()[-3000:]
            time.sleep(0.02)
        self._stamp()

    def _stamp(self) -> None:
        """Give what was delivered since the journey's time, which Dovecot takes for when it came."""
        ahead = self.clock.now.timestamp() - time.time()
        for file in (file for box in self.boxes.values() for file in (box.home / "Maildir" / "new").glob("[!.]*")):
            if file.name not in self._stamped:
                self._stamped.add(file.name)
                moment = file.stat().st_mtime + ahead
                os.utime(file, (moment, moment))

    @property
    def environment(self) -> dict[str, str]:
        """What every program of this world finds in its environment."""
        return {"LANG": "C.UTF-8", "SSL_CERT_FILE": str(self.authority.file), **self.clock.environment}


class Office(Postbox):
    """Takes mail where there is no Postfix: whoever has a mailbox may log in."""

    def _let_in(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> Any:
        from aiosmtpd.smtp import AuthResult

        return AuthResult(success=data.password == PASSWORD.encode(), handled=False)


class Person:
    """Somebody with an address, a mailbox and a mail program."""

    def __init__(self, world: World, name: str, full: str, program: Program):
        self.world, self.name, self.full, self.program = world, name, full, program
        self.address, self.box = f"{name}@{DOMAIN}", world.boxes[name]
        self.home = world.folder / name
        self.home.mkdir(exist_ok=True)
        self.opened: list[Read] = []
        self._seen: set[str] = set()
        self.numbers = itertools.count(1)

    def reads(self) -> list[Read]:
        """The mails that came since, the oldest first."""
        self.world.settle()
        files = [file for part in ("new", "cur") for file in (self.box.home / "Maildir" / part).glob("[!.]*")]
        fresh = [file for file in files if _unique(file) not in self._seen]
        self._seen |= set(map(_unique, fresh))
        mails = [read(file.read_bytes()) for file in sorted(fresh, key=lambda file: file.stat().st_mtime_ns)]
        self.opened += mails
        return mails

    def reads_one(self, *words: str) -> Read:
        """The one mail that came since; these words stand in its subject or text."""
        mails = self.reads()
        assert len(mails) == 1, [mail.subject for mail in mails]
        for word in words:
            assert mails[0].says(word), f"{word!r} is not in {mails[0].subject}\n{mails[0].text}"
        return mails[0]

    def reads_nothing(self) -> None:
        """No mail came since."""
        mails = self.reads()
        assert not mails, [mail.subject for mail in mails]

    def writes(self, to: str, subject: str, text: str) -> None:
        """A new mail."""
        self.program(self, Written(to, subject, text, None))
        self.world.settle()

    def replies(self, text: str, to: Read | None = None, subject: str = "") -> None:
        """A reply to a mail, else to the one that was read last, with what the program quotes. subject: if it is written anew."""
        mail = to or self.opened[-1]
        self.program(self, Written(_answers_go_to(mail.mail), subject or reply_subject(mail.subject), text, mail))
        self.world.settle()

    def asks(self, words: str, text: str = "", to: Read | None = None) -> None:
        """A command to the campaign, as the subject of a reply; the token of the mail that is answered stays in it."""
        mail = to or self.opened[-1]
        self.replies(text, mail, " ".join([words, *_TOKEN.findall(mail.subject)]))

    def presses(self, link: str, mail: Read | None = None, number: int = 1) -> None:
        """Tap a link of a mail, and send what the mail program opens. number: which of those with that name."""
        target = [target for name, target in self.links(mail) if name == link][number - 1]
        parts = urlsplit(target)
        query = parse_qs(parts.query)
        body = query.get("body", [""])[0].replace("\r\n", "\n")
        self.program(self, Written(unquote(parts.path), query["subject"][0], body, None, target))
        self.world.settle()

    def links(self, mail: Read | None = None) -> list[tuple[str, str]]:
        """The links of a mail that write one: what can be tapped, and what that opens."""
        page = (mail or self.opened[-1]).page
        return [
            (unescape(" ".join(re.sub(r"<[^>]+>", "", name).split())), unescape(target))
            for target, name in _LINK.findall(page)
        ]

    @property
    def environment(self) -> dict[str, str]:
        """What the person's programs find in their environment."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "TERM": "xterm", **self.world.environment}


def _unique(file: Path) -> str:
    return file.name.partition(":")[0]


def _answers_go_to(mail: EmailMessage) -> str:
    header: Any = mail["Reply-To"] or mail["From"]
    return str(header.addresses[0].addr_spec)


def reply_subject(subject: str) -> str:
    """As a mail program makes it of the subject of the mail that is answered."""
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def is_renamed(written: Written) -> bool:
    """Whether a reply has another subject than the program would give it."""
    return written.answers is not None and written.subject != reply_subject(written.answers.subject)


def read(data: bytes) -> Read:
    """A mail as its reader sees it."""
    mail = email.message_from_bytes(data, policy=default)
    plain, page = mail.get_body(("plain",)), mail.get_body(("html",))
    files = {part.get_filename(""): part.get_payload(decode=True) for part in mail.iter_attachments()}
    text = plain.get_content().replace("\r\n", "\n") if plain else ""
    return Read(
        mail, str(mail["Subject"]), str(mail["From"]), text, page.get_content() if page else "",
        {name: data for name, data in files.items() if isinstance(data, bytes)},
    )  # fmt: skip
