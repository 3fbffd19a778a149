"""Reports as they stand in a mail, on a phone 360 pixels wide: nothing is broken, nothing hangs over the edge."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kingdom.campaign.campaign import kept, open_campaign
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import mail_page, posting, reporting
from tests.kit import archives
from tests.kit.browser import PROGRAM, Browser
from tests.kit.rows import sampled

pytestmark = pytest.mark.package("chromium", PROGRAM)

CAMPAIGNS = archives.every_example()
NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
# The words, and the figures with their units, that do not stand on one line. The 64 digits of a commitment may break: they fit no phone.
BROKEN = r"""(() => {
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  const lines = () => new Set([...range.getClientRects()].filter(box => box.width > 0).map(box => Math.round(box.top / 6))).size;
  for (let node; node = texts.nextNode();)
    for (const word of node.data.matchAll(/\d+[ \u00a0](?:BP|%)|[^\s\u2010-\u2015\/-]+/gu)) {
      range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
      if (lines() > 1 && !/^[0-9a-f]{64}$/.test(word[0])) found.push(word[0]);
    }
  return found;
})()"""


def inline(folder: Path) -> str:
    """The HTML of the mail with the newest report of a campaign's first seat."""
    campaign = open_campaign(folder)
    turn = kept(campaign)
    seat = turn.record.seats[0]
    view = posting.head_of(campaign, Journal(folder / "nothing"), turn, seat, NOW)
    page = reporting.report(turn, seat, "html").decode()
    return posting.inline(view, reporting.text_of(campaign, turn, seat), page)[1]


@pytest.mark.parametrize("folder", sampled(CAMPAIGNS, CAMPAIGNS[1::3]), ids=lambda folder: folder.name)
def test_no_word_no_hex_and_no_figure_is_broken(browser: Browser, tmp_path: Path, folder: Path) -> None:
    (tmp_path / "mail.html").write_text(inline(folder), encoding="utf-8")
    browser.show(tmp_path / "mail.html", 360)
    assert browser.ask(BROKEN) == []
    assert browser.ask("document.documentElement.scrollWidth") <= 360


def test_a_wide_table_is_moved_by_itself_and_a_figure_keeps_its_unit() -> None:
    page = "<body><table><tr><th>0404</th><td>-12</td><td>for 4 BP or 20 % more</td></tr></table></body>"
    html = mail_page.body_of(page, 10_000, "id").html
    assert html.startswith('<div style="overflow-x:auto"><table>') and html.rstrip().endswith("</table></div>")
    assert re.findall(r"<t[hd] nowrap>([^<]*)<", html) == ["0404", "-12"]
    assert "4\u00a0BP" in html and "20\u00a0% more" in html
