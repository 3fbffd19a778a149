"""Every page of every example campaign, in the real Chromium and by the real checkers: reports, the GM's books, order forms, the
review of the ledger, the chronicle."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from kingdom.cli.main import main
from tests.kit.browser import PROGRAM, Browser
from tests.kit.pagekit import invalid, overflowing, reports_of, shut_out

TESTS = Path(__file__).parents[1]
CAMPAIGNS = sorted(
    folder for folder in (Path(__file__).parents[2] / "campaigns").iterdir() if (folder / "turns").is_dir()
)
every_campaign = pytest.mark.parametrize("campaign", CAMPAIGNS, ids=[folder.name for folder in CAMPAIGNS])
pytestmark = pytest.mark.package("chromium", PROGRAM)


looked_at = pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "every"])
# In the short run all campaigns on a phone, every other one on a desk.
on_a_screen = pytest.mark.parametrize(
    ("campaign", "every", "width"),
    [
        pytest.param(
            folder,
            every,
            width,
            id=f"{folder.name}-{'every' if every else 'some'}-{width}",
            marks=pytest.mark.long if every or width == 1280 and number % 2 else (),
        )
        for number, folder in enumerate(CAMPAIGNS)
        for every in (False, True)
        for width in (360, 1280)
    ],
)


REPORTS_LOOKED_AT = ("normandy", "the-kings-pouch", "war-of-the-ford")


def turns_about(pages: Sequence[Path], campaign: Path, every: int = 1) -> list[Path]:
    """One of the pages for each campaign, by turns; or one in so many, beginning at another page for each campaign."""
    number = CAMPAIGNS.index(campaign)
    return [pages[number % len(pages)]] if every == 1 else list(pages[number % every :: every])


def some_reports(campaign: Path) -> list[Path]:
    """Of each campaign the first seat's first report, the newest of the last seat and the GM's book."""
    first, newest = ([page for page in reports_of(campaign, [turn]) if page.stem != "gm"] for turn in (1, -1))
    return [first[0], newest[-1], *reports_of(campaign, [-1], "gm")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Campaign -> the pages that commands make of it; of a campaign that is over there are no forms."""
    found = {}
    for campaign in CAMPAIGNS:
        folder = tmp_path_factory.mktemp(campaign.name)
        main(["form", str(campaign), "--to", str(folder / "forms")])
        assert main(["ledger", str(campaign), "--html", str(folder / "ledger.html")]) == 0
        assert main(["chronicle", str(campaign), str(folder / "chronicle")]) == 0
        reports = {file.read_bytes() for file in reports_of(campaign)}  # which are looked at where they are kept
        found[campaign.name] = [page for page in sorted(folder.rglob("*.html")) if page.read_bytes() not in reports]
    return found


@on_a_screen
def test_every_report_opens_and_fits(browser: Browser, campaign: Path, every: bool, width: int) -> None:
    """In the short run the newest report of a seat and the GM's on a phone, one of them on a desk."""
    pages = reports_of(campaign) if every else some_reports(campaign)[1:]
    pages = pages if every or width == 360 else turns_about(pages, campaign)
    found = {str(page.relative_to(campaign)): overflowing(browser, page, width) for page in pages}
    assert found and {page: amiss for page, amiss in found.items() if amiss} == {}


def kinds(pages: Sequence[Path]) -> dict[str, Path]:
    """Kind -> its last page: the contents of the chronicle, a book of it, a turn in it, a form, the review of the ledger."""
    found = {}
    for page in pages:
        turns = page.parent.name.isdigit()
        found[
            "turn" if turns else page.parent.name if page.parent.name in ("chronicle", "public", "forms") else page.name
        ] = page
    return found


@on_a_screen
def test_every_page_that_a_command_makes_opens_and_fits(
    browser: Browser, campaign: Path, made: dict[str, list[Path]], every: bool, width: int
) -> None:
    """In the short run one page of every other kind on a phone, other kinds for the next campaign; a form or another one on a desk."""
    kept = kinds(made[campaign.name])
    pages = made[campaign.name] if every else list(kept.values())
    assert len(pages) > 3
    if not every:
        forms = [page for kind, page in kept.items() if kind == "forms"]
        pages = turns_about(pages, campaign, 2) if width == 360 else forms or turns_about(pages, campaign)
    found = {str(page): overflowing(browser, page, width) for page in pages}
    assert {page: amiss for page, amiss in found.items() if amiss} == {}


@looked_at
@every_campaign
def test_no_page_shuts_anybody_out(browser: Browser, campaign: Path, made: dict[str, list[Path]], every: bool) -> None:
    """The newest turn's reports by day and by night, and the other pages that are of no turn.

    In the short run a seat's report of three games, whose modules don't ask this of their reports in a real turn; of the
    other campaigns one of the other pages, not the same kind for each. Forms have tests of their own.
    """
    reports = reports_of(campaign, [-1])
    others = [page for page in made[campaign.name] if not page.parent.name.isdigit()]
    if not every:
        number = CAMPAIGNS.index(campaign)
        reports = some_reports(campaign)[1:2] if campaign.name in REPORTS_LOOKED_AT else []
        others = [page for kind, page in kinds(others).items() if kind != "forms"]
        others = [] if reports else [others[number // 2 % len(others)]]
    found = {str(page): shut_out(browser, page, both=True, whole=every) for page in reports}
    found |= {str(page): shut_out(browser, page, whole=every) for page in others}
    assert {page: amiss for page, amiss in found.items() if amiss} == {}


@looked_at
@pytest.mark.package("default-jre-headless", "java")
def test_every_page_is_valid_html(made: dict[str, list[Path]], every: bool, tmp_path: Path) -> None:
    pages = [
        page
        for campaign in CAMPAIGNS
        for page in (
            [*reports_of(campaign), *made[campaign.name]]
            if every
            else [*some_reports(campaign), *kinds(made[campaign.name]).values()]
        )
    ]
    assert invalid([*pages, *other_pages(tmp_path)]) == []


def other_pages(folder: Path) -> list[Path]:
    """The pages that other modules have for the checker: of other states, with other names. Each has a function for it."""
    found = []
    for module in sorted(TESTS.rglob("test_*.py")):
        if "\ndef valid_pages(" not in module.read_text(encoding="utf-8"):
            continue
        name = ".".join(module.relative_to(TESTS).with_suffix("").parts)
        valid_pages = import_module(f"tests.{name}").valid_pages
        made = valid_pages(folder / name) if signature(valid_pages).parameters else valid_pages()
        for number, page in enumerate(made):
            found.append(folder / f"{name} {number}.html")
            found[-1].write_text(page, encoding="utf-8")
    assert found
    return found
