"""The lines of a text that people typed as orders -> the same lines as the reader of orders takes them.

`claim 0412`, `- claim: 0412`, `Claim: hex 0412`, `claim: 0412; taxation: light` all mean one thing. A line is changed only
if the text can't be read as it stands, and only to what nothing else can be meant by. Where that is not sure, nothing is
changed, and the answer suggests the order.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.mail.reading import line_marks, repairs, terms
from kingdom.mail.reading.courtesy import trimmed
from kingdom.mail.reading.repairs import Keys, Reads
from kingdom.mail.reading.reply import key_of
from kingdom.mail.records import Headers
from kingdom.orders import orders_file
from kingdom.orders.schema import ListOf, Seats, Short, snake

_MOST = 40  # lines without a colon; who writes more writes prose
_MOST_READ = 600  # tries to read a line of one text; who needs more wants to cost us time
_LONGEST = 400  # characters of such a line
_FEW_WORDS = 3  # behind a key whose words are free, such as `capital Oakhold`
_FEW_IN_LIST = 8  # words of a line that is an order among others that are
_MOST_WITHOUT_KEY = 8  # lines among orders whose key is looked for
_WORD = re.compile(r"[^\W\d_][^\s,]*")
_HEAD = frozenset(("kingdom", "turn", "token"))
_SENTENCE_ENDS = (".", "?", "!", ":", "…")


class Meant(NamedTuple):
    """A text as its writer meant it. line, cure: one that may be an order, and how it would be written, "" for none;
    proposal: all that may be orders, as they would be written; lines: those that may be, as they were typed; no_key: those among
    orders that begin with no word of an order -> how they would be written, "" where that can't be told."""

    text: str
    line: str = ""
    cure: str = ""
    proposal: str = ""
    lines: tuple[str, ...] = ()
    no_key: Mapping[str, str] = {}


class _Line(NamedTuple):
    """A line that begins with a key. order: as it would be written; sure: nothing else can be meant; colon: it has one."""

    key: str
    argument: str
    order: str
    sure: bool
    colon: bool


def keys_of(campaign: Campaign) -> Keys:
    """The keys that orders have at their top, a player's and the GM's, in snake_case."""
    players, gms = orders_file.declared(campaign.game, None), orders_file.declared(campaign.game, GM)
    begun = {**terms.begun(gms), **terms.begun(players)}
    keys = Keys((*players.keys, *players.short_keys, *gms.keys, *gms.short_keys, "token"))
    shapes = (*players.keys.items(), *gms.keys.items())
    keys.of_others = frozenset(
        key for key, shape in shapes if isinstance(shape, ListOf) and isinstance(shape.of, Short)
    )
    keys.begun = {word: key for word, key in begun.items() if word not in keys}
    keys.fields = terms.fields(gms)
    return keys


def reader(campaign: Campaign) -> Reads:
    """What tells orders of a campaign: a player's, or the GM's where the text is the GM's by its keys. `messages` may name the GM."""

    @cache
    def names(with_gm: bool) -> dict[str, Container[str]]:
        found = campaigns.names_today(campaign)
        if not with_gm:
            return found
        seats, given = Seats((*campaign.seats, GM)), found["seats"]
        called = given.called if isinstance(given, Seats) else {}
        seats.called = {**called, snake(campaign.settings.gm.name): GM}
        return {**found, "seats": seats}

    @cache
    def reads(text: str) -> bool:
        data = text.encode("utf-8", "replace")
        known = names(key_of(text) == "messages")
        return not orders_file.read(data, "mail", campaign.game, known, None, None, subject=True).problems

    return reads


def meant(text: str, keys: Container[str], reads: Reads, headers: Headers, turn: int | None) -> Meant:
    """The text with its order lines as they were meant, where that is sure; else what is to be suggested."""
    lines = [_of_a_sheet(line, keys) for line in line_marks.without_marks(text.split("\n"), keys)]
    if not any(repairs.parts(line[:_LONGEST], keys)[0] for line in lines) or reads(trimmed(text, headers, turn, keys)):
        return Meant(text)
    found = dict(_found(lines, keys, _Patient(reads)))
    loose = {index: line for index, line in found.items() if not line.colon}
    if len(loose) > _MOST:
        return Meant(text)
    written = "\n".join(found[index].order if index in found else line for index, line in enumerate(lines))
    written = repairs.merged(written, keys, reads)
    if not loose:
        return Meant(written)
    typed = "\n".join(f"{found[index].key}: x" if index in loose else line for index, line in enumerate(lines))
    body = trimmed(typed, headers, turn, keys).split("\n")  # line by line, with what is an order told as one
    alone = not any(_is_prose(line, keys) for line in body)
    others = sum(key_of(line) in keys for index, line in enumerate(lines) if index not in found)
    if alone and (all(line.sure for line in loose.values()) or _is_list(list(found.values()), others)):
        return Meant(written)
    return _suggested(text, body, found, alone, keys, reads)


