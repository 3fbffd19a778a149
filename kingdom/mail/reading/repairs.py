"""Repairs an order as a person typed it, so that it can be read: a word too many, quotes round a word, a second colon. Pure.

A repair counts only where the repaired words can be read behind their key and nonsense words could not (`is_bound`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import NamedTuple

from kingdom.engine.problems import by_stem
from kingdom.mail.reading import limits, phrases, thresholds
from kingdom.mail.reading.reply import key_of
from kingdom.orders import yaml_out

Reads = Callable[[str], bool]  # whether a text reads as orders in which nothing is wrong
_NONSENSE = "zzqx"  # no word of any closed list
_INSTEAD = ";,=–—>→-.: "  # what people write instead of a colon
_ENDS = ".!,;: "
_FILLERS = re.compile(
    r"\b(?:hex(?:es)?|the|also|too|please|pls|plz|thanks|now|then|a|an|some|one|1(?= [a-z])|bitte|auch)\b",
    re.IGNORECASE,
)
_MORE_FILLERS = re.compile(r"\b(?:with|on|at|in|to|my|our|level|for|of|be|is)\b", re.IGNORECASE)
_AND = re.compile(r"\s*(?:\b(?:and|und|et|plus)\b|[&+])\s*", re.IGNORECASE)
_ENDING = re.compile(r"[.!,;: ]+$")  # a question mark stays: what is asked is no order
_SIGNS = re.compile(r"[:()\[\]]")
_WORD = re.compile(r"\w+")
_REMARK = re.compile(r"\s*\([^()\d]{1,60}\)")  # `0708 (the forest)`
_QUOTED = "\"'{["
_LINKS = ("in", "to")  # words of short forms that people leave out
_TAKEN_FOR_LINKS = (*_LINKS, "at", "on", "for", "of", "near")
_QUOTES = re.compile(r"[\"'`]|(?<!\w)[‘“„]|[’”](?!\w)")
_FIRST_OF_ITEM = re.compile(r"((?:- ?)?\{\s*)?([A-Za-z_]{2,30})(\s*:)?(?!\w)")
_INNER_KEY = re.compile(r"([\w][\w -]{0,40}?) ?: (.+)")


TEXTS = frozenset(("messages", "requests", "tell", "gm"))  # keys whose values are words for people
_NO_STEMS = phrases.NO_ORDERS | TEXTS | {"answers"}


class Keys(set[str]):
    """The top keys of orders, in snake_case.

    of_others: keys whose values are orders of other keys, such as a plan; begun: the first word of an item -> the key of its list, as in
    `recruit First Foot as ...`; fields: the first word of an item that has no short form -> the names of its fields, as in
    `grant: examplia, account: treasury, by: 6, reason: a gift`.
    """

    of_others: frozenset[str] = frozenset()
    begun: Mapping[str, str] = {}
    fields: Mapping[str, Sequence[str]] = {}
    own: Callable[[], Mapping[str, Sequence[str]]] = dict  # list of names -> those of the writer's own: towns, armies
    named: Mapping[str, frozenset[str]] = {}  # key -> the lists whose names may stand behind it

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The names of the writer's towns and armies, in small letters."""
        return tuple(name.lower() for names in self.own().values() for name in names)

    def only(self, key: str) -> str:
        """The only name of the writer's that may stand behind a key; "" where there are none or several."""
        names = [name for of in self.named.get(key, ()) for name in self.own().get(of, ())]
        return names[0] if len(names) == 1 else ""


def parts(line: str, keys: Container[str]) -> tuple[str, str, bool]:
    """(the key that a line begins with, what follows it, whether a colon stands between); "" for no key. An item of a list may stand
    without the list's key: then all of the line is what follows."""
    if isinstance(keys, Keys) and (item := _item(line, keys)):
        return item
    if key_of(line) in keys:
        return key_of(line), line.partition(":")[2].strip(), True
    words = line.split(maxsplit=4)
    for count in range(min(len(words) - 1, 4), 0, -1):
        key = "_".join(words[:count]).lower().rstrip(_INSTEAD).replace("-", "_")
        if key in keys:
            return key, line.split(maxsplit=count)[count].lstrip(_INSTEAD).strip(), False
    alone = "_".join(words).lower().strip(_ENDS)
    return (alone, "", False) if alone in keys else ("", "", False)


def stemmed(line: str, keys: Container[str]) -> tuple[str, str, bool]:
    """As `parts`, of a line that begins with another form of a key, `tax light`, `Holidays: average`; or of two words, the second of
    which is the key, `long holiday`."""
    words = line.split()
    if not 1 < len(words) <= thresholds.WORDS_STEMMED:
        return "", "", False
    if key := _of_stem(words[0].rstrip(_INSTEAD).lower(), keys):
        return key, line.split(maxsplit=1)[1].lstrip(_INSTEAD).strip(), words[0].endswith(":")
    last = words[-1].rstrip(_ENDS).lower()
    key = last if last in keys else _of_stem(last, keys)
    return (key, words[0], False) if len(words) == 2 and key and key not in _NO_STEMS else ("", "", False)


