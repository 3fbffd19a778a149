"""An .eml file from what is to be said: headers that thread it and that no machine answers, text and HTML, attachments.

The bytes are a function of what goes in: the same letter made again is the same file, with the same Message-ID. What texts
are made of stands here too: links that one tap sends, and the templates in templates/mail, each of which gets `view`, plain
data with every text in it cleaned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from quopri import encodestring
from typing import TYPE_CHECKING
from urllib.parse import quote

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign, Place
from kingdom.engine.dice import GM, commitment_of, key_of
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.regex import regex
from kingdom.mail.records import Letter
from kingdom.mail.tokens import message_id, turn_token
from kingdom.orders import places
from kingdom.render.plain_text import COLUMNS, UNIT, clean, cleaned, left, right, wrap_said

if TYPE_CHECKING:
    from email.headerregistry import Address
    from email.message import EmailMessage
    from email.policy import EmailPolicy

    from jinja2 import Environment

_NO_BRACKETS = str.maketrans("[]", "()")
NAMES = {"form": "Get the order form", "help": "See what you can ask"}  # what taps of these words are called
NOWHERE = "orders@campaign.invalid"
LONGEST = 2000  # characters of a link; some programs cut longer ones
MOST_TYPED = 10_000  # characters of lines that somebody may type instead
LARGEST_INLINE = 90_000  # bytes of text and HTML as they are sent: mail programs cut longer mails
LARGEST_TEXT = 40_000  # bytes of them that the text may have


class Enclosed(NamedTuple):
    """A file that goes with a mail. kind: such as text/calendar."""

    name: str
    kind: str
    data: bytes


class Picture(NamedTuple):
    """A PNG that the HTML shows. id: what it calls it, without `cid:`."""

    id: str
    data: bytes


class Content(NamedTuple):
    """What a mail says. in_reply_to, references: of the message that it answers. answers: auto-replied; else auto-generated.

    pictures: what the HTML shows, parts of the same message. writer: the player who wrote it, "" for the campaign itself.
    """

    subject: str
    text: str
    html: str = ""
    enclosed: Sequence[Enclosed] = ()
    in_reply_to: str = ""
    references: str = ""
    answers: bool = False
    pictures: Sequence[Picture] = ()
    writer: str = ""


def address_of(campaign: Place) -> str:
    """The address that orders are sent to; without a mailbox the GM's, who carries them. One that leads nowhere if there is none."""
    mail, gm = campaign.settings.mail, campaign.settings.gm.email
    return mail.address if mail else gm[0] if gm else NOWHERE


def addresses(campaign: Place, seat: str) -> Sequence[str]:
    """Where mail to a seat, or to the GM, goes; the first is for reports. A seat that a bot holds gets none."""
    settings = campaign.settings
    if seat == GM:
        return settings.gm.email
    return () if settings.players[seat].bot else settings.players[seat].email


def sign_of(campaign: Place, token: str) -> str:
    """What stands for a token in ids and in the journal, and does not tell it."""
    return store.digest_of(f"{campaign.settings.seed_of(0)} {token}".encode())[:8]


def titled(campaign: Place, title: str) -> str:
    """The subject of a mail of ours: `[The Greenmarch] Report of turn 1`."""
    name = clean(campaign.settings.name).translate(_NO_BRACKETS)
    return f"[{' '.join(name.split())[:40].strip()}] {title}"


def orders_subject(campaign: Campaign, seat: str, turn: int) -> str:
    """The subject under which a new mail is a filing, for a link: `Orders examplia 3 [3-k7f3qm2p9a]`."""
    return with_token(campaign, seat, f"Orders {seat} {turn}", turn)


def with_token(campaign: Campaign, seat: str, subject: str, turn: int = 0) -> str:
    """A subject for a link that proves who writes, with the token of that turn, of the next one where none is named."""
    token = turn_token(campaign, seat, turn or max(1, campaigns.newest(campaign) + 1))
    return f"{subject} [{token}]" if token else subject


def turn_of_thread(campaign: Place, kind: str, turn: int) -> int:
    """The turn that a reply to a mail is for; the mails of one turn are a thread. turn: the mail's, 0 for the next."""
    if kind in ("report", "welcome"):
        return turn + 1
    return turn or max(1, campaigns.newest(campaign) + 1)


