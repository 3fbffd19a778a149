"""SVG drawn as PNG, for mails and for files that any program can show.

The program has its own fonts, so a machine without fonts draws the same picture. The system's fonts are used only for letters
that the program's fonts lack (a Chinese name). A letter that the system lacks too is left out; the label of its hex is still
there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Literal, TypeAlias

Edges: TypeAlias = Literal["crisp_edges", "geometric_precision"]

_FAMILY = "Source Sans Pro"
_FONTS = [
    str(Path(__file__).parent / "fonts" / f"SourceSansPro-{weight}.ttf") for weight in ("Regular", "Semibold", "Bold")
]
_LAST = "\u04ff"  # Latin, Greek and Cyrillic letters come before it
_NO_LETTER = "\u0378"  # a character that no font has
_COLOURS = 256  # colours of a picture in a mail, so that each dot is one byte
# the light edge below texts; resvg draws a letter's edge and the letter together, other programs may not
_EDGE = re.compile(r'<use href="#([\w-]+)" fill="none" (stroke="[^>]*)/><g id="\1"')
# texts one after the other; joined to one text they are drawn faster, without the blanks that part words for other readers
_TEXTS = re.compile(r'(?:<text x="[^"]*" y="[^"]*">[^<]*</text> ){2,}')
_ALONE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><text x="2" y="15" font-size="14">{}</text></svg>'


@lru_cache(maxsize=64)  # the mails of a turn have pictures in common
def png(svg: str, width: int, small: bool = False) -> bytes:
    """The picture as PNG, `width` pixels wide, on white. Raises ValueError if it is no SVG.

    small: for a mail. Lines and areas get hard edges, letters stay smooth, and 256 colours are enough: a quarter of the bytes.
    """
    if _is_foreign(svg):  # letters that no font has become dots, not boxes
        missing = "".join(letter for letter in sorted(set(svg)) if _is_foreign(letter) and _is_missing(letter))
        svg = re.sub(f"[{missing}]+…?", "…", svg) if missing else svg
    svg = _TEXTS.sub(_as_one, _EDGE.sub(r'<g id="\1" paint-order="stroke" \2', svg))
    if not small:
        return _drawn(svg, width)
    from PIL import Image  # slow to load

    flat = Image.open(BytesIO(_drawn(svg, width, "crisp_edges")), formats=["PNG"]).convert("RGB")
    made = BytesIO()  # hard edges have few shades, so no colour is off by more than 7 of 255
    flat.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(made, "PNG")
    return made.getvalue()


def _as_one(texts: re.Match[str]) -> str:
    parts = texts[0].replace("<text", "<tspan").replace("</text> ", "</tspan>")
    return f"<text>{parts}</text>"


def _drawn(svg: str, width: int, edges: Edges = "geometric_precision") -> bytes:
    import resvg_py  # slow to load

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, background="#fff", font_files=_FONTS, skip_system_fonts=not _is_foreign(svg),
            font_family=_FAMILY, sans_serif_family=_FAMILY, serif_family=_FAMILY, shape_rendering=edges,
        )
    )  # fmt: skip


@lru_cache(maxsize=10_000)
def _is_missing(letter: str) -> bool:
    """Return whether a letter is drawn as the box of a missing letter."""
    return _drawn(_ALONE.format(letter), 40) == _box()


@lru_cache(maxsize=1)
def _box() -> bytes:
    return _drawn(_ALONE.format(_NO_LETTER), 40)


def _is_foreign(text: str) -> bool:
    """Return whether a text has letters that the program's own font lacks."""
    return not text.isascii() and any(letter > _LAST and letter not in "–—‘’“”…•" for letter in text)