def _of_a_sheet(line: str, keys: Container[str]) -> str:
    """A line of cells as a spreadsheet writes them, `claim;0403;;`, with blanks between them; any other line as it is."""
    key, semicolon, rest = line[:_LONGEST].partition(";")
    cells = [cell.strip() for cell in rest.split(";") if cell.strip()]
    if not semicolon or len(line) > _LONGEST or key_of(f"{key.strip()}:") not in keys or not cells:
        return line
    return line if any(repairs.parts(cell, keys)[0] for cell in cells) else " ".join([key.strip(), *cells])


class _Patient:
    """Reads no more than so many texts."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self.left = _MOST_READ

    def __call__(self, text: str) -> bool:
        self.left -= 1
        return self.left >= 0 and self.reads(text)


def _found(lines: Sequence[str], keys: Container[str], reads: _Patient) -> Iterator[tuple[int, _Line]]:
    """(index, the line) of those that begin with a key and do not read as they stand; few more than there may be."""
    comma, loose, below = False, 0, 0  # whether the order above ends in a comma, so that it goes on here
    lists = set(keys.begun.values()) if isinstance(keys, Keys) else set()
    is_listed = any(key_of(line) in lists for line in lines)  # so that what is in braces is an item of it
    for index, line in enumerate(lines):
        goes_on, comma = comma, line.rstrip().endswith((",", "[", "{")) and (comma or key_of(line) in keys)
        begins = line[:1].isalpha() or line.startswith(("- {", "{")) and not is_listed
        if index < below or goes_on or not begins or len(line) > _LONGEST:
            continue
        if key_of(line) in keys and line.endswith(":"):
            below = index + 1
            items = _items(lines, index + 1, keys, key_of(line))
            if items and (order := repairs.fixed(key_of(line), ", ".join(map(line_marks.item, items)), reads, False)):
                below += len(items)
                yield index, _Line(key_of(line), "", order, True, True)
                yield from ((at, _Line("", "", "", True, True)) for at in range(index + 1, below))
            continue
        after = lines[index + 1] if index + 1 < len(lines) else ""
        single = not after.startswith((" ", "- ")) and not line.endswith((",", "[", "{", "|", ">"))
        if key_of(line) in keys and not (single and not reads(line)):
            continue
        if one := _line(line, keys, reads):
            yield index, one
            comma = comma or one.argument.endswith(",")
            loose += not one.colon
        if loose > _MOST or reads.left < 0:
            return


def _items(lines: Sequence[str], begin: int, keys: Container[str], key: str) -> Sequence[str]:
    """The lines below a key with nothing behind it that are not indented and have no mark of YAML's: its value."""
    end = begin
    while end < min(len(lines), begin + _MOST) and lines[end].strip():
        if (found := repairs.parts(lines[end], keys))[0] and found[:2] != (key, lines[end]):
            break
        end += 1
    return () if end == begin or lines[begin].startswith((" ", "- ", "{", "#")) else lines[begin:end]


def _line(line: str, keys: Container[str], reads: Reads) -> _Line | None:
    """A line that begins with a key and does not read as it stands; None where it is none, or can't be read in any way."""
    pieces = line_marks.split(line, keys)
    if len(pieces) > 1 and (several := _several(pieces, keys, reads, ";" in line)):
        return several
    key, argument, colon = repairs.parts(line, keys)
    if not key or line.endswith(":") and not reads(f"{key}: {argument.rstrip(':')}"):
        return None  # a heading, such as `Orders for turn 3:`
    found = repairs.fixed(key, argument, reads, colon)
    if colon and not found:
        return None
    sure = bool(found) and not argument.endswith("?")
    return _Line(key, argument, found or f"{key}: {argument}", sure, colon)


