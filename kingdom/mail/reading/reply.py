"""What the writer of a mail wrote, apart from what was only quoted, forwarded, or added by the mail program. Pure.

Text is cut off only at a sure sign: marks before each line, a block of headers, the line above a quote. A line that looks like
an order and stands inside a quote without its marks may be the writer's or not: `Reply.inside` names the first such line, and
nothing is filed. Nothing counts below the rule of a signature or of a mailing list. Orders are YAML, so a rule of dashes or a
word such as `from:` is no sure sign, and nothing inside a block of YAML text (`text: |`) is a sign.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice, takewhile

from kingdom.mail.reading import limits, thresholds
from kingdom.mail.records import Reply

_COLONS = (":", "：")
_QUOTE = re.compile(r"[ \u200b\ufeff]?>")
_MARKS = re.compile(r"(?:[ \u200b\ufeff]?>)+ ?")
_SIGNATURE = re.compile(r"(?:--|—|\*--\*|_{20,})[ \u00a0]*")
_RULE = re.compile(r"[ \u00a0]?[-=_*#~.+][-=_*#~.+, ]{7,}")
_EMPHASIS = re.compile(r"(?<!\w)[*_]{1,3}|[*_]{1,3}(?!\w)")
_IN_MESSAGE = re.compile(r"\s*<[^<>\s]{1,300}>:\s*")
_BLOCK_OF_TEXT = re.compile(r"(?::|(?:^|\s)-)[ \u00a0]+[|>][+-]?\d?[+-]?[ \u00a0]*$")
_KEY = re.compile(r"[ \u00a0]{0,3}(?:[-*•] )?[\"'“”„]?([^\W\d_][\w -]{0,30}?)[\"'“”]?\s*[:：]")
_INDENTED = ("  ", "\u00a0\u00a0", "\u00a0 ")  # what goes on in a text above is nothing that a program added
_ITEM = re.compile(r"\s*[-*•]\s")
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
_DATE = re.compile(r"(?<!\d)(?:(?:19|20)\d\d(?!\d)|\d{1,2}[./-] ?\d{1,2}(?!\d))")
_TIME = re.compile(r"(?<!\d)\d{1,2} ?[:.hH時点] ?\d\d(?!\d)")
_WROTE = re.compile(r"(?<!\w)(?:wrote|writes|schrieb|a écrit|skrev|pisze|пишет|napsal)(?!\w)", re.IGNORECASE)
# of a block of headers
_HEADER = re.compile(r"[\s*_]{0,3}[^\W\d_][^\W\d_ ]{0,20}(?: \w{1,20}){0,2}\.?[\s*_]{0,3}[:：]")
_DASHED = re.compile(r"\s*[-_=*]{2,}.*|.*[-_=*]{2,}\s*|.*[:：]\s*")  # a line straight above such a block
_TITLE = re.compile(r"\s*[-_=*]{2,}.*[-_=*]{2,}\s*")  # a line straight above marks: `---- Original Message ----`
_ADDRESS_IN = re.compile(r"@|://")  # what a mailing list says below its rule
# a link as programs write it into plain text, alone in its line: `<https://...>`, `www.example.org<http://...>`
_LINK = re.compile(
    r"\s*(?:\[\S{1,500}\]|[^\s<>]{1,300})?<(?:https?://|mailto:|tel:|#)[^<>]{0,1000}>.{0,100}", re.IGNORECASE
)
# what a phone adds, in any language: a few words with its name and no sign of a sentence inside
_PHONE = re.compile(r"(?<![A-Za-z])(?:iPhon|iPad|iOS|Android|Galaxy|Pixel|Windows|Yahoo|Proton|BlueMail|Gmail|آیفون)")
_LINKED = re.compile(r"<\S{1,500}>|\(https?:\S{1,500}\)")  # an address behind a word
_SPEAKS = re.compile(r"[,;:?!]|\b(?:i|we|you|is|are|was|has|have|can|will)\b", re.IGNORECASE)  # a person, in a sentence
# what a server adds speaks of the mail and of one of these
_OF_MAIL = re.compile(
    r"\be-?mails?\b|\bmail\b|\bmessage\b|\bcourriel|\bcourrier|\bmensaje|\bnachricht|\bwiadomo|www\.", re.IGNORECASE
)
_OF_MACHINE = re.compile(
    r"confidenti|confidencial|vertraulich|poufn|virus|viren|\bexternal (?:sender|e-?mail)|outside of the|scanned|unsubscribe",
    re.IGNORECASE,
)
_AT = re.compile(r"[^\s<>@]{1,64}@[^\s<>@]{1,255}")


def split(text: str, keys: Container[str] = (), apart: bool = False) -> Reply:
    """The writer's own text and the quoted text, which may stand above, below or between the writer's lines.

    keys: the keys of orders, in snake_case; a line that begins with one is no part of a line above a quote, of a block of headers or
    of a notice. apart: whether the text is not the first part of its mail; scanners and lists put their notices into such parts.
    """
    lines = _with_marks(text.split("\n"))
    kinds = _kinds(lines, keys, apart)
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
        added=tuple(_first_lines(lines, kinds)),
    )


def _first_lines(lines: Sequence[str], kinds: Sequence[str]) -> Iterator[str]:
    """The first line of each piece that a program added."""
    for index, kind in enumerate(kinds):
        if kind == _ADDED and lines[index].strip() and (index == 0 or kinds[index - 1] != _ADDED):
            yield lines[index].strip()[:80]


def _with_marks(lines: list[str]) -> list[str]:
    """The lines. s-nail marks quoted lines by a blank and a bar, below a line of its own; these get the mark `>` of all other programs."""
    made: list[str] = []
    inside = False
    for index, line in enumerate(lines):
        named = lines[index + 1][: limits.LINE_OF_PROGRAM] if index + 1 < len(lines) else ""
        begins = line.endswith(" wrote in") and len(line) < limits.LINE and _IN_MESSAGE.fullmatch(named) is not None
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


def _begins_with_key(line: str, keys: Container[str]) -> bool:
    """Whether a line begins with a key, with or without marks of emphasis around it: `**Taxation**: heavy`."""
    return key_of(line) in keys or line[:1] in "*_-" and key_of(_EMPHASIS.sub("", line)) in keys


def _told(lines: Iterable[str]) -> str:
    return next(iter(lines), "").strip()[:80]


def key_of(line: str) -> str:
    """The key that a line begins with, in snake_case; "" for none."""
    if ":" not in line and "：" not in line:
        return ""  # most lines are prose
    found = _KEY.match(line[: limits.LINE_OF_PROGRAM])
    return re.sub(r"[ -]+", "_", found[1].strip().lower()) if found else ""


_OWN, _QUOTED, _AFTER, _SIGNED, _ADDED = "own", "quoted", "after", "signed", "added"
# quoted: behind marks, or the line above a quote; after: below a block of headers and the like; signed: below a signature's rule


def _kinds(lines: Sequence[str], keys: Container[str], apart: bool) -> list[str]:
    """The kind of each line: `_OWN`, `_QUOTED`, ..."""
    kinds = [_OWN] * len(lines)
    inside = _inside_blocks(lines)
    signed, goes_on, index = False, False, 0
    last_order = max((at for at, line in enumerate(lines) if key_of(line) in keys), default=-1)
    while index < len(lines):
        line, count, kind = lines[index], 1, _SIGNED if signed else _OWN
        if index in inside or not line.strip() or (len(line) > limits.LINE_OF_PROGRAM and not _QUOTE.match(line)):
            pass
        elif sure := _sure(lines, index, keys):
            count, kind = sure
            goes_on = False
            above = _above_block(lines, index, keys) if kind == _AFTER else index
            if above not in inside and kinds[above] != _QUOTED:
                kinds[above] = _AFTER
        elif _SIGNATURE.fullmatch(line) or _RULE.fullmatch(line) and _is_lists(lines, index):
            signed, kind = True, _SIGNED
        elif not signed and goes_on:
            kind = _ADDED
        elif not signed and (added := _added(lines, index, kinds, keys, apart)):
            count, kind = added, _ADDED
            goes_on = _is_servers(lines[index : index + count], apart) and -1 < last_order < index
        kinds[index : index + count] = [kind] * count
        index += count
    pairs = zip(lines, kinds, strict=True)  # what stands behind marks is quoted, also below a block of headers
    return [_QUOTED if kind == _AFTER and _QUOTE.match(line) else kind for line, kind in pairs]


def _added(lines: Sequence[str], index: int, kinds: Sequence[str], keys: Container[str], apart: bool) -> int:
    """The number of lines that a program added from the line `index` on, 0 for none. kinds: those of the lines above."""
    line = lines[index]
    if line.startswith(_INDENTED) or key_of(line) in keys:
        return 0  # what goes on in a text
    if _LINK.fullmatch(line):
        return 1
    paragraph = list(takewhile(str.strip, lines[index : index + limits.LINES_ADDED]))
    plain = _LINKED.sub("", line)
    is_phones = len(plain.split()) <= thresholds.WORDS_OF_PHONE and _PHONE.search(plain) and not _SPEAKS.search(plain)
    begins = index == 0 or not lines[index - 1].strip() or kinds[index - 1] == _ADDED
    is_first = not any(map(str.strip, islice(lines, index)))
    if not is_phones and not (begins and (_is_servers(paragraph, apart) or is_first and _is_boxed(paragraph))):
        return 0
    ends = (at for at, one in enumerate(paragraph) if at and (key_of(one) in keys or _sure(lines, index + at, keys)))
    return next(ends, len(paragraph))


def _is_servers(paragraph: Sequence[str], apart: bool) -> bool:
    """Whether a server added these lines: they speak of the mail in the words of servers."""
    said = " ".join(paragraph)[: limits.LINE_OF_PROGRAM]
    return bool(_OF_MACHINE.search(said) and (apart or _OF_MAIL.search(said)))


def _is_boxed(paragraph: Sequence[str]) -> bool:
    """Whether a paragraph is a server's notice: all of it stands in brackets, with a link in it."""
    said = " ".join(paragraph).strip()
    return said.startswith("[") and said.endswith("]") and "://" in said


