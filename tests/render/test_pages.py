"""The page of a report: what stands on its first screen, its structure, and what axe-core and the Nu Html Checker say of it."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kingdom.games.realm.state import World
from kingdom.mail.outgoing.posting import LINKS
from kingdom.render.ascii_pages import as_ascii
from tests.games.realm.kit import world_of
from tests.games.realm.reportkit import FACTS, files_of, the_files, the_turn, turn_of, words
from tests.kit.browser import PROGRAM, Browser
from tests.kit.pagekit import OPENED, barriers
from tests.kit.rows import sampled
from tests.render.test_reports import Skeleton

HEADING = re.compile(r"h[1-6]")
PAST = [
    {"turn": turn, "treasury": 40 + turn, "unrest": turn % 3, "size": 5, "economy": 6, "loyalty": 5, "stability": turn}
    for turn in range(9)
]
STATES = {  # of a kingdom: each has a page of its own kind
    "destroyed": {"hexes": {}},
    "anarchy": {"unrest": 19, "attributes": {"economy": -3, "loyalty": -3, "stability": -9}},
    "asked": {
        "unrest": 11,
        "hexes": {"0403": ["farm"], "0404": [], "0405": []},
        "settlements": {"Oakhold": {"hex": "0404"}},
        "capital": "Oakhold",
    },
}


@cache
def pages() -> dict[str, str]:
    """What is looked at -> its page: the turn in which nearly everything happens, with a past, and kingdoms in other states."""
    found = {
        name: page
        for name, page in files_of(the_turn(), FACTS._replace(history={"examplia": PAST})).items()
        if name == "examplia.html"
    }
    for state, kingdom in STATES.items():
        found[f"{state}.html"] = files_of(turn_of(world_of({"examplia": kingdom, "borderia": {}})))["examplia.html"]
    landless = turn_of(turn_of(_alone()).after)
    return {
        **found,
        "landless.html": files_of(landless)["examplia.html"],
        "stranger.html": the_files()["cravonia.html"],
    }


def _alone() -> World:
    return world_of(
        {
            "examplia": {
                "capital": "Oakhold",
                "settlements": {"Oakhold": {"hex": "0404"}},
                "hexes": {"0404": []},
                "unrest": 11,
            }
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("pages")
    for name, page in pages().items():
        (place / name).write_text(page, encoding="utf-8")
    return place


# --- structure


@pytest.mark.parametrize("name", sorted(pages()))
def test_headings_begin_with_one_and_skip_no_level(name: str) -> None:
    levels = [
        int(mark[0][1])
        for mark in Skeleton(pages()[name]).marks
        if isinstance(mark, tuple) and HEADING.fullmatch(mark[0])
    ]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


@pytest.mark.parametrize("name", sorted(pages()))
def test_tables_have_a_caption_or_headed_columns_and_a_page_its_landmarks(name: str) -> None:
    page = pages()[name]
    assert all("<caption" in table and 'scope="' in table for table in re.findall(r"(?s)<table.*?</table>", page))
    assert [page.count(mark) for mark in ("<header", "<main", "<footer", "<nav")] == [1, 1, 1, 1]
    assert 'href="#report"' in page and "<script" not in page


def test_the_first_tier_stands_open_and_the_second_is_folded() -> None:
    page = pages()["examplia.html"]
    first, everything, second = page.partition('id="examplia-everything"')
    assert everything and re.findall(r'<h2 id="examplia-(\w+)"', first) == ["happened", "told", "news"]
    assert "<details" not in first and second.count('<details class="tier">') == second.count("<details")
    folded = re.findall(r'<section id="examplia-(\w+)">', second)
    assert folded == ["form", "odds", "sheet", "dice", "land", "turn", "record", "rules"]
    assert re.findall(r'<a href="#examplia-(\w+)">', page) == ["orders", "everything"]


def test_there_is_one_place_for_the_links_of_a_mail_and_nothing_in_it() -> None:
    page = pages()["examplia.html"]
    assert page.count(LINKS) == 1 and page.index('class="news"') < page.index(LINKS) < page.index("<figure")


def test_the_map_has_the_capital_in_its_middle_and_is_drawn_once() -> None:
    page = pages()["examplia.html"]
    assert page.count('id="m2-land"') == 1 and page.count('href="#m2-land"') == 1
    assert 'viewBox="' in page.partition("<figure")[2].partition("<title>The land around 0303</title>")[0]


# --- each state of a kingdom


def test_each_state_of_a_kingdom_says_what_it_means() -> None:
    said = {name: words(page) for name, page in pages().items()}
    assert (
        "The kingdom is destroyed. It gives no more orders." in said["destroyed.html"]
        and "are due" not in said["destroyed.html"]
    )
    assert "Anarchy: turn 2 is lost. Orders are void, no check succeeds," in said["anarchy.html"]
    assert "You hold no land: claim any one hex and found a settlement in turn 3" in said["landless.html"]
    assert (
        "Answer Unrest costs the kingdom a hex: which one? You can say: 0403, 0405. If you do not reply: 0405."
        in said["asked.html"]
    )


# --- the last turns


def test_the_last_turns_are_a_line_beside_the_numbers_and_stand_in_the_sheet() -> None:
    page = words(pages()["examplia.html"])
    assert pages()["examplia.html"].count('<svg class="spark"') == 3
    assert "Turn 0 1 2 3 4 5 6 7 8 Treasury 40 41 42 43 44 45 46 47 48" in page
    text = files_of(the_turn(), FACTS._replace(history={"examplia": PAST}))["examplia.txt"]
    assert (
        "  At the end of turn     0     1     2     3     4     5     6     7     8\n  Treasury              40    41"
        in text
    )


def test_nobody_sees_the_last_turns_of_another() -> None:
    files = files_of(the_turn(), FACTS._replace(history={"examplia": PAST}))
    assert "At the end of turn" not in files["borderia.txt"]


# --- in the browser


@pytest.mark.package("chromium", PROGRAM)
def test_what_happened_begins_on_the_first_screen_and_the_first_tier_ends_after_three(
    browser: Browser, folder: Path
) -> None:
    for name in pages():
        browser.show(folder / name, 360, 800)
        assert browser.ask("document.querySelector('[id$=-happened]').getBoundingClientRect().top") <= 800, name
        assert browser.ask("document.querySelector('[id$=-everything]').getBoundingClientRect().top") <= 2400, name


@pytest.mark.package("chromium", PROGRAM)
def test_on_paper_the_first_tier_takes_two_pages_and_what_is_folded_stands_behind_it(
    browser: Browser, folder: Path
) -> None:
    """Also where the screen is dark: the map is drawn for white paper."""
    for name in ("examplia.html", "asked.html"):
        browser.show(folder / name, 794, 1123, dark=True)
        browser.page.emulate_media(media="print", color_scheme="dark")
        sheets = {}
        for part, style in (
            ("all", "body { margin: 0 }"),
            ("first", ".everything, .everything ~ *, footer { display: none }"),
        ):
            browser.page.add_style_tag(content=style)
            pdf = browser.page.pdf(format="A4")
            sheets[part] = len(re.findall(rb"/Type\s*/Page[^s]", pdf))
        assert 1 <= sheets["first"] <= 2 and sheets["all"] >= sheets["first"] + 2, (name, sheets)
        assert browser.ask("getComputedStyle(document.querySelector('svg.map')).filter") == "none"
        browser.page.emulate_media(media="screen")


@pytest.mark.package("chromium", PROGRAM)
@pytest.mark.parametrize("name", sampled(sorted(pages()), ["examplia.html"]))
def test_axe_finds_nothing_serious(browser: Browser, folder: Path, name: str) -> None:
    for width, dark in ((360, False), (1280, True)) if name == "examplia.html" else ((360, True),):
        browser.show(folder / name, width, dark=dark)
        browser.ask(OPENED)
        assert barriers(browser) == [] and browser.complaints == []
        assert browser.ask("document.documentElement.scrollWidth") <= width


@pytest.mark.package("chromium", PROGRAM)
def test_what_is_folded_is_open_on_paper(browser: Browser, folder: Path) -> None:
    browser.show(folder / "examplia.html", 1280)
    closed = (
        "[...document.querySelectorAll('details:not([open]) table')].map(each => each.getBoundingClientRect().height)"
    )
    browser.page.emulate_media(media="print")
    heights: list[Any] = browser.ask(closed)
    assert heights and min(heights) > 0


def valid_pages() -> list[str]:
    """Held against the HTML checker in tests/render/test_every_page.py, which starts it once for all."""
    return list(pages().values())


def test_a_page_in_ascii_says_the_same() -> None:
    page = (
        '<!DOCTYPE html><title>Zwölf 字 😀</title><p>&lt;é<script type="application/json">{"a":"ö😀"}</script><b>ñ</b>'
    )
    data = as_ascii(page)
    assert data.isascii() and html.unescape(data.decode()).replace("\\u00f6\\ud83d\\ude00", "ö😀") == html.unescape(
        page
    )
    assert json.loads(data.decode().partition('json">')[2].partition("</script>")[0]) == {"a": "ö😀"}
    assert as_ascii("<p>plain") == b"<p>plain"
