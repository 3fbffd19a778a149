"""A text -> its letters and the rest: orders, and words for the GM. Pure.

Each letter stands below an address line, which says for whom the letter is. The letter ends at the next address line, at a block of
orders, or at the end of its quotation marks. So a block of orders is never sent to a rival. Where orders stand among the sentences of
a letter, `Words.orders` names them, and the writer is asked about the letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kingdom.engine.dice import GM
from kingdom.mail.reading import limits, order_lines, phrases, repairs, thresholds
from kingdom.mail.reading.greetings import is_closing
from kingdom.mail.reading.repairs import Keys, Reads
from kingdom.mail.reading.reply import key_of
from kingdom.mail.records import Words

Readers = Callable[[str], Sequence[str]]  # for whom a letter is by the words of its address line; () for nobody
# `to Ben`, `Letter to Ben: ...`, `PRESS TO Ben`, `MESSAGE Ben "..."`
_ADDRESS = re.compile(
    r"(?:(?:(?:a|my) )?(?:message|letter|press|mail|e-?mail|note|answer|reply|question)s?:?\s+(?:to\b|for\b)|to\b|(?:für|an|pour|para)\b(?=\s+\w+\s*(?::|\Z))|(?:message|press)\b(?!:))\s*:?\s*(?:the\s+(?=gm\b))?",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"\s*(?::|\s[-–—]\s|,\s|(?=[\"“„«])|[.,]?\s*\Z)\s*")  # what stands between the name and the words
_DEAR = re.compile(r"(?:my )?(?:dear|cher|chère|lieber|liebe|querido|querida|caro|cara)\s+(?=\w)", re.IGNORECASE)
_TELL = re.compile(r"(?:(?:please|pls|plz|bitte|and|also|can you|could you),?\s+){0,2}tell\s+(?=\w)", re.IGNORECASE)
OPENERS = (_DEAR, _TELL)  # no line begins in two of these ways, nor as an address does
_QUOTATION = re.compile(r"[\"“„«](.*)", re.DOTALL)
_CLOSES = re.compile(r"[\"”“»]\s*[.]?\s*\Z")
_SENTENCE = re.compile(r"(?<=[.!?…\"”»])\s+")
_PART = re.compile(r"(?<=[.!?…])\s+|[;,]\s+(?:[-*•]\s+)?|\s+[-–—]+\s+|:\s+(?=\S+ ?:|\S+ \S)")
# `to cleo hey want to trade`
_RUNS_ON = re.compile(
    r"to (\w{2,30}) ((?:hey|hi|hello|yo|hallo|want|wanna|shall|can|could|would|will|do|are|have|did|let['’]?s|please|pls|thanks|thank|i|we|you|your)\b.*)",
    re.IGNORECASE,
)
# `Armies: none before turn 6` in a letter's terms
_NONE = re.compile(r"(?:none|no|nothing|never)\b(?!.*\d{4})", re.IGNORECASE)
CUTS = (re.compile(r"(?!)"), _SENTENCE, _PART)  # the ways to cut a line: not at all, into sentences, into parts of them
_ASIDE = re.compile(
    r"\s+(?:\((?:private|privately|only|secret|confidential)\)|only|alone|privately|in private)(?=\s*:?\s*\Z)",
    re.IGNORECASE,
)
_NOT_TOLD = frozenset(("nothing", "not", "no", "never", "later"))  # `tell Ben nothing`
_PASSED_ON = re.compile(
    r"\s*-{2,}.*\b(?:forwarded|original|weitergeleitete|ursprüngliche|transféré)\b.*-{2,}\s*\Z|\s*begin forwarded message",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s*#\s*[^\W\d]")  # `#build: inn in Oakhold`, as in the form, where it is not ordered
_HEADER = re.compile(
    r"[*_]*(?:from|sent|date|subject|von|gesendet|datum|betreff|de|envoyé|objet)[*_]*\s*:", re.IGNORECASE
)
_WROTE = re.compile(r"(?<!\bI )\b(?:wrote|writes|written|sent|schrieb|schreibt|écrit)\b", re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})")
_LEADS = re.compile(phrases.ORDERS_FOLLOW, re.IGNORECASE)
_BEFORE = re.compile(r"(?:[^\w\"'({\[*_`]|\[[ xX]?\])+")  # `#`, `→`, `[x]`, a picture, the bar of a table
_IN_BRACES = re.compile(r"[{\"'][\s\"']*(\w+)[\"']\s*:")  # `{"farm": "0403"}`
_SAID = (".", "!", "?", ",", "…")  # ends of sentences


class Address(NamedTuple):
    """An address line. to: for whom the letter is; said: the words behind the name, which begin the letter; quoted: the letter stands in
    quotation marks, and ends with them; runs_on: nothing parts the words from the name; plain: a sentence or a greeting to the GM, who
    reads whatever is no letter anyway."""

    to: str
    said: str
    quoted: bool = False
    plain: bool = False
    runs_on: bool = False


def parted(
    text: str, first: Address | None, readers: Readers, keys: Keys, reads: Reads, is_gm: bool
) -> tuple[tuple[Words, ...], str]:
    """(the letters of the text, the text with their lines left empty, so that the other lines keep their numbers). first: the address that the subject gives. is_gm: the GM wrote the text; the GM's `tell` is
    an order."""
    lines = text.split("\n")
    if first is None and not any(
        address(line[: limits.LINE], readers, True, is_gm) for line in lines[: limits.LINES_PARTED]
    ):
        return (), text  # most mails hold no letter
    kinds = _orders(lines, keys, reads)
    if not is_gm:  # `tell` is a key of the GM's alone
        kinds = [kind and not _TELL.match(line.strip("*_# ")) for kind, line in zip(kinds, lines, strict=True)]
    found = dict(_addresses(lines, kinds, readers, is_gm))
    if first is not None:
        found[-1] = first
    letters: list[Words] = []
    rest = list(lines)
    begins = sorted(found)
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        if not found[begin].plain:
            letters.append(_letter(found[begin], lines, rest, begin, end, kinds, keys, reads))
    return tuple(_together(letters)), "\n".join(rest)


def _together(letters: Sequence[Words]) -> Iterator[Words]:
    """The letters that hold words; the letters to the same reader are joined into one."""
    for to in dict.fromkeys(one.to.lower() for one in letters):
        same = [one for one in letters if one.to.lower() == to and one.text]
        if same:
            orders = tuple(order for one in same for order in one.orders)
            unread = tuple(line for one in same for line in one.unread)
            yield Words(same[0].to, "\n\n".join(one.text for one in same), orders, unread)


def _letter(
    address: Address,
    lines: Sequence[str],
    rest: list[str],
    begin: int,
    end: int,
    kinds: Sequence[bool],
    keys: Keys,
    reads: Reads,
) -> Words:
    """The letter below the line `begin`, which ends before the line `end` at the latest. Empties the letter's lines in `rest`."""
    last = begin + 1
    if address.quoted:
        while not _CLOSES.search(address.said if last == begin + 1 else lines[last - 1]) and last < end:
            last += 1
    else:
        last = _first_block(lines, begin + 1, end, kinds, bool(address.said))
    below = list(lines[begin + 1 : last])
    for index in range(max(begin, 0), last):
        rest[index] = ""
    text = "\n".join([address.said, *below]).strip("\n")
    if address.quoted:
        text = _CLOSES.sub("", _QUOTATION.sub(r"\1", text, count=1))
    made = [(piece, _orders_in(piece, keys, reads)) for piece in _pieces([address.said, *below], keys)]
    orders = tuple(order for _, found in made for order in found)
    if address.runs_on and not orders:
        orders = tuple(order_lines.in_prose(address.said, keys, reads).orders)
    missed = [piece for piece, found in made if not found and _looks_like_order(piece, keys)]
    unread = [(piece if "\n" in piece else _plain(piece)).strip() for piece in missed]
    if not orders:
        unread += [line for line in _of_places(below, keys) if line not in unread]
    for paragraph in re.split(r"\n\s*\n", "\n".join(below)) if orders else ():
        inside = [(piece.strip(), found) for piece, found in made if piece.strip() and piece.strip() in paragraph]
        if any(found for _, found in inside):  # the lines that are offered say what they leave out of it
            unread += [piece for piece, found in inside if not found and piece not in unread]
    return Words(address.to, text.strip(), orders, tuple(unread))


