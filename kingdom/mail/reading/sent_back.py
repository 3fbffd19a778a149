"""Finds what in a mail was copied from a mail of ours: copied lines are nobody's orders and nobody's letter. Pure.

What a player changed in a report's order form is the player's own, even if the rest of the report was copied with it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from kingdom.mail.reading import limits, thresholds
from kingdom.mail.reading.reply import key_of

_LEAST = 8  # lines of prose in one piece: so many copied lines are a quote, marked as one or not


def without_ours(text: str, ours: Sequence[str], keys: Container[str]) -> str:
    """The text without what was copied from a mail of ours, in one piece or from the heading of an order form on.

    Lines of orders alone count as typed, since our mails propose orders to be copied.
    """
    lines = text.split("\n")
    typed = [(index, squeezed(line)) for index, line in enumerate(lines[: limits.LINES_COMPARED]) if line.strip()]
    for one in ours:
        known = [plain for line in one.split("\n") if (plain := squeezed(line))]
        gone = _copied([plain for _, plain in typed], known, keys)
        if gone:
            copied = {typed[at][0] for at in gone}
            return "\n".join(line for index, line in enumerate(lines) if index not in copied)
    return text


def _copied(typed: Sequence[str], known: Sequence[str], keys: Container[str]) -> set[int]:
    """The places of the typed lines that were copied from our mail: from the first copied line that is no order to the last such line."""
    if len(set(typed) & set(known)) < 2:
        return set()  # most mails copy nothing, and are not compared
    from difflib import SequenceMatcher

    blocks = SequenceMatcher(None, known, typed, autojunk=False).get_matching_blocks()
    pieces = [(one.b, one.b + one.size, typed[one.b : one.b + one.size]) for one in blocks]
    for _, _, lines in pieces:  # copied with the mail: many lines of prose, or some above the head of an order form
        head = next((at for at, line in enumerate(lines) if key_of(line) == "kingdom"), 0)
        prose = [not _may_be_typed(line, keys) for line in lines]
        if sum(prose) >= _LEAST or any(prose[:head]):
            break
    else:
        return set()
    ends = [(begin, end) for begin, end, lines in pieces if not all(_may_be_typed(line, keys) for line in lines)]
    begin, end = ends[0][0], ends[-1][1]
    return {at for one in blocks for at in range(one.b, one.b + one.size) if begin <= at < end}


def _may_be_typed(line: str, keys: Container[str]) -> bool:
    return key_of(line) in keys or line.startswith(("#", "-", "{"))


def changed(quoted: str, ours: Sequence[str], keys: Container[str] = ()) -> str:
    """The lines of a quote that are not in our mail: what its reader changed there, and older quotes. If a line of an order form was
    changed, all orders of the form stay, since they are one set."""
    known = {plain for one in ours for line in one.split("\n") if (plain := squeezed(line))}
    whole = "\n".join(known)
    lines = quoted.split("\n")
    is_new = [_is_new(squeezed(line), known, whole) for line in lines]
    begin = 0
    for end in [*(index for index, line in enumerate(lines) if not line.strip(" >")), len(lines)]:
        orders = [index for index in range(begin, end) if key_of(lines[index].lstrip(" >")) in keys]
        if any(is_new[index] for index in orders):
            is_new[begin:end] = [is_new[at] or at in orders for at in range(begin, end)]
        begin = end + 1
    return "\n".join(line for line, new in zip(lines, is_new, strict=True) if new)


def _is_new(plain: str, known: Container[str], whole: str) -> bool:
    return plain not in known and not (len(plain) >= thresholds.WRAPPED and f"\n{plain}" in f"\n{whole}")


def squeezed(text: str) -> str:
    """A line without blanks and marks of quotes."""
    return "".join(text.replace(">", " ").split())