def _several(pieces: Sequence[str], keys: Container[str], reads: Reads, parted: bool) -> _Line | None:
    """Several orders in one line, as one: all of them are sure, or a colon or `;` says that they are orders; None where not."""
    made: list[_Line] = []
    for piece in pieces:
        key, argument, colon = repairs.parts(piece, keys)
        order = repairs.fixed(key, argument, reads, colon)
        made.append(_Line(key, argument, order or f"{key}: {argument}", bool(order), colon))
    sure = all(one.sure for one in made) and not pieces[-1].endswith("?")
    if not sure and not (made[0].colon and (parted or all(one.colon for one in made))):
        return None
    return made[0]._replace(order="\n".join(one.order for one in made), sure=True)


def are_several(line: str, keys: Container[str], reads: Reads) -> bool:
    """Whether a line holds several orders and nothing else."""
    pieces = line_marks.split(line, keys)
    return len(pieces) > 1 and _several(pieces, keys, reads, ";" in line) is not None


def _is_list(found: Sequence[_Line], others: int) -> bool:
    """Whether so many lines are orders for sure that the others are, too: the reader says what is wrong with those.
    others: lines with a colon that are orders as they stand."""
    short = all(
        len(line.argument.split()) <= _FEW_IN_LIST and not line.argument.endswith((".", "!", "?"))
        for line in found
        if not line.sure
    )
    return short and 2 * (sum(line.sure for line in found) + others) >= len(found) + others


def _suggested(
    text: str, body: Sequence[str], found: dict[int, _Line], alone: bool, keys: Container[str], reads: Reads
) -> Meant:
    """The text as it is, and the orders that may be in it."""
    cures = {index: cure for index, line in found.items() if (cure := _cure(line, reads, alone))}
    if not cures:
        return Meant(text)
    lines, first = text.split("\n"), min(cures)
    without = _without_key(body, found, keys, reads)
    no_key = {body[index].strip(): order for index, order in without.items()}
    typed = tuple(lines[index].strip() for index in (*cures, *(at for at, order in without.items() if order)))
    if len(cures) < len(found):
        return Meant(text, lines[first].strip(), cures[first], "", typed, no_key)
    cures |= without
    orders = (
        cures.get(index, "" if index in found or _is_prose(line, keys) else line) for index, line in enumerate(body)
    )
    proposal = repairs.merged("\n".join(filter(None, orders)), keys, reads)
    return Meant(text, lines[first].strip(), cures[first], proposal, typed, no_key)


def _without_key(body: Sequence[str], found: Container[int], keys: Container[str], reads: Reads) -> dict[int, str]:
    """The lines in a paragraph with orders that begin with no word of one and are no sentences: index -> the order, "" where
    that can't be told."""
    orders = {
        index for index, line in enumerate(body) if line.strip() and (index in found or not _is_prose(line, keys))
    }
    made: dict[int, str] = {}
    begin = 0
    for end in [*(index for index, line in enumerate(body) if not line.strip()), len(body)]:
        paragraph = range(begin, end)
        if not orders.isdisjoint(paragraph):
            made |= {index: body[index] for index in paragraph if index not in orders and _is_short(body[index])}
        begin = end + 1
    return {index: with_key(line, keys, reads) for index, line in list(made.items())[:_MOST_WITHOUT_KEY]}


def _is_short(line: str) -> bool:
    """Whether a line has few words and does not end as sentences do."""
    return 0 < len(line.split()) <= _FEW_IN_LIST and not line.rstrip().endswith(_SENTENCE_ENDS)


def with_key(line: str, keys: Container[str], reads: Reads) -> str:
    """A line as an order of the only key that takes its words and not just any, "" where none does, or several do."""
    plain = line.strip(" \t,;")
    if not isinstance(keys, Keys) or not _WORD.search(plain):
        return ""
    nonsense = _WORD.sub("zzqx", plain)  # the figures stay: any word may be the name of a new town in a hex
    orders = [f"{key}: {plain}" for key in sorted(keys - keys.of_others - _HEAD) if reads(f"{key}: {plain}")]
    bound = [order for order in orders if not reads(order.replace(f": {plain}", f": {nonsense}"))]
    return bound[0] if len(bound) == 1 else ""


def _cure(line: _Line, reads: Reads, free: bool) -> str:
    """How the order would be written, "" where it can't be told. free: also where its words may be any."""
    if line.colon or line.sure:
        return line.order
    few = free and len(line.argument.split()) <= _FEW_WORDS
    return repairs.fixed(line.key, line.argument.rstrip(".!?,; "), reads, few)


def _is_prose(line: str, keys: Container[str]) -> bool:
    """Whether a line is no part of orders."""
    orders = key_of(line) in keys or line.startswith((" ", "-", "#", "{", "}", "[", "]"))
    return bool(line.strip()) and not orders
