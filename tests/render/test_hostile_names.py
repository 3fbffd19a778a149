"""Whatever kingdoms, players, a campaign and messages are called: in every game pages stay text, in their width, and whole."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kingdom.cli.main import main
from kingdom.engine import game as games
from kingdom.orders.places import templates
from kingdom.render.plain_text import width
from tests.kit.browser import PROGRAM, Browser
from tests.kit.gamekit import NEW, up_to_three
from tests.kit.pagekit import overflowing, reports_of

NAMES = (  # of kingdoms and of who plays them, each at most as long as a name may be
    '<script>alert(1)</script>"><img src=x onerror=alert(1)>',
    "W" * 60,
    "王国の民" * 15,
    "\u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627 \U0001f3b2\U0001f4a5" * 4,
    "{{ 7 * 7 }}{% for x in y %} --> </style></svg></pre>",
)
CAMPAIGN = "<b>王国</b>" * 9 + "W" * 39
TEXT = "\u05d0\u05d1 " + "</script></pre>" * 4 + "W" * 300
BOARD_GAMES = [  # test_reports.py has the kingdom game
    name for name in games.names() if name != "realm" and games.bots(name) and (templates() / name).is_dir()
]


@pytest.fixture(scope="module", params=BOARD_GAMES)
def campaign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two turns of a game: one seat writes, the others are bots'; the next turn's forms, the review and the chronicle beside them."""
    folder = tmp_path_factory.mktemp(request.param)
    files = games.load(request.param).opening.new(up_to_three(request.param), NEW)
    told = yaml.safe_load(files["campaign.yaml"])
    bot = games.bots(request.param)[0]
    named = dict(zip(told["players"], NAMES[BOARD_GAMES.index(request.param) % 2 :] + NAMES, strict=False))
    told |= {
        "name": CAMPAIGN,
        "public_seed": True,
        "players": {seat: {"name": name, "bot": bot} for seat, name in named.items()},
    }
    writer = list(named)[-1]
    del told["players"][writer]["bot"]
    files = {
        **files,
        "campaign.yaml": _yaml(told),
        **{f"kingdoms/{seat}.yaml": _yaml({"name": name}) for seat, name in named.items()},
    }
    for turn in (1, 2):
        files[f"orders/{turn:04}/{writer}.yaml"] = _yaml({"kingdom": writer, "turn": turn, "messages": {"all": TEXT}})
        files[f"orders/{turn:04}/gm.yaml"] = _yaml({"turn": turn, "tell": {"all": TEXT}})
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    assert main(["turn", str(folder)]) == main(["turn", str(folder), "--turns", "2"]) == 0
    main(["form", str(folder), "--to", str(folder / "forms")])
    assert main(["ledger", str(folder), "--html", str(folder / "ledger.html")]) == 0
    assert main(["chronicle", str(folder), str(folder / "chronicle")]) == 0
    return folder


def _yaml(data: object) -> str:
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False)


def test_text_keeps_to_its_columns(campaign: Path) -> None:
    wide = [
        (str(file), line)
        for file in campaign.rglob("reports/*.txt")
        for line in file.read_text(encoding="utf-8").split("\n")
        if width(line) > 78 and not line.startswith("  kingdom dice ")
    ]
    assert wide == []


def test_names_are_text(campaign: Path) -> None:
    pages = [page.read_text(encoding="utf-8") for page in campaign.rglob("*.html")]
    assert len(pages) > 20
    assert not any(
        evil in page for page in pages for evil in ("<script>alert", "<img src=x", "<b>王国", "</script></pre>")
    )


@pytest.mark.package("chromium", PROGRAM)
@pytest.mark.parametrize(
    ("width", "every"), [(360, 2), *(pytest.param(width, 1, marks=pytest.mark.long) for width in (360, 1280))]
)
def test_pages_fit_and_nothing_in_them_is_run(browser: Browser, campaign: Path, width: int, every: int) -> None:
    """every: one in so many of the pages, the GM's report and the form among them."""
    chronicle = [
        page
        for page in sorted((campaign / "chronicle").rglob("*.html"))
        if page.parent.name != "0001" and page.name != "report.html"
    ]
    pages = [
        *reports_of(campaign, [-1]),
        campaign / "ledger.html",
        *chronicle[:6],
        *sorted(campaign.glob("forms/*.html"))[-1:],
    ]
    found = {str(page.relative_to(campaign)): overflowing(browser, page, width) for page in pages[1::every]}
    assert {page: amiss for page, amiss in found.items() if amiss} == {}
