"""Orders whose colon was forgotten: `claim 0412` for `claim: 0412`.

The colon is added where nothing else can be meant: the line begins with a key, what follows reads as that key's, and the mail
holds no prose that would make it a sentence. Where that is not sure, nothing is added, and the answer suggests the order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.mail.incoming.courtesy import trimmed
from kingdom.mail.incoming.reply import key_of
from kingdom.mail.records import Headers
from kingdom.orders import orders_file

_MOST = 40  # lines without a colon; who writes more writes prose
_LONGEST = 400  # characters of such a line
_FEW_WORDS = 3  # behind a key whose words are free, such as `capital Oakhold`
_NONSENSE = "zzqx"  # no word of any closed list
_FILLERS = re.compile(r"\b(?:hex|hexes|the|also|too|please|pls|now|a|an|some|one|bitte|auch)\b", re.IGNORECASE)
_TIGHT = re.compile(r"([^\W\d_][\w -]{0,30}?):(?=[^\s:/])")  # `claim:0412`: the blank was forgotten
_INSTEAD = ";,=–—>→-. "  # what people write instead of a colon
_AND = re.compile(r"\s*(?:\band\b|\bund\b|\bet\b|&)\s*", re.IGNORECASE)
Reads = Callable[[str], bool]  # whether a text reads as orders in which nothing is wrong


class Colons(NamedTuple):
    """A text with the colons that were forgotten. line, cure: one that may be an order, and how it would be written, "" for none;
    meant: all that may be orders, as they would be written."""

    text: str
    line: str = ""
    cure: str = ""
    meant: str = ""


class _Line(NamedTuple):
    """A line that begins with a key. sure: what follows the key reads as that key's and as no one else's."""

    key: str
    argument: str
    sure: bool

    @property
    def order(self) -> str:
        return f"{self.key}: {self.argument}"


def reader(campaign: Campaign) -> Reads:
    """What tells orders of a campaign: a player's, or the GM's where the text is the GM's by its keys."""

    @cache
    def names() -> dict[str, Container[str]]:
        return campaigns.names_today(campaign)

    def reads(text: str) -> bool:
        data = text.encode("utf-8", "replace")
        return not orders_file.read(data, "mail", campaign.game, names(), None, None, subject=True).problems

    return reads


def added(text: str, keys: Container[str], reads: Reads, headers: Headers, turn: int | None) -> Colons:
    """The text with the colons that were forgotten, where that is sure; else what is to be suggested."""
    lines = text.split("\n")
    found = dict(_found(lines, keys, reads))
    if not 0 < len(found) <= _MOST or reads(text):
        return Colons(text)
    with_colons = [found[index].order if index in found else line for index, line in enumerate(lines)]
    whole = "\n".join(with_colons)
    body = trimmed(whole, headers, turn, keys).split("\n")
    alone = not any(_is_prose(line, keys) for line in body)
    if alone and all(line.sure for line in found.values()):
        return Colons(whole)
    cures = {index: cure for index, line in found.items() if (cure := _cure(line, reads, alone))}
    if not cures:
        return Colons(text)
    first = min(cures)
    if len(cures) < len(found):
        return Colons(text, lines[first].strip(), cures[first])
    meant = [
        cures.get(index, "" if index in found or _is_prose(line, keys) else line) for index, line in enumerate(body)
    ]
    return Colons(text, lines[first].strip(), cures[first], "\n".join(filter(None, meant)))


def _found(lines: Sequence[str], keys: Container[str], reads: Reads) -> Iterator[tuple[int, _Line]]:
    """(index, the line) of those that begin with a key and have no colon behind it; few more than there may be."""
    comma, count = False, 0  # whether the order above ends in a comma, so that it goes on here
    for index, line in enumerate(lines):
        goes_on, comma = comma, line.rstrip().endswith((",", "[", "{")) and (comma or key_of(line) in keys)
        if goes_on or not 0 < len(line) <= _LONGEST or not line[0].isalpha():
            continue
        tight = _TIGHT.match(line)
        if key_of(line) in keys and not tight:
            continue
        key, argument = (key_of(line), line[tight.end() :].strip()) if tight else _parts(line, keys)
        if key in keys:
            comma = argument.endswith(",")
            sure = reads(f"{key}: {argument}") if tight else _is_sure(key, argument, reads)
            yield index, _Line(key, argument, sure)
            count += 1
        if count > _MOST:
            return


def _parts(line: str, keys: Container[str]) -> tuple[str, str]:
    """(the key that a line begins with, what follows it)."""
    words = line.split(maxsplit=4)
    for count in range(min(len(words) - 1, 4), 0, -1):
        key = "_".join(words[:count]).lower().rstrip(_INSTEAD).replace("-", "_")
        if key in keys:  # what stands there instead of the colon stays, so that it is not sure
            typed = "".join(words[count - 1][len(words[count - 1].rstrip(_INSTEAD)) :])
            return key, f"{typed} {line.split(maxsplit=count)[count]}".strip()
    return "", ""


def _is_sure(key: str, argument: str, reads: Reads) -> bool:
    return not argument.endswith((".", "!", "?")) and reads(f"{key}: {argument}") and is_bound(key, argument, reads)


def is_bound(key: str, argument: str, reads: Reads) -> bool:
    """Whether not every text of so many words is one of that key's: then what reads as one was hardly meant otherwise."""
    nonsense = re.sub(r"[^\s,]+", _NONSENSE, argument)
    return not reads(f"{key}: {nonsense}")


def _cure(line: _Line, reads: Reads, free: bool) -> str:
    """How the order would be written, "" where it can't be told. free: also where its words may be any."""
    argument = line.argument.lstrip(_INSTEAD).rstrip(".!?,; ")
    free = free and len(argument.split()) <= _FEW_WORDS
    plain = " ".join(_FILLERS.sub(" ", argument).split()).rstrip(".!?,; ")
    for tried in dict.fromkeys((argument, plain, _AND.sub(" ", plain), _AND.sub(", ", plain))):
        if tried and reads(f"{line.key}: {tried}") and (free or is_bound(line.key, tried, reads)):
            return f"{line.key}: {tried}"
    return ""


def _is_prose(line: str, keys: Container[str]) -> bool:
    """Whether a line is no part of orders."""
    orders = key_of(line) in keys or line.startswith((" ", "-", "#", "{", "}", "[", "]"))
    return bool(line.strip()) and not orders
