"""Every page of every example campaign, in the real Chromium and by the real checkers: reports, the GM's books, order forms, the
review of the ledger, the chronicle."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from kingdom.cli.main import main
from tests.kit import archives
from tests.kit.browser import PROGRAM, Browser
from tests.kit.pagekit import invalid, overflowing, reports_of, shut_out

TESTS = Path(__file__).parents[1]
CAMPAIGNS = archives.every_example()
pytestmark = pytest.mark.package("chromium", PROGRAM)


SHORT = ("greenmarch", "the-kings-pouch")  # whose pages the short run looks at, some of each


def rows(*widths: int) -> list[Any]:
    """(campaign, whether every page of it is looked at, width): in the short run some pages of some campaigns, on a phone."""
    return [
        pytest.param(
            folder,
            every,
            *width,
            id=f"{folder.name}-{'every' if every else 'some'}{''.join(f'-{one}' for one in width)}",
            marks=() if not every and width in ((), (360,)) else pytest.mark.long,
        )
        for folder in CAMPAIGNS
        for every in (False, True)
        if every or folder.name in SHORT
        for width in ([(one,) for one in widths] or [()])
    ]


every_campaign = pytest.mark.parametrize(("campaign", "every"), rows())
on_a_screen = pytest.mark.parametrize(("campaign", "every", "width"), rows(360, 1280))


REPORTS_LOOKED_AT = ("normandy", "the-kings-pouch")


def every_other(pages: Sequence[Path], campaign: Path) -> list[Path]:
    """Every other page, beginning at another one for the next campaign."""
    return list(pages[CAMPAIGNS.index(campaign) % 2 :: 2])


def some_reports(campaign: Path) -> list[Path]:
    """Of each campaign the first seat's first report, the newest of the last seat and the GM's book."""
    first, newest = ([page for page in reports_of(campaign, [turn]) if page.stem != "gm"] for turn in (1, -1))
    return [first[0], newest[-1], *reports_of(campaign, [-1], "gm")]


class Made:
    """The pages that commands make of each campaign, made once, when the first test asks for them."""

    def __init__(self, folder: Path):
        self.folder, self._of = folder, {}

    def of(self, campaign: Path) -> list[Path]:
        """Its pages; of a campaign that is over there are no forms."""
        if campaign.name not in self._of:
            self._of[campaign.name] = self._make(campaign, self.folder / campaign.name)
        return self._of[campaign.name]

    def _make(self, campaign: Path, folder: Path) -> list[Path]:
        folder.mkdir()
        main(["form", str(campaign), "--to", str(folder / "forms")])
        assert main(["ledger", str(campaign), "--html", str(folder / "ledger.html")]) == 0
        assert main(["chronicle", str(campaign), str(folder / "chronicle")]) == 0
        reports = {file.read_bytes() for file in reports_of(campaign)}  # which are looked at where they are kept
        return [page for page in sorted(folder.rglob("*.html")) if page.read_bytes() not in reports]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("made"))


@on_a_screen
def test_every_report_opens_and_fits(browser: Browser, campaign: Path, every: bool, width: int) -> None:
    """Some: the newest report of a seat and the GM's."""
    pages = reports_of(campaign) if every else some_reports(campaign)[1:]
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
    browser: Browser, campaign: Path, made: Made, every: bool, width: int
) -> None:
    """Some: one page of every other kind, other kinds for the next campaign."""
    kept = kinds(made.of(campaign))
    assert len(kept) > 3
    pages = made.of(campaign) if every else every_other(list(kept.values()), campaign)
    found = {str(page): overflowing(browser, page, width) for page in pages}
    assert {page: amiss for page, amiss in found.items() if amiss} == {}


@every_campaign
def test_no_page_shuts_anybody_out(browser: Browser, campaign: Path, made: Made, every: bool) -> None:
    """The newest turn's reports and the other pages that are of no turn, by day and by night.

    Some: a seat's report of games whose modules don't ask this of their reports in a real turn; of the others one of the other
    pages, not the same kind for each. Forms have tests of their own.
    """
    reports = reports_of(campaign, [-1])
    others = [page for page in made.of(campaign) if not page.parent.name.isdigit()]
    if not every:
        number = CAMPAIGNS.index(campaign)
        reports = some_reports(campaign)[1:2] if campaign.name in REPORTS_LOOKED_AT else []
        others = [page for kind, page in kinds(others).items() if kind != "forms"]
        others = [] if reports else [others[number // 2 % len(others)]]
    found = {str(page): shut_out(browser, page, both=True, whole=every) for page in reports}
    found |= {str(page): shut_out(browser, page, both=True, whole=every) for page in others}
    assert {page: amiss for page, amiss in found.items() if amiss} == {}


@pytest.mark.long
@pytest.mark.package("default-jre-headless", "java")
def test_every_page_is_valid_html(made: Made, tmp_path: Path) -> None:
    pages = [page for campaign in CAMPAIGNS for page in (*reports_of(campaign), *made.of(campaign))]
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