def _of_stem(word: str, keys: Container[str]) -> str:
    """The only key that begins with the stem of a word, `taxation` for `tax` and `taxes`; "" for none."""
    if not isinstance(keys, Keys) or len(word) < thresholds.LETTERS_OF_STEM:
        return ""
    known = [key for key in keys if key not in keys.of_others and key not in _NO_STEMS]
    for stem in dict.fromkeys((word, word.removesuffix("s"), word.removesuffix("es"))):
        if len(stem) >= thresholds.LETTERS_OF_STEM and (alike := [key for key in known if key.startswith(stem)]):
            return alike[0] if len(alike) == 1 else ""
    return ""


def misspelt(line: str, keys: Container[str]) -> tuple[str, str, bool]:
    """As `parts`, of a line whose first word is a misspelt key, `clain 0910`. The writer is asked about such a line."""
    words = line.split(maxsplit=1)
    if not isinstance(keys, Keys) or len(words) < 2 or not words[0][0].isalpha():
        return "", "", False
    first = words[0].rstrip(_INSTEAD).lower()
    key = near_key(first, keys) if len(first) >= thresholds.LETTERS_MISSPELT else ""
    argument, colon = words[1].lstrip(_INSTEAD).strip(), words[0].endswith(":")
    return (key, argument, colon) if key not in ("", *_NO_STEMS) else ("", "", False)


# what reads the key of a line in one of its forms -> how far that form is from the key
FORMS = {parts: 0, stemmed: 1, misspelt: 2}


def begun(line: str, keys: Container[str]) -> tuple[str, str, bool, int]:
    """As `parts`, by the nearest of the `FORMS`, with the distance of that form; "" for none."""
    found = ((*form(line, keys), FORMS[form]) for form in sorted(FORMS, key=FORMS.__getitem__))
    return next((one for one in found if one[0]), ("", "", False, 0))


def _item(line: str, keys: Keys) -> tuple[str, str, bool] | None:
    """As `parts`, of a line that is an item of a list but does not name the list's key; None for any other line."""
    first = _FIRST_OF_ITEM.match(line)
    word = first[2].lower() if first else ""
    if first is None or word not in keys.begun:
        return None
    fields = keys.fields.get(word, ())
    if not fields:
        return (keys.begun[word], line, False) if first[0].isalpha() and len(line.split()) > 1 else None
    if first[1]:
        return keys.begun[word], line[line.index("{") :], False
    _, *said = re.split(rf"(?:^|[,;]\s*)({'|'.join(fields)})\s*:\s*", line, flags=re.IGNORECASE)
    values = [one if one[:1] in _QUOTED else yaml_out.quoted(one) for one in map(str.strip, said[1::2])]
    inner = ", ".join(f"{field.lower()}: {value}" for field, value in zip(said[::2], values, strict=True))
    return (keys.begun[word], f"{{{inner}}}", False) if first[3] and all(values) else None


def near_key(word: str, keys: Container[str]) -> str:
    """The key of which a word is probably a misspelling; "" for none."""
    known = list(keys) if isinstance(keys, (set, frozenset, list, tuple, dict)) else []
    return alike(word, known) or by_stem(word, known)


def alike(word: str, known: Sequence[str]) -> str:
    """The known word of which a word is a misspelling; "" for none."""
    from difflib import get_close_matches  # slow to load, and needed for mistakes alone

    found: list[str] = get_close_matches(word[:40], known, 1, thresholds.ALIKE)
    return found[0] if found else ""


def completed(key: str, argument: str, keys: Container[str], reads: Reads) -> str:
    """The order, completed by the writer's only town: `build: jail in Harrowbridge` for `build jail`. "" where more is missing."""
    name = keys.only(key) if isinstance(keys, Keys) else ""
    plain = argument.rstrip(_ENDS)
    return fixed(key, f"{plain} in {name}", reads, False) if name and plain and "{" not in plain else ""


def is_bound(key: str, argument: str, reads: Reads) -> bool:
    """Whether the key takes only certain words, and not any text of so many words. If so, an argument that can be read was hardly meant
    as anything else."""
    nonsense = re.sub(r"[^\s,]+", _NONSENSE, argument)
    return not reads(f"{key}: {nonsense}")


