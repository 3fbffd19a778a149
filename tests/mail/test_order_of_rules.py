"""The order of rules decides nothing: what a mail becomes is the same with each table of rules of the reading shuffled."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from kingdom.mail.reading import changes, parting, repairs, slips
from tests.kit import honest, people
from tests.kit.onemail import SEATS, Mail, Table

RULES = [  # each is a tuple of rules, or a mapping of rules to the measure that decides between them
    (repairs, "FORMS"),
    (repairs, "WAYS"),
    (parting, "OPENERS"),
    (parting, "CUTS"),
    (slips, "RULES"),
    (changes, "WAYS"),
]


def mails(every: bool) -> list[list[Mail]]:
    """The mails of people and the honest letters; in the short run some of them."""
    typed, letters = [case.mails for case in people.cases()], [letter.mails for letter in honest.letters(1)]
    return [*typed, *letters] if every else [*typed[::4], *letters[::20]]


def became(table: Table, sent: Iterable[list[Mail]]) -> list[tuple[object, ...]]:
    """What became of each: what is filed, what everybody reads of it, and how it is called."""
    found = [table.take(*mails) for mails in sent]
    return [(one.orders, [one.read_by(who) for who in SEATS], one.line, one.outcome, one.code) for one in found]


def shuffle(module: ModuleType, name: str, random: Random, patch: pytest.MonkeyPatch) -> None:
    rules = getattr(module, name)
    order = list(rules)
    random.shuffle(order)
    patch.setattr(module, name, {rule: rules[rule] for rule in order} if isinstance(rules, dict) else tuple(order))


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "all"])
def test_the_order_of_rules_decides_nothing(every: bool, tmp_path: Path) -> None:
    table, sent = Table(tmp_path / "campaign"), mails(every)
    right = became(table, sent)
    for seed in range(10 if every else 2):
        random = Random(seed)
        with pytest.MonkeyPatch.context() as patch:
            for module, name in RULES:
                shuffle(module, name, random, patch)
            found = became(table, sent)
        wrong = [mails[-1].body for mails, one, other in zip(sent, found, right, strict=True) if one != other]
        assert not wrong, (seed, wrong[:3])
