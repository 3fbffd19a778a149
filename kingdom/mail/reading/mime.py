"""The bytes of a message -> the tree of its parts, within the limits; the bytes of a part -> text, whatever its charset says.

The limits are kept while the bytes are cut, and no part is copied, so that a message made to be large costs no more than
reading it. Nothing here raises but Excess.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from kingdom.mail.stored import without_lead

if TYPE_CHECKING:
    from email.message import Message

MOST_PARTS = 200
DEEPEST = 20
_HEAD = 64 << 10  # bytes of a part's headers that are looked at
_LONGEST_HEADER = 2000  # characters of one that is taken apart: the standard library takes long over many quotes
_END = re.compile(rb"\r?\n\r?\n")
# text codecs of Python in which no mail is written
NO_CHARSETS = frozenset(
    ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem", "palmos")
)
# charset -> the wider charset that programs write under its name, or its usual name
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932",
    "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "big5": "cp950", "x-big5": "cp950", "iso-8859-1": "cp1252", "latin-1": "cp1252",
    "latin1": "cp1252", "iso-8859-9": "cp1254", "tis-620": "cp874", "iso-8859-11": "cp874", "windows-874": "cp874", "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8", "unicode-1-1-utf-7": "utf-7", "x-mac-roman": "mac-roman", "iso-2022-jp": "iso2022_jp_2004",
    "x-windows-949": "cp949", "unicode": "utf-16", "x-cp1252": "cp1252", "ansi": "cp1252",
}  # fmt: skip
_OWN_FORM = re.compile(r"utf|gb|big5|iso-?2022|shift|sjis|euc|cp93|cp94|cp95|hz|ks_c|johab")  # not one byte a character
_LAST = ("utf-8", "cp1252")  # the charsets that are tried if the named charset is wrong


class Excess(Exception):
    """The message is over a limit; its argument is the code."""


class Head(NamedTuple):
    """What the headers of a part say. kind: such as `text/plain`, "" if they name none. params: the parameters behind the kind, by names in
    small letters. encoding: of the transfer. name: of the file, as it came. sent_along: the part is declared an attachment."""

    kind: str = ""
    params: Mapping[str, str] = {}
    encoding: str = ""
    name: str = ""
    sent_along: bool = False

    @property
    def charset(self) -> str:
        """In small letters, "" for none."""
        return self.params.get("charset", "").lower()


class Part(NamedTuple):
    """A part. kind: `text/plain`. head: what its headers say. body: the bytes as they came.

    parts: those inside it. forwarded: the part is inside a forwarded message.
    """

    kind: str
    head: Head
    body: bytes
    parts: tuple[Part, ...] = ()
    forwarded: bool = False


def tree(data: bytes) -> Part:
    """The message as the tree of its parts. Raises Excess."""
    data = without_lead(data)
    if b"\n" not in data[:_HEAD] and b"\r" in data[:_HEAD]:
        data = data.replace(b"\r", b"\n")
    return _Cutter(data).part(0, len(data), 0, False, "text/plain")


def leaves(part: Part) -> list[Part]:
    """The parts that hold something, in their order."""
    return [leaf for inner in part.parts for leaf in leaves(inner)] if part.parts else [part]


class _Cutter:
    """Cuts one message; counts the parts."""

    def __init__(self, data: bytes):
        self.data = data
        self.count = 0

    def part(self, start: int, end: int, depth: int, forwarded: bool, default: str) -> Part:
        """The part between two bytes."""
        self.count += 1
        if self.count > MOST_PARTS:
            raise Excess("too_many_parts")
        if depth > DEEPEST:
            raise Excess("too_deep")
        head, body = self.head(start, end)
        kind = head.kind or default
        if kind.startswith("multipart/"):
            inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            boundary = head.params.get("boundary", "").rstrip().encode("utf-8", "surrogateescape")
            places = self.places(boundary, body, end)
            if places:
                parts = tuple(self.part(*place, depth + 1, forwarded, inner) for place in places)
                return Part(kind, head, b"", parts, forwarded)
            kind = "text/plain"  # its boundary is missing or wrong: what stands there is read as it is
        if kind in ("message/rfc822", "message/global"):
            return Part(kind, head, b"", (self.enclosed(head, body, end, depth),), True)
        return Part(kind, head, self.data[body:end], (), forwarded)

    def enclosed(self, head: Head, body: int, end: int, depth: int) -> Part:
        """The message that a part holds, even if the part is encoded against the standard."""
        if head.encoding not in ("base64", "quoted-printable"):
            return self.part(body, end, depth + 1, True, "text/plain")
        inner = _Cutter(decoded(Part("", head, self.data[body:end])))
        inner.count = self.count
        found = inner.part(0, len(inner.data), depth + 1, True, "text/plain")
        self.count = inner.count
        return found

    def head(self, start: int, end: int) -> tuple[Head, int]:
        """(what the headers say, where the body begins)."""
        from email.parser import BytesHeaderParser
        from email.policy import compat32

        if self.data[start : start + 1] == b"\n" or self.data[start : start + 2] == b"\r\n":
            return Head(), self.data.index(b"\n", start) + 1
        found = _END.search(self.data, start, end)
        last, body = (found.start(), found.end()) if found else (end, end)
        given = self.data[start : min(last, start + _HEAD)] + b"\n\n"
        return _said(BytesHeaderParser(policy=compat32).parsebytes(given)), body

    def places(self, boundary: bytes, body: int, end: int) -> list[tuple[int, int]]:
        """(start, end) of each part between the boundaries."""
        if not boundary:
            return []
        line = re.compile(rb"(?:\r?\n|\A)--" + re.escape(boundary) + rb"(--)?[ \t]*(?:\r?\n|\Z|(?=--))")
        found: list[tuple[int, int]] = []
        begun = None
        at = max(0, body - 2)
        while match := line.search(self.data, at, end):
            if begun is not None:
                found.append((begun, max(begun, match.start())))
            begun = None if match[1] else match.end()
            if match[1] or len(found) > MOST_PARTS:
                break
            at = max(match.end() - 2, match.start() + 1)
        if begun is not None:  # it was never closed
            found.append((begun, end))
        return found


def _said(message: Message) -> Head:
    """What headers say of their part, each taken apart once."""
    for header in ("Content-Type", "Content-Disposition"):
        if len(value := str(message.get(header, ""))) > _LONGEST_HEADER:
            message.replace_header(header, value[:_LONGEST_HEADER])
    params, beside = _params(message, "Content-Type"), _params(message, "Content-Disposition")
    return Head(
        message.get_content_type() if "Content-Type" in message else "",
        params,
        str(message.get("Content-Transfer-Encoding", "")).strip().lower(),
        (beside.get("filename") or params.get("name", "")).strip(),
        str(message.get("Content-Disposition", "")).strip().lower().startswith("attachment"),
    )


def _params(message: Message, header: str) -> Mapping[str, str]:
    """What stands behind the value of a header; nothing where that is broken."""
    from email.utils import collapse_rfc2231_value

    try:
        given = message.get_params([], header)[1:]
        return {name.lower(): collapse_rfc2231_value(value) for name, value in reversed(given)}
    except (ValueError, LookupError, TypeError):
        return {}


def decoded(part: Part) -> bytes:
    """The bytes of a part without its transfer encoding; as they came where that is broken."""
    import binascii
    import quopri

    if part.head.encoding == "quoted-printable":
        return quopri.decodestring(part.body)
    if part.head.encoding != "base64":
        return part.body
    for padding in (b"", b"=", b"=="):
        try:
            return binascii.a2b_base64(part.body + padding)
        except binascii.Error:
            continue
    return part.body


# --- text of any charset, named rightly, wrongly or not at all


def text_of(data: bytes, charset: str) -> str:
    """The text. If the charset is unknown or wrong, it is read as UTF-8 if it is valid UTF-8, else as Windows writes in the west.

    Text of a one-byte charset that is valid UTF-8 is read as UTF-8 too: that is hardly ever chance.
    """
    named = charset.strip().strip("\"'").lower()
    first = () if _OWN_FORM.match(named) else ("utf-8",)
    for name in (*first, *dict.fromkeys((_WIDER.get(named, named), named)), *_LAST):
        try:
            if codecs.lookup(name).name.replace("-", "_") in NO_CHARSETS:
                continue
            text = data.decode(name).removeprefix("\ufeff")
            return text.encode("utf-8", "replace").decode()  # lone surrogates of UTF-16 are no text
        except (LookupError, ValueError):  # one that is unknown, none of text, wrong, or has a NUL in its name
            continue
    return data.decode("latin-1")
