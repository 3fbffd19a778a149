"""A kingdom of forty hexes and six full settlements, all with the longest names: its report, its mail and its form stay readable."""

from __future__ import annotations

import json
import os
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import examples
from kingdom.cli.main import main
from kingdom.mail.journal import journal_of
from kingdom.mail.outgoing import posting
from kingdom.mail.outgoing.letters import LARGEST_INLINE, size_inline
from kingdom.render.plain_text import width
from tests.kit import archives
from tests.kit.browser import PROGRAM, Browser
from tests.kit.mailkit import NOW
from tests.kit.pagekit import overflowing, shut_out
from tests.kit.tiny_game import file_orders, write

CAMPAIGN = """\
name: The longest campaign of all, told from the very first of days on
game: realm
seed: public, this is a test
public_seed: true
calendar: {deadline: 2026-08-28T18:00, zone: Europe/Berlin, every: 7d}
players:
  examplia: {name: "王國王國王國王國", email: ada@example.org, token: k7f3q}
  borderia: {name: Bo, email: bo@example.org, token: b9wx2}
"""
TERRAIN = "pfphppfphpfp"
ROWS = ["".join(TERRAIN[(column + 5 * row) % len(TERRAIN)] for column in range(13)) for row in range(10)]
HELD = [f"{column:02}{row:02}" for column in range(2, 10) for row in range(2, 7)]
LAND = {"p": ["farm", "road"], "f": ["sawmill", "road"], "h": ["quarry", "road"]}
NAMES = [
    f"{name} beyond the wide river and below the high hills of old"[:60].strip()
    for name in ("Oakhold", "<b>Salt</b>", "=1+1", "Ravens' Rock")
] + ["王國" * 30, "ש" * 60]
TOWNS = dict(zip(NAMES, HELD[2::7], strict=False))
BUILDINGS = [
    "house",
    "inn",
    "house",
    "shop",
    "house",
    "tavern",
    "house",
    "stable",
    "mansion",
    "shop",
    "town_hall",
    "library",
    "smithy",
    "brewery",
    "graveyard",
    "barracks",
    "jail",
    "granary",
    "shrine",
    "monument",
    "park",
    "city_wall",
    "paved_streets",
]


def examplia() -> dict[str, Any]:
    hexes = {
        label: ["road"] if label in TOWNS.values() else LAND[ROWS[int(label[2:]) - 1][int(label[:2]) - 1]]
        for label in HELD
    }
    return {
        "name": "Examplia of the forty hexes, the six towns and the long name"[:60],
        "government": "autocracy",
        "alignment": "LG",
        "attributes": {"economy": 80, "loyalty": 80, "stability": 80},
        "treasury": 400,
        "capital": NAMES[0],
        "hexes": hexes,
        "settlements": {name: {"hex": label, "buildings": BUILDINGS} for name, label in TOWNS.items()},
        "armies": [
            {"name": f"{number} {'Foot ' * 11}"[:60].strip(), "unit": "fighter", "size": "medium"}
            for number in range(1, 5)
        ],
    }