def _inside_quote(
    lines: Sequence[str], kinds: Sequence[str], keys: Container[str]
) -> tuple[list[str], list[str], list[str]]:
    """The lines inside a quote without its marks, of which nobody can say whose they are: (those that look like orders, all lines below marked
    ones in a quote with a block of headers, the writer's own lines between two marked ones). The line above a quote begins a new quote."""
    orders, beside, between = list[str](), list[str](), list[str]()
    waiting: list[str] = []  # the writer's own, below a marked line: inside if a marked line follows
    marked = blocked = False
    for line, kind in zip(lines, kinds, strict=True):
        if kind == _AFTER and not blocked:
            blocked, marked = True, False
        if kind == _QUOTED and _QUOTE.match(line):
            marked = True
            between.extend(waiting)
            orders.extend(one for one in waiting if _begins_order(one, keys))
        if kind in (_QUOTED, _AFTER):
            waiting = []
        if marked and kind == _OWN and line.strip():
            waiting.append(line)
        elif marked and kind == _AFTER:
            beside.append(line)
            if _begins_order(line, keys):
                orders.append(line)
    return orders, beside, between


def _begins_order(line: str, keys: Container[str]) -> bool:
    return key_of(line) in keys and not line.startswith((" ", "-"))


def _inside_blocks(lines: Sequence[str]) -> set[int]:
    """The indexes of the lines inside blocks of YAML text: the lines below `key: |` that are indented more than it."""
    inside: set[int] = set()
    indent = -1
    for index, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(" \u00a0"))
        if indent >= 0 and (not line.strip() or depth > indent):
            inside.add(index)
            continue
        begins = len(line) < limits.LINE and not line.lstrip().startswith((">", "#")) and _BLOCK_OF_TEXT.search(line)
        indent = depth if begins else -1
    return inside


