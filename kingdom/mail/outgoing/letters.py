"""Makes an .eml file: text and HTML, attachments, and headers that put it into a thread and keep machines from answering it.

The bytes are a function of what goes in: the same letter made again is the same file, with the same Message-ID. Here stand also the
links that one tap sends, and what fills in the templates in templates/mail: each gets `view`, plain data in which every text is cleaned.
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
SHORT = 3_400  # characters of HTML: filters count a picture in fewer against a mail, so there it is a file beside them


class Enclosed(NamedTuple):
    """A file that is attached to a mail. kind: such as text/calendar."""

    name: str
    kind: str
    data: bytes


class Picture(NamedTuple):
    """A PNG that the HTML of a mail shows. id: its name in the HTML, without `cid:`."""

    id: str
    data: bytes


class Content(NamedTuple):
    """What a mail says. in_reply_to, references: of the message that it answers. answers: the mail is auto-replied, else auto-generated.

    pictures: those that the HTML shows, parts of the same message. writer: the player who wrote it, "" for the campaign itself.
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
    """The address to which orders are sent. Without a mailbox it is the GM's, who carries them; without that, one that leads nowhere."""
    mail, gm = campaign.settings.mail, campaign.settings.gm.email
    return mail.address if mail else gm[0] if gm else NOWHERE


def addresses(campaign: Place, seat: str) -> Sequence[str]:
    """The addresses of a seat or the GM; reports go to the first. The seat of a bot has none."""
    settings = campaign.settings
    if seat == GM:
        return settings.gm.email
    return () if settings.players[seat].bot else settings.players[seat].email


def sign_of(campaign: Place, token: str) -> str:
    """A sign for a token, for ids and the journal, from which nobody can tell the token."""
    return store.digest_of(f"{campaign.settings.seed_of(0)} {token}".encode())[:8]


def titled(campaign: Place, title: str) -> str:
    """The subject of a mail of ours: `[The Greenmarch] Report of turn 1`."""
    name = clean(campaign.settings.name).translate(_NO_BRACKETS)
    return f"[{' '.join(name.split())[:40].strip()}] {title}"


def orders_subject(campaign: Campaign, seat: str, turn: int) -> str:
    """The subject under which a new mail is a filing, for a link: `Orders examplia 3 [3-k7f3qm2p9a]`."""
    return with_token(campaign, seat, f"Orders {seat} {turn}", turn)


def with_token(campaign: Campaign, seat: str, subject: str, turn: int = 0) -> str:
    """A subject for a link that proves who writes, with the token of the turn; turn: None for the next one."""
    token = turn_token(campaign, seat, turn or max(1, campaigns.newest(campaign) + 1))
    return f"{subject} [{token}]" if token else subject


def turn_of_thread(campaign: Place, kind: str, turn: int) -> int:
    """The turn for which a reply to a mail counts. The mails of one turn are a thread. turn: the mail's, 0 for the next."""
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
    """The mail as an .eml file. id: a function of what the mail is about. more: further facts for the journal."""
    from email.message import EmailMessage

    mail = EmailMessage(policy=policy())
    thread = turn_of_thread(campaign, kind, turn)
    headers = _headers(campaign, id, seat, thread, to, content, now)
    for name, value in headers:
        mail[name] = value
    mail.set_content(content.text, cte=_transfer(content.text))
    if content.html:
        _add_html(mail, content)
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
            part.set_payload(_MANGLED.sub("=46=\nrom ", str(part.get_payload())))  # in two: a line has 76 bytes at most
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


def _add_html(mail: EmailMessage, content: Content) -> None:
    """Adds the HTML of a mail, with its pictures: in the text, or as files beside a short one."""
    shows = len(content.html) > SHORT
    html = content.html if shows else _IMAGE.sub(r"<em>\1</em>: attached as a picture.", content.html)
    mail.add_alternative(html, subtype="html", cte=_transfer(html))
    *_, shown = mail.iter_parts()
    for number, picture in enumerate(content.pictures):
        if shows:
            name = f"picture-{number}.png"
            shown.add_related(picture.data, "image", "png", cid=f"<{picture.id}>", filename=name, disposition="inline")
        else:
            mail.add_attachment(picture.data, "image", "png", filename=f"{picture.id.partition('@')[0]}.png")


def boundary(id: str) -> str:
    """The boundary of a mail: the beginning, behind the dashes, of each line between its parts."""
    return f"=_{id}_"


def _transfer(text: str) -> str:
    """The encoding of a text: quoted-printable, which filters like; base64 where most of its bytes would take three each."""
    data = text.encode("utf-8", "surrogateescape")
    plain = len(data.translate(None, _ABOVE_ASCII))
    return "base64" if len(data) > 2 * plain else "quoted-printable"


_ABOVE_ASCII = bytes(range(128, 256))
_IMAGE = regex(r'<img [^>]*alt="([^"]*)"[^>]*>')


_MANGLED = regex(r"^From ", re.MULTILINE)  # programs that keep mail in one file put a > before such lines


def _is_plain(data: bytes) -> bool:
    """Whether a text may stand in a mail without an encoding: filters count needless base64 against a mail."""
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
    """The mail, changed so that no header begins with an empty line and no id is folded or encoded. Servers rewrite such headers, and a
    reply is proved by the id. ids: the headers that hold ids."""
    head, end, body = data.partition(b"\r\n\r\n")
    for name in ids:
        line = name + b": " + b"\r\n ".join(ids[name].encode().split())
        if max(map(len, ids[name].split())) > _LONGEST_ID:
            found = re.search(_HEADER % name, head, re.MULTILINE)
            head = head[: found.start()] + line + head[found.end() :] if found else head
    return _EMPTY.sub(rb"\1 ", head) + end + body


