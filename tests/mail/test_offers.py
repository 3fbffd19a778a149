"""A cure is complete and works: what an answer offers is sent back, for every refused or asked mail of the corpora."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit import offers

NOT_YET: set[str] = set()  # whose offers do not work; empty it


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.long)], ids=["some mails", "every mail"])
def test_what_an_answer_offers_files_what_was_meant(every: int, tmp_path: Path) -> None:
    wrong, count = offers.wrong(tmp_path, every=every)
    assert count >= 200 // every
    assert {name: said for name, said in wrong.items() if name not in NOT_YET} == {}
    if every == 1:
        assert NOT_YET - wrong.keys() == set(), "these are right now: take them out"
