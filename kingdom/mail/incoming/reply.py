"""What the writer of a mail wrote, apart from what was only quoted, forwarded, or added by the mail program. Pure.

What is cut off is cut off for a sure sign: marks before each line, a header block, the line above a quote. Lines that look
like orders and stand inside a quote without its marks are nobody's for sure: `doubt` names the first, and nothing is filed.
Below the rule of a signature or of a mailing list nothing counts. Orders are YAML, so a rule of dashes or a word such as
`from:` is no sign; and nothing inside a block of YAML text (`text: |`) is one.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from kingdom.mail.incoming import phrases
from kingdom.mail.records import Reply

_LONGEST_LINE = 1000  # characters; a longer one is no line of a mail program's own
_LONGEST_NAMED = 400  # characters of the line above a quote
_COLONS = (":", "：")
_LONGEST_INTRO = 4  # lines over which a line above a quote may be broken
_QUOTE = re.compile(r"[ \u200b\ufeff]?>")
_MARKS = re.compile(r"(?:[ \u200b\ufeff]?>)+ ?")
_SIGNATURE = re.compile(r"(?:--|—|\*--\*|_{20,})[ \u00a0]*")
_RULE = re.compile(r"[ \u00a0]?[-=_*#~.+][-=_*#~.+, ]{7,}")
_IN_MESSAGE = re.compile(r"\s*<[^<>\s]{1,300}>:\s*")
_LINE = re.compile(r"[-=_*~#]{3,80}[ \u00a0]*")
_LIST_LINES = 5  # below a mailing list's rule, in which it says what it is
_BLOCK_OF_TEXT = re.compile(r"(?::|(?:^|\s)-)[ \u00a0]+[|>][+-]?\d?[+-]?[ \u00a0]*$")
_KEY = re.compile(r"[ \u00a0]{0,3}(?:[-*•] )?[\"'“”„]?([^\W\d_][\w -]{0,30}?)[\"'“”]?\s*[:：]")
_INDENTED = ("  ", "\u00a0\u00a0", "\u00a0 ")  # what goes on in a text above is nothing that a program added
_ITEM = re.compile(r"\s*[-*•]\s")
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
_DATE = re.compile(r"(?<!\d)(?:(?:19|20)\d\d(?!\d)|\d{1,2}[./-] ?\d{1,2}(?!\d))")
_TIME = re.compile(r"(?<!\d)\d{1,2} ?[:.hH時点] ?\d\d(?!\d)")
# a link as programs write it into plain text, alone in its line: `<https://...>`, `www.example.org<http://...>`
_LINK = re.compile(
    r"\s*(?:\[\S{1,500}\]|[^\s<>]{1,300})?<(?:https?://|mailto:|tel:|#)[^<>]{0,1000}>.{0,100}", re.IGNORECASE
)
_AT = re.compile(r"[^\s<>@]{1,64}@[^\s<>@]{1,255}")


class _Signs(NamedTuple):
    """The regular expressions made of the words of phrases.py. block: whose, when, to whom, about what."""

    wrote: re.Pattern[str]
    wrote_last: re.Pattern[str]
    begins: re.Pattern[str]
    block: tuple[re.Pattern[str], ...]
    original: re.Pattern[str]
    sent_from: re.Pattern[str]
    list_info: re.Pattern[str]
    disclaimer: re.Pattern[str]


@cache
def _signs() -> _Signs:
    """They take a while to be made, and a run without mail needs none of them."""
    wrote = "|".join(map(re.escape, sorted(phrases.WROTE, key=len, reverse=True)))
    unspaced = "|".join(map(re.escape, phrases.WROTE_UNSPACED))
    begins = "|".join(map(re.escape, phrases.BEGINS_INTRO))
    between = f"(?:{phrases.ORIGINAL}|{phrases.FORWARDED})"
    wrote = rf"(?<!\w)(?:{wrote})(?!\w)|{unspaced}"
    return _Signs(
        re.compile(wrote, re.IGNORECASE),
        re.compile(rf"(?:{wrote})\s*(?:\([^()]*\))?\Z", re.IGNORECASE),
        re.compile(rf"(?:{begins})\s", re.IGNORECASE),
        tuple(re.compile(rf"[\s*_]{{0,3}}(?:{words})[\s*_]{{0,3}}[:：]", re.IGNORECASE) for words in phrases.BLOCK),
        re.compile(
            rf"\s*(?:-{{2,}}|_{{5,}}|\*{{2,}}|={{2,}})[\s>]*{between}\b.*|\s*{between}\s*[-:]{{2,}}.*|\s*(?:{phrases.BEGIN_FORWARDED})\s*[:：]?\s*",
            re.IGNORECASE,
        ),
        re.compile(rf"[\s*_\[(]{{0,3}}(?:{phrases.SENT_FROM})", re.IGNORECASE),
        re.compile(phrases.LIST_INFO, re.IGNORECASE),
        re.compile(rf"[\s*_\[(>!⚠️]{{0,4}}(?:{phrases.DISCLAIMER})", re.IGNORECASE),
    )


def split(text: str, keys: Container[str] = ()) -> Reply:
    """The writer's own text and all that was quoted, which may stand above, below or between it.

    keys: those of orders, in snake_case: what may be own although a sign that is not sure stands above it.
    """
    lines = _with_marks(text.split("\n"))
    kinds = _kinds(lines, keys)
    own = [line for line, kind in zip(lines, kinds, strict=True) if kind == _OWN]
    quoted = [
        _MARKS.sub("", line, 1) for line, kind in zip(lines, kinds, strict=True) if kind in (_QUOTED, _AFTER, _SIGNED)
    ]
    inside, beside, between = _inside_quote(lines, kinds, keys)
    below = (line for line, kind in zip(lines, kinds, strict=True) if kind == _SIGNED and key_of(line) in keys)
    text = "\n".join(own).strip("\n")
    return Reply(
        text,
        "\n".join(quoted),
        _told(inside),
        "\n".join([text, *beside]) if inside else "",
        _told(below),
        tuple(between),
    )


def _with_marks(lines: list[str]) -> list[str]:
    """The lines; those that s-nail quotes by a blank and a bar, below a line of its own, with the marks that all others use."""
    made: list[str] = []
    inside = False
    for index, line in enumerate(lines):
        named = lines[index + 1][:_LONGEST_LINE] if index + 1 < len(lines) else ""
        begins = line.endswith(" wrote in") and len(line) < 400 and _IN_MESSAGE.fullmatch(named) is not None
        below = inside and index > 0 and lines[index - 1].endswith(" wrote in")
        inside = inside or begins
        if inside and line.startswith("--End of <"):
            made.append("")
            inside = False
        elif begins or below or inside and line.startswith(" |"):
            made.append("> " + line.removeprefix(" |"))
        else:
            made.append(line)
    return made


def _told(lines: Iterable[str]) -> str:
    return next(iter(lines), "").strip()[:80]


def key_of(line: str) -> str:
    """The key that a line begins with, in snake_case, "" where it begins with none."""
    if ":" not in line and "：" not in line:
        return ""  # most lines are prose
    found = _KEY.match(line[:_LONGEST_LINE])
    return re.sub(r"[ -]+", "_", found[1].strip().lower()) if found else ""


_OWN, _QUOTED, _AFTER, _SIGNED, _ADDED = "own", "quoted", "after", "signed", "added"
# quoted: behind marks, or the line above them; after: below a header block and the like; signed: below a signature's rule


def _kinds(lines: Sequence[str], keys: Container[str]) -> list[str]:
    """What each line is."""
    kinds = [_OWN] * len(lines)
    inside = _inside_blocks(lines)
    signed, index, region = False, 0, (-1, -1)
    while index < len(lines):
        line, count, kind = lines[index], 1, _SIGNED if signed else _OWN
        if index in inside or not line.strip() or (len(line) > _LONGEST_LINE and not _QUOTE.match(line)):
            pass
        elif sure := _sure(lines, index, keys):
            count, kind = sure
        elif _SIGNATURE.fullmatch(line) or _RULE.fullmatch(line) and _is_lists(lines, index):
            signed, kind = True, _SIGNED
        elif signed or line.startswith(_INDENTED):
            pass
        elif (_signs().sent_from.match(line) and len(line) < 200) or _LINK.fullmatch(line):
            kind = _ADDED
        elif _signs().disclaimer.match(line):
            region = region if region[0] > index else _region(lines, index, keys)
            count, kind = _disclaimer(lines, index, *region), _ADDED
        kinds[index : index + count] = [kind] * count
        index += count
    _mark_quotes(lines, kinds)
    _mark_rules(lines, kinds)
    return kinds


def _mark_rules(lines: Sequence[str], kinds: list[str]) -> None:
    """A rule straight above what a program added is part of that."""
    for index in range(len(lines) - 1):
        if kinds[index] == _OWN and kinds[index + 1] == _ADDED and _LINE.fullmatch(lines[index]):
            kinds[index] = _ADDED


def _mark_quotes(lines: Sequence[str], kinds: list[str]) -> None:
    """What stands behind marks is quoted, also where it stands below a header block."""
    for index, line in enumerate(lines):
        if kinds[index] == _AFTER and _QUOTE.match(line):
            kinds[index] = _QUOTED


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
    marked = blocked = False
    for line, kind in zip(lines, kinds, strict=True):
        if kind == _AFTER and not blocked:
            blocked, marked = True, False
        if kind == _QUOTED and _QUOTE.match(line):
            marked = True
            inside.between.extend(waiting)
            inside.orders.extend(one for one in waiting if _begins_order(one, keys))
        if kind in (_QUOTED, _AFTER):
            waiting = []
        if marked and kind == _OWN and line.strip():
            waiting.append(line)
        elif marked and kind == _AFTER:
            inside.beside.append(line)
            if _begins_order(line, keys):
                inside.orders.append(line)
    return inside


def _begins_order(line: str, keys: Container[str]) -> bool:
    return key_of(line) in keys and not line.startswith((" ", "-"))


def _inside_blocks(lines: Sequence[str]) -> set[int]:
    """The lines inside blocks of YAML text: those below `key: |` that are indented more."""
    inside: set[int] = set()
    indent = -1
    for index, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(" \u00a0"))
        if indent >= 0 and (not line.strip() or depth > indent):
            inside.add(index)
            continue
        begins = len(line) < 400 and not line.lstrip().startswith((">", "#")) and _BLOCK_OF_TEXT.search(line)
        indent = depth if begins else -1
    return inside


def _is_lists(lines: Sequence[str], index: int) -> bool:
    """Whether this rule is a mailing list's: one of the next lines says how to leave the list, or names it."""
    near = (line[:_LONGEST_LINE] for line in lines[index + 1 : index + 1 + 2 * _LIST_LINES] if line.strip())
    return any(_names_list(line) for line, _ in zip(near, range(_LIST_LINES), strict=False))


