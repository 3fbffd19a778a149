"""Regular expressions for the texts that are read as a shape, by which editors check short forms (kingdom/orders/json_schema.py).

They mean the same in JSON Schema's dialect and in Python's: no flags, no named groups; letters stand in both
cases. An item of a comma-separated list holds no comma.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache

from kingdom.engine.regex import regex
from kingdom.orders.scalars import words_of
from kingdom.orders.schema import (
    SLOT,
    Choice,
    Either,
    Flag,
    Id,
    Label,
    ListOf,
    MapOf,
    Number,
    OneOf,
    Raw,
    Record,
    Shape,
    Short,
    Text,
    Word,
    patterns,
)

LABEL = "(?!00)[0-9]{2}(?!00)[0-9]{2}"
_TOKEN = regex(r"(\{\w+\}|\s+|\(\w\))")
_BETWEEN = r"(?:_|[-_\s]*[-\s][-_\s]*)"  # what may stand between the parts of a word
_JOINED = "[-_]"  # the same where a space begins another word
_ANY_WORD = r"[^\s,]+(?:\s+[^\s,]+){0,3}"
_FLAGS = ("true", "yes", "on", "false", "no", "off")


class Texts:
    """Makes the expressions, by a game's closed lists."""

    def __init__(self, names: Mapping[str, Container[str]]):
        self.names = names

    def whole(self, shape: Shape) -> str:
        """Return the expression that a whole text of this shape matches; "" if no text can be one."""
        inside = self.of(shape)
        return rf"^\s*(?:{inside})\s*$" if inside else ""

    def of(self, shape: Shape, spaces: bool = True, comma: bool = True) -> str:
        """Return the expression of this shape as a part of a text; "" if it can't be one.

        spaces: whether it may hold spaces; comma: whether it may hold commas.
        """
        match shape:
            case Label():
                return LABEL
            case Number():
                return numbers(shape.least, shape.most)
            case Flag():
                return "|".join(map(lettered, _FLAGS))
            case Word():
                return self.word(shape, spaces)
            case Id():
                return (
                    rf"(?![gG][mM](?:\s|,|$))[A-Za-z0-9](?:(?:[A-Za-z0-9_]|{_BETWEEN if spaces else _JOINED}){{0,39}})"
                )
            case Text():
                return _text(shape, spaces, comma)
            case Either():
                return "|".join(filter(None, (self.of(of, spaces, comma) for of in shape.shapes)))
            case ListOf():
                return self.list_of(shape, comma)
            case Choice():
                return self.choice(shape)
            case Short() | Record() | OneOf():
                return self.forms(shape.of if isinstance(shape, Short) else shape, comma)
            case MapOf() | Raw():
                return ""

    def word(self, shape: Word, spaces: bool = True) -> str:
        """The words of a closed list, in every spelling."""
        known = words_of(self.names[shape.of] if isinstance(shape.of, str) else shape.of)
        if known is None:
            return _ANY_WORD if spaces else r"[^\s,]+"
        return "|".join(spelt(word, spaces) for word in dict.fromkeys([*known, *shape.also]))

    def list_of(self, shape: ListOf, comma: bool) -> str:
        """Return the expression of a list in one text; "" if it has no short form."""
        more = f"{{{max(shape.least - 1, 0)},{shape.most - 1}}}"
        if shape.short == "one":
            return self.of(shape.of, True, comma)
        if shape.short == "words":
            item, gap = self.of(shape.of, False, False), r"[\s,]" if comma else r"\s"
            some = f"(?:{item})(?:{gap}+(?:{item})){more}"
            return some if not comma else rf"[\s,]*(?:{some}[\s,]*){'' if shape.least else '?'}"
        item = self.of(shape.of, True, False) if shape.short and comma else ""
        return rf"[\s,]*(?:(?:{item})(?:\s*,[\s,]*(?:{item})){more}[\s,]*){'' if shape.least else '?'}" if item else ""

    def choice(self, shape: Choice) -> str:
        """One of the words, and behind it its argument, if it has one."""
        rests = {word: "" if of is None else rf"(?:\s+(?:{self.of(of)}))?" for word, of in shape.cases.items()}
        return "|".join(spelt(word) + rf"(?:{rest}|\s+(?:~|null))" for word, rest in rests.items())

    def forms(self, shape: Record | OneOf, comma: bool = True) -> str:
        """The short forms of a record."""
        alternatives = []
        for case, record, pattern in patterns(shape):
            begin = spelt(case) + r"\s+" if case else ""
            alternatives.append(begin + self.pattern(record, pattern, comma))
        return "|".join(alternatives)

    def pattern(self, record: Record, pattern: str, comma: bool) -> str:
        """Return the expression of a pattern of short forms. Of optional parts that exclude each other it allows one."""
        parts = [part for part in re.split(r"(\[[^]]*\])", pattern) if part]
        texts = [self.tokens(record, part.strip("[]") if part[0] == "[" else part, comma) for part in parts]
        regular, never = "", ""
        for place, (part, text) in enumerate(zip(parts, texts, strict=True)):
            before = parts[place - 1] if place else ""
            if part[0] == "[" and _apart(record, before, part):
                regular = f"{regular.removesuffix(')?')}|{text})?"
                behind = "".join(f"(?:{later})?" for later in texts[place + 1 :])
                never += rf"(?!{'[^]' if comma else '[^,]'}*?{texts[place - 1]}{text}{behind}\s*(?:,|$))".replace(
                    "[^]", r"[\s\S]"
                )
            else:
                regular += f"(?:{text})?" if part[0] == "[" else text
        return never + self.alone(record, parts, comma) + regular

    def alone(self, record: Record, parts: Sequence[str], comma: bool) -> str:
        """Return the expression that refuses anything but its list behind the words of a pattern's last part, "" if it has none: what stands
        there is read as that list, and never as the end of the name before it."""
        last = parts[-1] if parts else ""
        words, _, slot = last.strip("[]").removesuffix("}").rpartition("{")
        if last[:1] != "[" or not isinstance(record.keys.get(slot), ListOf):
            return ""
        name = SLOT.split(next(part for part in reversed(parts) if part[0] != "["))
        if len(name) == 1:  # words alone
            return ""
        lead = name[-3]  # the words before its last slot
        some = r"[\s\S]*?" if comma else "[^,]*?"
        found = rf"{some}{self.tokens(record, lead, comma)}\S{some}{self.tokens(record, words, comma)}(?=\S)"
        return rf"(?!{found}(?!(?:{self.of(record.keys[slot], True, False)})\s*(?:,|$)))"

    def tokens(self, record: Record, part: str, comma: bool) -> str:
        """A part of a pattern: its words, spaces and slots."""
        regular = ""
        for index, token in enumerate(_TOKEN.split(part)):
            if not index % 2:
                regular += lettered(token)
            elif token[0] == "{":
                of = record.keys[token[1:-1]]
                regular += f"(?:{self.of(of, True, comma and not isinstance(of, ListOf))})"
            else:
                regular += f"{lettered(token[1])}?" if token[0] == "(" else r"\s+"
        return regular