def letter(
    campaign: Place,
    id: str,
    kind: str,
    seat: str,
    turn: int,
    to: str,
    content: Content,
    now: datetime,
    **more: str | int,
) -> Letter:
    """The mail as an .eml file. `id` is a function of what it is about. more: what else the journal says of it."""
    from email.message import EmailMessage

    mail = EmailMessage(policy=policy())
    thread = turn_of_thread(campaign, kind, turn)
    headers = _headers(campaign, id, seat, thread, to, content, now)
    for name, value in headers:
        mail[name] = value
    mail.set_content(content.text, cte=_transfer(content.text))
    if content.html:
        mail.add_alternative(content.html, subtype="html", cte=_transfer(content.html))
        *_, shown = mail.iter_parts()
        for number, picture in enumerate(content.pictures):
            name = f"picture-{number}.png"
            shown.add_related(picture.data, "image", "png", cid=f"<{picture.id}>", filename=name, disposition="inline")
    for file in content.enclosed:
        if file.kind == "text/html":  # a page of ours: line ends mean nothing in it, and base64 would add a third
            page = file.data.decode()
            mail.add_attachment(page, subtype="html", filename=file.name, cte=_transfer(page))
            continue
        main, _, sub = file.kind.partition("/")
        params = {"charset": "utf-8"} if main == "text" else {}
        how = "7bit" if (main == "text" or sub == "json") and _is_plain(file.data) else "base64"
        mail.add_attachment(file.data, maintype=main, subtype=sub, filename=file.name, params=params, cte=how)
    for part in mail.walk():
        if part["Content-Transfer-Encoding"] == "quoted-printable":
            part.set_payload(_MANGLED.sub("=46rom ", str(part.get_payload())))
    for number, part in enumerate(part for part in mail.walk() if part.is_multipart()):
        part.set_boundary(f"{boundary(id)}{number}")
    return Letter(
        id,
        kind,
        seat,
        turn,
        to,
        _unfolded(mail.as_bytes(), {name.encode(): str(value) for name, value in headers if name in _OF_IDS}),
        more,
    )


def boundary(id: str) -> str:
    """How each line between parts of that mail begins, behind its dashes."""
    return f"=_{id}_"


def _transfer(text: str) -> str:
    """How a text goes: quoted-printable, which filters like; base64 where most of its bytes would take three each."""
    data = text.encode("utf-8", "surrogateescape")
    plain = len(data.translate(None, _ABOVE_ASCII))
    return "base64" if len(data) > 2 * plain else "quoted-printable"


_ABOVE_ASCII = bytes(range(128, 256))


_MANGLED = regex(r"^From ", re.MULTILINE)  # what programs that keep mail in one file put a > before


def _is_plain(data: bytes) -> bool:
    """Whether a text may stand in a mail as it is: filters count base64 that is not needed against a mail."""
    return (
        data.isascii()
        and b"\0" not in data
        and not _MANGLED.search(data.decode())
        and max(map(len, data.split(b"\n"))) < 900
    )


_HEADER = rb"^%s:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*"  # with the lines over which it is folded
_EMPTY = regex(rb"^([\w-]+:)[ \t]*\r\n[ \t]+", re.MULTILINE)  # a header that is folded before its first word
_OF_IDS = ("Message-ID", "In-Reply-To", "References")
_LONGEST_ID = 60  # characters; a longer one may be folded or encoded


def _unfolded(data: bytes, ids: Mapping[bytes, str]) -> bytes:
    """A mail in which no header begins with an empty line, and no id is folded or encoded: servers rewrite such ones, and a reply is
    proved by its id. ids: the headers that hold some."""
    head, end, body = data.partition(b"\r\n\r\n")
    for name in ids:
        line = name + b": " + b"\r\n ".join(ids[name].encode().split())
        if max(map(len, ids[name].split())) > _LONGEST_ID:
            found = re.search(_HEADER % name, head, re.MULTILINE)
            head = head[: found.start()] + line + head[found.end() :] if found else head
    return _EMPTY.sub(rb"\1 ", head) + end + body


@cache
def policy() -> EmailPolicy[EmailMessage]:
    """As our mails are written and read. Python makes a class for every header: once a name is enough, and halves the time of a mail."""
    from email.headerregistry import HeaderRegistry
    from email.policy import SMTP

    registry = type("Registry", (HeaderRegistry,), {"__getitem__": cache(HeaderRegistry.__getitem__)})
    return SMTP.clone(header_factory=registry())


def _headers(
    campaign: Place, id: str, seat: str, turn: int, to: str, content: Content, now: datetime
) -> list[tuple[str, str | Address]]:
    """Names and values. What came from a mail or a person is one clean line by now, or is left out."""
    from email.headerregistry import Address
    from email.utils import format_datetime

    ours = address_of(campaign)
    local, _, domain = ours.rpartition("@")
    name = clean(campaign.settings.name)[:60].strip()
    shown = f"{clean(content.writer)[:60].strip()} via {name}" if content.writer else name
    # what all mails to a seat about one turn refer to: mail programs show them together, and a reply names its turn
    thread = message_id(campaign, f"turn-{turn:04}-{seat}", seat, domain)
    references = f"{thread} {content.references or content.in_reply_to}".strip()
    threaded = [("In-Reply-To", content.in_reply_to), ("References", references)]
    return [
        ("From", Address(shown, local, domain)),
        ("To", to),
        ("Reply-To", reply_to(campaign, seat, turn)),
        ("Subject", clean(content.subject)[:200]),
        ("Date", format_datetime(now)),
        ("Message-ID", message_id(campaign, id, seat, domain)),
        *((header, value) for header, value in threaded if value and value.isascii() and value.isprintable()),
        ("Auto-Submitted", "auto-replied" if content.answers else "auto-generated"),
        ("X-Auto-Response-Suppress", "All"),
    ]


