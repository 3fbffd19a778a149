"""The cases of tests/mail/corpus/people/: mails as people type them, and what a reasonable person expects of each.

tests/mail/corpus/README.md tells what a case holds.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import yaml

from tests.kit.onemail import SEATS, TURN, Became, Mail, Table, flat, told

FOLDER = Path(__file__).parents[1] / "mail" / "corpus" / "people"
WAY = {"filed", "letters", "gm", "gm_not", "says", "says_not"}
MAIL = {"who", "body", "subject", "answers", "quote", "form", "re_word", "cc"}


class Typed(NamedTuple):
    """A case. said: what its file says of it."""

    person: str
    name: str
    said: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.person}:{self.name}"

    @property
    def mails(self) -> list[Mail]:
        """The mail before it, if there is one, and the mail."""
        before = self.said.get("before")
        who = self.said["who"]
        first = [_mail({"who": who, "subject": f"Orders {SEATS[who]} {TURN} [TOKEN]", **before})] if before else []
        return [*first, _mail(self.said)]

    @property
    def ways(self) -> list[Mapping[str, Any]]:
        """What is expected, and what is as good."""
        return [{key: self.said[key] for key in WAY & set(self.said)}, *self.said.get("also", [])]

    @property
    def meant(self) -> str | None:
        """The orders that its writer meant, as far as the case says; None where it does not."""
        return next(
            (
                way["filed"]
                for way in ({"filed": self.said["meant"]} if "meant" in self.said else {}, *self.ways)
                if "filed" in way
            ),
            None,
        )


def cases() -> Iterator[Typed]:
    """All of them, in the order of their files."""
    for file in sorted(FOLDER.glob("*.yaml")):
        for name, said in yaml.load(file.read_bytes(), yaml.CSafeLoader).items():
            yield Typed(file.stem, name, said)


def _mail(said: Mapping[str, Any]) -> Mail:
    return Mail(**{key: said[key] for key in MAIL & set(said)})


def wrong_with(case: Typed, table: Table) -> str:
    """In which way a mail is not taken as the case expects, "" if it is as one of its ways says."""
    became = table.take(*case.mails)
    offered = _offered(case, became, table)
    wrong = []
    for way in case.ways:
        found = [*_differs(way, became, table), *offered]
        if not found:
            return ""
        wrong.append("; ".join(found))
    return wrong[0]


def _differs(way: Mapping[str, Any], became: Became, table: Table) -> Iterator[str]:
    who, start = became.who, _orders(became.start[became.who])
    wanted = _orders(table.read(way["filed"], who)) if "filed" in way else start
    if _orders(became.filed) != wanted:
        yield f"filed {said_shortly(became.filed)}, expected {said_shortly(wanted)}"
    for other in SEATS.keys() - {who}:
        if other != "gm" and became.orders[other] != became.start[other]:
            yield f"orders of {other} were filed"
    letters = way.get("letters", {})
    for other in SEATS.keys() - {who, "gm"}:
        text = became.read_by(other)
        yield from (
            f"{other} gets no `{words}`" for words in letters.get(other, ()) if words.lower() not in text.lower()
        )
        if other not in letters and text:
            yield f"{other} gets `{text[:80]}`"
        ordered = [line for line in str(way.get("filed", "")).splitlines() if line.lower() in text.lower()]
        yield from (f"{other} READS THE ORDER `{line}`" for line in ordered)
    gm = became.read_by("gm") + " " + json.dumps(became.filed.get("requests", ""), ensure_ascii=False)
    yield from (f"the GM gets no `{words}`" for words in way.get("gm", ()) if words.lower() not in gm.lower())
    yield from (f"the GM gets `{words}`" for words in way.get("gm_not", ()) if words.lower() in gm.lower())
    if not became.answer:
        yield "no answer"
    yield from (
        f"the answer lacks /{words}/"
        for words in way.get("says", ())
        if not re.search(words, became.answer, re.IGNORECASE)
    )
    yield from (
        f"the answer has /{words}/"
        for words in way.get("says_not", ())
        if re.search(words, became.answer, re.IGNORECASE)
    )


def _offered(case: Typed, became: Became, table: Table) -> list[str]:
    """What is wrong with the lines that an answer offers where nothing is filed: sent back, they file what was meant."""
    if became.filed != became.start[became.who] or not became.offered():
        return []
    lines = became.offered()[0]
    back = table.go_on(Mail(became.who, lines, answers="receipt"))
    told = [case.meant, *(way.get("filed") for way in case.ways)]
    meant = [_orders(table.read(one, became.who)) for one in told if one]
    beyond = items(back.filed) - set().union(items(became.filed), *map(items, meant))
    if beyond or (
        re.search("NOT filed|would be refused|Letter", str(back.mails[0]["Subject"]))
        and not any("refus" in words for words in case.said.get("says", ()))
    ):
        return [f"the lines offered, `{flat(lines)}`, file {sorted(beyond)} ({back.mails[0]['Subject']})"]
    return []


def _orders(orders: Mapping[str, Any]) -> dict[str, Any]:
    """Orders without letters, in small letters, so that two sets are the same if they order the same."""
    made: dict[str, Any] = json.loads(
        json.dumps({key: value for key, value in orders.items() if key not in ("messages", "amend")}).lower()
    )
    return made


def items(orders: Mapping[str, Any]) -> set[str]:
    """Each single order, as a text."""
    made = set()
    for key, value in _orders(orders).items():
        for item in value if isinstance(value, list) else value.items() if isinstance(value, dict) else [value]:
            made.add(f"{key}: {json.dumps(item, sort_keys=True)}")
    return made


def said_shortly(orders: Mapping[str, Any]) -> str:
    """Orders in one line."""
    return "; ".join(sorted(items(orders))) or "nothing"


def main() -> None:
    """Say how many cases are as expected, and which are not; `WORD --show` shows those with the word in their names."""
    word = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    chosen = [case for case in cases() if word in str(case)]
    with TemporaryDirectory() as made:
        table = Table(Path(made) / "campaign")
        wrong = {str(case): said for case in chosen if (said := wrong_with(case, table))}
        print("\n".join(f"{case}: {said}" for case, said in wrong.items()))
        if "--show" in sys.argv:
            print("\n\n".join(f"{case}\n{told(table.take(*case.mails))}" for case in chosen))
    print(f"{len(chosen) - len(wrong)} of {len(chosen)} as expected")


if __name__ == "__main__":
    main()