def _apart(record: Record, *parts: str) -> bool:
    """Return whether all these parts of a pattern have slots of one group of keys that exclude each other."""
    return any(all(set(SLOT.findall(part)) & set(group) for part in parts) for group in record.apart)


def _text(shape: Text, spaces: bool, comma: bool) -> str:
    """Return the expression of free text within its length; in a text of one line a run of spaces counts once."""
    if shape.pattern:
        return either_case(shape.pattern) if shape.case else shape.pattern.replace(r"\d", "[0-9]")
    letter = r"[^\s]" if comma else r"[^\s,]"
    if not spaces:
        return f"{letter}{{1,{shape.most}}}"
    if shape.lines:
        return (
            rf"{letter}(?:[\s\S]{{0,{shape.most - 2}}}{letter})?"
            if comma
            else rf"{letter}(?:[^,]{{0,{shape.most - 2}}}{letter})?"
        )
    return rf"(?={letter})(?:{letter}|[^\S\n]+(?={letter})){{1,{shape.most}}}"


@lru_cache(maxsize=4096)  # the same few words stand in many patterns
def spelt(word: str, spaces: bool = True) -> str:
    """Return the expression of a word in every spelling: any case, its parts joined by spaces, hyphens or an underscore."""
    parts = [lettered(part) for part in word.split("_")]
    tidy = [re.sub(r"(\[sS\])$", "['\u2019]?\\1['\u2019]?", part) for part in parts]
    return (_BETWEEN if spaces else _JOINED).join(tidy) if all(parts) else lettered(word)


@lru_cache(maxsize=4096)
def lettered(text: str) -> str:
    """A text in any case."""
    return "".join(
        f"[{letter.lower()}{letter.upper()}]" if letter.isascii() and letter.isalpha() else re.escape(letter)
        for letter in text
    )


def either_case(pattern: str) -> str:
    """A regular expression whose letters are of either case."""

    def other(match: re.Match[str]) -> str:
        token = str(match[0])
        if token[0] == "[":
            return token.replace("a-z", "A-Za-z").replace("A-Z", "A-Za-z") if "A-Za-z" not in token else token
        return {r"\d": "[0-9]"}.get(token) or (token if len(token) > 1 else lettered(token))

    return re.sub(r"\[[^]]*\]|\\.|\(\?.|\{[^}]*\}|[A-Za-z]", other, pattern)


def numbers(least: int, most: int) -> str:
    """Whole numbers from `least` to `most`, with or without a sign and zeros before them."""
    alternatives = []
    if most >= 0:
        alternatives.append(rf"\+?0*(?:{_span(max(least, 0), most)})")
    if least <= 0:
        alternatives.append(rf"-0*(?:{_span(max(-most, 0), -least)})")
    return "|".join(alternatives)


def _span(least: int, most: int) -> str:
    """Return the expression of numbers from `least` to `most`, neither below zero: for each length, digit by digit."""
    alternatives = []
    for digits in range(len(str(least)), len(str(most)) + 1):
        low, high = max(least, 10 ** (digits - 1) if digits > 1 else 0), min(most, 10**digits - 1)
        alternatives.append(_digits(str(low), str(high)))
    return "|".join(alternatives)


def _digits(low: str, high: str) -> str:
    """Return the expression of numbers from `low` to `high`, which have the same length."""
    first, last, rest = int(low[0]), int(high[0]), len(low) - 1
    if first == last:
        return f"{first}(?:{_digits(low[1:], high[1:])})" if rest else str(first)
    alternatives = []
    if rest and low[1:] != "0" * rest:
        alternatives.append(f"{first}(?:{_digits(low[1:], '9' * rest)})")
        first += 1
    full = last if not rest or high[1:] == "9" * rest else last - 1
    if first <= full:
        alternatives.append(
            (f"[{first}-{full}]" if first < full else str(first)) + (f"[0-9]{{{rest}}}" if rest else "")
        )
    if full < last:
        alternatives.append(f"{last}(?:{_digits('0' * rest, high[1:])})")
    return "|".join(alternatives)
