"""Honest letters of tests/mail/corpus/letters/like_orders.yaml, each as its writer may send it, and what becomes of them.

`.venv/bin/python -m tests.kit.honest [WORD] [--show]` says which are taken for orders, asked about, or don't arrive.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import yaml

from tests.kit.onemail import Became, Mail, Table, flat, told

FOLDER = Path(__file__).parents[1] / "mail" / "corpus" / "letters"
GREETINGS = ("", "Dear {name},\n\n", "{name},\n\n", "Hi {name}!\n\n", "Hallo {name},\n\n", "")
CLOSINGS = ("", "\n\nAda", "\n\nYours,\nAda", "\n\nBest regards,\nAda of Harrowfen", "\n\n-- \nAda Marsh\nTel. 0404 555 1234", "\n\nSent from my iPhone", "\n\nViele Grüße\nAda")  # fmt: skip
FORMS = ("plain", "plain", "gmail", "outlook")
QUOTES = ("gt", "none", "outlook", "gt", "german")
BEFORE = {  # what a mail is a reply to -> the mail that brought it
    "letter": Mail("ben", "Shall we talk of the ford?\n\nBen\n", "to Ada [TOKEN]"),
    "receipt": Mail("ada", "taxation: normal\n", answers="report"),
}


class Letter(NamedTuple):
    """A letter of Ada's. readers: who must get it. way: how it is sent."""

    person: str
    text: str
    way: str
    readers: tuple[str, ...]
    mail: Mail

    def __str__(self) -> str:
        return f"{self.person}, {self.way}: {flat(self.text)[:90]!r}"

    @property
    def mails(self) -> list[Mail]:
        """It, and the mail that it is a reply to."""
        return [*([BEFORE[self.mail.answers]] if self.mail.answers in BEFORE else []), self.mail]


Way = tuple[str, tuple[str, ...], str | None, str | None, str]
WAYS: dict[str, Way] = {  # -> (how its reader is called, who gets it, subject, what it answers, the line above)
    "new, its subject says for whom": ("Ben", ("ben",), "to Ben [TOKEN]", None, ""),
    "a reply to a letter": ("Ben", ("ben",), None, "letter", ""),
    "a reply to the report, a line says for whom": ("Ben", ("ben",), None, "report", "to Ben\n\n"),
    "to all": ("all", ("ben", "cleo"), "to all [TOKEN]", None, ""),
    "a reply to a receipt, a line says for whom": ("Ben", ("ben",), None, "receipt", "to orrenvale\n"),
    "a reply to a letter, to all": ("all", ("ben", "cleo"), None, "letter", "to all\n\n"),
}
WAYS_TO_GM: dict[str, Way] = {
    "a reply to the report": ("Gwen", ("gm",), None, "report", ""),
    "a reply to the report, a line says for whom": ("Gwen", ("gm",), None, "report", "to gm\n\n"),
    "new, its subject says for whom": ("Gwen", ("gm",), "to gm [TOKEN]", None, ""),
    "a reply to a receipt": ("GM", ("gm",), None, "receipt", ""),
}


def texts() -> Mapping[str, list[str]]:
    """Person -> letters."""
    read: dict[str, list[str]] = yaml.load((FOLDER / "like_orders.yaml").read_bytes(), yaml.BaseLoader)
    return read


def letters(times: int = 2) -> Iterator[Letter]:
    """Each text in so many ways, by turns."""
    count = 0
    for person, written in texts().items():
        ways = list((WAYS_TO_GM if person == "to the gm" else WAYS).items())
        for text in written:
            for _ in range(times):
                yield _letter(person, text, *ways[count % len(ways)], count)
                count += 1


def _letter(person: str, text: str, way: str, sent: Way, count: int) -> Letter:
    name, readers, subject, answers, above = sent

    def pick(row: tuple[str, ...]) -> str:
        return row[count // 2 % len(row)]

    body = f"{above}{pick(GREETINGS).format(name=name)}{text.rstrip()}{pick(CLOSINGS)}\n"
    return Letter(person, text, way, readers, Mail("ada", body, subject, answers, pick(QUOTES), pick(FORMS)))


def fault(letter: Letter, became: Became) -> str:
    """What is wrong with what became of a letter: "taken for orders", "asked", "not sent", "sent astray", or nothing."""
    if became.orders != became.start:
        return "taken for orders"
    if became.outcome != "accepted":
        return "asked"
    readers = {who for who in ("ben", "cleo", "gm") if _last_words(letter.text) in _words(became.read_by(who))}
    if not readers >= {*letter.readers}:
        return "not sent"
    return "sent astray" if readers - {*letter.readers} else ""


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _last_words(text: str) -> str:
    return " ".join(_words(text).split()[-6:])


def main() -> None:
    """Count them by what is wrong."""
    word = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    counted: dict[str, int] = {}
    with TemporaryDirectory() as made:
        table = Table(Path(made) / "campaign")
        chosen = [letter for letter in letters() if word in str(letter)]
        for letter in chosen:
            became = table.take(*letter.mails)
            if wrong := fault(letter, became):
                counted[wrong] = counted.get(wrong, 0) + 1
                print(f"{wrong} ({became.code}): {letter}")
                if "--show" in sys.argv:
                    print(f"{letter.mail.body}---\n{told(became)}\n")
    print(counted or "nothing wrong", "of", len(chosen))


if __name__ == "__main__":
    main()
