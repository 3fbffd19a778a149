"""SVG drawn as PNG: the right size, the right colours, and letters on a machine that has none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kingdom.games.realm.report.maps.drawing import haloed, labelled
from kingdom.render import pictures
from tests.kit.pngkit import pixels

RED_AND_PAPER = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="20" height="10" fill="#fff"/><rect width="10" height="10" fill="#c00000"/></svg>'
EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><rect width="80" height="20" fill="#fff"/>{}</svg>'
WORD = '<text x="4" y="15" font-size="14" font-family="\'Source Sans Pro\',sans-serif">{}</text>'


def dark(png: bytes) -> int:
    """How many pixels are nearly black."""
    return sum(sum(pixel) < 200 for row in pixels(png) for pixel in row)


def test_a_picture_is_as_wide_as_was_asked_for_and_keeps_its_shape_and_colours() -> None:
    rows = pixels(pictures.png(RED_AND_PAPER, 40))
    assert (len(rows[0]), len(rows)) == (40, 20)
    assert rows[10][5] == (0xC0, 0, 0) and rows[10][35] == (255, 255, 255)


def test_a_picture_for_a_mail_has_hard_edges_and_so_fewer_colours_and_bytes() -> None:
    round_shapes = EMPTY.format("".join(f'<circle cx="{x}" cy="10" r="7" fill="#c00000"/>' for x in range(8, 80, 16)))
    smooth, small = pictures.png(round_shapes, 640), pictures.png(round_shapes, 640, small=True)
    assert {pixel for row in pixels(small) for pixel in row} == {(0xC0, 0, 0), (255, 255, 255)}
    assert len(small) < len(smooth)


def test_a_picture_for_a_mail_has_256_colours_none_of_them_far_off() -> None:
    """A thousand shades share them: none is dotted, and a mark that is the only purple thing stays purple."""
    shades = "".join(
        f'<rect x="{x * 2}" y="{y * 2}" width="2" height="2" fill="#{150 + x * 2:02x}{140 + y * 3:02x}{120 + x + y:02x}"/>'
        for x in range(40)
        for y in range(30)
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><rect width="80" height="80" rx="8" fill="#eaf0c8"/>{shades}'
        '<path d="M4 66h6v6h-6z" fill="#7a3fa0"/></svg>'
    )
    (large, rows), data = (
        (pixels(pictures.png(svg, 320, small)) for small in (False, True)),
        pictures.png(svg, 320, True),
    )
    assert data[25] == 3, "a palette"
    assert len({pixel for row in rows for pixel in row}) <= 256 < len({pixel for row in large for pixel in row})
    assert len({pixel for row in rows[264:300] for pixel in row[60:300]}) == 1, "the lower part is one colour"
    assert rows[319][0] == large[319][0] == (255, 255, 255), "the corners are white, on a dark page too"
    apart = [
        max(abs(is_now - was) for is_now, was in zip(now, true, strict=True))
        for row, other in zip(rows[20:220], large[20:220], strict=True)
        for now, true in zip(row[20:300], other[20:300], strict=True)
    ]
    assert max(apart) < 12
    assert all(abs(is_now - was) < 12 for is_now, was in zip(rows[276][28], (0x7A, 0x3F, 0xA0), strict=True))


def test_an_edge_and_its_text_are_drawn_at_once_and_look_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    words = haloed("m-names", [labelled(27, 15, "Oakhold"), labelled(68, 15, "4")], 3, ' text-anchor="middle"')
    svg = EMPTY.format(f'<rect width="80" height="20" fill="#5b9a5b"/>{words}')
    assert pictures._EDGE.search(svg)
    once = pixels(pictures.png(svg, 240))
    pictures.png.cache_clear()
    monkeypatch.setattr(pictures, "_EDGE", re.compile("(never)()"))
    twice = pixels(pictures.png(svg, 240))
    apart = [
        max(abs(a - b) for a, b in zip(here, there, strict=True))
        for row, other in zip(once, twice, strict=True)
        for here, there in zip(row, other, strict=True)
    ]
    assert max(apart) < 24 and sum(value > 8 for value in apart) < len(apart) / 500


def test_texts_drawn_as_one_stand_where_each_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Centred, at the end, with letters that `<` and `&` stand for: to the pixel."""
    texts = f'<g text-anchor="middle">{labelled(20, 9, "0304")}{labelled(60, 9, "A & <b>")}</g>' + (
        f'<g text-anchor="end">{labelled(30, 19, "Ärger")}{labelled(76, 19, "x  y")}{labelled(50, 19, "")}</g>'
    )
    assert pictures._TEXTS.search(EMPTY.format(texts))
    once = pixels(pictures.png(EMPTY.format(texts), 320))
    pictures.png.cache_clear()
    monkeypatch.setattr(pictures, "_TEXTS", re.compile("never"))
    assert once == pixels(pictures.png(EMPTY.format(texts), 320)) and dark(pictures.png(EMPTY.format(texts), 320)) > 100


def test_the_letters_come_with_the_program() -> None:
    fonts = [Path(file) for file in pictures._FONTS]
    assert len(fonts) == 3 and all(file.is_file() and (file.parent / "OFL.txt").is_file() for file in fonts)
    nothing = dark(pictures.png(EMPTY.format(""), 160))
    for word in ("0304", "Oakhold", "Ünterwäld", "Αθήνα", "Москва", "E: Ärger – size 3…"):
        assert not pictures._is_foreign(word), word
        assert dark(pictures.png(EMPTY.format(WORD.format(word)), 160)) > nothing + 20, word


def test_a_family_that_nobody_has_is_drawn_with_what_is_there() -> None:
    other = WORD.replace("'Source Sans Pro',sans-serif", "'No Such Letters'")
    assert dark(pictures.png(EMPTY.format(other.format("Oakhold")), 160)) > 20


def test_letters_of_other_scripts_are_asked_of_the_system_and_stop_nothing() -> None:
    assert pictures._is_foreign(EMPTY.format(WORD.format("王国の民"))) and not pictures._is_foreign(EMPTY)
    assert pixels(pictures.png(EMPTY.format(WORD.format("王国の民 🐉 שלום")), 80))


def test_letters_that_no_font_has_are_left_out_and_not_drawn_as_boxes() -> None:
    """No font has these: they are no letters (yet). What stands around them is drawn as ever."""
    unknown = "\u2fe0\u2fe1\u2fe2"
    drawn = {
        word: pictures.png(EMPTY.format(WORD.format(word)), 160)
        for word in (unknown, f"{unknown}…", f"0304 {unknown} E", "…", "0304 … E")
    }
    assert drawn[unknown] == drawn[f"{unknown}…"] == drawn["…"] and drawn[f"0304 {unknown} E"] == drawn["0304 … E"]


def test_what_is_no_picture_is_refused() -> None:
    for text in ("", "<p>no picture</p>", "<svg"):
        with pytest.raises(ValueError):
            pictures.png(text, 80)


def test_the_same_picture_gives_the_same_bytes() -> None:
    svg = EMPTY.format(WORD.format("Oakhold"))
    assert pictures.png(svg, 300) == pictures.png(svg, 300)
