"""What a message says of itself, read from its headers alone: strictly where it proves something, mildly where it only tells.

Nothing here raises: what can't be read is as if it were not there, and a From that is not exactly one address is none.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterable
from datetime import datetime

from kingdom.engine.regex import regex
from kingdom.mail import trace
from kingdom.mail.records import Headers
from kingdom.mail.stored import without_lead
from kingdom.mail.trace import time_in

_MOST = 256 << 10  # bytes of headers that are looked at
_END = regex(rb"\r?\n\r?\n")
_SUBJECT = 500
_LONGEST_FROM = 1000
_ID = regex(r"<[^<>\s\x00-\x1f\x7f]{1,248}>")
_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_DOMAIN = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+"
_ADDRESS = rf"({_LOCAL}@{_DOMAIN})"
_COMMENT = r"\([^()\\]*\)"
_NAME = rf'(?:[^<>@,;:"()\[\]\\]|"(?:[^"\\]|\\.)*"|{_COMMENT})*'
_FROM = regex(rf"\s*(?:{_COMMENT})?\s*(?:{_NAME}<\s*{_ADDRESS}\s*>|{_ADDRESS})\s*(?:{_COMMENT})?\s*")
_QUOTED_LOCAL = regex(rf'(?<![^\s<])"({_LOCAL})"(?=@)')  # `"ada"@example.org` is ada@example.org
_CLAIMED = regex(rf"(?<![^\s<>,;:\"'()\[\]]){_ADDRESS}(?![^\s<>,;:\"'()\[\]])")
# what mail programs of many languages put before the subject of a reply, or of what is forwarded
_REPLY = regex(
    r"\s*(?:re|ré|rép|réf|réponse|reply|aw|antw|ant|antwort|antwoord|ang|sv|svar|vs|vast|rv|reenv|ref|rif|res|resp|rs|r|i|ri|odp|odpowiedź|ynt|yan|cevap|"
    r"vá|válasz|vl|lv|bls|tr|fw|fwd|wg|wtr|doorst|vb|vr|pd|enc|fs|rén|sl|ilt|i̇lt|továbbítás|továbbítva|atb|ad|odg|hs|απ|σχετ|πρθ|ha|на|отв|ответ|пер|пересл|"
    r"від|回复|回覆|答复|答覆|转发|轉寄|転送|返信|답장|회신|전달|ตอบ|ส่งต่อ|trả lời|chuyển tiếp|balas|trs|תגובה|השב|הועבר|رد|إعادة توجيه|accepted|declined|tentative)"
    r"\.?\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3}|\*\d{1,3})?\s*[:：]",
    re.IGNORECASE,
)
_BEFORE_MARKS = regex(r"\s*(?:\[[^\[\]]{0,80}\]|\*{2,}[^*]{0,40}\*{2,})")  # of a list, of a gateway, of a spam filter
_ENCODED = regex(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?\s]*)\?=(?:\s+(?==\?))?")
_LONGEST_ENCODED = 20_000  # characters of a header that are decoded
# how the subject of a program's own answer begins while somebody is away; a person's "Out of office until Monday" has no colon
_AUTOMATIC = regex(
    r"\W{0,3}(?:auto(?:matic)?[ -]?reply|out of office|abwesenheitsnotiz|réponse automatique)\s*[:：]", re.IGNORECASE
)
_MOST_IDS = 200  # Message-IDs of a delivery report that are looked up
_LONGEST_HEAD = 4000  # characters of the headers of a part
_TO = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
_TAGGED = regex(r"\+([A-Za-z0-9-]{4,60})@")
_NO = ("no", "false", "off", "0")
_PRECEDENCE = ("bulk", "junk", "auto_reply")


def read(data: bytes) -> Headers:
    """The headers of a message."""
    data = without_lead(data)
    lines = _given(data)
    given: dict[str, list[str]] = {}
    for key, value in lines:
        given.setdefault(key, []).append(value)

    def every(name: str) -> list[str]:
        return given.get(name.lower(), [])

    def first(name: str) -> str:
        return next(iter(every(name)), "")

    ids = _ID.findall(first("Message-ID"))
    subject = decoded(first("Subject"))
    claimed = [one for value in every("From")[:10] for one in _CLAIMED.findall(value[:_LONGEST_FROM])]
    answered = _ID.findall(first("In-Reply-To"))
    tags = [tag for name in _TO for value in every(name) for tag in _TAGGED.findall(value[:4000])]
    name, bracket, _ = first("From").partition("<")  # what it calls its sender, for telling
    bounced, bounced_ids = _bounce(data, first("Content-Type"), every("X-Failed-Recipients"))
    return Headers(
        message_id=ids[0] if len(ids) == 1 else "",
        references=" ".join([*_ID.findall(first("References") or first("In-Reply-To"))[-20:], *ids[:1]]),
        sender=_sender(every("From")),
        claimed=tuple(dict.fromkeys(one.lower() for one in claimed)),
        subject=subject,
        is_reply=is_reply(subject),
        date=time_in(first("Date")),
        trace=_trace(lines),
        machine=_machine(first, every) or ("a subject of an automatic reply" if _AUTOMATIC.match(subject) else ""),
        bounced=bounced,
        bounced_ids=bounced_ids,
        results=tuple(every("Authentication-Results")),
        name=decoded(name.strip().strip('"'))[:100] if bracket and len(every("From")) == 1 else "",
        answered=tuple(dict.fromkeys([*answered[:5], *reversed(_ID.findall(first("References"))[-20:])])),
        tags=tuple(dict.fromkeys(tag.lower() for tag in tags))[:10],
    )


def _given(data: bytes) -> list[tuple[str, str]]:
    """(name in small letters, what stands behind it) of each line, the topmost first."""
    from email.parser import BytesHeaderParser
    from email.policy import compat32

    end = _END.search(data, 0, _MOST)
    message = BytesHeaderParser(policy=compat32).parsebytes(data[: end.start() if end else _MOST] + b"\n\n")
    lines: list[tuple[str, str]] = []
    for name, value in message.raw_items():
        # bytes that are no ASCII are read as UTF-8
        text = str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        lines.append((name.lower(), re.sub(r"\r?\n[ \t]*", " ", text)))
    return lines


def _trace(lines: Iterable[tuple[str, str]]) -> tuple[trace.Received, ...]:
    """The Received lines, the topmost first."""
    found, above = list[trace.Received](), 0
    for name, value in lines:
        if name == "received":
            found.append(trace.received(value, above))
        above += name == "authentication-results"
    return tuple(found)


def is_reply(subject: str) -> bool:
    """Whether Re:, AW: and the like stand before the subject, also behind what a list or a gateway put there in brackets."""
    while not _REPLY.match(subject) and (before := _BEFORE_MARKS.match(subject)):
        subject = subject[before.end() :]
    return _REPLY.match(subject) is not None


def without_reply_marks(subject: str) -> str:
    """The subject without any number of Re:, AW: and the like before it."""
    while found := _REPLY.match(subject):
        subject = subject[found.end() :].lstrip()
    return subject


def decoded(text: str) -> str:
    """A subject as a person reads it: encoded words decoded, control characters out, in one line."""
    from email.errors import MessageError
    from email.header import decode_header

    parts = []
    text = text[:_LONGEST_ENCODED]
    try:
        for part, charset in decode_header(text):
            parts.append(part if isinstance(part, str) else _bytes(part, charset))
    except (ValueError, LookupError, MessageError):  # a word of it is broken
        parts = [_ENCODED.sub(_decoded_word, text)]
    line = "".join(
        " " if character in "\t\r\n\u2028\u2029" or ord(character) < 32 or 127 <= ord(character) < 160 else character
        for character in "".join(parts)
    )
    return " ".join(line.split())[:_SUBJECT]


def _decoded_word(word: re.Match[str]) -> str:
    """An encoded word, as far as it can be read."""
    charset, how, inside = word[1].partition("*")[0], word[2].lower(), word[3]
    data = inside.encode("ascii", "ignore")
    if how == "q":
        return _bytes(binascii.a2b_qp(data, header=True), charset)
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    kept = kept[: len(kept) - (len(kept) % 4 == 1)]  # of a letter cut off nothing can be told
    return _bytes(binascii.a2b_base64(kept + b"=" * (-len(kept) % 4)), charset)


def _bytes(part: bytes, charset: str | None) -> str:
    try:
        return part.decode(charset or "utf-8", "replace")
    except (LookupError, ValueError):
        return part.decode("utf-8", "replace")


def _sender(froms: list[str]) -> str:
    """The one address of the one From; "" where there is not exactly one."""
    one = _QUOTED_LOCAL.sub(r"\1", froms[0]) if len(froms) == 1 and len(froms[0]) < _LONGEST_FROM else ""
    found = _FROM.fullmatch(one)
    address = (found.group(1) or found.group(2)).lower() if found else ""
    return address if len(address) <= 254 else ""


def _machine(first: Callable[[str], str], every: Callable[[str], list[str]]) -> str:
    """Why it is a machine's, "" for a person's."""
    for value in every("Auto-Submitted"):
        submitted = without_comments(value).partition(";")[0].strip().lower()
        if submitted not in ("", "no"):
            return f"Auto-Submitted: {submitted[:40]}"
    if any(re.fullmatch(r"\s*<\s*>\s*", path) for path in every("Return-Path")):
        return "an empty Return-Path"
    if first("Content-Type").partition(";")[0].strip().lower() == "multipart/report":
        return "multipart/report"
    said = (
        without_comments(value).strip().lower() for name in ("X-Autoreply", "X-Autorespond") for value in every(name)
    )
    if any(one not in _NO for one in said):
        return "X-Autoreply"
    if re.match(r"\s*(?:accepted|declined|tentative)\s*:", first("Subject"), re.IGNORECASE):
        return "a calendar's reply"
    precedence = [value.strip().lower() for value in every("Precedence")]
    return next((f"Precedence: {value}" for value in precedence if value in _PRECEDENCE), "")


def without_comments(value: str) -> str:
    """What a header says outside its brackets, which may stand inside one another."""
    if "(" not in value:
        return value
    kept, depth = [], 0
    for piece in re.split(r"([()])", value):
        if piece in ("(", ")"):
            depth = max(0, depth + (1 if piece == "(" else -1))
        elif not depth:
            kept.append(piece)
    return " ".join(kept)


def _bounce(data: bytes, content_type: str, failed: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(the addresses that failed for good, the Message-IDs that the report names) of a delivery report. Behind the mail's own stand those that it
    referred to: a relay may have written the former."""
    text = data[: 4 * _MOST].decode("ascii", "replace")
    is_report = "multipart/report" in content_type.lower() and "delivery-status" in content_type.lower()
    if not is_report and not _encloses_status(text, content_type):
        return (), ()
    addresses = [address for line in failed for address in re.findall(_ADDRESS, line)]
    for group in re.split(r"\r?\n\r?\n", text):
        if re.search(r"^Action:\s*failed", group, re.IGNORECASE | re.MULTILINE):
            addresses += re.findall(
                rf"^(?:Original|Final)-Recipient:[^;\n]*;\s*<?{_ADDRESS}", group, re.IGNORECASE | re.MULTILINE
            )
    ids = re.findall(rf"^Message-ID:\s*({_ID.pattern})", text, re.IGNORECASE | re.MULTILINE)
    for line in re.findall(r"^References:((?:.|\r?\n[ \t])*)", text, re.IGNORECASE | re.MULTILINE)[:10]:
        ids += _ID.findall(line[:_LONGEST_HEAD])
    return tuple(dict.fromkeys(address.lower() for address in addresses)), tuple(dict.fromkeys(ids))[:_MOST_IDS]


