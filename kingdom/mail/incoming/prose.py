"""What of a mail is words of a person that somebody should read: no orders, no quote, no courtesy, no signature. Pure.

Where that is not sure it counts as words: a needless letter costs the GM a look, a lost question costs the campaign a player.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from kingdom.mail.incoming import courtesy, order_lines, order_text, phrases, reply, tidying
from kingdom.mail.incoming.order_lines import Meant
from kingdom.mail.incoming.repairs import Reads
from kingdom.mail.incoming.reply import key_of
from kingdom.mail.records import Headers, Parts

_LONGEST = 100_000  # characters of a text that are looked at
_LONGEST_LINE = 200  # characters of a line that may be courtesy
_LEAST_WORDS = 3  # of a subject that says something
_LEAST_TAIL, _MOST_TAIL = 2, 6  # words of a line that a phone adds
_MOST_NAMES = 6  # lines below a closing
_BLANKS = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2007\u202f\u2002\u2003\u2009", " "),
        **dict.fromkeys("\u200b\u2060\ufeff\u00ad", ""),
    }
)
_SMILEY = re.compile(r"(?<!\w)(?:[:;=]-?[)(DPpO/|]|[xX]D|\^\^|<3)(?!\w)")
_SENTENCE = re.compile(r"[.!…]\s")
_BETWEEN = re.compile(r"[.!,;:…–—()]+|\s-\s|\s/\s")
_CLOSING = frozenset(phrases.CLOSING)
_TO_ALL = frozenset(phrases.TO_ALL)
_REACTION = re.compile(
    r"\S{0,4}\s?.{0,60} reacted (?:via gmail|to your message)\b|(?:liked|loved|laughed at|emphasized) [“\"]",
    re.IGNORECASE,
)


class _Signs(NamedTuple):
    """The regular expressions made of the words of phrases.py."""

    greeting: re.Pattern[str]
    thanks: re.Pattern[str]
    approval: re.Pattern[str]
    orders_follow: re.Pattern[str]
    automatic: re.Pattern[str]
    away: tuple[re.Pattern[str], ...]
    resigns: re.Pattern[str]


@cache
def _signs() -> _Signs:
    """They are made when the first mail comes that may need them."""
    thanked = rf"(?P<what> (?:{phrases.THANKED_FOR}) (?P<words>\S+(?: \S+){{0,5}}))?"
    return _Signs(
        re.compile(rf"(?:{phrases.GREETING})(?P<names>(?: \S+){{0,4}})", re.IGNORECASE),
        re.compile(rf"(?:{phrases.THANKS}){phrases.MUCH}{thanked}{phrases.MUCH}", re.IGNORECASE),
        re.compile(phrases.APPROVAL, re.IGNORECASE),
        re.compile(phrases.ORDERS_FOLLOW, re.IGNORECASE),
        re.compile(phrases.AUTOMATIC_TEXT, re.IGNORECASE),
        tuple(re.compile(one, re.IGNORECASE) for one in (phrases.FOR_YOUR_MAIL, phrases.AWAY, phrases.BACK_LATER)),
        re.compile(phrases.RESIGNS, re.IGNORECASE),
    )


def prose_of(
    headers: Headers, parts: Parts, keys: Container[str] = (), reads: Reads | None = None, turn: int | None = None
) -> str:
    """What somebody should read of a mail's own text, as it was typed; "" where it says no more than orders or thanks.

    keys: those of orders, in snake_case. reads: whether a text is orders in which nothing is wrong. turn: that the subject names.
    """
    if is_absence(headers, parts):
        return ""
    owns = [reply.split(_plain(text[:_LONGEST]), keys).own for text in parts.texts]
    with_orders = bool(parts.attachments) or any(order_text.has_orders(own, keys) for own in owns)
    found = (_prose(own, headers, keys, reads, turn, with_orders) for own in owns)
    return "\n\n".join(filter(None, found))


def is_courtesy(text: str, headers: Headers) -> bool:
    """Whether a text says no more than thanks, a name or a signature."""
    return not _prose(_plain(text[:_LONGEST]), headers, (), None, None, False)


def without_tail(words: str, own: str) -> tuple[str, str]:
    """(the words beside orders without their tail, the tail): a short last line of the mail that stands apart and ends as no
    sentence does is what a phone adds in a language that nobody listed, "" for none."""
    above, _, last = words.rpartition("\n\n")
    short = _LEAST_TAIL <= len(last.split()) <= _MOST_TAIL and "\n" not in last and last[-1:] not in ".?!…。？！:;,"
    return (above, last) if short and _plain(own).rstrip().endswith(last.strip()) else (words, "")


def resigns(text: str) -> bool:
    """Whether somebody may give up the seat in these words: worth a question, never done unasked."""
    return _signs().resigns.search(_plain(text[:_LONGEST])) is not None


def may_be_away(text: str) -> bool:
    """Whether somebody may miss a deadline by these words: worth an offer."""
    return _signs().away[1].search(_plain(text[:_LONGEST])) is not None


def is_absence(headers: Headers, parts: Parts) -> bool:
    """Whether a program answers because somebody is away, though no header says so."""
    if headers.machine:
        return True
    texts = [_plain(text[:_LONGEST]) for text in parts.texts]
    if not _says_absence("\n".join(texts)):
        return False  # nor does a part of it, so there is no need to take it apart
    return _says_absence("\n".join(reply.split(text).own for text in texts)[:1500])


def _says_absence(text: str) -> bool:
    signs = _signs()
    return signs.automatic.search(text) is not None or all(one.search(text) for one in signs.away)


def _plain(text: str) -> str:
    return re.sub("[\u2028\u2029\x0b\x0c\x85]|\r\n?", "\n", text).translate(_BLANKS)


def _prose(
    own: str, headers: Headers, keys: Container[str], reads: Reads | None, turn: int | None, with_orders: bool
) -> str:
    """The words in one text of the writer's own."""
    if own.lstrip().startswith("{") and order_text.has_orders(own, keys):
        return ""  # one map in braces, as programs write it
    own = tidying.outdented(tidying.without_tabs(own))
    meant = order_lines.meant(own, keys, reads, headers, turn) if reads else Meant(own)
    lines = list(_without_orders(meant.text.split("\n"), keys, with_orders or meant.text != own))
    last = courtesy.signature(lines, -1, headers, keys)
    kept = list(_without_courtesy(lines[:last], headers))
    if all(line.strip() in meant.lines for line in kept if line.strip()):
        return ""  # orders alone, such as `claim 0102?`: the answer says how they are written
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in kept)).strip("\n")
    return text if re.search(r"[^\W_]|\?", _SMILEY.sub("", text)) else ""