def _first_block(lines: Sequence[str], begin: int, end: int, kinds: Sequence[bool], said: bool) -> int:
    """Where the first block of orders begins below a letter's first line, `end` where there is none.

    A block is lines of orders alone, up to the end of a paragraph or a fence, or to the closing; a line above that only announces
    orders belongs to it. said: the first line holds words of the letter. A letter of nothing but orders has no such block, since
    nobody could say which of its lines are the letter.
    """
    at = begin
    while at < end:
        stop = next((index for index in range(at, end) if not lines[index].strip()), end)
        for block in range(at, stop):
            is_first = kinds[block] and not (block > at and kinds[block - 1])
            if is_first and _ends(lines, block, stop, kinds):
                above = _above(lines, block, begin)
                first = above if above >= begin and _LEADS.search(lines[above].strip()) else block
                if said or any(line.strip() for line in lines[begin:first]):
                    return first
        at = stop + 1
    return end


def _ends(lines: Sequence[str], block: int, stop: int, kinds: Sequence[bool]) -> bool:
    """Whether the orders that begin at the line `block` end with their paragraph, with a fence, or at the closing of the mail."""
    last = next((index for index in range(block, stop) if not kinds[index]), stop)
    return last == stop or bool(_FENCE.match(lines[last - 1])) or is_closing(lines[last].strip(" ,.!").lower())


