"""What all pictures of the realm share: their letters, colours, dashes, and texts that may stand in markup."""

from __future__ import annotations

FONTS = "font-family=\"'Source Sans Pro','Source Sans 3','Segoe UI',Roboto,'DejaVu Sans',sans-serif\" font-size=\"13\" fill=\"#2a2622\""
SHEET = "#fbf8ef"
INSET = 5  # of a border, from the edge of its land
COLOURS = ("#a3241d", "#14508f", "#5d2a86", "#00605a", "#8f4700", "#37373f", "#a0135c", "#42610a", "#3236a8")  # dark: they stand on light ground
_DASHES = ("", "14 6", "3 5", "18 5 3 5", "8 4", "14 4 3 4 3 4", "6 8", "24 6")
DASHES = tuple(f' stroke-dasharray="{dashes}"' if dashes else "" for dashes in _DASHES)


def escaped(text: str) -> str:
    """The text as it may stand in markup and in a quoted attribute."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def labelled(x: int, y: int, text: str, more: str = "") -> str:
    """A line of text; it is escaped here."""
    return f'<text x="{x}" y="{y}"{more}>{escaped(text)}</text>'
