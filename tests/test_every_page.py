"""Every page of every example campaign, in the real Chromium and by the real checkers."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

import pytest

from tests.browser import PROGRAM, Browser
from tests.pagekit import invalid, overflowing, reports_of, shut_out

CAMPAIGNS = sorted(folder for folder in (Path(__file__).parent.parent / "campaigns").iterdir() if (folder / "turns").is_dir())
NAMES = [folder.name for folder in CAMPAIGNS]
pytestmark = pytest.mark.package("chromium", PROGRAM)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("campaign", CAMPAIGNS, ids=NAMES)
def test_every_report_opens_and_fits(browser: Browser, campaign: Path, width: int) -> None:
    found = {str(page.relative_to(campaign)): overflowing(browser, page, width) for page in reports_of(campaign)}
    assert found and {page: amiss for page, amiss in found.items() if amiss} == {}


@pytest.mark.parametrize("campaign", CAMPAIGNS, ids=NAMES)
def test_no_report_shuts_anybody_out(browser: Browser, campaign: Path) -> None:
    """The start and the newest turn, by day; a page by night too."""
    found = {str(page.relative_to(campaign)): shut_out(browser, page) for page in reports_of(campaign, [0, -1])}
    found["by night"] = shut_out(browser, reports_of(campaign, [-1])[0], dark=True)
    assert {page: amiss for page, amiss in found.items() if amiss} == {}


@pytest.mark.package("default-jre-headless", "java")
def test_every_report_is_valid_html() -> None:
    assert invalid(page for campaign in CAMPAIGNS for page in reports_of(campaign)) == []
