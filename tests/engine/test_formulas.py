"""A name that a player gave can't become a formula in ledger.csv."""

from __future__ import annotations

import pytest

from kingdom.campaign import csv_text
from kingdom.engine.ledger import COLUMNS, Books


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", "Oakhold", "'=1", ""])
def test_a_detail_begins_as_no_formula(name: str) -> None:
    books = Books(1, {})
    books.enter("gm", "step", "ann", {"coins": 3}, "grant", f"{name} gave it" if name else "")
    (entry,) = books.entries
    assert entry.detail[:1] not in [*"=+-@＝", "\t"]
    assert entry.detail.removeprefix("'") == (f"{name} gave it".removeprefix("'") if name else "")
    assert csv_text.write(COLUMNS, books.entries).decode().count(name or "ann")
