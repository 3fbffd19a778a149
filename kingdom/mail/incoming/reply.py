"""What the writer of a mail wrote, apart from what was only quoted, forwarded, or added by the mail program. Pure.

What is cut off is cut off for a sure sign: marks before each line, a header block, the line above a quote. Lines that look
like orders and stand inside a quote without its marks are nobody's for sure: `doubt` names the first, and nothing is filed.
Below the rule of a signature or of a mailing list nothing counts. Orders are YAML, so a rule of dashes or a word such as
`from:` is no sign; and nothing inside a block of YAML text (`text: |`) is one.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from kingdom.mail.records import Reply

_LONGEST_LINE = 1000  # characters; a longer one is no line of a mail program's own
_LONGEST_HEADER = 120  # characters in which a header of a block has its date, time or address
_LONGEST_NAMED = 400  # characters of the line above a quote
_COLONS = (":", "：")
_LONGEST_INTRO = 4  # lines over which a line above a quote may be broken
_MARKS = re.compile(r">(?: ?>)* ?")
_SIGNATURE = re.compile(r"(?:--|—) *")
_RULE = re.compile(r"[-=_#][-=_#, ]{7,}")
_IN_MESSAGE = re.compile(r"\s*<[^<>\s]{1,300}>:\s*")
_LIST_LINES = 5  # below a mailing list's rule, in which it says what it is
_BLOCK_OF_TEXT = re.compile(r": +[|>]-?$")
_KEY = re.compile(r" {0,3}\"?([^\W\d_][\w -]{0,30}?)\"?:")
_UNSEEN = re.compile("[\u202a-\u202e]")
_DATE = re.compile(r"20\d\d|\d[./] ?\d")
_TIME = re.compile(r"\d[:.]\d\d")
_WROTE = re.compile(r"wrote|writes|schrieb|a écrit|skrev|pisze|пишет|napsal")
_HEADER = re.compile(r"\*?[^\W\d_]\w{0,20}(?: \w{1,20}){0,2}\.?\s?[:：]")  # of a block of headers
_LEAST_HEADERS = 3
_TITLE = re.compile(r"--.*--")  # a line straight above marks: `---- Original Message ----`
_ADDRESS_IN = re.compile(r"@|://")  # what a mailing list says below its rule
# a link as programs write it into plain text, alone in its line: `<https://...>`, `www.example.org<http://...>`
_LINK = re.compile(r"[^\s<>]{0,300}<https?://[^<>]{0,1000}>.{0,100}")
# what a phone adds, in any language: a few words with its name and no sign of a sentence inside
_PHONE = re.compile(r"(?:iPhon|iPad|iOS|Android|Galaxy|Pixel|Windows|Yahoo|Proton|BlueMail|Gmail|آیفون)")
_LINKED = re.compile(r"<\S{1,500}>|\(https?:\S{1,500}\)")  # an address behind a word
_MOST_PHONE = 12  # words
_SPEAKS = re.compile(r"[,?]|\b(?:i|we|you|is|are|was|has|have|can|will)\b", re.IGNORECASE)  # a person, in a sentence
# what a server adds speaks of the mail and of one of these
_OF_MAIL = re.compile(r"mail|message|mensaje|courrier|wiadomo", re.IGNORECASE)
_OF_MACHINE = re.compile(
    r"confidenti|confidencial|vertraulich|poufn|virus|external (?:sender|email)|outside of the|scanned|unsubscribe",
    re.IGNORECASE,
)
_MOST_ADDED = 40  # lines of a paragraph


def split(text: str, keys: Container[str] = (), apart: bool = False) -> Reply:
    """The writer's own text and all that was quoted, which may stand above, below or between it.

    keys: those of orders, in snake_case: what may be own although a sign that is not sure stands above it. apart: whether the
    text is a part of a mail beside its first one, where scanners and lists put what they add.
    """
    lines = _with_marks(text.split("\n"))
    kinds = _kinds(lines, keys, apart)
    own = [line for line, kind in zip(lines, kinds, strict=True) if kind == _OWN]
    quoted = [
        _MARKS.sub("", line, 1) for line, kind in zip(lines, kinds, strict=True) if kind in (_QUOTED, _AFTER, _SIGNED)
    ]
    inside, beside, between = _inside_quote(lines, kinds, keys)
    below = (line for line, kind in zip(lines, kinds, strict=True) if kind == _SIGNED and key_of(line) in keys)
    begins = zip(lines, [_OWN, *kinds], kinds, strict=False)  # each line, the kind of the one above it, its own
    text = "\n".join(own).strip("\n")
    return Reply(
        text,
        "\n".join(quoted),
        _told(inside),
        "\n".join([text, *beside]) if inside else "",
        _told(below),
        tuple(between),
        added=tuple(line.strip()[:80] for line, above, kind in begins if kind == _ADDED != above and line.strip()),
    )


def _with_marks(lines: list[str]) -> list[str]:
    """The lines; those that s-nail quotes by a blank and a bar, below a line of its own, with the marks that all others use."""
    made: list[str] = []
    inside = False
    for line in lines:
        if made and made[-1].endswith(" wrote in") and _IN_MESSAGE.fullmatch(line[:_LONGEST_LINE]):
            inside = True
            made[-1:] = [f"> {made[-1]}", f"> {line}"]
        elif inside and line.startswith("--End of <"):
            inside = False
        else:
            made.append("> " + line.removeprefix(" |") if inside and line.startswith(" |") else line)
    return made


def _told(lines: Iterable[str]) -> str:
    return next(iter(lines), "").strip()[:80]


def key_of(line: str) -> str:
    """The key that a line begins with, in snake_case, "" where it begins with none."""
    if ":" not in line:
        return ""  # most lines are prose
    found = _KEY.match(line[:_LONGEST_LINE])
    return re.sub(r"[ -]+", "_", found[1].strip().lower()) if found else ""


_OWN, _QUOTED, _AFTER, _SIGNED, _ADDED = "own", "quoted", "after", "signed", "added"
# quoted: behind marks, or the line above them; after: below a header block and the like; signed: below a signature's rule


def _kinds(lines: Sequence[str], keys: Container[str], apart: bool) -> list[str]:
    """What each line is."""
    kinds = [_OWN] * len(lines)
    inside = _inside_blocks(lines)
    signed, goes_on, index = False, False, 0
    last_order = max((at for at, line in enumerate(lines) if key_of(line) in keys), default=-1)
    while index < len(lines):
        line, count, kind = lines[index], 1, _SIGNED if signed else _OWN
        if index in inside or not line.strip() or (len(line) > _LONGEST_LINE and line[0] != ">"):
            pass
        elif sure := _sure(lines, index, keys):
            count, kind = sure
            goes_on = False
            above = next((at for at in range(index - 1, max(index - 3, -1), -1) if lines[at].strip()), index)
            if (
                kind == _AFTER
                and kinds[above] == _OWN
                and (lines[above].startswith(("--", "__")) or lines[above].endswith(":"))
            ):
                kinds[above] = _AFTER  # a line in dashes, or `Begin forwarded message:`, belongs to the block below it
        elif (
            _SIGNATURE.fullmatch(line)
            or _RULE.fullmatch(line)
            and any(_ADDRESS_IN.search(below[:_LONGEST_LINE]) for below in lines[index + 1 : index + 1 + _LIST_LINES])
        ):
            signed, kind = True, _SIGNED
        elif not signed and goes_on:
            kind = _ADDED
        elif not signed and (added := _added(lines, index, kinds, keys, apart)):
            count, kind = added, _ADDED
            goes_on = _is_servers(lines[index : index + count], apart) and -1 < last_order < index
        kinds[index : index + count] = [kind] * count
        index += count
    for index, line in enumerate(lines):
        if kinds[index] == _AFTER and line.startswith(">"):
            kinds[index] = _QUOTED
    return kinds


def _added(lines: Sequence[str], index: int, kinds: Sequence[str], keys: Container[str], apart: bool) -> int:
    """Over how many lines what a program added goes that begins here, 0 for none. kinds: what the lines above are."""
    line = lines[index]
    if key_of(line) in keys:
        return 0
    if _LINK.fullmatch(line):
        return 1
    paragraph = list(takewhile(str.strip, lines[index : index + _MOST_ADDED]))
    plain = _LINKED.sub("", line)
    is_phones = len(plain.split()) <= _MOST_PHONE and _PHONE.search(plain) and not _SPEAKS.search(plain)
    begins = index == 0 or not lines[index - 1].strip() or kinds[index - 1] == _ADDED
    is_first = not any(map(str.strip, islice(lines, index)))
    said = " ".join(paragraph).strip()
    is_boxed = is_first and said.startswith("[") and said.endswith("]") and "://" in said  # a notice with a link
    if not is_phones and not (begins and (is_boxed or _is_servers(paragraph, apart))):
        return 0
    ends = (at for at, one in enumerate(paragraph) if at and (key_of(one) in keys or _sure(lines, index + at, keys)))
    return next(ends, len(paragraph))


def _is_servers(paragraph: Sequence[str], apart: bool) -> bool:
    """Whether a server added these lines: they speak of the mail as servers do."""
    said = " ".join(paragraph)[:_LONGEST_LINE]
    return bool(_OF_MACHINE.search(said) and (apart or _OF_MAIL.search(said)))


class _Inside(NamedTuple):
    """What stands inside a quote without its marks. orders: what looks like orders. beside: all lines below marked ones in a
    quote that has a header block. between: the writer's own between two marked lines."""

    orders: list[str]
    beside: list[str]
    between: list[str]


