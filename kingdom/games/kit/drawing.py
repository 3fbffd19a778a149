"""A board as one SVG that needs nothing else: its frame, and a text in it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from kingdom.render.charts import Drawing
from kingdom.render.plain_text import clean

PAPER, INK, SOFT = "#fbfaf7", "#23211d", "#5d584f"
_FONT = "system-ui, 'Segoe UI', Roboto, sans-serif"


def svg(width: float, height: float, title: str, drawn: Iterable[str], top: float = 0) -> Drawing:
    """The picture. title: for readers who can't see the picture. drawn: parts of SVG, one over the other. top: where it begins."""
    style = f'font-family="{_FONT}" font-size="15" fill="{INK}"'
    return Drawing(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {top:g} {width:g} {height:g}" role="img" {style}>'
        f"<title>{escape(clean(title))}</title> "
        f'<rect y="{top:g}" width="{width:g}" height="{height:g}" rx="8" fill="{PAPER}"/>{"".join(drawn)}</svg>\n'
    )


def text(
    x: float, y: float, said: str, size: int = 15, fill: str = INK, anchor: str = "start", weight: int = 400
) -> str:
    """A text at that place. anchor: which of its ends stands there, or its middle."""
    style = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{fill}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(clean(said))}</text> '