@lru_cache(maxsize=1000)
def _names_list(line: str) -> bool:
    """Whether one of a list's words stands there. A line is asked about once for each rule above it."""
    return _signs().list_info.search(line) is not None


def _is_block(lines: Sequence[str], index: int) -> bool:
    """Whether a block of headers begins here: whose it is, and two of when, to whom and about what, close together."""
    block = _signs().block
    if not any(pattern.match(lines[index]) for pattern in block):
        return False
    near = [line[:_LONGEST_LINE] for line in lines[index : index + 16] if line.strip()][:9]
    found = {number for number, pattern in enumerate(block) for line in near if pattern.match(line)}
    return 0 in found and len(found) >= 3


def _intro(lines: Sequence[str], index: int, keys: Container[str]) -> int:
    """Over how many lines the line above a quote goes that begins here, 0 where none does.

    Without marks below it, it stands apart or names an address. It names a date and has one of the words for "wrote", or names a date and an address and ends in a colon; or it has
    such a word and ends in a colon, and a quote with marks follows. A line that begins like an order is never in it.
    """
    pieces: list[str] = []
    for count in range(1, _LONGEST_INTRO + 1):
        if index + count > len(lines) or not _may_be_intro(lines[index + count - 1], keys):
            return 0
        pieces.append(lines[index + count - 1].strip())
        if _is_intro(pieces, lines, index + count) and not _later_is_enough(lines, index, count, keys):
            return count
    return 0