def _inside_quote(lines: Sequence[str], kinds: Sequence[str], keys: Container[str]) -> _Inside:
    """What stands inside a quote without its marks, so that nobody can tell whose it is. The line above a quote begins another."""
    inside = _Inside([], [], [])
    waiting: list[str] = []  # the writer's own, below a marked line: inside if a marked line follows
    marked = False
    for line, kind in zip(lines, kinds, strict=True):
        if kind == _QUOTED and line.startswith(">"):
            marked = True
            inside.between.extend(waiting)
            inside.orders.extend(one for one in waiting if key_of(one) in keys)
        if kind in (_QUOTED, _AFTER):
            waiting = []
        if marked and kind == _OWN and line.strip():
            waiting.append(line)
        elif marked and kind == _AFTER:
            inside.beside.append(line)
            if key_of(line) in keys:
                inside.orders.append(line)
    return inside


def _inside_blocks(lines: Sequence[str]) -> set[int]:
    """The lines inside blocks of YAML text: those below `key: |` that are indented more."""
    inside: set[int] = set()
    indent = -1
    for index, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(" "))
        if indent >= 0 and (not line.strip() or depth > indent):
            inside.add(index)
            continue
        indent = depth if _BLOCK_OF_TEXT.search(line[-_LONGEST_LINE:]) else -1
    return inside


