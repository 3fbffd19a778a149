"""The finished game in campaigns/six-cities.tar.xz: it is sound, its orders make it, and what a newcomer should see occurs in it.

After a change of the rules: `scripts/regold campaigns/six-cities.tar.xz`.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec

from kingdom.campaign import audit, replay
from kingdom.campaign import campaign as campaigns
from kingdom.cli.main import main
from tests.kit import archives

FOLDER = archives.example("six-cities")
LAST = 6


def notices(turn: int) -> list[dict[str, Any]]:
    return json.loads((FOLDER / f"turns/{turn:04}/turn.json").read_text(encoding="utf-8"))["notices"]


def report(turn: int, seat: str) -> str:
    return " ".join((FOLDER / f"turns/{turn:04}/reports/{seat}.txt").read_text(encoding="utf-8").split())


def test_it_is_audited_and_replayed() -> None:
    campaign = campaigns.open_campaign(FOLDER)
    assert audit.audit(campaign).problems == []
    assert [problem for _, problem in replay.replay(campaign) if problem] == []
    assert campaigns.over(campaign, LAST + 1, campaigns.state_of(campaign, campaigns.kept(campaign)))


def test_its_orders_make_it_again(tmp_path: Path) -> None:
    copy = tmp_path / "six-cities"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("turns"))
    for _ in range(LAST):  # the first makes turn 0 as well
        assert main(["turn", str(copy)]) == 0
    made, kept = (
        msgspec.json.decode((folder / f"turns/{LAST:04}/state.json").read_bytes()) for folder in (copy, FOLDER)
    )
    assert made == kept


def test_what_occurs_in_it() -> None:
    assert "was drawn as first chancellor of round 1" in report(0, "alice")
    assert "refused tile 0 in alice" in report(1, "bob") and "done tile 3 in bob" in report(1, "bob"), (
        "an alternative counts"
    )
    assert "unused veto city newest with tile 4" in report(1, "alice"), "a condition that does not hold"
    assert "refused the King stays In round 1" in report(1, "bob")
    assert "bob vetoed city 2 of its own kingdom: tile 5 went out, tile 4 came in." in report(2, "alice")
    assert "Leave my road alone" in report(2, "cara") and "Leave my road alone" not in report(2, "alice")
    assert "alice vetoed its King's progress" in report(3, "bob")
    assert "You named none: your tile 0 was placed for you" in report(
        4, "bob"
    ) and "Nothing came from you this time." in report(4, "bob")
    assert "Nothing came from you" not in report(4, "alice")


def test_it_ends_in_a_tie_that_the_best_city_parts_and_a_shared_place() -> None:
    assert (
        "1. Cara: total 78, best city 50, king city 50, vetoes 0 1. Dan: total 78, best city 50, king city 50, vetoes 0"
        in report(LAST, "alice")
    )
    assert "3. Alice: total 78, best city 40, king city 40, vetoes 1" in report(LAST, "alice")
    assert all(notice["kind"] != "refusal" or notice["facts"]["code"] == "kingdom_taken" for notice in notices(LAST))
