"""The pages in the real Chromium: nothing runs off the side of a phone, nothing is fetched, nothing typed is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.realm.reportkit import the_files
from tests.kit import archives
from tests.kit.browser import PROGRAM, Browser
from tests.kit.rows import sampled
from tests.render.test_reports import HOSTILE, files_with

pytestmark = pytest.mark.package("chromium", PROGRAM)
WAR = archives.example("war-of-the-ford") / "turns" / "0008" / "reports"
WIDTHS = (320, *(pytest.param(width, marks=pytest.mark.long) for width in (360, 768, 1280)))
# What runs off the side of the page, but for what stands in a box of its own that is scrolled sideways.
TOO_WIDE = """
[...document.querySelectorAll('body *')]
  .filter(e => !e.closest('.wide') && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map(e => e.tagName + ' ' + e.textContent.slice(0, 60))
"""
# What is wider than the box that it stands in: words that run over their neighbours.
OVERFLOWING = """
[...document.querySelectorAll('td, th, p, li, dd, pre, summary, h1, h2, h3, h4')]
  .filter(e => !e.closest('.wide') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0)
  .map(e => e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 60))
"""
OPENED = "document.querySelectorAll('details').forEach(e => e.open = true)"


def shown(browser: Browser, folder: Path, page: str, width: int) -> None:
    """Show a page, everything in it unfolded; nothing but the page itself may be fetched."""
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    browser.show(file, width)
    assert browser.fetched == [file.absolute().as_uri()]
    browser.ask(OPENED)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["examplia.html", "cravonia.html", "gm.html"])
def test_nothing_runs_off_the_side_of_a_page(browser: Browser, tmp_path: Path, name: str, width: int) -> None:
    shown(browser, tmp_path, the_files()[name], width)
    assert browser.ask("innerWidth") == width
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask(TOO_WIDE) == []
    assert browser.ask(OVERFLOWING) == []


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(["hartmark.html", "wendwater.html", "gm.html"], ["hartmark.html", "gm.html"]))
def test_nothing_of_a_war_runs_off_the_side_of_a_phone(browser: Browser, tmp_path: Path, name: str) -> None:
    """Armies, battles, routes, expeditions and events, in a turn that has them all."""
    shown(browser, tmp_path, (WAR / name).read_text(encoding="utf-8"), 360)
    assert browser.ask("document.documentElement.scrollWidth") <= 360
    assert browser.ask(TOO_WIDE) == [] and browser.ask(OVERFLOWING) == []


KINDS = [kind for kind in HOSTILE if kind != "blank"]
PAGES = ("examplia.html", "gm.html")


@pytest.mark.parametrize("both", [False, pytest.param(True, marks=pytest.mark.long)], ids=["one", "both"])
@pytest.mark.parametrize("kind", sampled(KINDS, ["markup", "template", "wide"]))
def test_no_text_that_people_type_breaks_a_page(browser: Browser, tmp_path: Path, kind: str, both: bool) -> None:
    """In the short run a player's report or the GM's, by turns."""
    browser_says, pages = {}, PAGES if both else (PAGES[KINDS.index(kind) % 2],)
    for name in pages:
        shown(browser, tmp_path, files_with(HOSTILE[kind])[name], 360)
        browser_says[name] = browser.ask("document.documentElement.scrollWidth"), browser.ask(TOO_WIDE)
        assert browser.ask("document.scripts.length + document.images.length") == 0
    assert browser_says == dict.fromkeys(pages, (360, []))


@pytest.mark.parametrize("width", WIDTHS)
def test_no_name_breaks_in_the_tables_of_the_gms_book(browser: Browser, tmp_path: Path, width: int) -> None:
    shown(browser, tmp_path, files_with("Upper Nethercombe-on-the-Water, the Old")["gm.html"], width)
    names = "[...document.querySelectorAll('.health tbody th, .sheets tbody th')].map(e => e.firstChild.getClientRects().length)"
    assert set(browser.ask(names)) == {1}
    assert browser.ask("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("name", PAGES)
def test_ink_stands_out_from_paper_by_day_and_by_night(browser: Browser, tmp_path: Path, name: str) -> None:
    """At least 4.5 to 1, as the WCAG ask of text."""
    file = tmp_path / "page.html"
    file.write_text(the_files()[name], encoding="utf-8")
    for dark in (False, True):
        browser.show(file, 360, dark=dark)
        paper = luminance(browser.ask("getComputedStyle(document.body).backgroundColor"))
        assert (paper < 0.2) == dark
        for mark in ("body", ".soft", ".bad", ".good", ".mark", "a", "h2", "thead th"):
            ink = luminance(browser.ask(f"getComputedStyle(document.querySelector('{mark}')).color"))
            light, shade = max(ink, paper), min(ink, paper)
            assert (light + 0.05) / (shade + 0.05) >= 4.5, (mark, dark)


def luminance(colour: str) -> float:
    """Of "rgb(1, 2, 3)", 0 to 1."""
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