def _above(lines: Sequence[str], index: int, begin: int) -> int:
    """The index of the last line above `index` that is not empty, -1 where there is none from `begin` on."""
    return next((at for at in range(index - 1, begin - 1, -1) if lines[at].strip()), -1)


# --- address lines


def _addresses(
    lines: Sequence[str], kinds: Sequence[bool], readers: Readers, is_gm: bool
) -> Iterator[tuple[int, Address]]:
    """(index, address) of each line that opens a letter. A line inside a block of YAML or behind the mark of a list opens none."""
    fenced = opened = False
    for index, line in enumerate(lines[: limits.LINES_PARTED]):
        if _PASSED_ON.match(line):
            return
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not kinds[index] and line[:1].strip() and len(line) <= limits.LINE:
            above = lines[index - 1].strip() if index else ""
            begins = not above or kinds[index - 1]
            goes_on = not begins and len(above) >= thresholds.WRAPPED and above[-1] not in '.!?:,;"”)'
            found = None if goes_on else address(line, readers, begins, is_gm)
            is_shown = found and _is_shown(lines, index, opened and found.said == line.strip())
            if found and not is_shown:
                opened = True
                yield index, found


def _is_shown(lines: Sequence[str], index: int, greets: bool) -> bool:
    """Whether a line belongs to a letter that is only shown to the reader. So it is where the line stands in a block of headers or below
    `Ben wrote me this:`; a greeting inside a letter also below any other announcement, `I'll write to him like this:`."""
    if index and _HEADER.match(lines[index - 1]):
        return True
    above = _above(lines, index, 0)
    announced = above >= 0 and lines[above].rstrip().endswith(":") and len(lines[above].split()) > 2
    return announced and (greets or bool(_WROTE.search(lines[above])))


