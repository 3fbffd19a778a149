"""The words with which orders and commands begin, and what may stand behind each: taken from the tables that declare them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.mail.reading import phrases, thresholds
from kingdom.mail.reading.subjects import COMMANDS, GMS, MEANT
from kingdom.orders import orders_file
from kingdom.orders.schema import (
    Choice,
    Either,
    Label,
    ListOf,
    MapOf,
    Number,
    OneOf,
    Record,
    Seats,
    Shape,
    Short,
    Text,
    Word,
    cases_of,
    part_of,
    snake,
)

ORDER, COMMAND, TYPED = "order", "command", "typed"  # the last: a command that is typed and can't be mailed
# what can be typed behind `kingdom`, as kingdom/cli/table.py has it, which this layer can't see, and which of them need no more
TYPED_ALONE = (
    "run", "here", "turn", "rehearse", "release", "service", "show", "map", "status", "review", "ledger", "audit", "replay", "undo", "redo", "reseed",
    "schema", "rules", "simulate", "games", "help", "form", "solve", "mail fetch", "mail send", "mail check", "mail log",
)  # fmt: skip
TYPED_WITH_MORE = ("new", "invite", "check", "explain", "export", "correct", "dice", "verify", "forecast", "advise", "chronicle", "completion", "mail accept", "pack")  # fmt: skip
_NONSENSE = "zzqx"  # what fits no pattern but that of any word
_TYPED_ARGUMENT = re.compile(
    r"--?[a-z]|(?:turns? )?\d|turn \d|\S+@\S+\.\S|\S*/|\S+\.(?:yaml|yml|txt|eml|zip|csv|sqlite|xlsx|html|json|parquet)\b|last turn|\["
)
_ASKED_ARGUMENT = re.compile(r"(?:(?:of|for|by|until|turn) )*(?<!\w)\d|\S+@\S+\.\S|\buntil ")


class Takes(NamedTuple):
    """What may stand behind the word of an order: words of closed lists or of patterns, a hex, a number."""

    words: frozenset[str] = frozenset()
    label: bool = False
    number: bool = False
    patterns: frozenset[str] = frozenset()

    def __or__(self, other: Takes) -> Takes:
        return Takes(*map(or_, self, other))


class Term(NamedTuple):
    """A word that begins an order or a command. key: the key under which such an order stands. theirs: whether the seat may use the word.
    alone: whether the word needs nothing behind it."""

    word: str
    kind: str
    key: str
    theirs: bool
    alone: bool
    takes: Takes
    seats: frozenset[str]

    def fits(self, behind: Sequence[str]) -> bool:
        """Whether the words behind the term, in small letters, are what the term takes and not just any words."""
        if not behind:
            return False
        said = " ".join(behind)
        if self.kind == ORDER:
            return _has(self.takes, behind)
        if _bare(behind[0]) in self.seats:
            return True
        if self.kind == TYPED:
            return self.word not in phrases.HEAD and _TYPED_ARGUMENT.match(said) is not None  # `Turn 4 will be hard`
        asks = _ASKED_ARGUMENT.search if self.word in GMS else _ASKED_ARGUMENT.match
        return asks(said) is not None or bool(re.fullmatch(COMMANDS.get(self.word, "(?!)"), said)) and said != "it"


def _bare(word: str) -> str:
    return snake(word.strip(".,;:!?()[]{}\"'`"))


def _has(takes: Takes, behind: Sequence[str]) -> bool:
    """Whether something that an order takes is among these words."""
    plain = [_bare(word) for word in behind]
    windows = {
        "_".join(plain[at : at + count])
        for at in range(len(plain))
        for count in range(1, thresholds.WORDS_OF_NAME + 1)
        if plain[at]
    }
    if not takes.words.isdisjoint(windows):
        return True
    if any(re.fullmatch(pattern, word) for pattern in takes.patterns for word in (*behind, *map(str.upper, behind))):
        return True
    labels = any(re.fullmatch(r"\d{4}", word) for word in plain)
    return labels and takes.label or takes.number and any(re.fullmatch(r"[+-]?\d{1,3}", word) for word in plain)


# --- the table


def terms_of(campaign: Campaign, seat: str) -> Mapping[str, Sequence[Term]]:
    """The word, in snake_case, of each order and command -> what it may be; what that seat may give first."""
    names = campaigns.names_today(campaign)
    seats = frozenset(map(snake, campaign.seats))
    found: dict[str, list[Term]] = {}
    for term in sorted(_all(campaign, seat, names, seats), key=lambda term: not term.theirs):
        found.setdefault(snake(term.word), []).append(term)
    return found


def _all(campaign: Campaign, seat: str, names: Mapping[str, Container[str]], seats: frozenset[str]) -> Iterator[Term]:
    for whose in (None, GM):
        theirs = (whose == GM) == (seat == GM)
        for word, (key, takes) in _orders(orders_file.declared(campaign.game, whose), names).items():
            yield Term(word, ORDER, key, theirs, False, takes, seats)
    for word, takes_more in COMMANDS.items():
        if word != "to":
            mine = word not in GMS if seat != GM else word in GMS or word not in _PLAYERS
            yield Term(word, COMMAND, "", mine, bool(re.fullmatch(takes_more, "")), Takes(), seats)
    for word in MEANT:
        yield Term(word, COMMAND, "", seat != GM, False, Takes(), frozenset())
    yield Term("orders", COMMAND, "", True, True, Takes(), seats)
    for word in (*TYPED_ALONE, *TYPED_WITH_MORE):
        if word not in COMMANDS or not re.fullmatch(COMMANDS[word], ""):
            yield Term(word, TYPED, "", seat == GM, word in TYPED_ALONE, Takes(), seats)


_PLAYERS = frozenset(("form", "advice", "withdraw", "away", "back", "resign"))


def begun(declared: Record) -> Mapping[str, str]:
    """The first words of the short forms in lists, and of rulings -> the key under which they stand: {recruit: armies, grant: gm}."""
    found: dict[str, str] = {}
    for key, shape in declared.keys.items():
        inner = shape.of if isinstance(shape, ListOf) else None
        if isinstance(inner, OneOf) and not inner.by:
            for case, record in inner.cases.items():
                if not record.short or any(pattern.startswith(f"{case} ") for pattern in record.short):
                    found.setdefault(case, key)
    return {word: key for word, key in found.items() if word not in (*declared.keys, *declared.short_keys)}


def fields(declared: Record) -> Mapping[str, Sequence[str]]:
    """The first word of each item without a short form, such as a ruling of the GM's -> the keys of that item."""
    inner = (shape.of for shape in declared.keys.values() if isinstance(shape, ListOf))
    cases = (one.cases for one in inner if isinstance(one, OneOf))
    return {word: tuple(record.keys) for each in cases for word, record in each.items() if not record.short}