def reply_to(campaign: Place, seat: str, turn: int) -> str:
    """Where a reply goes: with the seat's token of the turn behind a +, where such mail arrives."""
    mail, token = campaign.settings.mail, turn_token(campaign, seat, turn)
    if mail is None or not mail.tags or not token:
        return address_of(campaign)
    return with_tag(mail.address, token)


def with_tag(address: str, tag: str) -> str:
    """orders@example.org -> orders+tag@example.org."""
    name, _, domain = address.rpartition("@")
    return f"{name}+{tag}@{domain}"


def size_inline(*texts: str) -> int:
    """The bytes that these take in a mail."""
    return sum(len(encodestring(text.encode())) for text in texts)


# --- links: a `mailto:` with subject and body filled in


class Link(NamedTuple):
    """What a tap sends. to: the mailto link, "" where it would be too long. lines: the same to be typed, for a mail's text.

    reply: a command, which a reply may have as its only line, "" for anything else.
    """

    name: str
    to: str
    lines: Sequence[str]
    reply: str = ""

    def view(self) -> Mapping[str, object]:
        """For a template."""
        return {"name": self.name, "to": self.to, "lines": list(self.lines), "reply": self.reply}


def mailto(address: str, subject: str, body: str) -> str:
    """The link; "" where it would be too long. Line ends are CRLF."""
    text = "".join(f"{line}\r\n" for line in body.splitlines())
    link = f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}"
    link += f"&body={quote(text, safe='')}" if text else ""
    return link if len(link) < LONGEST else ""


def tap(campaign: Campaign, seat: str, word: str, name: str = "") -> Link:
    """A link that sends a command of that seat: its subject and nothing below. name: what it is called, else the command."""
    to = mailto(address_of(campaign), with_token(campaign, seat, word), "")
    return Link(name or NAMES.get(word, word), to, (), "" if word.startswith("to ") else word)


def link(name: str, address: str, subject: str, lines: Iterable[str]) -> Link:
    """A link that sends these lines; where they are too many for one, those behind a # are left out of it. What is too much to be typed
    is not shown either."""
    lines = list(lines)
    if sum(map(len, lines)) > MOST_TYPED:
        return Link(name, "", ())
    to = mailto(address, subject, "\n".join(lines))
    return Link(
        name, to or mailto(address, subject, "\n".join(line for line in lines if not line.startswith("#"))), lines
    )


# --- templates


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from kingdom.render.templates import codes, environment  # loads jinja2

    filters: dict[str, Callable[..., object]] = {"left": left, "right": right, "wrap": _wrapped, "codes": codes}
    made: Environment = environment(places.templates() / "mail", filters)
    return made


UNTAPPED = {  # what an HTML part says of its links -> the same in a text, which has none
    "tap the link, or reply": "reply",
    "tap its link, or reply": "reply",
    ", or tap the link:": ":",
    "the links and a plain reply to this mail do that": "a plain reply to this mail does that",
}


def _wrapped(text: str, indent: int = 0, columns: int = COLUMNS, first: str = "") -> str:
    """A sentence of a mail's text, wrapped."""
    for tapped, typed in UNTAPPED.items() if not first else ():  # behind `first` people's own words may stand
        text = text.replace(tapped, typed)
    return wrap_said(text, indent, columns, first)


def _together(value: object) -> object:
    """The texts of a view, with each number and its unit on one line of a page."""
    if isinstance(value, str):
        return UNIT.sub("\u00a0", value)
    if isinstance(value, Mapping):
        return {key: _together(inner) for key, inner in value.items()}
    return [_together(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def template(name: str, view: Mapping[str, object], **ours: str) -> str:
    """A template of mails filled in; one of HTML is escaped. ours: HTML of our own that goes into the view as it is."""
    from markupsafe import Markup

    texts = {key: _together(value) if name.endswith(".html") else value for key, value in cleaned(view).items()}
    whole = {**texts, **{key: Markup(html) for key, html in ours.items()}}
    return _environment().get_template(name).render(view=whole)


class Listed(NamedTuple):
    """A line of a list in a page: what can be typed, what it does, the link that sends it, "" for none; or a heading alone."""

    typed: str = ""
    means: str = ""
    to: str = ""
    heading: str = ""


def short(
    name: str, lines: Iterable[str], typed: Iterable[str] = (), links: Iterable[Link] = (), listed: Iterable[Listed] = ()
) -> tuple[str, str]:  # fmt: skip
    """(text, HTML) of a short mail: paragraphs, lines as they stand, links; listed: what a page has instead of these two."""
    view = {"campaign": name, "lines": list(lines), "typed": list(typed), "links": [link.view() for link in links]}
    return template("lines.txt", view), template("lines.html", {**view, "listed": [one._asdict() for one in listed]})


def reseeded_id(campaign: Place, turn: int, seat: str) -> str:
    """The id of the mail that tells a seat that a turn's dice come from another seed."""
    promised = commitment_of(key_of(campaign.settings.seed_of(turn), turn, GM))
    return f"seed-{turn:04}-{seat}-{promised[:8]}"


def reopened_id(turn: int, seat: str, attempt: int) -> str:
    """The id of the mail that tells a seat that a turn is open again."""
    return f"reopened-{turn:04}-{seat}-{attempt}"
