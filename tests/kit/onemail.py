"""One mail of a player in a small campaign, and what becomes of it: what is filed, who gets which letter, what the answer says.

    from tests.kit.onemail import Mail, Table
    table = Table(folder)                                 # a second; then 20 ms a mail
    became = table.take(Mail("ada", "claim 0809\\n", answers="report"))
    became.filed, became.to("ben"), became.answer

Shown from the command line: `.venv/bin/python -m tests.kit.onemail ada < TEXT` (`--subject`, `--html`, `--quote`, `--full`).
"""

from __future__ import annotations

import argparse
import email
import io
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import format_datetime
from functools import cache
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.mail.incoming.taking import Incoming
from kingdom.mail.journal import Journal, journal_of
from kingdom.mail.week import Week
from kingdom.orders import orders_file
from tests.kit.mailkit import Box
from tests.kit.postkit import links, pressed

CAMPAIGN = Path(__file__).parent / "three_kingdoms"
SEATS = {"ada": "harrowfen", "ben": "orrenvale", "cleo": "rookhallow", "gm": "gm"}
TOKENS = {"ada": "qfqpgpjh", "ben": "7j8vj8cr", "cleo": "q3fe24jp", "gm": "kjwdcy55"}
TURN = 1
NOW = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)
US = "Three Kingdoms <orders@example.org>"
INTRO = f"On Sat, 28 Nov 2026 at 09:12, {US} wrote:"
OFFER = re.compile(r"reply\s+with\s+th(?:is\s+line|ese\s+lines)(?:\s+above\s+the\s+quote)?(?:,\s+or\s+tap\s+the\s+link)?[.:]\n\n?(.*?)(?:\n\n|\Z)", re.DOTALL | re.IGNORECASE)  # fmt: skip


class Mail(NamedTuple):
    """A mail as a person writes it.

    who: ada, ben, cleo or gm. subject: of a new mail, TOKEN stands for the writer's token; None: that of the answered mail. answers: what
    it is a reply to: "report", "receipt" or "letter" (what the mail before brought them), None for a new mail.
    quote: how it quotes that: none, gt, outlook, german, french, forward. form: plain, gmail (text and HTML), outlook (HTML made of the
    text), html (the text is HTML).
    """

    who: str
    body: str
    subject: str | None = None
    answers: str | None = None
    quote: str = "gt"
    form: str = "plain"
    re_word: str = "Re:"
    cc: str = ""


class Became(NamedTuple):
    """What became of a mail.

    start, orders: who -> what was filed before and after it, in the long form without kingdom and turn. mails: all that went out, the
    answer first. line: what the run says. outcome, code: as the journal has them.
    """

    who: str
    start: Mapping[str, Mapping[str, Any]]
    orders: Mapping[str, Mapping[str, Any]]
    mails: tuple[EmailMessage, ...]
    line: str
    outcome: str
    code: str

    @property
    def filed(self) -> Mapping[str, Any]:
        """What is filed for the writer now."""
        return self.orders[self.who]

    def to(self, who: str) -> list[EmailMessage]:
        """The mails that went to somebody."""
        return [mail for mail in self.mails if str(mail["To"]).startswith(f"{who}@") or f"<{who}@" in str(mail["To"])]

    def read_by(self, who: str) -> str:
        """All that somebody gets of it, subjects and texts; with the letters to them in the writer's newly filed orders."""
        filed = [one for one in self.filed.get("messages", ()) if one not in self.start[self.who].get("messages", ())]
        of_orders = [one["text"] for one in filed if SEATS[who] == one["to"] or one["to"] == "all"]
        return flat(
            " ".join(
                [
                    *(f"{mail['Subject']} {text_of(mail)}" for mail in self.to(who)),
                    *(of_orders if who != self.who else []),
                ]
            )
        )

    @property
    def answer(self) -> str:
        """All that its writer gets."""
        return flat(" ".join(f"{mail['Subject']} {text_of(mail)}" for mail in self.to(self.who)))

    def offered(self) -> list[str]:
        """Each block of lines that the writer is told to reply with, as it stands in the text."""
        return [match[1] for mail in self.to(self.who) for match in OFFER.finditer(text_of(mail))]


def text_of(mail: EmailMessage) -> str:
    """Its text part."""
    part = mail.get_body(("plain", "html"))
    return part.get_content().replace("\r\n", "\n") if part else ""


def flat(text: str) -> str:
    """The words in one line, without quote marks."""
    return re.sub(r"\s+", " ", re.sub(r"(?m)^\s*[|>] ?", "", text)).strip()