# --- orders


def _without_orders(lines: Sequence[str], keys: Container[str], with_orders: bool) -> Iterator[str]:
    """The lines that are no orders, no fenced block of orders, and no line that only says that orders follow."""
    fence, goes_on, comma = "", False, False
    for index, line in enumerate(lines):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if mark and (not fence or mark[1][0] == fence):
            fence = "" if fence else mark[1][0]
            continue
        begins = key_of(line) in keys and line[:1] not in (" ", "-")
        goes_on = begins or goes_on and (not line.strip() or line.startswith((" ", "-", "*", "•", "}", "]")) or comma)
        if line.strip():
            comma = goes_on and line.rstrip().endswith(",")
        if (
            fence
            or goes_on
            and line.strip()
            or with_orders
            and (line.startswith("#") or line.strip() in ("---", "..."))
        ):
            continue
        if not (with_orders and _says_orders_follow(lines, index, keys)):
            yield line


def _says_orders_follow(lines: Sequence[str], index: int, keys: Container[str]) -> bool:
    """Whether a line only says that orders follow or are attached: a short one without a question."""
    line = lines[index].strip()
    above, orders_below = ([key_of(one) in keys for one in part] for part in (lines[:index], lines[index + 1 :]))
    if any(above) and not any(orders_below):
        return False  # `the rest as last turn`
    if not line or len(line) > _LONGEST_LINE or "?" in line or len(line.split()) > 14:
        return False
    below = next((one for one in lines[index + 1 : index + 4] if one.strip()), "")
    leads = (
        line.endswith(":")
        and not _SENTENCE.search(line)
        and (key_of(below) in keys or below.lstrip().startswith(("```", "~~~")))
    )
    pieces = [piece.strip() for piece in _BETWEEN.split(line) if piece.strip()]
    said = [piece for piece in pieces if not _is_courtesy(piece)]
    return leads or bool(said) and len(said) <= 1 and _signs().orders_follow.search(said[0]) is not None