def _may_be_intro(line: str, keys: Container[str]) -> bool:
    plain = line.strip()
    return 0 < len(plain) < 400 and not _QUOTE.match(line) and not _ITEM.match(line) and key_of(line) not in keys


def _is_intro(pieces: Sequence[str], lines: Sequence[str], below: int) -> bool:
    """Whether that text, in the lines over which it was broken, and below which that line stands, is the line above a quote."""
    text = " ".join(pieces)
    if not _ends_as_one(_UNSEEN.sub("", text).rstrip("\u00a0 \t*_")[-60:]):
        return False
    if not _DATE.search(text):
        return _marked_next(lines, below) and _names_writing(pieces)
    if _TIME.search(text) and "@" in text and _AT.search(text):
        return True
    return _names_writing(pieces)


def _names_writing(pieces: Sequence[str]) -> bool:
    """Whether one of the words for "wrote" stands in the lines, or is broken over two of them."""
    seams = (f"{above[-40:]} {below[:40]}" for above, below in pairwise(pieces))
    return any(map(_has_wrote, pieces)) or any(map(_has_wrote, seams))


@lru_cache(maxsize=1000)
def _has_wrote(text: str) -> bool:
    """Whether one of the words for "wrote" stands there. A line is asked about once for each line above it."""
    return _signs().wrote.search(text) is not None