BORDERIA = {
    "name": "Borderia",
    "treasury": 50,
    "capital": "Millford",
    "hexes": {"1005": [], "1105": []},
    "settlements": {"Millford": {"hex": "1105"}},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        folder = tmp_path_factory.mktemp("big") / "campaign"
        write(folder, "campaign.yaml", CAMPAIGN)
        write(folder, "map.yaml", "grid: |\n" + "".join(f"  {row}\n" for row in ROWS))
        write(folder, "kingdoms/examplia.yaml", json.dumps(examplia()))
        write(folder, "kingdoms/borderia.yaml", json.dumps(BORDERIA))
        houses = [{"in": name, "build": "tenement"} for name in NAMES]
        orders = {
            "claim": ["0207", "0307"],
            "build": houses,
            "messages": [{"to": "all", "text": "Long live the long. " * 100}],
        }
        file_orders(folder, 1, "examplia", "".join(f"{key}: {json.dumps(value)}\n" for key, value in orders.items()))
        assert main(["turn", str(folder)]) == main(["turn", str(folder)]) == 0
        assert main(["form", str(folder), "examplia", "--to", str(folder / "form.html")]) == 0
        return folder


def report(folder: Path, name: str) -> Path:
    return folder / "turns/0001/reports" / name


class Tables(HTMLParser):
    """The rows of each table of a page, and whether it is folded away."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, bool]] = []
        self.folds: list[bool] = []
        self.rows = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "details":
            self.folds.append("open" not in dict(attrs))
        self.rows = 0 if tag == "table" else self.rows + (tag == "tr")

    def handle_endtag(self, tag: str) -> None:
        if tag == "details":
            self.folds.pop()
        if tag == "table":
            self.found.append((self.rows, any(self.folds)))


def test_it_is_as_big_as_it_is_said_to_be(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(folder), "examplia", "--turn", "0", "--json"]) == 0
    sheet = json.loads(capsys.readouterr().out)
    assert sheet["size"] == 40 and set(sheet["settlements"]) == set(NAMES) and min(map(len, NAMES)) > 55


def test_every_table_of_its_page_is_folded(folder: Path) -> None:
    tables = Tables()
    tables.feed(report(folder, "examplia.html").read_text())
    assert max(tables.found)[0] > 20 and all(folded for _, folded in tables.found)


def test_its_text_keeps_to_its_columns(folder: Path) -> None:
    lines = report(folder, "examplia.txt").read_text().splitlines()
    assert 250 < len(lines) < 500
    assert max(width(line) for line in lines if not line.startswith("  kingdom dice ")) <= 78, (
        "that one is typed as it stands"
    )


def size_of_mail(campaign: campaigns.Campaign, turn: int, seat: str) -> int:
    """Bytes of the text and the HTML of a report's mail, as they are sent."""
    kept, journal = campaigns.kept(campaign, turn), journal_of(campaign)
    view = posting.head_of(campaign, journal, kept, seat, NOW)
    page = posting.page_of(kept, seat, view)
    text, html, _ = posting.inline(view, posting.reporting.text_of(campaign, kept, seat), page)
    return size_inline(text, html)


def test_its_mail_is_shown_whole(folder: Path) -> None:
    assert 5_000 < size_of_mail(campaigns.open_campaign(folder), 1, "examplia") < LARGEST_INLINE // 2


@pytest.mark.parametrize("turns", [1, pytest.param(99, marks=pytest.mark.long)], ids=["a seat", "every turn"])
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long if name == "war-of-the-ford" else ()) for name in examples.names()],
)
def test_no_mail_of_an_example_is_cut_by_a_mail_program(name: str, turns: int) -> None:
    campaign = campaigns.open_campaign(archives.example(name))
    newest = campaigns.newest(campaign)
    for turn in range(newest, max(-1, newest - turns), -1):
        for seat in campaigns.kept(campaign, turn).record.seats[: 1 if turns == 1 else None]:
            assert size_of_mail(campaign, turn, seat) < LARGEST_INLINE, f"turn {turn}, {seat}"


@pytest.mark.package("chromium", PROGRAM)
@pytest.mark.parametrize("wide", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_its_pages_fit(browser: Browser, folder: Path, wide: int) -> None:
    for file in (report(folder, "examplia.html"), report(folder, "gm.html"), folder / "form.html"):
        assert overflowing(browser, file, wide) + browser.complaints == [], file.name


@pytest.mark.package("chromium", PROGRAM)
@pytest.mark.long  # the short run looks at pages of the same templates that are shorter
@pytest.mark.parametrize("wide", [360, 1280])
def test_its_pages_shut_nobody_out(browser: Browser, folder: Path, wide: int) -> None:
    for file in (report(folder, "examplia.html"), folder / "form.html"):
        assert shut_out(browser, file, wide) == [], file.name
