"""What people write around orders out of courtesy: the greeting above, the closing and the signature below. Pure.

A signature that has no rule above it is told by what stands in it: the sender's name, a telephone number, an address.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from kingdom.mail.incoming import phrases
from kingdom.mail.incoming.repairs import near_key
from kingdom.mail.incoming.reply import key_of
from kingdom.mail.records import Headers

_CLOSING = frozenset(phrases.CLOSING)
_AND = re.compile(r",| (?:and|und|et|y|e|en|och|og|ja|&|i|и) ")
_MOST_GREETING = 6  # lines
_MOST_SIGNATURE = 12  # lines
_LINE_OF_SIGNATURE = 100  # characters
_LEAST_QUESTION = 3  # words
_MOST_REMARK = 1000  # characters
_MOST_SPOKEN = 8  # words before a colon
_CONTACT = re.compile(
    rf"[^\s@]@[^\s@.]+\.|(?:^|\s)@\w|\bwww\.|https?:|\+\d[\d ()/.-]{{6}}|(?:^|[|,;/·•]) ?\W{{0,2}}(?:(?:{phrases.TELEPHONE})\w{{0,3}}\W|[tmpf][.:])"
    rf"\W{{0,3}}[+(]?\d[\d ()/.-]{{5}}|^(?:{phrases.ROOM}) \d|^(?:{phrases.ACCOUNT})\W",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w+])[+(]?\d[\d ()/.-]{6,25}(?!\w)")
_CAPITALS = r"[^\W\d_a-z][\w.'-]*(?:,? [^\W\d_a-z][\w.'-]*){0,5}"
_PLACE = re.compile(
    rf"(?:[A-Z]{{1,2}}-)?\d{{4,5}} {_CAPITALS}|\d{{1,3}} ?[a-z]?,? {_CAPITALS}|{_CAPITALS} \d{{1,3}} ?[a-z]?(?:, .{{2,40}})?"
)
_SMALL_WORDS = frozenset(phrases.SMALL_WORDS)


def trimmed(text: str, headers: Headers, turn: int | None, keys: Container[str]) -> str:
    """The text with the greeting above the orders and the closing below them left blank, so that lines keep their numbers.

    A greeting is a few lines above the first key that hold no colon but at a line's end, no word of an order and no digits
    but those of the turn. A closing begins with a formula (`Cheers`), or is the sender's name alone. What is neither stays,
    and the reader says that it is wrong.
    """
    lines = _without_remarks(text.split("\n"), keys)
    first = next((index for index, line in enumerate(lines) if _begins_orders(line, keys)), len(lines))
    above = [line for line in lines[:first] if line.strip()]
    if len(above) <= _MOST_GREETING and not any(_may_be_order(line, turn, keys) for line in above):
        lines[:first] = [""] * first
    last = _closing(lines, first, headers, keys)
    if last < len(lines) and (
        _may_be_order(lines[last].lstrip("-/~ "), turn, keys)
        or any(_may_be_more(line, keys) for line in lines[last + 1 :])
        and not is_signature(lines[last + 1 :], headers, keys)
    ):
        last = len(lines)
    last = min(last, signature(lines, first, headers, keys))
    lines[last:] = [""] * (len(lines) - last)
    return "\n".join(_without_questions(lines, keys))


def _without_questions(lines: Sequence[str], keys: Container[str]) -> list[str]:
    """The lines with the paragraphs left blank that ask or say something: they are for a person, and the orders beside them count."""
    kept, begin = list(lines), 0
    for end in range(len(lines) + 1):
        if end < len(lines) and lines[end].strip():
            continue
        for_a_person = _is_question(lines[begin:end], keys) or _is_said(lines[begin:end], keys)
        if for_a_person and _is_closed(lines[:begin]):
            kept[begin:end] = [""] * (end - begin)
        begin = end + 1
    return kept


def _without_remarks(lines: Sequence[str], keys: Container[str]) -> list[str]:
    """The lines with what is said behind a colon left blank: `PS: What does it cost?`, `Note: I would rather have 0807`."""
    kept, inside, quotes, fences = list(lines), False, 0, 0
    for index, line in enumerate(lines):
        begins = not quotes % 2 and not fences % 2 and _is_remark(line, keys)
        inside = begins or inside and bool(line.strip()) and key_of(line) not in keys
        if inside:
            kept[index] = ""
        else:
            quotes, fences = quotes + line.count('"'), fences + line.startswith(("```", "~~~"))
    return kept


def _is_remark(line: str, keys: Container[str]) -> bool:
    """Whether a line is a sentence behind a colon: its first words are no key, not even a misspelt one, and somebody speaks."""
    if len(line) > _MOST_REMARK or line[:1] in ("", *" -*#{"):
        return False
    key = key_of(line) or _spoken(line.partition(":")[0])
    if not key or key in keys:
        return False
    said = line.partition(":")[2].split()
    speaks = line.rstrip().endswith("?") or not phrases.SPEAKS.isdisjoint(map(str.lower, said))
    speaks = speaks or key in phrases.REMARKS and not any(map(str.isdigit, line))
    return len(said) >= _LEAST_QUESTION and said[0][0] not in "{[|>" and speaks and not near_key(key, keys)


def _spoken(above: str) -> str:
    """The words before a colon that nobody takes for a key, as one: `Gwen, one question`, `P.S. Gwen`; "" where they are none."""
    words = re.findall(r"[^\W\d_]+", above)
    return (
        "_".join(words).lower()
        if 1 < len(words) <= _MOST_SPOKEN and re.fullmatch(r"[^\W\d_][\w ,.'’!-]*", above)
        else ""
    )


def _is_question(paragraph: Sequence[str], keys: Container[str]) -> bool:
    """Whether a paragraph can only be a question: no colon, no mark of a list, and it does not begin with the word of an order."""
    words = " ".join(paragraph).split()
    asks = len(words) >= _LEAST_QUESTION and words[-1].endswith("?") and words[0].lower().strip(",.!") not in keys
    return asks and _is_plain(paragraph)


def _is_said(paragraph: Sequence[str], keys: Container[str]) -> bool:
    """Whether a paragraph can only be said to a person: somebody speaks, and no word of an order and no digit stands in it."""
    text = " ".join(paragraph)
    words = [word.strip(",.!;()").lower() for word in text.split()]
    speaks = len(words) >= _LEAST_QUESTION and not phrases.SPEAKS.isdisjoint(words) and words[0] not in keys
    return speaks and _is_plain(paragraph) and not _has_word(text, keys, ()) and not any(map(str.isdigit, text))


def _is_plain(paragraph: Sequence[str]) -> bool:
    """Whether no line of it holds a colon or begins like an item of a list or a block."""
    return not any(":" in line or line.startswith((" ", "-", "*", "•", "#", "{", "`", "~", "|")) for line in paragraph)


def _is_closed(above: Sequence[str]) -> bool:
    """Whether no quotation and no block is open at the end of these lines."""
    text = "\n".join(above)
    return not text.count('"') % 2 and not text.count("```") % 2 and not text.count("~~~") % 2


def _begins_orders(line: str, keys: Container[str]) -> bool:
    """Whether a line begins like orders: with a key, also a misspelt one, a list's mark or a comment."""
    key = key_of(line)
    prose = line.rstrip().endswith(":") and key not in keys and (len(line.split()) > 2 or key in phrases.HEADINGS)
    return bool(key) and not prose or line.lstrip().startswith(("- ", "#", "{", "---"))


