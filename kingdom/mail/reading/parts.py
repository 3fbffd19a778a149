"""The body of a message -> its texts and the attachments that may be orders, within the limits. Nothing here raises.

Of alternatives the plain text is read, unless it is a stub or still holds what the HTML strikes out. A forwarded message counts as quoted
text. A signed part is read like any other; its signature proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kingdom.engine.step import Facts
from kingdom.mail.reading import html_text, mime
from kingdom.mail.reading.mime import DEEPEST, MOST_PARTS, Excess, Part
from kingdom.mail.records import Attachment, Parts

LONGEST = 500_000  # characters of all texts together, with what they quote
LONGEST_HTML = 1_000_000
MOST_TAGS = 100_000  # of HTML
MOST_LINES = 5_000  # of all texts together, those behind a quote's mark apart
_KEY = re.compile(r"^\W{0,4}[a-z][a-z _-]{1,20}\s*:(\s|$)", re.IGNORECASE | re.MULTILINE)
_ENDINGS = (".yaml", ".yml", ".txt")
_YAML = ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml")
_TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
_PICTURE = re.compile(r"data:[\w/+.;=-]{1,100},[A-Za-z0-9+/=%\s]{200,}")
_PGP_BEGIN = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*$", re.MULTILINE)
_PGP_HEADERS = re.compile(r"(?:\n(?:Hash|Charset|NotDashEscaped):[^\n]*)*\n[ \t]*\n", re.IGNORECASE)
_PGP_END = re.compile(r"^-----BEGIN PGP SIGNATURE-----[ \t]*$", re.MULTILINE)
_PGP_OVER = re.compile(r"^-----END PGP SIGNATURE-----[ \t]*$", re.MULTILINE)
_PGP_ENCRYPTED = re.compile(r"^-----BEGIN PGP MESSAGE-----[ \t]*$", re.MULTILINE)


def read(data: bytes) -> Parts:
    """The texts and attachments of a message."""
    try:
        root = mime.tree(data)
        shown = _Shown()
        body = _chosen(root, shown)
        texts = tuple(text for part in body if _is_text(part) and (text := shown.text(part)).strip())
        _limit("\n".join(texts))
    except Excess as error:
        most = {"too_many_parts": MOST_PARTS, "too_deep": DEEPEST}
        return Parts(code=error.args[0], facts={"most": most.get(error.args[0], LONGEST // 1000)})
    attachments = tuple(_attachment(part) for part in body if _is_orders(part))
    code, facts = _unread(root, texts)
    if code or not texts and not attachments:
        return Parts(code=code or "no_text", facts=facts)
    others = tuple(_name(part) for part in body if _is_other(part))
    files = tuple(_name(part) for part in body if part.head.sent_along and _is_file(part))
    return Parts(texts, attachments, others=others, files=files, struck=tuple(_struck(body, shown)))


class _Shown:
    """The texts of the parts of one message, each made once, however often it is asked for."""

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self.htmls: dict[int, tuple[str, list[str]]] = {}

    def text(self, part: Part) -> str:
        """The text of a part, its lines ended by one newline; that of a forwarded message behind a quote's marks. Raises Excess."""
        if id(part) not in self.texts:
            text = _without_armour(self.html(part)[0] if part.kind == "text/html" else _plain(part))
            _limit(text)
            self.texts[id(part)] = re.sub(r"^", "> ", text, flags=re.MULTILINE) if part.forwarded else text
        return self.texts[id(part)]

    def html(self, part: Part) -> tuple[str, list[str]]:
        """(the text of a part in HTML, what is struck out in it). Raises Excess."""
        if id(part) not in self.htmls:
            html = _PICTURE.sub("", _decoded(part))
            if len(html) > LONGEST_HTML or html.count("<") > MOST_TAGS or html_text.is_too_deep(html):
                raise Excess("too_much_text")
            self.htmls[id(part)] = html_text.read(html)
        return self.htmls[id(part)]


def _limit(text: str) -> None:
    """Raises Excess where a text has more than is read; what stands behind a quote's marks has as many lines as it likes."""
    if len(text) > LONGEST or text.count("\n") - text.count("\n>") > MOST_LINES:
        raise Excess("too_much_text")


def texts_in(read: Parts) -> Iterator[str]:
    """All texts of a message, those of its attachments too."""
    yield from read.texts
    for one in read.attachments:
        yield one.data.decode("utf-8", "surrogateescape")


def _unread(root: Part, texts: tuple[str, ...]) -> tuple[str, Facts]:
    """Why the message as a whole can't be read, as (code, facts)."""
    leaves = mime.leaves(root)
    kinds = [part.kind for part in leaves if not part.forwarded]
    if any(map(_PGP_ENCRYPTED.search, texts)) or root.kind == "multipart/encrypted":
        return "encrypted", {}
    if any("pkcs7-mime" in kind for kind in kinds):
        opaque = any(part.head.params.get("smime-type", "").lower() == "signed-data" for part in leaves)
        return ("opaque_signed" if opaque else "encrypted"), {}
    only_tnef = any(kind in _TNEF for kind in kinds) and not any(text.strip() for text in texts)
    return ("only_tnef", {}) if only_tnef else ("", {})


# --- which parts are read


