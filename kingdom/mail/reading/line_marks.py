"""What people put around order lines for looks: marks of lists, numbers, stars, quotes; several orders in one line. Pure."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from kingdom.mail.reading import limits, phrases
from kingdom.mail.reading.repairs import begun, misspelt, parts, stemmed
from kingdom.mail.reading.reply import key_of

_MARK = re.compile(
    r"[ ]{0,12}(?:[-*+•–—][ ]{0,12}|\(?\d{1,2}[.):][ ]{0,12}|\(?[a-zA-Z][.)] {1,12})(?=[^\W\d_]|[\"'`*_])"
)
_ITEM = re.compile(r" {0,12}(?:[-*+•–—]|\(?\d{1,2}[.):]|\(?[a-zA-Z][.)])[ ]{1,12}")
_LETTERED = re.compile(r" {0,12}\(?[a-zA-Z][.)] ")
_INITIALS = re.compile(r"(?:[A-Z]\. ?){1,3}[A-Z][\w'-]+(?: [A-Z][\w'-]+)?\s*")  # `A. Miller`, `J. R. Smith`
_STRONG = re.compile(r"\A([*_`]{1,3})([^*`]{1,300}?)\1(?!\w)")
_LEAD = re.compile(r"(?:(?:please|pls|also|then|and|next|first|finally|bitte|set),? )+", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*;\s*|[,.]\s+|\s+(?=(?:and|then|und)\s)", re.IGNORECASE)
IT = re.compile(r"\b(?:it|there|that hex|this hex|that one)\b", re.IGNORECASE)


def without_marks(lines: Sequence[str], keys: Container[str]) -> list[str]:
    """The lines, with the list marks taken off the orders if all marked lines are orders."""
    found = {index: bare(line, keys) for index, line in _free(lines, keys)}
    lettered = [index for index in found if _LETTERED.match(lines[index])]
    if len(lettered) == 1 and _INITIALS.fullmatch(lines[lettered[0]]) and not parts(found[lettered[0]], keys)[0]:
        del found[lettered[0]]  # a name below a list, no item of it
    marked = [line for index, line in found.items() if _MARK.match(lines[index])]
    orders = [line for line in marked if parts(line, keys)[0]]
    if len(orders) < len(marked) and not (orders and all(key_of(line) for line in marked)):
        found = {index: line for index, line in found.items() if not _MARK.match(lines[index])}
    return [
        found[index]
        if index in found and (_MARK.match(line) or parts(found[index], keys)[0] or misspelt(found[index], keys)[0])
        else line
        for index, line in enumerate(lines)
    ]


def _free(lines: Sequence[str], keys: Container[str]) -> list[tuple[int, str]]:
    """(index, line) of the lines that look marked and are not part of the order above them."""
    found: list[tuple[int, str]] = []
    is_open = False  # whether the order above goes on below it: `build:`, `text: |`, a comma at its end
    for index, line in enumerate(lines):
        plain = line.strip()
        if not plain or len(line) > limits.LINE:
            continue
        inside = is_open and (line[0] in " -" or _MARK.match(line))
        if not inside and not line.startswith("#") and bare(line, keys) != line:
            found.append((index, line))
        if not inside:
            key = key_of(plain) if line[0] not in " -" else ""
            is_order = bool(key) and (key in keys or len(line.split()) < 3) and key not in phrases.HEADINGS
            is_open = is_order and plain.endswith((":", ",", "[", "{", "|", ">", "|-", ">-"))
    return found


def bare(line: str, keys: Container[str]) -> str:
    """A line without its mark, its stars, its quotes, its `please`; without its indentation if it has a key."""
    if _STRONG.match(line.lstrip(" ")):
        line = _STRONG.sub(r"\2", line.lstrip(" "))
    mark = _MARK.match(line)
    plain = line[mark.end() :] if mark else line.lstrip(" ") if key_of(line) in keys else line
    plain = _STRONG.sub(r"\2", plain)
    quote = plain[:1]
    if quote and quote in "\"'`" and plain.endswith(quote) and plain.count(quote) == 2:
        plain = plain[1:-1]
    lead = _LEAD.match(plain)
    asked = plain[lead.end() :] if lead else ""
    if asked and begun(asked, keys)[0]:
        plain = asked
    return plain if plain == line else plain.strip()


def without_lead(line: str) -> str:
    """A line without the politeness before its order."""
    return line[lead.end() :] if (lead := _LEAD.match(line)) else line


def item(line: str) -> str:
    """A line below a key without the mark of a list."""
    return line[mark.end() :].strip() if (mark := _ITEM.match(line)) else line.strip()


def _is_closed(text: str) -> bool:
    """Whether no bracket and no quote is open at the end of a text."""
    return all(text.count(opens) == text.count(closes) for opens, closes in ("{}", "[]")) and not text.count('"') % 2


def split(line: str, keys: Container[str]) -> list[str]:
    """The orders in one line: the pieces between `;`, commas and `and` that begin with a key. `it` in a later piece means the only hex
    of the first piece."""
    cuts = [(0, 0)]
    for between in _BETWEEN.finditer(line):
        if not _is_closed(line[: between.start()]):
            continue
        rest = line[between.end() :]
        lead = _LEAD.match(rest)
        rest = rest[lead.end() :] if lead else rest
        if parts(rest, keys)[0] or stemmed(rest.split(". ")[0], keys)[0]:
            cuts.append((between.start(), between.end() + (lead.end() if lead else 0)))
    ends = [start for start, _ in cuts[1:]] + [len(line)]
    pieces = [line[begin:end].strip() for (_, begin), end in zip(cuts, ends, strict=True)]
    labels = set(phrases.LABEL.findall(pieces[0]))
    if len(labels) == 1:
        label = labels.pop()
        pieces[1:] = [piece if phrases.LABEL.search(piece) else IT.sub(label, piece) for piece in pieces[1:]]
    return [piece for piece in pieces if piece]