def _is_block(lines: Sequence[str], index: int, keys: Container[str]) -> bool:
    """Whether a block of headers begins here, whatever its language: lines of a word, a colon and a value, of which one has a date and
    one a time or an address, and none is an order."""
    if not _HEADER.match(lines[index]):
        return False
    near = [line[:_LONGEST_HEADER] for line in lines[index : index + 9]]
    headers = [line for line in near if _HEADER.match(line) and key_of(line) not in keys]
    if len(headers) < _LEAST_HEADERS or headers[:2] != near[:2]:
        return False
    return any(map(_DATE.search, headers)) and any(_TIME.search(line) or "@" in line for line in headers)


def _intro(lines: Sequence[str], index: int, keys: Container[str]) -> int:
    """Over how many lines the line above a quote goes that begins here, 0 where none does.

    It ends in a colon and has a date; and an address and a time, or a word for "wrote", or a time above a quote with marks. A line
    that begins like an order is never in it.
    """
    pieces: list[str] = []
    for count in range(1, _LONGEST_INTRO + 1):
        if index + count > len(lines) or not _may_be_intro(lines[index + count - 1], keys):
            return 0
        pieces.append(lines[index + count - 1].strip())
        if _is_intro(pieces, lines, index + count) and not _later_is_enough(lines, index, count):
            return count
    return 0


def _may_be_intro(line: str, keys: Container[str]) -> bool:
    return 0 < len(line.strip()) < _LONGEST_NAMED and line[0] != ">" and key_of(line) not in keys


def _is_intro(pieces: Sequence[str], lines: Sequence[str], below: int) -> bool:
    """Whether that text, in the lines over which it was broken, and below which that line stands, is the line above a quote."""
    if not _UNSEEN.sub("", pieces[-1]).endswith(_COLONS):
        return False
    text = " ".join(pieces)
    if not _DATE.search(text):
        return False
    timed = _TIME.search(text) and ("@" in text or _marked_next(lines, below))
    return bool(timed or _WROTE.search(text))


def _later_is_enough(lines: Sequence[str], index: int, count: int) -> bool:
    """Whether the first of these lines is no part of it: the others are one without it, and it says no time."""
    if count == 1 or _DATE.search(lines[index]) and _TIME.search(lines[index]):
        return False
    return _is_intro([line.strip() for line in lines[index + 1 : index + count]], lines, index + count)


def _marked_next(lines: Sequence[str], index: int) -> bool:
    """Whether the next line with something in it has a quote's mark."""
    return next(filter(str.strip, lines[index : index + 6]), "").startswith(">")


def _sure(lines: Sequence[str], index: int, keys: Container[str]) -> tuple[int, str] | None:
    """(how many lines a quote takes whose sure sign begins here, their kind): one behind a mark, the line above marks, or
    all that follows; None where there is no such sign."""
    if lines[index].startswith(">"):
        return 1, _QUOTED
    intro = _intro(lines, index, keys)
    if intro and _marked_next(lines, index + intro):
        return intro, _QUOTED
    named = (
        (lines[index].rstrip().endswith(_COLONS) or _TITLE.fullmatch(lines[index]))
        and len(lines[index]) < _LONGEST_NAMED
        and key_of(lines[index]) not in keys
    )
    if named and _marked_next(lines, index + 1):  # in whatever language
        return 1, _QUOTED
    apart = index == 0 or not lines[index - 1].strip() or any("@" in line for line in lines[index : index + intro])
    if intro and apart or _is_block(lines, index, keys):
        return len(lines) - index, _AFTER
    return None
