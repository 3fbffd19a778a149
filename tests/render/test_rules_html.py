"""The rules as a page: every game's, with contents that lead somewhere, and nothing that a campaign's own words could put into it."""

from __future__ import annotations

import re

import pytest

from kingdom.engine.game import load
from kingdom.orders import tables
from kingdom.render import reports, rules_html

GAMES = ("realm", "kings_progress", "royal_progress", "cardinals_guards", "kings_pouch")


@pytest.mark.parametrize("game", GAMES)
def test_every_link_of_the_page_leads_to_a_place_in_it(game: str) -> None:
    of = load(game)
    page, headings = rules_html.page_of(reports.rules_page(of, tables.load(of)))
    places = re.findall(r' id="([^"]+)"', page)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(places)
    assert not re.findall(r'href="(?!#|https?:)', page) and "&lt;a id" not in page
    assert [heading.level for heading in headings].count(1) == 1 and headings[0].level == 1
    assert "<table>" in page and "|---" not in page


def test_html_and_links_in_a_campaigns_own_words_are_shown_as_text() -> None:
    page, _ = rules_html.page_of(
        '# A <b>x</b>\n\n| a |\n|---|\n| <script>x()</script> [y](javascript:z) <a id="q"></a> |\n'
    )
    assert "<script" not in page and "<b>" not in page and "href" not in page
