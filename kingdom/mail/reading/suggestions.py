"""Orders that may be meant in prose: `I'd like to claim hex 0809. Also build a bank in Tarnchurch.` Pure.

Nothing of this is ever filed: the answer shows the lines, and one tap sends them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from kingdom.engine.problems import by_stem
from kingdom.mail.reading import limits, phrases, repairs, thresholds
from kingdom.mail.reading.repairs import Reads

_PIECES = re.compile(r"[.;!\n]\s*|,\s+|\s+(?:and|then|also|und)\s+", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]?")
_THERE = re.compile(r"\b(?:it|there|that hex)\b", re.IGNORECASE)
_NOT = re.compile(
    r"\b(?:not|no|never|nobody|(?:do|ca|wo|should|would|must)n['’]?t|cannot|cancel|stop|without)\b", re.IGNORECASE
)
_NO_ORDERS = phrases.NO_ORDERS | repairs.TEXTS | {"to", "plan"}


class InProse(NamedTuple):
    """orders: those that stand in sentences, as they would be written. rest: the other parts of those sentences, as they were typed."""

    orders: list[str]
    rest: list[str]


def in_prose(text: str, keys: Container[str], reads: Reads) -> InProse:
    """The orders that stand in sentences, and what else does; none out of questions."""
    told = "".join(one[0] for one in _SENTENCE.finditer(text[: limits.TEXT_OF_SENTENCES]) if not one[0].endswith("?"))
    found: list[str] = []
    rest: list[str] = []
    label = ""
    for piece in _PIECES.split(told)[: limits.PIECES]:
        labels = phrases.LABEL.findall(piece)
        piece = piece if labels or not label else _THERE.sub(label, piece)
        label = labels[-1] if labels else label
        if order := _order(piece.split(), keys, reads):
            found.append(order)
        elif re.search(r"[^\W\d_]", piece):
            rest.append(" ".join(piece.split()))
    return InProse(list(dict.fromkeys(found)), rest)


def _order(words: Sequence[str], keys: Container[str], reads: Reads) -> str:
    """The order that begins with the first word of one in a piece of a sentence, "" for none."""
    known = sorted(key for key in keys if key not in _NO_ORDERS) if isinstance(keys, (set, frozenset)) else []
    for at, word in enumerate(words[: thresholds.FIRST_WORDS]):
        plain = re.sub(r"\W+", "", word.lower())
        key = plain if plain in known else by_stem(plain, known) if len(plain) >= thresholds.LETTERS_IN_PROSE else ""
        if _NOT.search(" ".join(words[:at])):
            return ""
        if key and key.startswith(plain[:3]) and words[at + 1 :]:
            said = " ".join(words[at + 1 :])
            return repairs.fixed(key, said, reads, False) or repairs.completed(key, said, keys, reads)
    return ""
