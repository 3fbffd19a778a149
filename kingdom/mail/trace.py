"""What the servers on a message's way wrote on top of it: when our own server had it, and which results are that server's.

Each server puts its lines above those that it got, so what our server wrote stands above all that a sender can have written. What
came later stands above that again: a program that fetches mail (fetchmail, getmail6, mpop) and an inner delivery (LMTP) put a
`Received` of their own on top, dated with the fetching. Such lines are passed over where they have exactly the form in which these
programs write them, so that nothing that a sender writes or says in its greeting can pass for one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.regex import regex

_HOST = r"[^\s()<>;]+"
_FOR = r"(?: for <[^<>;]*>)?"
_FETCHED = regex(
    rf"from {_HOST} \[[^\]\s]*\] by {_HOST} with \S+ \(fetchmail-[\w.]+\){_FOR}(?: \([a-z-]+\))?"
    rf"|from {_HOST} \([^()]*\) by {_HOST} with \S+ getmail6(?: msgid:\S*)?"
    rf"|from {_HOST} \({_HOST} \[[^\]\s]*\]\) by {_HOST} \(mpop-[\w.]+\) with \S+{_FOR}",
    re.IGNORECASE,
)
_INNER = regex(  # Dovecot's and Cyrus' LMTP
    rf"from {_HOST}(?: \([^()]*\))? by (?P<by>{_HOST})(?: \(Cyrus [^()]*\))? with LMTPS?A?(?: \([^()]*\))*(?: id \S+)?(?: \([^()]*\))*{_FOR}",
    re.IGNORECASE,
)
_BY = regex(rf"\bby ({_HOST})", re.IGNORECASE)
_COMMENT = regex(r"\([^()]*\)")
_LONGEST = 2000  # characters of a line that is looked at for a fetcher's form


class Received(NamedTuple):
    """A `Received` line. by: the servers that it can have been written by, in small letters: only one of an honest line.

    fetched: a program that fetches mail wrote it. inner: the host that wrote it when it handed the message to itself, "" for none.
    above: how many Authentication-Results stand above it.
    """

    time: datetime | None
    by: tuple[str, ...] = ()
    fetched: bool = False
    inner: str = ""
    above: int = 0


def received(text: str, above: int = 0) -> Received:
    """What a `Received` line says, its folds taken out."""
    route, _, date = text.rpartition(";")
    words = " ".join(route[:_LONGEST].split())
    inner = _INNER.fullmatch(words)
    return Received(
        time_in(date),
        tuple(_BY.findall(_COMMENT.sub(" ", words.lower()))),
        _FETCHED.fullmatch(words) is not None,
        inner["by"].lower() if inner else "",
        above,
    )


def time_in(text: str) -> datetime | None:
    """A time as mail writes it, in UTC; None where it is none, or none that a calendar has."""
    from email.utils import parsedate_to_datetime  # slow to load

    try:
        time = parsedate_to_datetime(_COMMENT.sub(" ", text).strip())
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def of_server(trace: Sequence[Received], server: str = "") -> Received | None:
    """The topmost line that our server wrote, None where there is no line at all. trace: all of them, the topmost first.

    server: the name under which our server writes Authentication-Results, "" where that is not known. Where it is known, and no line
    below a fetcher's is from there, the fetcher's line counts: what stands below it may be the sender's.
    """
    place = 0
    while place + 1 < len(trace) and _is_later(trace[place], trace[place + 1]):
        place += 1
    fetched = any(line.fetched for line in trace[:place])
    if fetched and server and not any(_of_house(by, server) for line in trace[place:] for by in line.by):
        place = 0
    return trace[place] if trace else None


def _is_later(line: Received, below: Received) -> bool:
    """Whether a line only tells of what was done with the message after the server of the line below had it."""
    ours = line.fetched or (bool(line.inner) and below.by == (line.inner,))
    return ours and line.time is not None and below.time is not None and below.time <= line.time


def _of_house(by: str, server: str) -> bool:
    """Whether a host is that server, or stands under the same domain: mx-ha.gmx.net and gmx.net."""
    return by.split(".")[-2:] == server.lower().split(".")[-2:]
