"""Honest letters that speak of what orders speak of: none is taken for orders, hardly any is asked about, and each arrives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit import honest
from tests.kit.onemail import Table

MOST_ASKED = 0.02
NOT_YET: set[str] = set()  # what goes wrong otherwise; empty it


@pytest.mark.parametrize(
    "every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some of them", "all of them"]
)
def test_an_honest_letter_is_taken_for_a_letter(every: bool, tmp_path: Path) -> None:
    """Each letter of like_orders.yaml, in two of the ways in which it may be sent; in the short run every eighth of these."""
    letters = list(honest.letters())[:: 1 if every else 8]
    table = Table(tmp_path / "campaign")
    wrong = [f"{fault}: {letter}" for letter in letters if (fault := honest.fault(letter, table.take(*letter.mails)))]
    asked = [said for said in wrong if said.startswith("asked: ")]
    assert [said for said in wrong if said not in {*asked, *NOT_YET}] == []
    assert len(asked) <= MOST_ASKED * len(letters), asked
    if every:
        assert NOT_YET - {*wrong} == set(), "these are right now: take them out"


def test_there_are_enough_letters_of_enough_people() -> None:
    texts = honest.texts()
    assert len(texts) >= 16 and len({text for of_one in texts.values() for text in of_one}) >= 150
    assert len(list(honest.letters())) >= 300