def fixed(key: str, argument: str, reads: Reads, free: bool) -> str:
    """The order, written so that it can be read, with the least change (`_change`); "" where no way to write it can be read.

    free: if no way counts as a repair, the words as they are or in quotes may stand, though any other words could stand there, too.
    """
    ways = {one for way in WAYS for one in way(argument)} | ({*_with_links(argument)} if free else set())
    for tried in sorted(ways - {""}, key=partial(_change, argument)):
        if reads(f"{key}: {tried}") and is_bound(key, tried, reads):
            return f"{key}: {tried}"
    if free and argument and argument[0] not in "[{":
        plain = argument.strip()
        inner = plain[1:-1] if len(plain) > 2 and plain[0] == plain[-1] and plain[0] in "\"'" else plain
        for tried in (plain, yaml_out.quoted(inner)):
            if tried and reads(f"{key}: {tried}"):
                return f"{key}: {tried}"
    return ""


def merged(text: str, keys: Container[str], reads: Reads) -> str:
    """The text, in which several lines of the same key are joined into one line, where that can be read."""
    lines = text.split("\n")
    lines_of: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if ":" in line and key_of(line) in keys and line[0] not in " -" and not below.startswith((" ", "- ")):
            lines_of.setdefault(key_of(line), []).append(index)
    for key, places in lines_of.items():
        values = list(dict.fromkeys(_value(lines[index]) for index in places))
        if len(places) > 1 and (whole := _together(key, values, reads)):
            lines[places[0]] = f"{key}: {whole}"
            for index in places[1:]:
                lines[index] = ""
    return "\n".join(lines)


def _value(line: str) -> str:
    """The value behind a key, without a comment."""
    value = line.partition(":")[2].strip()
    return value if {'"', "'"} & {*value} else value.partition(" #")[0].rstrip()


def _together(key: str, values: list[str], reads: Reads) -> str:
    """The values of a key from several lines, as one value; "" where they can't stand together."""
    if len(values) == 1:
        return values[0]
    tried = ", ".join(values)
    for opens, closes in ("{}", "[]"):
        if all(value.startswith(opens) and value.endswith(closes) for value in values):
            tried = f"{opens}{', '.join(value[1:-1] for value in values)}{closes}"
    if reads(f"{key}: {tried}") and is_bound(key, tried, reads):
        return tried
    listed = f"[{', '.join(map(yaml_out.quoted, values))}]"
    return listed if reads(f"{key}: {listed}") else ""


def _change(argument: str, written: str) -> tuple[int, int, int, str]:
    """How far a way to write an argument is from what was typed: by the words lost and added; among equals the way with the most marks
    between words comes first, then the shortest."""
    before, after = (Counter(_WORD.findall(text.lower())) for text in (argument, written))
    marks = sum(map(written.count, ",{["))
    return ((before - after) + (after - before)).total(), -marks, len(written), written


def _as_typed(argument: str) -> Iterator[str]:
    yield argument or "true"  # `final`
    yield _AND.sub(", ", argument)


def _without_fillers(argument: str) -> Iterator[str]:
    if "{" in argument:
        return
    yield _squeezed(_REMARK.sub("", argument))
    plain = _squeezed(_SIGNS.sub(" ", _QUOTES.sub("", argument)))
    for fillers in (_ENDING, _FILLERS, _MORE_FILLERS):
        plain = _squeezed(fillers.sub(" ", plain)).strip(_ENDS)
        yield plain
        yield _AND.sub(" ", plain)
        yield _AND.sub(", ", plain)
        labels = phrases.LABEL.findall(plain)
        if len(labels) == 1:  # `0404 farm` for `farm 0404`
            yield _squeezed(f"{phrases.LABEL.sub(' ', plain)} {labels[0]}")


def _as_map(argument: str) -> Iterator[str]:
    """A map whose braces were forgotten: `borderia: Shall we talk?`, `taxation: light, holiday: long`, `feud-1: adventurers 4`."""
    inner = _INNER_KEY.fullmatch(argument.strip("\"'{} "))
    if argument.startswith("{"):
        yield f"[{argument}]"
    if inner is None:
        return
    if number := re.fullmatch(r"(\w+) (\d{1,4})", inner[2]):
        yield f"{{{inner[1]}: {{{number[1]}: {number[2]}}}}}"
    yield f"{{{argument}}}"
    yield f"{{{inner[1]}: {inner[2] if inner[2][0] in _QUOTED else yaml_out.quoted(inner[2])}}}"


WAYS = (_as_typed, _as_map, _without_fillers)


def _with_links(argument: str) -> Iterator[str]:
    """The ways to write an argument in which a word between two others was left out: `bank Oakhold` for `bank in Oakhold`."""
    if "{" in argument:
        return
    typed = _squeezed(_FILLERS.sub(" ", _SIGNS.sub(" ", _QUOTES.sub("", argument)))).rstrip(_ENDS).split()
    words = [word for word in typed if word.lower() not in _TAKEN_FOR_LINKS]
    for link in _LINKS if len(words) <= limits.WORDS_LINKED else ():
        for at in range(1, len(words)):
            yield " ".join([*words[:at], link, *words[at:]])


