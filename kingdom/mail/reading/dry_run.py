"""`try` above orders, or as the subject: the orders are answered as if they were filed, and nothing is filed. Pure."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from kingdom.mail.reading.reply import key_of
from kingdom.mail.records import Headers

TRY = "try"
_WORD = re.compile(r"\W*try(?: (?:this|these|it|only|orders?))?\W*", re.IGNORECASE)


def taken_out(headers: Headers, texts: Sequence[str], keys: Container[str]) -> tuple[Headers, tuple[str, ...], bool]:
    """(headers, texts, whether the word was there) of the message without the word `try`, which may be its subject, beside a token, or a line above the first order."""
    subject = re.sub(r"\[[^\[\]]*\]", "", headers.subject)
    if not headers.is_reply and _WORD.fullmatch(subject):
        headers = headers._replace(subject=headers.subject.replace(subject.strip(), "", 1))
        return headers, tuple(texts), True
    found = [_without(text, keys) for text in texts]
    return headers, tuple(text for text, _ in found), any(was_there for _, was_there in found)


def _without(text: str, keys: Container[str]) -> tuple[str, bool]:
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if key_of(line) in keys or line.lstrip().startswith(">"):
            break
        if _WORD.fullmatch(line.strip()):
            return "\n".join((*lines[:index], "", *lines[index + 1 :])), True
    return text, False
