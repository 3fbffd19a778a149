"""Every page of every example campaign, in the real Chromium and by the real checkers: reports, the GM's books, order forms, the
review of the ledger, the chronicle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kingdom.cli.main import main
from tests.kit.browser import PROGRAM, Browser
from tests.kit.pagekit import invalid, overflowing, reports_of, shut_out

CAMPAIGNS = sorted(
    folder for folder in (Path(__file__).parents[2] / "campaigns").iterdir() if (folder / "turns").is_dir()
)
every_campaign = pytest.mark.parametrize("campaign", CAMPAIGNS, ids=[folder.name for folder in CAMPAIGNS])
pytestmark = pytest.mark.package("chromium", PROGRAM)


SOME = (1, 8, -1)  # turns whose reports are looked at in the short run; the long one looks at all
looked_at = pytest.mark.parametrize(
    "turns", [SOME, pytest.param(None, marks=pytest.mark.long)], ids=["some turns", "every turn"]
)


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


@pytest.mark.parametrize("width", [360, 1280])
@looked_at
@every_campaign
def test_every_report_opens_and_fits(browser: Browser, campaign: Path, turns: Sequence[int] | None, width: int) -> None:
    found = {str(page.relative_to(campaign)): overflowing(browser, page, width) for page in reports_of(campaign, turns)}
    assert found and {page: amiss for page, amiss in found.items() if amiss} == {}


def one_of_each_kind(pages: Sequence[Path]) -> list[Path]:
    """Of the pages of a turn the last; each seat's form, and every page of another name."""
    return list(
        {
            page.parent.name if page.parent.name.isdigit() else f"{page.parent.name}/{page.name}": page
            for page in pages
        }.values()
    )


@pytest.mark.parametrize("width", [360, 1280])
@looked_at
@every_campaign
def test_every_page_that_a_command_makes_opens_and_fits(
    browser: Browser, campaign: Path, made: dict[str, list[Path]], turns: Sequence[int] | None, width: int
) -> None:
    pages = one_of_each_kind(made[campaign.name])[-12:] if turns else made[campaign.name]
    found = {str(page): overflowing(browser, page, width) for page in pages}
    assert len(pages) > 3 and {page: amiss for page, amiss in found.items() if amiss} == {}


@looked_at
@every_campaign
def test_no_page_shuts_anybody_out(
    browser: Browser, campaign: Path, made: dict[str, list[Path]], turns: Sequence[int] | None
) -> None:
    """The newest turn's reports, the other pages that are of no turn; a page by night too. In the short run a report and two of the others."""
    of_seats = [page for page in reports_of(campaign, [-1]) if page.stem != "gm"]
    most, reports = (2, of_seats[:1]) if turns else (6, reports_of(campaign, [-1]))
    others = [page for page in one_of_each_kind(made[campaign.name]) if not page.parent.name.isdigit()][:most]
    found = {str(page): shut_out(browser, page) for page in [*reports, *others]}
    found["by night"] = shut_out(browser, of_seats[-1], dark=True)
    assert {page: amiss for page, amiss in found.items() if amiss} == {}


@looked_at
@pytest.mark.package("default-jre-headless", "java")
def test_every_page_is_valid_html(made: dict[str, list[Path]], turns: Sequence[int] | None) -> None:
    pages = {
        campaign: one_of_each_kind(made[campaign.name]) if turns else made[campaign.name] for campaign in CAMPAIGNS
    }
    assert invalid([page for campaign in CAMPAIGNS for page in [*reports_of(campaign, turns), *pages[campaign]]]) == []