def _orders(declared: Record, names: Mapping[str, Container[str]]) -> Mapping[str, tuple[str, Takes]]:
    """Each word with which an order begins -> the key under which it stands, and what it takes."""
    found: dict[str, tuple[str, Takes]] = {}
    for key, shape in declared.keys.items():
        if key not in phrases.HEAD:
            found[key] = key, _takes(shape, names)
    for word, key in declared.short_keys.items():
        found[word] = word, _takes(part_of(declared.keys[key], word), names)
    for word, key in begun(declared).items():
        case = cases_of(declared.keys[key])[word]
        is_whole = bool(case.short) or isinstance(case.keys[word], Text)
        # of a ruling, which has no short form, what its own word takes: `give Bo my regards` is none
        found[word] = key, _takes(case if is_whole else case.keys[word], names)
    return found


def _takes(shape: Shape, names: Mapping[str, Container[str]]) -> Takes:
    """What may stand in a shape, however deep."""
    match shape:
        case Word():
            of = names.get(shape.of, ()) if isinstance(shape.of, str) else shape.of
            return Takes(frozenset(map(snake, (*_words_in(of), *shape.also))))
        case Label():
            return Takes(label=True)
        case Number():
            return Takes(number=True)
        case Text():
            is_any = not shape.pattern or re.fullmatch(shape.pattern, _NONSENSE) is not None
            return Takes() if is_any else Takes(patterns=frozenset((shape.pattern,)))
        case _:
            inner = reduce(or_, (_takes(inner, names) for inner in _inside(shape)), Takes())
            return inner | Takes(frozenset(shape.cases)) if isinstance(shape, Choice) else inner


def lists_in(shape: Shape) -> Iterator[str]:
    """The lists of a campaign's own names, such as its towns, of which one may stand in a shape as any words."""
    if isinstance(shape, Text):
        yield from (shape.offered,) if shape.offered and not shape.pattern else ()
    elif isinstance(shape, (ListOf, Short, Record, OneOf)):
        for inner in _inside(shape):
            yield from lists_in(inner)


def _inside(shape: Shape) -> Iterable[Shape]:
    """The shapes of which a shape is made."""
    match shape:
        case ListOf() | Short():
            return (shape.of,)
        case MapOf():
            return (shape.key, shape.of)
        case Record():
            return shape.keys.values()
        case OneOf() | Choice():
            return filter(None, shape.cases.values())
        case Either():
            return shape.shapes
        case _:
            return ()


def _words_in(of: Container[str]) -> Iterable[str]:
    """The words of a closed list; of seats also what they are called."""
    called = of.called if isinstance(of, Seats) else {}
    return (*(of if isinstance(of, Iterable) else ()), *called)