# --- courtesy


def _without_courtesy(lines: Sequence[str], headers: Headers) -> Iterator[str]:
    """The lines that say more than a greeting, thanks or a closing with the names below it."""
    names = courtesy.names_of(headers)
    below = 0  # lines that may still be names, below a closing
    straight = False  # the closing stands straight above
    for line in lines:
        if not line.strip():
            yield ""
            continue
        short = line.strip() if len(line) <= _LONGEST_LINE else ""
        if short and (says_nothing(short) or _REACTION.match(short)):
            below, straight = (_MOST_NAMES, True) if _is_closing(short) else (below, False)
            continue
        if short and below and _may_be_name(short, names, straight):
            below, straight = below - 1, False
            continue
        below, straight = 0, False
        if short and (words := courtesy.words_of(short)) and words <= names:
            continue
        yield line


def _may_be_name(line: str, names: set[str], straight: bool) -> bool:
    """Whether a line below a closing may be a name, or belong to the signature below it."""
    plain = line.strip(" ,.-–~*_")
    if re.match(r"p\.? ?s\b", plain, re.IGNORECASE) or "?" in line:
        return False
    word = straight and " " not in plain and plain.isalpha() and len(plain) <= 15
    return word or courtesy.words_of(plain) <= names or courtesy.is_name_or_contact(plain)


def _is_closing(line: str) -> bool:
    plain = line.strip(" \t,.!;-/~*_").lower()
    return (
        courtesy.is_closing(plain)
        or plain.partition(",")[0].strip() in _CLOSING
        or plain.endswith((" thanks", " thank you"))
    )


def says_more(subject: str) -> bool:
    """Whether a subject above thanks says what somebody should read: it asks something, or is more than a few words of courtesy."""
    return not says_nothing(subject) and ("?" in subject or len(subject.split()) >= _LEAST_WORDS)


def says_nothing(line: str) -> bool:
    """Whether each piece of a line is courtesy, and one of them more than a name or `Great`."""
    if "?" in line:
        return False
    plain = _SMILEY.sub(" ", line)
    pieces = [piece.strip() for piece in _BETWEEN.split(plain) if re.search(r"[^\W_]", piece)]
    if not pieces:
        return True  # a smile, a rule of dashes
    meant = [_is_courtesy(piece) for piece in pieces]
    return any(meant) and all(
        one or _signs().approval.fullmatch(_words(piece)) or _is_name(piece) and f", {piece}" in plain
        for one, piece in zip(meant, pieces, strict=True)
    )


def _words(piece: str) -> str:
    """A piece of a sentence without smiles and other signs at its ends."""
    return " ".join(re.sub(r"^[^\w]+|[^\w]+$", "", piece).replace("’", "'").split())


def _is_courtesy(piece: str) -> bool:
    """Whether a piece of a sentence is a greeting, thanks or a closing."""
    plain = _words(piece)
    if courtesy.is_closing(plain.lower()):
        return True
    greeting = _signs().greeting.fullmatch(plain)
    if greeting and all(name in _TO_ALL or _is_name(name) for name in greeting["names"].split()):
        return True
    if greeting and greeting["names"].lower().strip() in _TO_ALL:
        return True
    thanks = _signs().thanks.fullmatch(plain)
    return thanks is not None and not set((thanks["words"] or "").lower().split()) & set(phrases.GOES_ON)


def _is_name(piece: str) -> bool:
    words = piece.split()
    return 0 < len(words) <= 3 and all(
        word.lower() in _TO_ALL or word[:1].isupper() and word.isalpha() for word in words
    )