def _may_be_order(line: str, turn: int | None, keys: Container[str]) -> bool:
    """Whether a line of a greeting or a closing may be meant as an order: it has a word of one, or digits (a hex)."""
    head = ("gm", "turn", "kingdom", "to", "final") if len(line.split()) > 2 else ("gm",)
    plain = re.sub(rf"\bturn {turn}\b", "", line, flags=re.IGNORECASE) if turn is not None else line
    return (
        _has_word(line, keys, head)
        or line.startswith((" ", "-", "{"))
        or any(character.isdigit() for character in plain)
    )


def _may_be_more(line: str, keys: Container[str]) -> bool:
    """Whether a line below a closing may be an order after all: it has a word of one, is a postscript or an item of a list,
    or has what could be a hex and is nobody's telephone number or address."""
    hexes = re.search(r"(?<!\d)\d{4}(?!\d)", line) and not re.search(
        r"@|www|http|tel|fon|phone|mob|fax|cell|\+\d", line, re.IGNORECASE
    )
    return (
        bool(hexes)
        or _has_word(line, keys, ("gm", "to", "turn", "kingdom"))
        or re.match(r"\s*(?:- |\{|p\.? ?s\b)", line, re.IGNORECASE) is not None
    )


def _has_word(line: str, keys: Container[str], but: Sequence[str]) -> bool:
    return any(word in keys and word not in but for word in re.findall(r"[^\W\d_]+", line.lower()))