def _squeezed(text: str) -> str:
    return " ".join(text.split()).replace(" ,", ",")


# --- where an order ends and a remark begins

_REMARK_BEGINS = re.compile(
    r"\s*(?:;|//|[.!?]+(?=\s)|\((?=.*\)\W*\Z)|\s[-–—](?=\s))\s*"  # a mark
    r"|,?\s+(?=(?:because|since|as|so|which|for|please|thanks?|thx)\b)",
    re.IGNORECASE,
)
_REASON = re.compile(r"(?:because|since|as|so|which)\b", re.IGNORECASE)
_UNSURE = re.compile(r"\W*(?:if|unless|or|else|but|not|no|when|until|instead|then|maybe|rather)\b", re.IGNORECASE)


class Ended(NamedTuple):
    """order: an order up to where its sense ends, as it would be written, "" where it can't be read. remark: what stands behind it.
    sure: that is only a remark, and no part of the order."""

    order: str
    remark: str = ""
    sure: bool = True


def ended(key: str, argument: str, keys: Container[str], reads: Reads, free: bool) -> Ended:
    """The order and the remark behind it: `library in Harrowbridge because I want Loyalty`, `0404 (6 BP)`, `mill in Oakhold; was a park`.
    What stands behind the name of a town of the writer's is no part of the name. free: as in `fixed`."""
    if not argument or argument[0] in "\"'{[|>" or key in TEXTS or len(argument) > limits.LINE:
        return Ended(fixed(key, argument, reads, free))
    argument = argument.rstrip("; ")
    whole = reads(f"{key}: {argument}")
    for begin, said in _remarks(key, argument, keys):
        named = _ends_in_name(begin, keys)
        if whole and not named and is_bound(key, said, reads):
            continue
        if order := fixed(key, begin, reads, named) or ("" if free else completed(key, begin, keys, reads)):
            sure = not _UNSURE.match(said) and not said.startswith("?") and not said.rstrip(" )").endswith("?")
            return Ended(order, said, sure and (not phrases.LABEL.search(said) or _REASON.match(said) is not None))
    behind = _behind_name(argument, keys.called).strip() if isinstance(keys, Keys) else ""
    if behind and (order := fixed(key, argument[: -len(behind)].rstrip(), reads, True)):
        return Ended(order, behind, False)
    return Ended(fixed(key, argument, reads, free) or ("" if free else completed(key, argument, keys, reads)))


def may_go_on(argument: str, keys: Container[str]) -> bool:
    """Whether a remark may stand behind an order; a quick look, which reads nothing."""
    named = isinstance(keys, Keys) and bool(_behind_name(argument, keys.called))
    return named or _REMARK_BEGINS.search(argument[: limits.LINE]) is not None


def _remarks(key: str, argument: str, keys: Container[str]) -> Sequence[tuple[str, str]]:
    """The ways to split an argument into (order, remark). First come those that split behind a name of the writer's, then those with
    the longest order; or with the shortest, where the key takes names."""
    places = list(islice(_REMARK_BEGINS.finditer(argument), limits.REMARKS))
    ways = [(argument[: one.start()].rstrip(), argument[one.start() :].strip(" .;,/-–—")) for one in places]
    ways = [way for way in ways if all(way)]
    is_free = isinstance(keys, Keys) and bool(keys.named.get(key))
    named = [way for way in reversed(ways) if _ends_in_name(way[0], keys)]
    return [*named, *(way for way in (ways if is_free else reversed(ways)) if way not in named)]


def _ends_in_name(text: str, keys: Container[str]) -> bool:
    """Whether a text ends in the name of a town or an army of the writer's."""
    return isinstance(keys, Keys) and any(f" {text.lower()}".endswith(f" {name}") for name in keys.called)


def _behind_name(text: str, called: Sequence[str]) -> str:
    """The words behind the last name of a town or an army in a text; "" where there are none, or where they begin with a capital or a
    word of an order's pattern."""
    begins = [(text.lower().rfind(f" {name} "), name) for name in called]
    ends = [at + 1 + len(name) for at, name in begins if at >= 0]
    behind = text[max(ends) :] if ends else ""
    first = behind.split()[0] if behind.strip() else ""
    return behind if not first[:1].isupper() and first.lower() not in _OF_PATTERNS else ""


_OF_PATTERNS = {"at", "with", "to", "from", "in", "then", "target", "toward", "along", "until", "for", "water", "as"}