def _encloses_status(text: str, content_type: str) -> bool:
    """Whether a part of a multipart is a delivery status: OpenSMTPD 6.8 writes its bounces as multipart/mixed."""
    boundary = re.match(r'multipart/.*\bboundary="?([^";\s]{1,70})', content_type, re.IGNORECASE)
    if boundary is None or "message/delivery-status" not in text.lower():
        return False
    heads = (part[:_LONGEST_HEAD].replace("\r", "").partition("\n\n")[0] for part in text.split(f"--{boundary[1]}")[1:])
    return any(
        re.search(r"^content-type:\s*message/delivery-status\b", head, re.IGNORECASE | re.MULTILINE) for head in heads
    )


# --- when a message came, and when it counts as written


def arrival(headers: Headers, seen: datetime, server: str = "") -> datetime:
    """When the message came: the topmost Received of the receiving server; without one, when it was first seen.

    server: the `authserv_id` of that server, "" where campaign.yaml does not name it.
    """
    line = trace.of_server(headers.trace, server)
    return min(line.time, seen) if line and line.time else seen


def time_of(headers: Headers, seen: datetime, server: str = "") -> datetime:
    """What "newest" goes by: its Date, but never later than it came. server: as in `arrival`."""
    came = arrival(headers, seen, server)
    return min(headers.date or came, came)


def written(data: bytes, seen: datetime) -> datetime:
    """The same of a message of which nothing else is asked."""
    lines = _given(without_lead(data))
    date = next((value for name, value in lines if name == "date"), "")
    return time_of(Headers(date=time_in(date), trace=_trace(lines)), seen)
