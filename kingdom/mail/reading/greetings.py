"""The words around orders: the greeting above, the closing and the signature below. Pure.

A signature that has no rule above it is told by what stands in it: the sender's name, a telephone number, an address.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from kingdom.mail.reading import limits, phrases, thresholds
from kingdom.mail.reading.repairs import near_key
from kingdom.mail.reading.reply import key_of
from kingdom.mail.records import Headers

_WORD = re.compile(r"[^\W\d_]+")
_QUOTED_KEY = re.compile(r"\"[^\"\s]{1,100}\"\s*:|'[^'\s]{1,100}'\s*:")  # as YAML may write a key
_LABEL = re.compile(r"(?<![\w+])[0-9]{4}(?!\w)")
_CONTACT = re.compile(
    r"[^\s@]@[^\s@.]+\.|(?:^|\s)@\w|\bwww\.|https?:|\+\d[\d ()/.-]{6}|(?:^|[|,;/·•]) ?\W{0,2}(?:(?:tel|phone|mobile|fax)\w{0,3}\W|[tmpf][.:])"
    r"\W{0,3}[+(]?\d[\d ()/.-]{5}|^room \d|^web\W",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w+])[+(]?\d[\d ()/.-]{6,25}(?!\w)")
_CAPITALS = r"[^\W\d_a-z][\w.'-]*(?:,? [^\W\d_a-z][\w.'-]*){0,5}"
_PLACE = re.compile(
    rf"(?:[A-Z]{{1,2}}-)?\d{{4,5}} {_CAPITALS}|\d{{1,3}} ?[a-z]?,? {_CAPITALS}|{_CAPITALS} \d{{1,3}} ?[a-z]?(?:, .{{2,40}})?"
)
_OPENERS = ('"', "```", "~~~")  # of a quotation or a block, which the same again closes
_SMALL_WORDS = frozenset(("of", "and", "|"))


def trimmed(text: str, headers: Headers, turn: int | None, keys: Container[str]) -> str:
    """The text with each line left blank that is no order, so that lines keep their numbers.

    Blank are lines above the first order, paragraphs without an order, remarks behind a colon, and a closing with a signature straight
    below orders. A line that is nearly an order stays, and the reader says what is wrong with it.
    """
    lines = ["" if _is_remark(line, keys) else line for line in text.split("\n")]
    near = _near(lines, turn, keys)
    first = next((index for index, is_near in enumerate(near) if is_near), len(lines))
    kept = [line if index >= first else "" for index, line in enumerate(lines)]
    begin, opened = first, [0] * len(_OPENERS)  # of what stands above `begin`
    for end in range(first, len(lines) + 1):
        if end < len(lines) and lines[end].strip():
            continue
        if not any(near[begin:end]) and not any(count % 2 for count in opened):
            kept[begin:end] = [""] * (end - begin)
        for line in kept[begin:end]:
            opened = [count + line.count(mark) for count, mark in zip(opened, _OPENERS, strict=True)]
        begin = end + 1
    last = _closing(kept, first, headers, keys)
    begins = last < len(lines) and any(_near([kept[last].lstrip("-/~ ")], turn, keys))
    if begins or any(near[last + 1 :]) and not is_signature(lines[last + 1 :], headers, keys):
        last = len(lines)
    last = min(last, signature(kept, first, headers, keys))
    return "\n".join([*kept[:last], *[""] * (len(lines) - last)])


def _near(lines: Sequence[str], turn: int | None, keys: Container[str]) -> list[bool]:
    """Which lines are orders or may be meant as orders. A question, of one line or several, is for a person."""
    near: list[bool] = []
    for index, line in enumerate(lines):
        near.append(index >= limits.LINES_NEAR or _is_built(line, keys) or _may_be_meant(line, turn, keys))
        if line.rstrip().endswith("?") and (index + 1 == len(lines) or not lines[index + 1].strip()):
            begin = next((at + 1 for at in range(index, -1, -1) if not lines[at].strip()), 0)
            words = _WORD.findall(lines[begin].lower())
            if words and words[0] not in keys and not any(_is_built(one, keys) for one in lines[begin : index + 1]):
                near[begin:] = [False] * (index + 1 - begin)
    return near


def _is_built(line: str, keys: Container[str]) -> bool:
    """Whether a line is built like orders, or begins with the word of one, right or misspelt, and a colon."""
    if line.startswith((" ", "- ", "#", "{", "---", "}", "]")):
        return bool(line.strip())
    if _QUOTED_KEY.match(line):
        return True
    key = key_of(line)
    heading = line.rstrip().endswith(":") and key in phrases.HEADINGS
    return bool(key) and not heading and (key in keys or bool(near_key(key, keys)))


def _may_be_meant(line: str, turn: int | None, keys: Container[str]) -> bool:
    """Whether a line has the word of an order, what could be a hex, or another turn than the subject."""
    words = _WORD.findall(line.lower())
    of_turn = re.search(r"\bturn (\d{1,6})\b", line, re.IGNORECASE) if turn is not None else None
    if of_turn and int(of_turn[1]) != turn:
        return True
    small = ("gm", "turn", "kingdom", "to", "final") if len(words) > thresholds.WORDS_EACH_COUNTS else ("gm",)
    return any(word in keys and word not in small for word in words) or _has_label(line)


def _is_remark(line: str, keys: Container[str]) -> bool:
    """Whether a line is a sentence behind a colon, `Note: I would rather have 0807`, with no key before the colon, not even a misspelt
    key."""
    above, colon, said = line.partition(":")
    key, words = "_".join(_WORD.findall(above)).lower(), said.lower().split()
    if not colon or not line[0].isalpha() or len(words) < thresholds.WORDS_OF_REMARK or words[0][0] in "{[|>":
        return False
    speaks = line.rstrip().endswith("?") or not phrases.SPEAKS.isdisjoint(words)
    return speaks and key not in keys and not near_key(key, keys)


def _has_label(line: str) -> bool:
    """Whether four digits stand alone in a line that could be a hex: no year of a date, no part of a telephone number."""
    year = re.search(r"\b(?:19|20)\d\d\b", line) and len(re.findall(r"\d", line)) > 4  # beside other figures
    return _LABEL.search(line) is not None and not year and not _is_contact(line.strip())


def _closing(lines: Sequence[str], first: int, headers: Headers, keys: Container[str]) -> int:
    """The index of the line at which the closing begins, below line `first`; the number of lines if there is no closing."""
    names = names_of(headers)
    for index in range(first + 1, len(lines)):
        plain = lines[index][: thresholds.LINE_OF_SIGNATURE].strip(" \t,.!;-/~*_").lower()
        if not plain or lines[index].startswith(" "):
            continue
        begun = is_closing(plain)
        if begun or words_of(plain) <= names and not any(line.strip() for line in lines[index + 1 :]):
            return index
    return len(lines)


def is_closing(plain: str) -> bool:
    """Whether a line, in small letters, holds only words of greeting: `many thanks and kind regards`."""
    words = words_of(plain)
    return bool(words & phrases.GREETINGS) and words <= phrases.GREETINGS | phrases.WITH_GREETINGS


# --- signatures without a rule


def names_of(headers: Headers) -> set[str]:
    """What the sender is called, in small letters: the words of the name and of the address."""
    return words_of(f"{headers.name} {headers.sender.partition('@')[0]}")


def words_of(text: str) -> set[str]:
    """The words of a text, in small letters."""
    return set(re.findall(r"[^\W_]+", text.lower()))


def signature(lines: Sequence[str], first: int, headers: Headers, keys: Container[str]) -> int:
    """The index of the line at which a signature without a rule begins, below line `first`; the number of lines if there is none."""
    last = len(lines)
    while last > 0 and not lines[last - 1].strip():
        last -= 1
    for index in range(max(first + 1, last - thresholds.LINES_OF_SIGNATURE), last):
        apart = not lines[index - 1].strip() or bool(
            words_of(lines[index][: thresholds.LINE_OF_SIGNATURE]) & names_of(headers)
        )
        if lines[index].strip() and apart and is_signature(lines[index:last], headers, keys):
            return index
    return len(lines)


def without_contacts(text: str, headers: Headers) -> str:
    """A text for another player, without a signature that has a telephone number or an address and no rule above it."""
    lines = text.rstrip().split("\n")
    first = signature(lines, 0, headers, ())
    if not any(_is_contact(line.strip()) for line in lines[first:]):
        return text
    return "\n".join(lines[:first]).rstrip()


def is_signature(lines: Sequence[str], headers: Headers, keys: Container[str]) -> bool:
    """Whether these lines are a signature: first a name (the sender's, or any name above a telephone number or an address), then numbers,
    addresses, titles and places. No line begins like an order."""
    block = [line.strip() for line in lines if line.strip()]
    if not 0 < len(block) <= thresholds.LINES_OF_SIGNATURE or any(
        len(line) > thresholds.LINE_OF_SIGNATURE for line in block
    ):
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
    is_phone = any(len(group) != 4 for group in groups) and sum(map(len, groups)) >= thresholds.DIGITS_OF_PHONE
    return is_phone or bool(_CONTACT.search(line))


def is_name_or_contact(line: str) -> bool:
    """Whether a line below a closing belongs to a signature: a name, a title, a telephone number, an address."""
    return len(line) <= thresholds.LINE_OF_SIGNATURE and (
        _is_contact(line) or _is_title(line) or bool(_PLACE.fullmatch(line))
    )


def _is_like_order(line: str, keys: Container[str]) -> bool:
    """Whether a line begins like orders, also without their colon."""
    first = re.match(r"\W{0,3}([^\W\d_]+)", line)
    return first is not None and first[1].lower() in keys or line.startswith(("  ", "- ", "#", "{"))


def _is_title(line: str) -> bool:
    """Whether a line may be a name or a title: a few words that begin with a capital, no digit, no sign of a sentence."""
    words = re.split(r"[\s,]+", line.strip(" ,-~*_"))
    plain = not any(character.isdigit() or character in "?!:;=[]{}" for character in line)
    in_capitals = all(word in _SMALL_WORDS or not word[:1].islower() for word in words)
    return plain and in_capitals and len(words) <= thresholds.WORDS_OF_TITLE


def _is_beside(line: str, above_contact: bool) -> bool:
    """Whether a line may stand in a signature that has a telephone number or an address: a place, or a title above that."""
    return bool(_PLACE.fullmatch(line.rstrip(","))) or above_contact and len(line.split()) <= thresholds.WORDS_BESIDE
