"""The reports of board games in the real Chromium: the whole board fits a phone, scaled, and nothing is cut or wider than the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kingdom.render import reports
from tests.games import example
from tests.games.test_every_game import PLAYED, play
from tests.kit.browser import PROGRAM, Browser
from tests.kit.pagekit import overflowing

pytestmark = pytest.mark.package("chromium", PROGRAM)
PICTURES = "[...document.querySelectorAll('svg')].map((svg) => svg.getBoundingClientRect()).map((box) => [box.left, box.right])"


@pytest.fixture(autouse=True)
def with_the_example() -> Iterator[None]:
    with example.found():
        yield


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", [name for name in PLAYED if name != "realm"])
def test_a_report_and_its_board_fit_the_screen(browser: Browser, tmp_path: Path, name: str, width: int) -> None:
    turn = play(name)[-1]
    facts = reports.CampaignFacts("A game", {seat: seat.title() for seat in turn.seats})
    told = dict(reports.rendered(turn.game, turn.result, turn.rules, facts))
    for file in (f"{turn.seats[0]}.html", "gm.html"):
        page = tmp_path / file
        page.write_text(told[file], encoding="utf-8")
        assert overflowing(browser, page, width) == [], file
        assert [edges for edges in browser.ask(PICTURES) if edges[0] < 0 or edges[1] > width] == [], file