def _closing(lines: Sequence[str], first: int, headers: Headers, keys: Container[str]) -> int:
    """The line at which the closing begins, below an order; the number of lines where there is none."""
    names = names_of(headers)
    for index in range(first + 1, len(lines)):
        plain = lines[index][:_LINE_OF_SIGNATURE].strip(" \t,.!;-/~*_").lower()
        if not plain or lines[index].startswith(" "):
            continue
        begun = is_closing(plain) or "," in lines[index] and plain.partition(",")[0].strip() in _CLOSING
        signed = words_of(plain) <= names and not any(line.strip() for line in lines[index + 1 :])
        if begun or signed and not any(character in lines[index] for character in ":{["):
            return index
    return len(lines)


def is_closing(plain: str) -> bool:
    """Whether a line, in small letters, is a closing formula, or two: `many thanks and kind regards`."""
    return plain in _CLOSING or all(part.strip() in _CLOSING for part in _AND.split(plain))


# --- signatures without a rule


def names_of(headers: Headers) -> set[str]:
    """What the sender is called, in small letters: the words of the name and of the address."""
    return words_of(f"{headers.name} {headers.sender.partition('@')[0]}")


def words_of(text: str) -> set[str]:
    """The words of a text, in small letters."""
    return set(re.findall(r"[^\W_]+", text.lower()))


def signature(lines: Sequence[str], first: int, headers: Headers, keys: Container[str]) -> int:
    """The line at which a signature without a rule begins, below that line; the number of lines where there is none."""
    last = len(lines)
    while last > 0 and not lines[last - 1].strip():
        last -= 1
    for index in range(max(first + 1, last - _MOST_SIGNATURE), last):
        apart = not lines[index - 1].strip() or bool(words_of(lines[index][:_LINE_OF_SIGNATURE]) & names_of(headers))
        if lines[index].strip() and apart and is_signature(lines[index:last], headers, keys):
            return index
    return len(lines)


def without_contacts(text: str, headers: Headers) -> str:
    """A text for another player without a signature that has a telephone number or an address, where no rule stands above it."""
    lines = text.rstrip().split("\n")
    first = signature(lines, 0, headers, ())
    if not any(_is_contact(line.strip()) for line in lines[first:]):
        return text
    return "\n".join(lines[:first]).rstrip()


def is_signature(lines: Sequence[str], headers: Headers, keys: Container[str]) -> bool:
    """Whether these lines are a signature: a name first, the sender's or one above a telephone number or an address; then such
    things, titles and places. Nothing in it begins like an order."""
    block = [line.strip() for line in lines if line.strip()]
    if not 0 < len(block) <= _MOST_SIGNATURE or any(len(line) > _LINE_OF_SIGNATURE for line in block):
        return False
    contacts = [index for index, line in enumerate(block) if _is_contact(line)]
    names = names_of(headers)
    named = bool(words_of(block[0]) & names)
    if not (contacts or named) or not _is_title(block[0]) and not (named and contacts[:1] == [0]):
        return False
    return not any(_is_like_order(line, keys) for line in lines) and all(
        index in contacts or _is_title(line) or contacts and _is_beside(line, index < contacts[-1])
        for index, line in enumerate(block)
    )


def _is_contact(line: str) -> bool:
    """Whether a telephone number or an address stands in a line; numbers of four digits alone may be hexes."""
    number = _NUMBER.search(line)
    groups = re.findall(r"\d+", number[0]) if number else []
    return bool(_CONTACT.search(line)) or any(len(group) != 4 for group in groups) and sum(map(len, groups)) >= 7


def is_name_or_contact(line: str) -> bool:
    """Whether a line below a closing belongs to a signature: a name, a title, a telephone number, an address."""
    return len(line) <= _LINE_OF_SIGNATURE and (_is_contact(line) or _is_title(line) or bool(_PLACE.fullmatch(line)))


def _is_like_order(line: str, keys: Container[str]) -> bool:
    """Whether a line begins like orders, also without their colon."""
    first = re.match(r"\W{0,3}([^\W\d_]+)", line)
    if first and first[1].lower() in keys or key_of(line) in keys:
        return True
    return line.startswith(("  ", "- ", "#", "{"))


def _is_title(line: str) -> bool:
    """Whether a line may be a name or a title: a few words that begin with a capital, no digit, no sign of a sentence."""
    words = re.split(r"[\s,]+", line.strip(" ,-~*_"))
    plain = not any(character.isdigit() or character in "?!:;=[]{}" for character in line)
    return plain and len(words) <= 8 and all(word in _SMALL_WORDS or not word[:1].islower() for word in words)


def _is_beside(line: str, above_contact: bool) -> bool:
    """Whether a line may stand in a signature that has a telephone number or an address: a place, or a title above that."""
    if _PLACE.fullmatch(line.rstrip(",")):
        return True
    words = line.split()
    return above_contact and len(words) <= 6 and not any(one.isdigit() or one in "?!:;=.[]{}" for one in line)
