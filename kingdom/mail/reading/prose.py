"""Finds the words in a mail that a person should read: no orders, no quote, no greeting, no signature. Pure.

Doubtful text counts as words: a needless letter costs the GM a look, a lost question costs the campaign a player.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from kingdom.mail.reading import greetings, limits, order_text, phrases, reply, thresholds
from kingdom.mail.reading.tidying import with_breaks
from kingdom.mail.records import Found, Headers, Parts

_FENCE = ("```", "~~~")
_FOLLOW = re.compile(phrases.ORDERS_FOLLOW, re.IGNORECASE)
_AUTOMATIC = re.compile(phrases.AUTOMATIC_TEXT, re.IGNORECASE)
_AWAY = [re.compile(one, re.IGNORECASE) for one in (phrases.AWAY, phrases.FOR_YOUR_MAIL, phrases.BACK_LATER)]
_RECALLS = re.compile(phrases.RECALLS, re.DOTALL)
_RESIGNS = re.compile(phrases.RESIGNS, re.IGNORECASE)


def words_of(found: Found, headers: Headers, parts: Parts, keys: Container[str]) -> str:
    """The words that a person should read, beside the orders that were found in a mail; "" if the mail holds only orders or thanks."""
    if is_absence(headers, parts):
        return ""
    read = found.text if found.kind == "orders" else order_text.orders_in(found.meant, keys, all_of_them=True)
    orders = {line.strip() for line in read.split("\n") if line.strip()}
    lines = found.meant.split("\n")
    given = [line.strip() in orders for line in lines]
    fenced = False
    for index, line in enumerate(lines):
        is_fence = line.lstrip().startswith(_FENCE)
        given[index] = given[index] or fenced or is_fence
        fenced = fenced != is_fence
    first = given.index(True) if True in given else len(lines) if parts.attachments else 0
    lead = max((at for at in range(first) if lines[at].strip()), default=-1)
    beside = ["" if given[at] or at < first and _leads(line, at == lead) else line for at, line in enumerate(lines)]
    words = said_in("\n".join(beside), headers, keys)
    return "" if set(filter(None, map(str.strip, words.split("\n")))) <= {*found.maybe} else words


def _leads(line: str, is_last: bool) -> bool:
    """Whether a line above orders only leads to them: it says that they follow, or ends in a colon straight above them."""
    words = line.split()
    if "?" in line or len(words) > thresholds.WORDS_LEADING or re.search(r"[.!…]\s", line.strip()):
        return False
    return is_last and line.rstrip().endswith(":") or _FOLLOW.search(line.strip()) is not None


def said_in(text: str, headers: Headers, keys: Container[str] = ()) -> str:
    """A text without greeting, thanks, closing and signature; "" where it says no more than that."""
    lines = with_breaks(text[: limits.TEXT]).split("\n")
    kept = _without_greetings(lines[: greetings.signature(lines, -1, headers, keys)], headers)
    said = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in kept)).strip("\n")
    return said if re.search(r"[^\W_]|\?", said) else ""


def _without_greetings(lines: Sequence[str], headers: Headers) -> Iterator[str]:
    """The lines without greetings, without the names below it, and without lines that hold only the sender's name."""
    names = greetings.names_of(headers)
    last = len(lines)  # from here on names, telephone numbers and addresses alone
    while last > 0 and (not lines[last - 1].strip() or greetings.is_name_or_contact(lines[last - 1])):
        last -= 1
    index = 0
    while index < len(lines):
        line, short = lines[index], len(lines[index]) <= limits.LINE
        index += 1
        if short and says_nothing(line):
            if line.rstrip()[-1:] not in ".!" and index >= last:
                return
        elif not short or not (words := greetings.words_of(line)) or not words <= names:
            yield line


def resigns(text: str) -> bool:
    """Whether these words may give up the seat. Their writer is asked; it is never done unasked."""
    return _RESIGNS.search(text[: limits.TEXT]) is not None


def recalls(text: str) -> bool:
    """Whether this is Outlook's request to delete a mail, and nothing else."""
    return _RECALLS.fullmatch(text[: limits.TEXT_OF_RECALL].strip()) is not None


def may_be_away(text: str) -> bool:
    """Whether these words say that somebody may miss a deadline. Their writer is offered `away`."""
    return _AWAY[0].search(text[: limits.TEXT]) is not None


def is_absence(headers: Headers, parts: Parts) -> bool:
    """Whether this is an automatic answer while somebody is away, though no header says so."""
    if headers.machine:
        return True
    said = "\n".join(parts.texts)[: limits.TEXT]
    if not _says_absence(said):
        return False  # nor does a part of it, so there is no need to take it apart
    return _says_absence(
        "\n".join(reply.split(with_breaks(text)).own for text in parts.texts)[: limits.TEXT_OF_ABSENCE]
    )


def _says_absence(text: str) -> bool:
    return _AUTOMATIC.search(text) is not None or all(one.search(text) for one in _AWAY)


def says_more(subject: str) -> bool:
    """Whether a subject above thanks says what somebody should read: it asks something, or is more than a few words of greeting."""
    return not says_nothing(subject) and ("?" in subject or len(subject.split()) >= thresholds.WORDS_OF_SUBJECT)


def announces(subject: str) -> bool:
    """Whether a subject only says that orders are below it: `my new orders for turn 3`, `turn 3 orders, corrected`."""
    words = re.findall(r"[^\W\d_]+", subject.lower())
    return any(word in _ORDERS for word in words) and {*words} <= _ORDERS | _ABOUT_ORDERS


_ORDERS = {"order", "orders", "move", "moves", "turn", "round", "filing"}
_ABOUT_ORDERS = {
    "a", "again", "and", "are", "attached", "below", "by", "corrected", "final", "first", "for", "from", "here", "i", "is", "last", "latest",
    "my", "new", "our", "please", "resent", "revised", "second", "sent", "the", "these", "this", "update", "updated", "version", "week",
}  # fmt: skip


def says_nothing(line: str) -> bool:
    """Whether a line is only a greeting, thanks or a closing, with names. A smile or a rule of dashes counts too; an empty line does not."""
    words = re.findall(r"see you|[^\W\d_]+", line, re.IGNORECASE)
    if not words:
        return bool(line.strip()) and not re.search(r"[\w?]", line)
    plain = [word.lower() for word in words]
    known = phrases.GREETINGS | phrases.WITH_GREETINGS
    others = [(at, word) for at, word in enumerate(words) if word.lower() not in known]
    named = all(at and word[0].isupper() and not re.search(rf"[.!?] *{re.escape(word)}", line) for at, word in others)
    return named and not phrases.GREETINGS.isdisjoint(plain) and not re.search(r"[\d?]", line)