def address(line: str, readers: Readers, begins: bool = True, is_gm: bool = False) -> Address | None:
    """The address that a line gives for what follows, None where it gives none. begins: a paragraph begins with the line."""
    plain = line.strip().strip("*_#").strip()
    if opened := _ADDRESS.match(plain):
        rest = _ASIDE.sub("", plain[opened.end() :])
        for end in sorted((found.start() for found in _BEHIND.finditer(rest)), reverse=True):
            behind = _BEHIND.match(rest, end)
            to = rest[:end].strip(" *_")
            others = behind and "," in behind[0] and readers(re.split(r"[,;:]", rest[behind.end() :])[0].strip(" ."))
            if behind and to and len(to) <= 80 and readers(to) and not others:
                said = rest[behind.end() :].strip("*_ ")
                return Address(to, said, said.startswith(('"', "“", "„", "«")))
        on = _RUNS_ON.fullmatch(plain) if begins else None
        seats = [one for one in readers(on[1]) if one not in (GM, "all")] if on else []
        return Address(on[1], on[2], runs_on=True) if on and seats else None
    for opens in OPENERS:
        if begins and not (is_gm and opens is _TELL) and (opened := opens.match(plain)):
            words = plain[opened.end() :].split()
            for count in range(min(3, len(words)), 0, -1):
                to = " ".join(words[:count])
                if opens is _TELL and len(words) > count and words[count].lower().strip(",.:") in _NOT_TOLD:
                    continue
                ended = to[-1] in ",:!" or count == len(words) or opens is _TELL
                alone = opens is _TELL and to.endswith(":")  # `tell Ben: peace?` says the words themselves
                said = " ".join(words[count:]) if alone else line.strip()
                if ended and (to := to.rstrip(",:!.")) and readers(to):
                    return Address(to, said, plain=tuple(readers(to)) == (GM,))
    return None


# --- what reads as orders


def _orders(lines: Sequence[str], keys: Keys, reads: Reads) -> list[bool]:
    """For each line: whether it is an order as it stands, or goes on with the order above. In a fence with an order every line is one."""
    kinds = [False] * len(lines)
    index = 0
    while index < min(len(lines), limits.LINES_PARTED):
        line = lines[index]
        end = _fence_end(lines, index) if _FENCE.match(line) else _order_end(lines, index)
        piece = lines[index:end]
        if _FENCE.match(line):
            is_order = any(key_of(one) in keys for one in piece)
        elif len(piece) > 1 and key_of(line) in keys:
            is_order = reads("\n".join(piece))
        else:
            # whose orders, or for when
            is_head = key_of(line) in phrases.NO_ORDERS and key_of(line) in keys and reads(line)
            is_order, end = is_head or bool(order_lines.orders_of(line, keys, reads)), index + 1
        kinds[index:end] = [is_order] * (end - index)
        index = end
    for at, line in enumerate(lines[: limits.LINES_PARTED]):
        beside = kinds[max(at - 1, 0) : at] + kinds[at + 1 : at + 2]
        if _COMMENT.match(line) and key_of(line.strip("# ")) in keys:
            kinds[at] = any(beside)
    return kinds


def _fence_end(lines: Sequence[str], begin: int) -> int:
    """The index of the line behind the fence that begins at the line `begin`."""
    return next((at + 1 for at in range(begin + 1, len(lines)) if _FENCE.match(lines[at])), len(lines))


def _order_end(lines: Sequence[str], begin: int) -> int:
    """The index of the line behind the order that begins at the line `begin`. Indented lines below it belong to the order, also behind
    empty lines, which HTML puts between lines."""
    end = begin + 1
    for at in range(begin + 1, len(lines)):
        if lines[at].startswith((" ", "- ", "}", "]")):
            end = at + 1
        elif lines[at].strip():
            break
    return end


def among(line: str, keys: Keys, reads: Reads) -> Iterator[str]:
    """The orders in a line of a letter, as they would be written. The line is read as a whole, in sentences and in parts of sentences;
    of these ways the one with the fewest pieces counts in which an order is found."""
    line = _plain(line)
    cuts = [cut.split(line) for cut in CUTS] if len(line) <= limits.LINE else []
    for pieces in sorted(cuts, key=lambda pieces: (len(pieces), pieces)):
        found = [order for one in pieces for order in order_lines.may_be_orders(one.strip(), keys, reads)]
        if found:
            yield from found
            return


