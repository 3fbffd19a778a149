"""Each number of kingdom/mail/reading/thresholds.py, and a mail of the corpus that another number reads otherwise: tests/mail/thresholds.yaml."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest import mock

import yaml

from kingdom.mail.reading import thresholds
from tests.kit import mailkit, onemail, people
from tests.kit.mailkit import Case

FILE = Path(__file__).parents[1] / "mail" / "thresholds.yaml"


class Row(NamedTuple):
    """A number. tried: another one; mail: the case that it fails, `TOPIC:NAME`, or the text of a reply of Ada's to her report, or
    to a letter of Ben's."""

    name: str
    tried: float
    mail: str
    answers: str = "report"


def rows() -> list[Row]:
    """The table."""
    said = yaml.load(FILE.read_bytes(), yaml.CSafeLoader)
    return [Row(name, **row) for name, row in said.items()]


def names() -> set[str]:
    """The numbers that are to stand in it."""
    return {name for name, value in vars(thresholds).items() if name.isupper() and isinstance(value, (int, float))}


class Corpus:
    """Both campaigns of the corpus, each made when first asked for."""

    def __init__(self, folder: Path):
        self.folder = folder

    @cache  # noqa: B019 - a corpus lives as long as its run
    def table(self) -> onemail.Table:
        """The campaign of what people type."""
        return onemail.Table(self.folder / "people")

    @cache  # noqa: B019
    def place(self) -> Path:
        """The campaign of what programs send."""
        return mailkit.campaign(self.folder / "programs")

    def became(self, mail: str, answers: str) -> object:
        """What becomes of a case's mails, to be compared."""
        if mail not in programs():
            table = self.table()
            letter = onemail.Mail("ben", "to Ada\nPeace?\n", answers="report")
            mine = onemail.Mail("ada", mail, answers=answers)
            mails = typed()[mail].mails if mail in typed() else [letter, mine] if answers == "letter" else [mine]
            found = table.take(*mails)
            return found.orders, found.outcome, found.code, found.answer, [found.read_by(who) for who in onemail.SEATS]
        outcomes = mailkit.run(programs()[mail], self.place())
        fates = [(one.taken.fate, one) for one in outcomes]
        return [
            (fate.outcome, fate.code, fate.reason, fate.words, fate.passed_over, len(fate.problems), one.filed)
            for fate, one in fates
        ]


@cache
def typed() -> Mapping[str, people.Typed]:
    """The cases of what people type."""
    return {str(case): case for case in people.cases()}


@cache
def programs() -> Mapping[str, Case]:
    """The cases of what programs send."""
    return {str(case): case for case in mailkit.cases()}


def is_noticed(row: Row, corpus: Corpus) -> bool:
    """Whether the mail becomes something else with the other number."""
    right = corpus.became(row.mail, row.answers)
    with mock.patch.object(thresholds, row.name, row.tried):
        return corpus.became(row.mail, row.answers) != right


def main(wanted: list[str]) -> int:
    """Say of each number whether its mail notices the other one; 1 if one does not."""
    failed = 0
    with TemporaryDirectory() as made:
        corpus = Corpus(Path(made))
        for row in rows():
            if wanted and row.name not in wanted:
                continue
            noticed = is_noticed(row, corpus)
            failed += not noticed
            print(
                f"{row.name}: {row.tried} instead of {getattr(thresholds, row.name)} is {'noticed by' if noticed else 'NOT noticed by'} {row.mail!r}",
                flush=True,
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