def _is_lists(lines: Sequence[str], index: int) -> bool:
    """Whether the rule at the line `index` is a mailing list's: an address stands in one of the next lines."""
    below = filter(str.strip, lines[index + 1 : index + 1 + 2 * thresholds.LINES_OF_LIST])
    return any(_ADDRESS_IN.search(line[: limits.LINE_OF_PROGRAM]) for line in islice(below, thresholds.LINES_OF_LIST))


def _is_block(lines: Sequence[str], index: int, keys: Container[str]) -> bool:
    """Whether a block of headers begins at the line `index`, in whatever language: lines of a word, a colon and a value. One line has a
    date, one a time or an address, and none is an order."""
    if not _HEADER.match(lines[index]) or _ITEM.match(lines[index]):
        return False
    places = [at for at in range(index, min(index + 16, len(lines))) if lines[at].strip()][:9]
    gap = places[1] - index if len(places) > 1 else 1
    places = [at for number, at in enumerate(places) if at == index + gap * number]  # what stands apart is none of it
    near = [lines[at][: thresholds.HEADER] for at in places]
    headers = [line for line in near if _HEADER.match(line) and not _begins_with_key(line, keys)]
    if len(headers) < thresholds.HEADERS or headers[:2] != near[:2]:
        return False
    return any(map(_DATE.search, headers)) and any(_TIME.search(line) or "@" in line for line in headers)


