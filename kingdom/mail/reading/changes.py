"""A change in words of what is filed, `library not jail` or `Instead of the jail, build a library.` -> the whole set that it would make. Pure.

The set is never filed at once: the answer shows it, and one tap files it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kingdom.mail.reading import limits, thresholds
from kingdom.mail.reading.repairs import Reads, is_bound
from kingdom.mail.reading.reply import key_of

_SENTENCE = re.compile(r"[.!\n;]+\s*")
_CLAUSE = re.compile(r"[.!\n;]+\s*|,\s+(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_SMALL = re.compile(
    r"\b(?:the|a|an|my|please|pls|build|claim|order|but|i['’]d|i|would|like|want|to|have|rather|now|just)\b",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r"\b(?:not|no|instead|of|than|in|its|their|place|for|replace|change|swap|with|by|into|cancel|drop|skip|forget|remove|take|out|and|thanks?|correction|read)\b",
    re.IGNORECASE,
)
# `NEW not OLD`, `instead of OLD NEW`, `replace OLD with NEW`; the way that leaves out the fewest words is meant
WAYS = (
    re.compile(r"(?P<new>.+?),?\s+(?:not|instead of|rather than|in place of|for)\s+(?P<old>[^,]+)", re.IGNORECASE),
    re.compile(r"(?:not|instead of|in place of|rather than)\s+(?P<old>[^,:]+?)(?:\s*[,:]\s*|\s+(?:but|build|claim)\s+)(?P<new>.+)", re.IGNORECASE),
    re.compile(r".*\brather (?:have )?(?P<new>.+?) than (?P<old>.+)", re.IGNORECASE),
    re.compile(r"(?:please |pls )?(?:replace|change|swap|(?:correction\W+)?(?:for|read))\s+(?P<old>.+?)\s+(?:with|by|for|to|into|read)\s+(?P<new>.+)", re.IGNORECASE),
    re.compile(r"(?:please |pls )?(?:no|without|cancel|drop|skip|forget|remove|take out)\s+(?P<old>.+)", re.IGNORECASE),
    re.compile(r"(?:in (?:its|their) place|instead)\s*[,:]\s*(?P<new>.+)", re.IGNORECASE),
)  # fmt: skip
# words beside new orders which say that the filed orders stay
_REST_STAYS = re.compile(
    r"\b(?:keep|leave) (?:everything|all|the rest|the others?)\b|\b(?:rest|everything else|all else|the others?) (?:stays?|remains?|is the same|as before|as (?:it|they) (?:is|was|are|were))"
    r"|\b(?:same|everything|all) (?:is )?as before\b|\badd (?:this|these|it)\b|\bin (?:its|their) place\b|^[^\w\n]{0,10}(?:oh,? )?(?:and )?(?:also|add|plus|another)\b",
    re.IGNORECASE | re.MULTILINE,
)


def rest_stays(words: str) -> bool:
    """Whether somebody says beside orders that what is filed stays."""
    return _REST_STAYS.search(words[: limits.TEXT_OF_STAYING]) is not None


class Change(NamedTuple):
    """The lines that would be filed after a change. left: the words of the change that have no part in these lines."""

    lines: Sequence[str] = ()
    left: Sequence[str] = ()


def proposed(words: str, filed: Sequence[str], reads: Reads, orders_of: Callable[[str], Sequence[str]]) -> Change:
    """What a change in words would make of the filed orders; no lines if that can't be told. filed: the filed orders in the short form.
    orders_of: gives the orders in a line."""
    if "?" in words or len(words) > limits.LINE:
        return Change()
    ways = (_in_turn(parts.split(words), filed, reads, orders_of) for parts in (_SENTENCE, _CLAUSE))
    return min((way for way in ways if way.lines), key=lambda way: len(" ".join(way.left)), default=Change())


def _in_turn(
    pieces: Sequence[str], filed: Sequence[str], reads: Reads, orders_of: Callable[[str], Sequence[str]]
) -> Change:
    """The result of several changes, one after the other, `mill not park, 0604 not 0603`."""
    lines, left = filed, list[str]()
    for piece in map(str.strip, pieces):
        if made := _made(piece, lines, reads, orders_of):
            left += filter(None, [_left(piece, [*lines, *made])])
            lines = made
        elif re.search(r"\w", piece) and not rest_stays(piece):
            left.append(piece)
    return Change(lines, left) if lines is not filed else Change()


def _left(sentence: str, lines: Sequence[str]) -> str:
    """The words of a change that name nothing in the orders before and after it, and are not words of changing such as `instead of`."""
    known = {word.lower() for line in lines for word in re.findall(r"[\w'’-]+", line)}
    plain = _SMALL.sub(" ", _JOINS.sub(" ", sentence))
    others = {word.lower() for word in re.findall(r"[\w'’-]+", plain)} - known
    return " ".join(word.strip(",:") for word in sentence.split() if word.lower().strip(",:") in others)


def _made(
    sentence: str, filed: Sequence[str], reads: Reads, orders_of: Callable[[str], Sequence[str]]
) -> Sequence[str]:
    """The lines that would be filed after the change in one sentence; () if the sentence tells no change."""
    made: list[Sequence[str]] = []
    for found in filter(None, (way.fullmatch(sentence) for way in WAYS)):
        old, new = (found.groupdict().get(name, "") for name in ("old", "new"))
        other = _without(old, filed) if old else _instead(orders_of(new), filed)
        made.append(_changed(old, new, filed, reads) if old and new else other)
    return min(filter(None, made), key=lambda one: (len(_left(sentence, [*filed, *one])), one), default=())


def _without(old: str, filed: Sequence[str]) -> list[str]:
    """The filed lines without the only line that holds these words, or as many of them in a row as any line holds; [] if none does, or
    several do."""
    found = ([at for at, line in enumerate(filed) if _place(line, thing) is not None] for thing in _things(old))
    places = next(filter(None, found), [])
    return [line for index, line in enumerate(filed) if index not in places] if len(places) == 1 else []


def _instead(orders: Sequence[str], filed: Sequence[str]) -> list[str]:
    """The filed lines with an order in place of the only line that has the same key; [] if no line or several lines have it."""
    same = [index for index, line in enumerate(filed) if orders and key_of(line) == key_of(orders[0])]
    if len(orders) != 1 or len(same) != 1:
        return []
    return [orders[0] if index in same else line for index, line in enumerate(filed)]


def _changed(old: str, new: str, filed: Sequence[str], reads: Reads) -> list[str]:
    for thing in _things(old):
        places = {index: place for index, line in enumerate(filed) if (place := _place(line, thing))}
        if len(places) != 1:
            continue
        ((index, (begin, end)),) = places.items()
        for instead in _things(new):
            made = f"{filed[index][:begin]}{instead}{filed[index][end:]}"
            if reads(made) and is_bound(key_of(made), made.partition(":")[2].strip(), reads):
                return [*filed[:index], made, *filed[index + 1 :]]
    return []


def _place(line: str, thing: str) -> tuple[int, int] | None:
    """Where a thing is named behind the word of an order."""
    found = re.compile(rf"(?<!\w){re.escape(thing)}(?!\w)", re.IGNORECASE).search(line, line.find(":") + 1)
    return found.span() if found else None


def _things(words: str) -> Iterator[str]:
    """What words may name, the longest first."""
    plain = re.findall(r"[\w'-]+", _SMALL.sub(" ", words))
    for count in range(min(thresholds.WORDS_OF_NAME, len(plain)), 0, -1):
        for at in range(len(plain) - count + 1):
            yield " ".join(plain[at : at + count])