class Table:
    """The campaign of three kingdoms with turn 0 played and its reports out. Each mail finds it so, unless others came before it."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name, data in _played().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        (folder / "orders").mkdir(exist_ok=True)
        self._start = {file: file.read_bytes() for name in ("mail", "orders") for file in _files(folder / name)}
        self.reports = {
            who: self._letter(next((folder / "mail/outbox").glob(f"report-0000-{seat}-*.eml")))
            for who, seat in SEATS.items()
        }
        self._names = campaigns.names_today(self._campaign)
        self._clear()

    # --- mails in

    def take(self, *mails: Mail) -> Became:
        """What became of the last of these mails, which come one after the other."""
        self._clear()
        return self.go_on(*mails)

    def go_on(self, *mails: Mail) -> Became:
        """The same, after those that came already."""
        assert mails
        for mail in mails:
            became = self._take(mail)
        return became

    def tap(self, who: str, link: str) -> Became:
        """What becomes of the mail that a link opens, sent as it is."""
        _, subject, body = pressed(link)
        return self.go_on(Mail(who, body, subject))

    def links(self, became: Became) -> dict[str, str]:
        """Name -> link of the mails that the writer got."""
        return {
            name: link
            for mail in became.to(became.who)
            if mail.get_body(("html",))
            for name, link in links(mail).items()
        }

    def read(self, text: str, who: str = "ada") -> dict[str, Any]:
        """Orders in the long form, without kingdom and turn, as the file of them would be read."""
        names = {**self._names, "seats": self._campaign.seats}
        read = orders_file.read(text.encode(), "expected", self._campaign.game, names, SEATS[who], TURN, subject=True)
        assert read.orders is not None, [str(one) for one in read.problems]
        return _bare(read.orders)

    def _take(self, mail: Mail) -> Became:
        start, before = self._filed(), set(self._journal.mails)
        self._count += 1
        self._now += timedelta(minutes=2)
        target = self._target(mail)
        data = composed(mail, target, self._count, self._now)
        journal = self._journal
        done = Week(self._campaign, journal, Box([Incoming(str(self._count), data)]), self._now).run()
        assert not done.problems, done.problems
        new = [id for id in journal.mails if id not in before]
        mails = tuple(self._letter(self.folder / f"mail/outbox/{id}.eml") for id in new)
        for who in SEATS:
            got = [one for one in mails if f"{who}@" in str(one["To"])]
            self._got |= {who: got[0]} if got else {}
        entry = next(reversed(journal.handled.values()))
        return Became(mail.who, start, self._filed(), mails, "\n".join(done.lines), entry["outcome"], entry["code"])

    def _target(self, mail: Mail) -> EmailMessage | None:
        if mail.answers is None:
            return None
        if mail.answers == "report":
            return self.reports[mail.who]
        return self._got[mail.who]

    # --- the campaign's folder

    def _clear(self) -> None:
        for name in ("mail", "orders"):
            for file in _files(self.folder / name):
                if file not in self._start:
                    file.unlink()
        for file, data in self._start.items():
            if not file.exists() or file.stat().st_size != len(data):
                file.write_bytes(data)
        self._count, self._now = 0, NOW
        self._got: dict[str, EmailMessage] = {}  # who -> the answer or the letter that the newest mail brought them

    @property
    def _campaign(self) -> Campaign:
        return campaigns.open_campaign(self.folder)

    @property
    def _journal(self) -> Journal:
        return journal_of(self._campaign)

    def _filed(self) -> dict[str, dict[str, Any]]:
        return {who: self._filed_for(who) for who in SEATS}

    def _filed_for(self, who: str) -> dict[str, Any]:
        file = self.folder / f"orders/{TURN:04}/{SEATS[who]}.yaml"
        return self.read(file.read_text(encoding="utf-8"), who) if file.exists() else {}

    def _letter(self, file: Path) -> EmailMessage:
        return email.message_from_bytes(file.read_bytes(), policy=default)


@cache
def _played() -> dict[str, bytes]:
    """The files of the campaign, whose turn is played once."""
    from kingdom.cli.main import main

    with TemporaryDirectory() as made:
        folder = shutil.copytree(CAMPAIGN, Path(made) / "campaign")
        with redirect_stdout(io.StringIO()):
            assert main(["turn", "--yes", str(folder)]) == 0
            assert main(["run", str(folder)]) == 0
        (folder / "mail/place").unlink()  # with it, what lies elsewhere would be a copy, which takes no mail
        return {str(file.relative_to(folder)): file.read_bytes() for file in _files(folder)}


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file())


def _bare(orders: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in orders.items() if key not in ("kingdom", "turn")}


# --- a mail as its writer's program writes it


def composed(mail: Mail, target: EmailMessage | None, number: int, now: datetime) -> bytes:
    """The bytes of a mail. target: what it answers."""
    made = EmailMessage(policy=SMTP)
    address = "gm@example.org" if mail.who == "gm" else f"{mail.who}@example.net"
    made["From"], made["To"], made["Date"] = address, "orders@example.org", format_datetime(now)
    subject = f"{mail.re_word} {target['Subject'] if target else ''}" if mail.subject is None else mail.subject
    made["Subject"] = subject.replace("TOKEN", TOKENS[mail.who]).replace("\n", " ")
    made["Message-ID"] = f"<{number}@mail.example.net>"
    if mail.cc:
        made["Cc"] = mail.cc
    if target and mail.quote != "forward":
        made["In-Reply-To"] = str(target["Message-ID"])
        made["References"] = f"{target['References'] or ''} {target['Message-ID']}".strip()
    style, quoted = mail.quote if target else "none", text_of(target) if target else ""
    head = [
        "From: " + US,
        "Sent: Saturday, 28 November 2026 09:12",
        f"To: {mail.who}@example.net",
        f"Subject: {target['Subject'] if target else ''}",
    ]
    text = _with_quote(mail.body, style, "\n".join(head), quoted)
    if mail.form in ("plain", "gmail"):
        made.set_content(text, cte="8bit")
    if mail.form == "gmail":
        made.add_alternative(_gmail(mail.body, style, quoted), subtype="html")
    if mail.form in ("outlook", "html"):
        made.set_content(_outlook(mail.body, mail.form, style, head, quoted), subtype="html", cte="8bit")
    return bytes(made)


def _with_quote(body: str, style: str, head: str, quoted: str) -> str:
    marked = "\n".join(f"> {line}" for line in quoted.splitlines())
    german = head
    for old, new in (("From:", "Von:"), ("Sent:", "Gesendet:"), ("To:", "An:"), ("Subject:", "Betreff:")):
        german = german.replace(old, new)
    return {
        "none": body,
        "gt": f"{body}\n\n{INTRO}\n{marked}\n",
        "outlook": f"{body}\n\n-----Original Message-----\n{head}\n\n{quoted}",
        "german": f"{body}\n\n-----Ursprüngliche Nachricht-----\n{german}\n\n{quoted}",
        "french": f"{body}\n\nLe sam. 28 nov. 2026 à 09:12, {US} a écrit :\n{marked}\n",
        "forward": f"{body}\n\n---------- Forwarded message ---------\n{head.replace('Sent:', 'Date:')}\n\n{quoted}",
    }[style]


def _in_html(text: str) -> str:
    return escape(text).replace("  ", "&nbsp; ")


def _gmail(body: str, style: str, quoted: str) -> str:
    lines = "".join(f'<div dir="auto">{_in_html(line) or "<br>"}</div>' for line in body.splitlines())
    if style == "none":
        return f'<div dir="auto">{lines}</div>'
    inside = "<br>\n".join(_in_html(line) for line in quoted.splitlines())
    return (
        f'<div dir="auto">{lines}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{_in_html(INTRO)}<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">{inside}</blockquote></div>'
    )


def _outlook(body: str, form: str, style: str, head: list[str], quoted: str) -> str:
    def paragraphs(text: str, last: str = "") -> str:
        return "".join(f'<p class="MsoNormal">{_in_html(line) or "&nbsp;"}{last}</p>\n' for line in text.splitlines())

    page = '<html><head><meta charset="utf-8"><style>p.MsoNormal{margin:0cm}</style></head><body lang="EN-GB"><div class="WordSection1">'
    page += body if form == "html" else paragraphs(body, "<o:p></o:p>")
    if style != "none":
        lines = "<br>".join(re.sub(r"^(\w+:)", r"<b>\1</b>", _in_html(line)) for line in head)
        page += f'<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">{lines}</p></div>'
        page += paragraphs(quoted)
    return f"{page}</div></body></html>"


# --- typed by hand


def told(became: Became, full: bool = False) -> str:
    """What became of a mail, to be read at a terminal."""
    lines = [became.line, *(f"filed for {who}: {orders}" for who, orders in became.orders.items() if orders)]
    for mail in became.mails:
        text = [line for line in text_of(mail).splitlines() if full or line.strip()]
        lines += [f"-> {mail['To']}: {mail['Subject']}", *(f"     {line}" for line in (text if full else text[:24]))]
    return "\n".join(lines)


def main() -> None:
    """Take a mail from standard input."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("who", choices=SEATS)
    parser.add_argument("--subject", help="of a new mail, with TOKEN in it; without it the mail answers the report")
    parser.add_argument("--before", help="a mail of the same player that came before, which this one answers")
    parser.add_argument("--quote", default="gt")
    parser.add_argument("--form", default="plain")
    parser.add_argument("--full", action="store_true", help="whole mails, not their first lines")
    typed = parser.parse_args()
    answers = None if typed.subject else "receipt" if typed.before else "report"
    before = [Mail(typed.who, typed.before.replace("\\n", "\n"), answers="report")] if typed.before else []
    mail = Mail(typed.who, sys.stdin.read(), typed.subject, answers, typed.quote, typed.form)
    with TemporaryDirectory() as made:
        print(told(Table(Path(made) / "campaign").take(*before, mail), typed.full))


if __name__ == "__main__":
    main()