def _chosen(part: Part, shown: _Shown) -> list[Part]:
    """The parts that are read, in their order; of alternatives the one that says it best."""
    if not part.parts:
        return [part]
    groups = [_chosen(inner, shown) for inner in part.parts]
    if part.kind == "multipart/alternative":
        return _best(groups, shown)
    return [one for group in groups for one in group]


def _best(groups: list[list[Part]], shown: _Shown) -> list[Part]:
    """The plain alternative, unless it is a stub or can't show what is struck out; and what came with the other alternatives beside
    their texts."""
    plain = [group for group in groups if any(part.kind == "text/plain" and _is_text(part) for part in group)]
    html = [group for group in groups if any(part.kind == "text/html" for part in group)]
    if not plain or not html:
        return [part for group in groups for part in group]
    chosen = html[-1] if _is_stub(plain[0], html[-1], shown) or _struck(html[-1], shown) else plain[0]
    others = [part for group in groups for part in group if not _is_text(part)]
    return [part for part in chosen if _is_text(part)] + others


def _is_stub(plain: list[Part], html: list[Part], shown: _Shown) -> bool:
    """Whether the plain text says nothing (`Please use an HTML viewer`), and the HTML has what could be orders."""
    said = "\n".join(shown.text(part) for part in plain if _is_text(part))
    if _KEY.search(said):
        return False
    richer = "\n".join(shown.text(part) for part in html if _is_text(part))
    return not said.strip() or _KEY.search(richer) is not None


def _struck(body: list[Part], shown: _Shown) -> list[str]:
    """What somebody struck out in the HTML that is read."""
    htmls = [part for part in body if part.kind == "text/html" and _is_text(part) and not part.forwarded]
    return [one for part in htmls for one in shown.html(part)[1] if one]


def _name(part: Part) -> str:
    """The file name that a part has, for telling: no path, no control characters."""
    from kingdom.mail.headers import decoded

    return re.split(r"[/\\]", decoded(part.head.name))[-1].strip()[-80:]


def _is_attached(part: Part) -> bool:
    return part.head.sent_along or bool(_name(part))


def _is_orders(part: Part) -> bool:
    """Whether it is an attachment that may be orders: by its ending, or where it has no name by what it is."""
    if part.forwarded:
        return False
    name = _name(part).lower()
    return name.endswith(_ENDINGS) if name else part.kind in _YAML or part.kind == "text/plain" and _is_attached(part)


def _is_text(part: Part) -> bool:
    """Whether it is a text of the body."""
    return (
        part.kind in ("text/plain", "text/html") and not _is_orders(part) and (part.forwarded or not _is_attached(part))
    )


def _is_file(part: Part) -> bool:
    """Whether it is a file of any kind, but a signature or a card that a program adds."""
    return bool(_name(part)) and "signature" not in part.kind and "vcard" not in part.kind


def _is_other(part: Part) -> bool:
    """Whether it is an attached file that can't be orders, and is not a picture, a signature or a card."""
    shown = part.kind.startswith(("image/", "audio/", "video/", "text/calendar"))
    return _is_file(part) and not _is_orders(part) and not part.forwarded and not shown


# --- what is in them


def _attachment(part: Part) -> Attachment:
    """An attachment, turned into UTF-8 if it names another charset. Broken bytes stay, and the reader says so."""
    data, charset = mime.decoded(part), part.head.charset
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") and not charset:
        charset = "utf-16"
    if charset not in ("", "utf-8", "us-ascii") and part.kind.startswith("text/") or charset == "utf-16":
        data = mime.text_of(data, charset).encode("utf-8", "replace")
    return Attachment(_name(part) or ("attachment.yaml" if part.kind in _YAML else "attachment.txt"), data)


def _plain(part: Part) -> str:
    """The text of a part that is plain text."""
    text = _decoded(part)
    if part.head.params.get("format", "").lower() == "flowed":
        return _unflowed(text, part.head.params.get("delsp", "").lower() == "yes")
    return text


def _decoded(part: Part) -> str:
    return mime.text_of(mime.decoded(part), part.head.charset).replace("\r\n", "\n").replace("\r", "\n")


def _unflowed(text: str, delete_space: bool) -> str:
    """format=flowed: a line that ends in a blank goes on in the next. Not before what begins like a key or a list's item:
    nobody's orders are joined because a line happens to end in a blank."""
    lines: list[list[str]] = []  # each in the pieces over which it was broken
    goes_on = False
    for line in text.split("\n"):
        if line.startswith(">"):
            lines.append([line])
            goes_on = False
            continue
        body = line.removeprefix(" ")  # that which was stuffed before it
        if not (goes_on and line and not _KEY.match(body) and not body.lstrip().startswith(("- ", "#"))):
            lines.append([])
        goes_on = line.endswith(" ") and line != "-- "
        lines[-1].append(body[:-1] if goes_on and delete_space else body)
    return "\n".join(map("".join, lines))


def _without_armour(text: str) -> str:
    """A text that was signed inline with PGP, without the frame and the dashes that PGP put before its lines."""
    begin = _PGP_BEGIN.search(text)
    headers = _PGP_HEADERS.match(text, begin.end()) if begin else None
    end = _PGP_END.search(text, headers.end()) if headers else None
    if begin is None or headers is None or end is None:
        return text
    signed = re.sub(r"^- (?=-|From )", "", text[headers.end() : end.start()], flags=re.MULTILINE)
    over = _PGP_OVER.search(text, end.end())
    return text[: begin.start()] + signed + (text[over.end() :] if over else "")
