"""Makes the page of a report fit into a mail: only what mail programs render, and no more than they show.

Mail programs run no script, draw no SVG, fold nothing, and cut long mails. So a picture becomes a PNG in the same message, and charts are
left out. Sections that have no room in the mail, and parts that the page folds away, are named; they stand in the page, which is attached as
a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.regex import regex
from kingdom.mail.outgoing.letters import Picture, size_inline

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_SVG = regex(r"<svg\b.*?</svg>", re.DOTALL)
_KIND = regex(r'class="(chart|spark)"')  # of a drawing that stands in the attached page alone
_TITLE = regex(r"<title[^>]*>(.*?)</title>", re.DOTALL)
_NOT_IN_MAIL = frozenset(("nav", "script", "style", "head", "template", "form", "button"))
_WITHOUT_TAG = frozenset(("details", "main", "article", "header", "footer"))  # what is in them stands in the mail
_EMPTY = frozenset(("br", "hr", "img", "col", "meta", "link", "input", "wbr"))
_KEPT = frozenset(("class", "colspan", "rowspan", "start", "dir", "lang"))  # of the attributes
_WIDEST = 560  # CSS pixels of a picture in a mail, and dots of its PNG
_PARTS = 20  # a wide picture is drawn in so many parts of its size: hexes alike fall on dots alike, which takes a seventh less
_SIZES = (1, 0.75, 0.5)  # parts of that, the largest that has room
_UNIT = regex(r"(?<=\d) (?=(?:BP|%)(?!\w))")  # stays on the line of its number
_WIDE = '<div style="overflow-x:auto">'  # a table that has no room on a phone is moved by itself, not the whole mail
_SHORT = regex(r"[\s\d.,:+/%\u2212\u00b1-]{1,12}(?:BP)?\s*")  # a number or a hex: a cell of it has one line
_PLACE = regex("\0(\\d+)\0")  # of a picture
_WORDS = 400  # bytes that stand for a picture, its name included
PICTURES = 145_000  # bytes of all of them in one message: 200 KB as they are sent
BOTH, FOLDED, WHOLE = "both", "folded", "whole"  # where a piece of a chunk stands


class Body(NamedTuple):
    """What stands in the mail. left_out: the names of the sections that stand only in the attached page."""

    html: str
    pictures: Sequence[Picture] = ()
    left_out: Sequence[str] = ()


class Chunk:
    """A section of the page, or the part before the first section. name: its heading.

    pieces: (FOLDED, WHOLE or BOTH: in which form of the section the piece stands, HTML). folded: the names of the parts that are folded
    away.
    """

    def __init__(self) -> None:
        self.pieces: list[tuple[str, str]] = []
        self.name = ""
        self.folded: list[str] = []

    def text(self, where: str) -> str:
        """The HTML of the section. where: FOLDED or WHOLE."""
        return "".join(html for at, html in self.pieces if at in (BOTH, where))


def body_of(page: str, most: int, id: str, pictures: int = PICTURES) -> Body:
    """The content of a page for a mail. most: the bytes that it may take as it is sent; id: of the mail, for the names of its pictures;
    pictures: the bytes that these may have."""
    drawn: list[str] = []

    def picture(found: re.Match[str]) -> str:
        if _KIND.search(found[0], 0, found[0].index(">")):
            return ""
        drawn.append(found[0])
        return f'<img data-picture="{len(drawn) - 1}">'

    from selectolax.lexbor import LexborHTMLParser  # slow to load

    reader, content = _Reader(), LexborHTMLParser(_SVG.sub(picture, page)).body
    if content is not None:
        reader.read(content)
    kept, left_out = _that_fit(reader.chunks, most)
    html = "".join(kept)
    wanted = [int(number) for number in _PLACE.findall(html)]
    made = _pictures([drawn[number] for number in wanted], id, pictures)
    for number, one in zip(wanted, made, strict=True):
        html = html.replace(f"\0{number}\0", _shown(drawn[number], one), 1)
    return Body(html, [one for one in made if one], left_out)


def _that_fit(chunks: Sequence[Chunk], most: int) -> tuple[list[str], list[str]]:
    """(the chunks that have room, in their order; the names of those that have none). First the folded chunks are taken in their order,
    as long as there is room; then as many as possible are unfolded."""
    texts = [chunk.text(FOLDED) for chunk in chunks]
    sizes = [_size(text) for text in texts]
    kept: dict[int, str] = {}
    for index, text in enumerate(texts):
        if sizes[index] <= most:
            kept[index] = text
            most -= sizes[index]
    left_out = [chunk.folded if index in kept else [chunk.name] for index, chunk in enumerate(chunks)]
    for index in kept:
        whole = chunks[index].text(WHOLE) if chunks[index].folded else ""
        more = _size(whole) - sizes[index] if whole else 0
        if whole and more <= most:
            kept[index], left_out[index] = whole, []
            most -= more
    return list(kept.values()), [name for some in left_out for name in some if name]


def _size(html: str) -> int:
    """The bytes that HTML takes as it is sent, with the words that stand for its pictures."""
    return size_inline(html) + _WORDS * len(_PLACE.findall(html))


def _pictures(drawings: Sequence[str], id: str, room: int) -> list[Picture | None]:
    """The drawings as PNG; None for each that has no room. room: the bytes for all of them."""
    if not (drawings and room):
        return [None] * len(drawings)
    from kingdom.render import pictures  # loads the library that draws

    made: list[Picture | None] = []
    for number, svg in enumerate(drawings):
        sizes = (pictures.png(svg, int(_width(svg) * part) or 1, small=True) for part in _SIZES)
        data = next((data for data in sizes if len(data) <= room), None)
        made.append(Picture(f"{id}-{number}@picture", data) if data else None)
        room -= len(data or b"")
    return made


def _width(svg: str) -> int:
    """The width of a drawing in a mail, in CSS pixels."""
    found = re.search(r'viewBox="[-\d.]+[ ,]+[-\d.]+[ ,]+([\d.]+)', svg)
    wide = int(float(found[1])) if found else _WIDEST
    if _WIDEST < wide < 2 * _WIDEST:
        return wide * (_WIDEST * _PARTS // wide) // _PARTS
    return min(_WIDEST, wide) or 1


def _shown(svg: str, picture: Picture | None) -> str:
    """The element that shows a picture; the words of the drawing where there is no picture."""
    found = _TITLE.search(svg)
    said = " ".join((found[1] if found else "").split())[:200]  # it is escaped in the drawing
    said = said.replace('"', "&quot;")
    if picture is None:
        return f"<p><em>{said}</em>: in the attached page.</p>"
    return f'<img src="cid:{picture.id}" alt="{said}" width="{_width(svg)}" style="max-width:100%;height:auto;background:#fff">'


class _Reader:
    """Reads a page of ours, section by section, and keeps what mail programs render."""

    def __init__(self) -> None:
        self.chunks = [Chunk()]
        self.away = False  # what is read is folded away
        self.sections = 0  # open around what is read
        self.naming = False  # the chunk's heading is being read

    def read(self, node: LexborNode) -> None:
        """Reads the inside of an element."""
        for inner in node.iter(include_text=True):
            if inner.is_text_node:
                self.write(inner.text_content or "")
            elif inner.is_element_node:
                self.element(inner, inner.tag or "", inner.attributes)

    def write(self, text: str) -> None:
        """Keeps a text as it stands."""
        text = _UNIT.sub("\u00a0", text)
        if self.naming:
            self.chunks[-1].name += text
        self.keep(escape(text, quote=False))

    def keep(self, html: str) -> None:
        """Keeps HTML as it stands."""
        self.chunks[-1].pieces.append((WHOLE if self.away else BOTH, html))

    def element(self, node: LexborNode, tag: str, given: Mapping[str, str | None]) -> None:
        """Reads an element with all that is in it."""
        if tag in _NOT_IN_MAIL or given.get("class") == "skip":
            return
        if tag == "details" and "open" not in given and not self.away:
            self.folded(node)
        elif tag == "section":
            self.section(node)
        elif tag in _WITHOUT_TAG:
            self.read(node)
        elif tag == "img":
            self.keep(f"\0{given['data-picture']}\0")
        else:
            self.tagged(node, tag, given)

    def folded(self, details: LexborNode) -> None:
        """Names a part that is folded away, and keeps it in case there is room."""
        chunk = self.chunks[-1]
        for summary in details.iter():
            if summary.tag == "summary":
                name = " ".join(summary.text().split())
                chunk.folded.append(f"{chunk.name}: {name}" if chunk.name else name)
                chunk.pieces.append((FOLDED, f"<p><em>{escape(name)}</em>: in the attached page.</p>"))
        self.away = True
        self.read(details)
        self.away = False

    def section(self, node: LexborNode) -> None:
        """Reads a section. A section that stands in no other section is a chunk of its own."""
        outermost = not self.sections and not self.away
        self.chunks += [Chunk()] if outermost else []
        self.sections += 1
        self.read(node)
        self.sections -= 1
        self.chunks += [Chunk()] if outermost else []

    def tagged(self, node: LexborNode, tag: str, given: Mapping[str, str | None]) -> None:
        """Keeps an element as it stands in the page."""
        if tag in ("h1", "h2") and not self.chunks[-1].name:
            self.naming = True
        kept = [
            (name, value)
            for name, value in given.items()
            if name in _KEPT
            or name == "style"
            and tag == "a"  # a button
            or name == "href"
            and value
            and not value.startswith("#")  # links inside the page lead nowhere in a mail
        ]
        attributes = "".join(f' {name}="{escape(value or "")}"' for name, value in kept)
        if tag in ("td", "th") and _SHORT.fullmatch(node.text()):
            attributes += " nowrap"  # as an attribute: every mail program knows it, and it is shorter than a style
        if tag == "table":
            self.keep(_WIDE)
        self.keep("<p><strong>" if tag == "summary" else f"<{tag}{attributes}>")
        self.read(node)
        if tag in ("h1", "h2"):
            self.naming = False
        if tag not in _EMPTY:
            self.keep("</strong></p>" if tag == "summary" else f"</{tag}>")
        if tag == "table":
            self.keep("</div>")
