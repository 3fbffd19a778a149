"""Reading single words, numbers and texts; every problem is noted at its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, Never, TypeVar

from kingdom.engine.problems import MANY, Problem, cure, problem, shown
from kingdom.orders.schema import Flag, Id, Label, Number, Scalar, Seats, Shape, Text, Word, example_of, snake
from kingdom.orders.yaml_text import TEXT, Node

S = TypeVar("S", bound=Scalar)
V = TypeVar("V")
_LEAST_DIGITS = 3  # fewest digits of a misspelt label
DIGITS = 18  # most digits of a number that is read
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def _of_text(
    read: Callable[[ScalarReading, S, str, Node, str], V | None],
) -> Callable[[ScalarReading, S, Node, str], V | None]:
    """Make the reader of a typed text a reader of its node. A node without a text is a problem."""

    def of_node(self: ScalarReading, shape: S, node: Node, path: str) -> V | None:
        text = self.typed(shape, node, path)
        return None if text is None else read(self, shape, text, node, path)

    return of_node


class ScalarReading:
    """One reading of a text: the closed lists by name, whose text it is ("" for anybody's), and the problems noted so far.

    A reader returns the value, or notes a problem of the node; its value is then useless, mostly None.
    """

    def __init__(self, names: Mapping[str, Container[str]], file: str, seat: str = ""):
        self.names = names
        self.file = file
        self.seat = seat
        self.problems: list[Problem] = []

    # --- what is wrong

    def note(self, code: str, node: Node, path: str, hint: str = "", **facts: Any) -> Never | None:
        """Note a problem at the node. Returns None, which a reader gives in place of a value."""
        self.problems.append(problem(code, self.file, node.line, node.column, path, hint, **facts))
        return None

    def unfit(self, code: str, shape: Shape, node: Node, path: str, **facts: Any) -> Never | None:
        """Note that the node does not fit the shape, with an example that does. Returns None too."""
        key = facts["word"] if code == "missing_key" and not path else path
        own = key == "kingdom" and self.seat  # whose orders they are; all other seats in examples are somebody else
        example = own or example_of(shape, self.other_seat())
        return self.note(code, node, path, meaning=shape.meaning, example=example, **facts)

    def other_seat(self) -> str:
        """Return another seat of this campaign, for examples."""
        return other_seat(self.names, self.seat)

    def unknown_key(self, key: Node, path: str, known: Iterable[str]) -> None:
        """Note an unknown key, with the nearest known one."""
        sentence, near = self.cure(snake(key.value), known)
        self.note("unknown_key", key, path, near, word=shown(key.value), cure=sentence)

    def cure(self, word: str, known: Iterable[str]) -> tuple[str, str]:
        """Return (a sentence that says what to write, the nearest word). After many problems nothing is looked for, which takes long."""
        return cure(word, known) if len(self.problems) <= MANY else ("", "")

    # --- one reader for each shape

    def typed(self, shape: Shape, node: Node, path: str) -> str | None:
        """Return the typed text; if there is none, note a problem and return None."""
        text: str = node.value.strip() if node.kind is TEXT else ""
        if not text:
            self.unfit("empty_text" if node.kind is TEXT else "not_text", shape, node, path)
        return text or None

    @_of_text
    def text(self, shape: Text, text: str, node: Node, path: str) -> str | None:
        """Free text, in the case that the shape asks for."""
        if not shape.lines:
            if "\n" in text:
                return self.note("one_line", node, path, meaning=shape.meaning)
            text = one_line(text)
            odd = next((letter for letter in text.translate(JOINERS) if not letter.isprintable()), "")
            if odd:
                return self.note("control_character", node, path, number=ord(odd))
        if len(text) > shape.most:
            return self.note("too_long", node, path, meaning=shape.meaning, size=len(text), most=shape.most)
        if shape.case:
            text = text.upper() if shape.case == "upper" else text.lower()
        if shape.pattern and not re.fullmatch(shape.pattern, text):
            return self.unfit("malformed", shape, node, path, word=shown(text))
        return text

    @_of_text
    def number(self, shape: Number, text: str, node: Node, path: str) -> int | None:
        """A whole number within its range."""
        match = re.fullmatch(r"([+-]?)0*([0-9]+)", text)
        if not match:
            return self.unfit("not_number", shape, node, path, word=shown(text))
        if len(match[2]) > DIGITS or not shape.least <= int(match[1] + match[2]) <= shape.most:
            return self.note(
                "out_of_range", node, path,
                meaning=shape.meaning, word=shown(text, 20), least=shape.least, most=shape.most,
            )  # fmt: skip
        return int(match[1] + match[2])

    @_of_text
    def flag(self, shape: Flag, text: str, node: Node, path: str) -> bool | None:
        """A truth value."""
        if text.lower() not in _FLAGS:
            self.note("not_flag", node, path, word=shown(text), meaning=shape.meaning)
        return _FLAGS.get(text.lower())

    @_of_text
    def word(self, shape: Word, text: str, node: Node, path: str) -> str | None:
        """A word of a closed list."""
        word = snake(text)
        known = self.words(shape)
        if word in shape.also:
            return word
        if word in known:
            return known.called.get(word, word) if isinstance(known, Seats) else word
        sentence, near = self.cure(word, [*all_of(known), *shape.also])
        return self.note("unknown_word", node, path, near, word=shown(text), meaning=shape.meaning, cure=sentence)

    def words(self, shape: Word) -> Container[str]:
        """Return the closed list of a word, without its `also` words."""
        if isinstance(shape.of, str) and shape.of not in self.names:
            raise KeyError(
                f"no list of words is called {shape.of!r} ({shape.meaning}); there are {', '.join(self.names)}"
            )
        return self.names[shape.of] if isinstance(shape.of, str) else shape.of

    @_of_text
    def label(self, shape: Label, text: str, node: Node, path: str) -> str | None:
        """A hex label."""
        if not is_label(text):
            near = near_label(text)
            how = f" A label has four digits, column and row from 01, such as `{shape.example}`."
            said = f" Did you mean `{near}`?" if near else how
            return self.note("not_label", node, path, near, word=shown(text), meaning=shape.meaning, cure=said)
        return text

    @_of_text
    def id(self, shape: Id, text: str, node: Node, path: str) -> str | None:
        """An id that somebody made up."""
        word = snake(text)
        if word == "gm" or not re.fullmatch("[a-z0-9_]{1,40}", word):
            return self.unfit("malformed", shape, node, path, word=shown(text))
        return word


def other_seat(names: Mapping[str, Container[str]], seat: str) -> str:
    """Return the campaign's first seat other than this seat; this seat if it is alone, "" if there are no seats."""
    return next((other for other in all_of(names.get("seats", ())) if other != seat), seat)


def all_of(known: Container[str]) -> Iterable[str]:
    """Return the words of a closed list; () if it is a rule rather than a list."""
    return known if isinstance(known, Iterable) else ()


def words_of(known: Container[str]) -> list[str] | None:
    """Return the words of a closed list; None if it takes any word."""
    words = list(all_of(known))
    return None if not words and "" in known else words


def is_label(text: str) -> bool:
    """Return whether the text is a hex label, column and row: "0304"."""
    return len(text) == 4 and text.isascii() and text.isdigit() and "00" not in (text[:2], text[2:])


def near_label(text: str) -> str:
    """Return the hex label that was probably meant: `0708` for `708`, `07-08` or `O708`; "" for none."""
    plain = re.sub(r"[-.,/ ]", "", text[:10]).upper().replace("O", "0").replace("I", "1").replace("L", "1").zfill(4)
    return plain if sum(letter.isdigit() for letter in text) >= _LEAST_DIGITS and is_label(plain) else ""


JOINERS = str.maketrans(dict.fromkeys("\u200c\u200d", ""))  # letters of words in some scripts, and of emoji


def one_line(text: str) -> str:
    """Return a text in one line with single spaces and composed accents, so that equal names are equal texts."""
    text = " ".join(text.split())
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return text
