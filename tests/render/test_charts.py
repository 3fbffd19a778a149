"""Charts: they are drawn to scale, say all they show in words, and no text of theirs is markup."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from kingdom.render import charts
from kingdom.render.charts import Point, Series
from kingdom.render.plain_text import cleaned

SVG = "{http://www.w3.org/2000/svg}"
POINTS = [Point("1", 10), Point("2", 30), Point("3", 20)]


def test_a_line_goes_up_where_the_figure_does() -> None:
    (line,) = ElementTree.fromstring(charts.line("a", "Treasury", POINTS)).iter(f"{SVG}polyline")
    places = [tuple(map(float, place.split(","))) for place in line.attrib["points"].split()]
    across, down = zip(*places, strict=True)
    assert across[1] - across[0] == pytest.approx(across[2] - across[1], abs=0.11)
    assert down[1] < down[2] < down[0] and down[2] - down[1] == pytest.approx(down[0] - down[2], abs=0.11)


def test_a_course_is_the_figures_themselves_and_breaks_where_there_is_none() -> None:
    assert charts.course(3, [5, 7, 7, -1]) == "M3 -5h0l 1-2 1+0 1+8"
    assert charts.course(0, [None, 4, None, 0]) == "M1 -4h0lM3 0h0l"


def test_each_says_in_words_what_it_shows() -> None:
    assert '<title id="a-title">Treasury</title><desc id="a-said">1: 10, 2: 30, 3: 20</desc>' in charts.line(
        "a", "Treasury", POINTS
    )
    two = charts.lines("b", "Both", ["1", "2"], [Series("Examplia", [1, 2], 0), Series("Borderia", [None, 4], 1)])
    assert "Examplia: 1 at first, 2 at last. Borderia: 4 at first, 4 at last" in two


def test_each_of_several_lines_has_its_name_at_its_end_and_no_name_covers_another() -> None:
    series = [Series(f"Land {number}", [3, 5], number) for number in range(12)]
    drawn = ElementTree.fromstring(charts.lines("a", "Size", ["1", "2"], series))
    rows = [float(text.attrib["y"]) for text in drawn.iter(f"{SVG}text") if "Land" in (text.text or "")]
    assert len(rows) == 12 and min(above - below for above, below in pairwise(sorted(rows, reverse=True))) >= 12
    assert min(rows) > 0 and len({line.attrib["style"] for line in drawn.iter(f"{SVG}polyline")}) == 12


def test_a_line_that_has_no_figure_is_not_drawn() -> None:
    drawn = charts.lines("a", "Size", ["1"], [Series("Gone", [None], 0)])
    assert "Gone" not in "".join(ElementTree.fromstring(drawn).itertext())


def test_one_figure_and_none_and_figures_that_are_the_same_are_drawn() -> None:
    for points in ([], POINTS[:1], [Point("1", 0), Point("2", 0)], [Point("1", -5), Point("2", -5)]):
        ElementTree.fromstring(charts.line("a", "Treasury", points))


def test_no_text_is_markup() -> None:
    one = charts.line("a", "<script>", [Point('"><img src=x>', 1), Point("&amp;", 2)])
    several = charts.lines("a", "<script>", ['"><img src=x>'], [Series("<script>", [1], 0)])
    for drawn in (one, several):
        assert "<script" not in drawn and "<img" not in drawn
        assert "<script>" in "".join(ElementTree.fromstring(drawn).itertext())


def test_a_drawing_stands_in_a_page_as_it_is() -> None:
    drawing = charts.line("a", "Ténèbres", POINTS)
    assert cleaned({"chart": drawing, "name": "Té\nst"}) == {"chart": drawing, "name": "Té st"}
    assert drawing.__html__() is drawing