def _above_block(lines: Sequence[str], index: int, keys: Container[str]) -> int:
    """The index of the line above a block of headers that belongs to the block: a line in dashes, or one that ends in a colon; an empty
    line may stand between. `index` itself where no such line is. An order never belongs to the block."""
    above = next((at for at in range(index - 1, max(index - 3, -1), -1) if lines[at].strip()), index)
    belongs = _DASHED.fullmatch(lines[above]) and not _begins_with_key(lines[above].strip("-= "), keys)
    return above if belongs and _is_block(lines, index, keys) else index


def _intro(lines: Sequence[str], index: int, keys: Container[str]) -> int:
    """The number of lines of the line above a quote, `On 3 May ... wrote:`, that begins at the line `index`; 0 where none begins.

    Such a line ends in a colon and has a date. Besides it has an address and a time, or a word for "wrote", or a time while marks
    follow. A line that begins like an order is never part of it.
    """
    pieces: list[str] = []
    for count in range(1, thresholds.LINES_OF_INTRO + 1):
        if index + count > len(lines) or not _may_be_intro(lines[index + count - 1], keys):
            return 0
        pieces.append(lines[index + count - 1].strip())
        if _is_intro(pieces, lines, index + count) and not _later_is_enough(lines, index, count):
            return count
    return 0


def _may_be_intro(line: str, keys: Container[str]) -> bool:
    if not 0 < len(line.strip()) < limits.LINE or _QUOTE.match(line) or _ITEM.match(line):
        return False
    return not _begins_with_key(line, keys)


def _is_intro(pieces: Sequence[str], lines: Sequence[str], below: int) -> bool:
    """Whether these pieces, joined, are the line above a quote. below: the index of the line below them."""
    if not _UNSEEN.sub("", pieces[-1]).rstrip("\u00a0 \t*_").endswith(_COLONS):
        return False
    text = " ".join(pieces)
    if not _DATE.search(text):
        return False
    timed = _TIME.search(text) and ("@" in text and _AT.search(text) or _marked_next(lines, below))
    return bool(timed or _WROTE.search(text))


def _later_is_enough(lines: Sequence[str], index: int, count: int) -> bool:
    """Whether the lines behind the first one are the line above a quote without it, and the first one has no date and time: then it is no
    part of that line."""
    if count == 1 or _DATE.search(lines[index]) and _TIME.search(lines[index]):
        return False
    return _is_intro([line.strip() for line in lines[index + 1 : index + count]], lines, index + count)


def _marked_next(lines: Sequence[str], index: int) -> bool:
    """Whether the next line that is not empty has the mark of a quote."""
    below = next((line for line in lines[index : index + 6] if line.strip(" \u00a0\t\u200b")), "")
    return bool(_QUOTE.match(below))


def _sure(lines: Sequence[str], index: int, keys: Container[str]) -> tuple[int, str] | None:
    """(number of lines that the sure sign at the line `index` makes quoted, their kind): one line behind a mark, the line above a quote,
    or all lines that follow. None where no sure sign begins."""
    line = lines[index]
    if _QUOTE.match(line):
        return 1, _QUOTED
    intro = _intro(lines, index, keys)
    if intro and _marked_next(lines, index + intro):
        return intro, _QUOTED
    leads = line.rstrip().endswith(_COLONS) or _TITLE.fullmatch(line)  # in whatever language
    if leads and len(line) < limits.LINE and not _begins_with_key(line, keys) and _marked_next(lines, index + 1):
        return 1, _QUOTED
    apart = index == 0 or not lines[index - 1].strip() or any("@" in line for line in lines[index : index + intro])
    if intro and apart or _is_block(lines, index, keys):
        return len(lines) - index, _AFTER
    return None