def _pieces(lines: Sequence[str], keys: Keys) -> Iterator[str]:
    """The lines of a letter; an order that goes on below its key is one piece."""
    index = 0
    while index < len(lines):
        goes_on = key_of(lines[index]) in keys and not lines[index].startswith("- ")  # else it is one of a list itself
        end = _order_end(lines, index) if goes_on else index + 1
        yield "\n".join(lines[index:end]).rstrip()
        index = end


def _orders_in(piece: str, keys: Keys, reads: Reads) -> list[str]:
    """The orders in a piece of a letter, as they would be written."""
    if _COMMENT.match(piece):
        return []
    if "\n" not in piece:
        return [order for order in among(piece, keys, reads) if not order.endswith(":")]
    return [piece] if reads(piece) else []


def _plain(line: str) -> str:
    """A line without the signs before its first word, and without the bars of a table."""
    plain = re.sub(r"#(?=\d{4}\b)", "", _BEFORE.sub("", line, count=1) if _BEFORE.match(line) else line)
    return " ".join(plain.replace("|", " ").split()) if "|" in plain else plain


def _looks_like_order(line: str, keys: Keys) -> bool:
    """Whether a line that can't be read as an order is built like an order, so that it was hardly meant for a rival: `farm 0403 or 0404`,
    `adventurers: 6 + 2 bp to 0802`, `Recruit a medium army in Oakhold`, `{"farm": "0403"}`."""
    if len(line) > limits.LINE:
        return False
    if "\n" in line or any(key in keys and key not in phrases.NO_ORDERS for key in _IN_BRACES.findall(line)):
        return True
    return any(is_built_like_order(piece.strip(), keys) for piece in _SENTENCE.split(_plain(line)))


def is_built_like_order(piece: str, keys: Keys) -> bool:
    """Whether a sentence begins with the word of an order and names a place or a figure, or begins with a key and a colon. A sentence that
    speaks to somebody is not built so."""
    words = piece.lower().split()
    speaks = piece.endswith("?") or not phrases.TO_PERSONS.isdisjoint(words)
    if speaks or not 1 < len(words) <= thresholds.WORDS_LIKE_ORDER:
        return False
    key, argument, colon = repairs.parts(piece, keys)
    if colon:
        return bool(argument) and not _NONE.match(argument) and key not in phrases.NO_ORDERS | repairs.TEXTS
    first = words[0].rstrip(",.:")
    forms = {first, first.removesuffix("ing")} - phrases.NO_ORDERS  # `build`, `Building`, `recruit`
    begins = not forms.isdisjoint(keys) or not forms.isdisjoint(keys.begun)
    return begins and (any(map(str.isdigit, piece)) or _names_place(piece, keys))


def _names_place(line: str, keys: Keys) -> bool:
    """Whether a hex or a town of the writer's stands in a line."""
    return bool(phrases.LABEL.search(line)) or any(f" {name}" in f" {line.lower()}" for name in keys.called)


def _of_places(lines: Sequence[str], keys: Keys) -> list[str]:
    """The lines that are probably orders in another language, `Beanspruche 0403`, or orders without their words: each line of their
    paragraph is a few words with a hex or a town of the writer's, and at least one line names a hex."""
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines)):
        short = [_plain(line).strip() for line in paragraph.split("\n") if line.strip()]
        if phrases.LABEL.search(paragraph) and all(_is_of_place(line, keys) for line in short):
            found += short
    return found


def _is_of_place(line: str, keys: Keys) -> bool:
    words = re.split(r"[\s,;|]+", line.lower())
    speaks = ";" in line or line.endswith(_SAID) or not phrases.TO_PERSONS.isdisjoint(words)
    return not speaks and len(words) <= thresholds.WORDS_OF_PLACE and _names_place(line, keys)
