"""What the tests of the books share."""

from __future__ import annotations

import pytest

from kingdom.books import ledgers


@pytest.fixture(params=["small", "large"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How `kingdom ledger` reads the entries: as those of a small ledger, without pandas, or of a large one, with it."""
    if request.param == "large":
        monkeypatch.setattr(ledgers, "MOST", 0)
    return str(request.param)