@lru_cache(maxsize=1000)
def _ends_as_one(end: str) -> bool:
    """Whether such a line may end so. A line is asked about once for each line above it that may belong to it."""
    return end.endswith(_COLONS) or _signs().wrote_last.search(end) is not None


def _later_is_enough(lines: Sequence[str], index: int, count: int, keys: Container[str]) -> bool:
    """Whether the first of these lines is no part of it: the others are one without it, and it begins as none does."""
    if count == 1 or _signs().begins.match(lines[index].lstrip()):
        return False
    return _is_intro([line.strip() for line in lines[index + 1 : index + count]], lines, index + count)


def _marked_next(lines: Sequence[str], index: int) -> bool:
    """Whether the next line with something in it has a quote's mark."""
    below = next((line for line in lines[index : index + 6] if line.strip(" \u00a0\t\u200b")), "")
    return bool(_QUOTE.match(below))


def _region(lines: Sequence[str], index: int, keys: Container[str]) -> tuple[int, int]:
    """(the line at which a sure sign of a quote stands below this one, the last line before it that begins like an order)."""
    end = next((below for below in range(index + 1, len(lines)) if _sure(lines, below, keys)), len(lines))
    return end, max((at for at in range(index, end) if key_of(lines[at]) in keys), default=-1)


def _sure(lines: Sequence[str], index: int, keys: Container[str]) -> tuple[int, str] | None:
    """(how many lines a quote takes whose sure sign begins here, their kind): one behind a mark, the line above marks, or
    all that follows; None where there is no such sign."""
    if _QUOTE.match(lines[index]):
        return 1, _QUOTED
    intro = _intro(lines, index, keys)
    if intro and _marked_next(lines, index + intro):
        return intro, _QUOTED
    named = (
        lines[index].rstrip().endswith(_COLONS)
        and len(lines[index]) < _LONGEST_NAMED
        and key_of(lines[index]) not in keys
    )
    if named and _marked_next(lines, index + 1):  # in whatever language
        return 1, _QUOTED
    apart = index == 0 or not lines[index - 1].strip() or any("@" in line for line in lines[index : index + intro])
    if intro and apart or _signs().original.match(lines[index]) or _is_block(lines, index):
        return len(lines) - index, _AFTER
    return None


def _disclaimer(lines: Sequence[str], index: int, end: int, last_order: int) -> int:
    """How many lines a disclaimer takes that begins here: all up to the quote, or its paragraph where orders follow it."""
    if last_order <= index:
        return end - index
    below = (at for at in range(index + 1, end) if not lines[at].strip() or at == last_order)
    return next(below, end) - index
