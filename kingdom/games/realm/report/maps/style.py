"""What all pictures of the realm share: their letters, colours, dashes, texts that may stand in markup, and the shapes that a
map uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kingdom.games.realm.report.maps.atlas import Atlas
from kingdom.games.realm.report.maps.lines import Grid

FONTS = "font-family=\"'Source Sans Pro','Source Sans 3','Segoe UI',Roboto,'DejaVu Sans',sans-serif\" font-size=\"13\" fill=\"#2a2622\""
SHEET, PAPER, INK = "#fbf8ef", "#fffdf6", "#2a2622"
INSET = 5  # of a border, from the edge of its land
COLOURS = (
    "#a3241d",
    "#14508f",
    "#5d2a86",
    "#00605a",
    "#8f4700",
    "#37373f",
    "#a0135c",
    "#42610a",
    "#3236a8",
)  # dark: they stand on light ground
_STYLES = (
    ("", ""),
    ("14 7", ""),
    ("0 7.5", ""),
    ("", "1.6"),
    ("18 6 1 6", ""),
    ("5 4", ""),
    ("24 7", "1.6"),
    ("16 5 5 5 5 5", ""),
)  # dashes, a light line within


class Picture(NamedTuple):
    """A map that is being drawn. prefix: of all its ids. used: the shapes that it needs, as markup.

    colours: seat -> number of its colour and dashes, the same on the maps of all readers.
    """

    atlas: Atlas
    grid: Grid
    prefix: str
    used: dict[str, str]
    colours: Mapping[str, int]

    def use(self, name: str, shape: str, x: int, y: int, more: str = "") -> str:
        """The shape of that name at a place; it is kept once for all that use it."""
        if name not in self.used:
            self.used[name] = f'<g id="{self.prefix}{name}">{shape}</g>'
        return f'<use href="#{self.prefix}{name}" x="{x}" y="{y}"{more}/>'

    def of(self, seat: str) -> str:
        """The filling in a kingdom's colour, as an attribute."""
        return f' fill="{COLOURS[self.colours[seat] % len(COLOURS)]}"'


def border_lines(number: int, shape: str) -> str:
    """A kingdom's border along a shape (`<use ...` or `<path ...`, left open): its colour, its dashes, light below them."""
    colour, (dashes, within) = COLOURS[number % len(COLOURS)], _STYLES[number % len(_STYLES)]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = ' stroke-linecap="round"' if dashes.startswith("0 ") else ""
    lines = f'{shape} fill="{colour}" fill-opacity=".1" stroke="{PAPER}" stroke-width="7"/>'
    lines += f'{shape} fill="none" stroke="{colour}" stroke-width="{5 if within or ends else 4.2}"{dashed}{ends}/>'
    return lines + (f'{shape} fill="none" stroke="{PAPER}" stroke-width="{within}"{dashed}/>' if within else "")


def escaped(text: str) -> str:
    """The text as it may stand in markup and in a quoted attribute."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def labelled(x: int, y: int, text: str, more: str = "") -> str:
    """A line of text; it is escaped here."""
    return f'<text x="{x}" y="{y}"{more}>{escaped(text)}</text>'
