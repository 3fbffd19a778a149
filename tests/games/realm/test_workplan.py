"""Plans: what a report says of them, what `kingdom check` foresees, how their texts are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kingdom.cli.main import main
from kingdom.games.realm.steps.workplan import planned
from tests.games.realm.kit import rules_of
from tests.kit import small_realm
from tests.kit.tiny_game import file_orders

PLAN = "plan: [claim 0102, palace in Oakhold]\nreserve: 7\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The small campaign with turn 0 kept."""
    small_realm.campaign(tmp_path)
    assert main(["turn", str(tmp_path)]) == 0
    return tmp_path


@pytest.mark.parametrize(
    ("text", "kind", "order"),
    [
        ("claim 0405", "claim", "0405"),
        ("farm 0404", "improve", {"hex": "0404", "build": "farm"}),
        ("prepare 0404", "improve", {"hex": "0404", "build": "prepare"}),
        ("settle Castle at Sea 0404", "settle", {"hex": "0404", "name": "Castle at Sea"}),
        ("house in Oakhold", "build", {"in": "Oakhold", "build": "house"}),
        ("inn in Oakhold at A1", "build", {"in": "Oakhold", "build": "inn", "lot": "A1"}),
        ("upgrade tenement to house in Oakhold", "build", {"in": "Oakhold", "upgrade": "tenement", "to": "house"}),
        ("demolish inn in Oakhold", "build", {"in": "Oakhold", "demolish": "inn"}),
        ("sky castle in Oakhold", "", {}),
    ],
)
def test_an_item_is_an_order_in_its_short_form(text: str, kind: str, order: Any) -> None:
    assert planned(text, rules_of()) == (kind, order)


def test_the_report_says_what_is_done_and_what_waits_for_what(folder: Path) -> None:
    file_orders(folder, 1, "examplia", PLAN)
    assert main(["turn", str(folder)]) == main(["turn", str(folder)]) == 0
    first, second = (
        " ".join((folder / f"turns/{turn}/reports/examplia.txt").read_text().split()) for turn in ("0001", "0002")
    )
    assert "Your plan" in first and "done claim 0102" in first and "waits palace in Oakhold" in first
    assert "Your reserve: the plan leaves 7 BP in the treasury" in first
    assert "A plan spends what is above the reserve, 7: that is " in first
    assert (
        "None came in; the plan was worked off." in second
        and "waits palace in Oakhold" in second
        and "done claim" not in second
    )
    page = (folder / "turns/0001/reports/examplia.html").read_text()
    assert "Your plan</h3>" in page and "claim 0102: done" in page
    assert "Your plan" not in (folder / "turns/0001/reports/borderia.txt").read_text()


def test_check_foresees_what_the_plan_does_and_refuses_nothing_of_it(
    folder: Path, capsys: pytest.CaptureFixture
) -> None:
    file = file_orders(folder, 1, "examplia", PLAN)
    capsys.readouterr()
    assert main(["check", str(file), "--campaign", str(folder), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["refusals"] == [] and said["cost"] == 1
    assert set(said["after"]["hexes"]) - set(said["before"]["hexes"]) == {"0102"}