@cache
def policy() -> EmailPolicy[EmailMessage]:
    """The policy by which our mails are written and read. Python makes a class for every header; one class for each name halves the time
    that a mail takes."""
    from email.headerregistry import HeaderRegistry
    from email.policy import SMTP

    registry = type("Registry", (HeaderRegistry,), {"__getitem__": cache(HeaderRegistry.__getitem__)})
    return SMTP.clone(header_factory=registry())


def _headers(
    campaign: Place, id: str, seat: str, turn: int, to: str, content: Content, now: datetime
) -> list[tuple[str, str | Address]]:
    """The names and values of the headers. A value from a mail or a person is made one clean line, or is left out."""
    from email.headerregistry import Address
    from email.utils import format_datetime

    ours = address_of(campaign)
    local, _, domain = ours.rpartition("@")
    name = clean(campaign.settings.name)[:60].strip()
    shown = f"{clean(content.writer)[:60].strip()} via {name}" if content.writer else name
    # all mails to a seat about one turn refer to the same id: mail programs show them together, and a reply names its turn
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
    """The address for replies; with the seat's token of the turn behind a +, where the server takes such addresses."""
    mail, token = campaign.settings.mail, turn_token(campaign, seat, turn)
    if mail is None or not mail.tags or not token:
        return address_of(campaign)
    return with_tag(mail.address, token)


def with_tag(address: str, tag: str) -> str:
    """orders@example.org -> orders+tag@example.org."""
    name, _, domain = address.rpartition("@")
    return f"{name}+{tag}@{domain}"


def size_inline(*texts: str) -> int:
    """The bytes that texts take in a mail."""
    return sum(len(encodestring(text.encode())) for text in texts)


# --- links: a `mailto:` with subject and body filled in


class Link(NamedTuple):
    """A link that sends a mail. to: the mailto link, "" where it would be too long. lines: the same lines to be typed, for a mail's text.

    reply: the command that a reply with this single line sends, "" for a link that sends anything else.
    """

    name: str
    to: str
    lines: Sequence[str]
    reply: str = ""


def mailto(address: str, subject: str, body: str) -> str:
    """The mailto link; "" where it would be too long. Line ends are CRLF."""
    text = "".join(f"{line}\r\n" for line in body.splitlines())
    link = f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}"
    link += f"&body={quote(text, safe='')}" if text else ""
    return link if len(link) < LONGEST else ""


def tap(campaign: Campaign, seat: str, word: str, name: str = "") -> Link:
    """A link that sends a command of a seat as its subject, with an empty body. name: of the link, "" for the command itself."""
    to = mailto(address_of(campaign), with_token(campaign, seat, word), "")
    return Link(name or NAMES.get(word, word), to, (), "" if word.startswith("to ") else word)


def link(name: str, address: str, subject: str, lines: Iterable[str]) -> Link:
    """A link that sends lines. If they are too long for a link, those behind a # are left out of it. Lines that are too long to be typed
    are not shown either."""
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


UNTAPPED = {  # words about links in the HTML -> the same for the text, which has no links
    "tap the link, or reply": "reply",
    "tap its link, or reply": "reply",
    ", or tap the link:": ":",
    "the links and a plain reply to this mail do that": "a plain reply to this mail does that",
}


def _wrapped(text: str, indent: int = 0, columns: int = COLUMNS, first: str = "") -> str:
    """A wrapped sentence for a mail's text."""
    for tapped, typed in UNTAPPED.items() if not first else ():  # behind `first` people's own words may stand
        text = text.replace(tapped, typed)
    return wrap_said(text, indent, columns, first)


def _together(value: object) -> object:
    """The texts of a view, with a hard blank between each number and its unit, so that a page keeps them on one line."""
    if isinstance(value, str):
        return UNIT.sub("\u00a0", value)
    if isinstance(value, Mapping):
        return {key: _together(inner) for key, inner in value.items()}
    return [_together(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def template(name: str, view: Mapping[str, object], **ours: str) -> str:
    """A filled in template of mails; texts in HTML are escaped. ours: our own HTML, which goes into the page as it is."""
    from markupsafe import Markup

    texts = {key: _together(value) if name.endswith(".html") else value for key, value in cleaned(view).items()}
    whole = {**texts, **{key: Markup(html) for key, html in ours.items()}}
    return _environment().get_template(name).render(view=whole)


class Listed(NamedTuple):
    """A line of a list in a page: a command, what it does, and the link that sends it, "" for none; or only a heading."""

    typed: str = ""
    means: str = ""
    to: str = ""
    heading: str = ""


def short(
    name: str, lines: Iterable[str], typed: Iterable[str] = (), links: Iterable[Link] = (), listed: Iterable[Listed] = ()
) -> tuple[str, str]:  # fmt: skip
    """(text, HTML) of a short mail: paragraphs, lines as they stand, links. listed: shown by the page instead of lines and links."""
    view = {"campaign": name, "lines": list(lines), "typed": list(typed), "links": [link._asdict() for link in links]}
    return template("lines.txt", view), template("lines.html", {**view, "listed": [one._asdict() for one in listed]})


def reseeded_id(campaign: Place, turn: int, seat: str) -> str:
    """The id of the mail that tells a seat that the dice of a turn come from another seed."""
    promised = commitment_of(key_of(campaign.settings.seed_of(turn), turn, GM))
    return f"seed-{turn:04}-{seat}-{promised[:8]}"


def reopened_id(turn: int, seat: str, attempt: int) -> str:
    """The id of the mail that tells a seat that a turn is open again."""
    return f"reopened-{turn:04}-{seat}-{attempt}"
