"""A report's page as it stands inside a mail: what mail programs render, and no more than they show whole.

They run no script, draw no SVG and fold nothing, and cut what is too long. So a picture becomes a PNG that is a part of the
same message, what the page folds away and what has no room is named and stands in the page alone, which is attached whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from kingdom.mail.outgoing.letters import Picture

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL)
_NOT_IN_MAIL = frozenset(("nav", "script", "style", "head", "template", "form", "button"))
_WITHOUT_TAG = frozenset(("details", "main", "article", "header", "footer"))  # what is in them stands in the mail
_EMPTY = frozenset(("br", "hr", "img", "col", "meta", "link", "input", "wbr"))
_KEPT = frozenset(("class", "colspan", "rowspan", "start", "dir", "lang"))  # of the attributes
_WIDEST = 560  # CSS pixels of a picture in a mail
_DOTS = 1.5  # of the PNG to a CSS pixel: sharp enough, and half the bytes of 2
_UNIT = re.compile(r"(?<=\d) (?=(?:BP|%)(?!\w))")  # stays on the line of its number
_WIDE = '<div style="overflow-x:auto">'  # a table that has no room on a phone is moved by itself, not the whole mail
_SHORT = re.compile(r"[\s\d.,:+/%\u2212\u00b1-]{1,12}(?:BP)?\s*")  # a number or a hex: a cell of it has one line
_WORDS = 400  # bytes that stand for a picture, its name included
_PICTURES = 1_500_000  # bytes of all of them in one message


class Body(NamedTuple):
    """What stands in the mail. left_out: the names of what stands in the page alone."""

    html: str
    pictures: Sequence[Picture] = ()
    left_out: Sequence[str] = ()


class Chunk:
    """A section of the page, or what stands before the first. name: its heading. folded: the names of what it folds away."""

    def __init__(self) -> None:
        self.html: list[str] = []
        self.name = ""
        self.pictures: list[int] = []
        self.folded: list[str] = []

    def text(self) -> str:
        """Its HTML."""
        return "".join(self.html)

    def size(self) -> int:
        """Its bytes as they are sent, with what stands for its pictures."""
        return _size(self.text()) + _WORDS * len(self.pictures)


def body_of(page: str, most: int, id: str) -> Body:
    """The content of a page for a mail of at most so many bytes as it is sent; id: of the mail, in the names of its pictures."""
    drawn: list[str] = []

    def picture(found: re.Match[str]) -> str:
        drawn.append(found[0])
        return f'<img data-picture="{len(drawn) - 1}">'

    page = _SVG.sub(picture, page)
    kept, left_out = _that_fit(_chunks(page, folding=True), _chunks(page, folding=False), most)
    wanted = [number for chunk in kept for number in chunk.pictures]
    made = _pictures([drawn[number] for number in wanted], id)
    html = "".join(chunk.text() for chunk in kept)
    for number, one in zip(wanted, made, strict=True):
        html = html.replace(f"\0{number}\0", _shown(drawn[number], one), 1)
    return Body(html, [one for one in made if one], left_out)


def _that_fit(folded: Sequence[Chunk], whole: Sequence[Chunk], most: int) -> tuple[list[Chunk], list[str]]:
    """(the chunks that have room, in their order; the names of what has none). Each comes folded first, the first ones before
    the later ones; then as many as there is room for are unfolded."""
    sizes = [chunk.size() for chunk in folded]
    kept: dict[int, Chunk] = {}
    for index, chunk in enumerate(folded):
        if sizes[index] <= most:
            kept[index] = chunk
            most -= sizes[index]
    for index in kept:
        more = whole[index].size() - sizes[index]
        if folded[index].folded and more <= most:
            kept[index] = whole[index]
            most -= more
    names = [
        chunk.folded if index in kept else [chunk.name]
        for index, chunk in enumerate(folded)
        if kept.get(index) is not whole[index]
    ]
    return list(kept.values()), [name for some in names for name in some if name]


def _chunks(page: str, folding: bool) -> list[Chunk]:
    """The sections of a page. folding: what it folds away is left out, and named."""
    from selectolax.lexbor import LexborHTMLParser  # slow to load

    reader = _Reader(folding)
    body = LexborHTMLParser(page).body
    if body is not None:
        reader.read(body)
    return reader.chunks


def _size(html: str) -> int:
    from quopri import encodestring

    return len(encodestring(html.encode()))


def _pictures(drawings: Sequence[str], id: str) -> list[Picture | None]:
    """The drawings as PNG, None for those that would make the message too large."""
    if not drawings:
        return []
    from kingdom.render import pictures  # loads the library that draws

    made: list[Picture | None] = []
    room = _PICTURES
    for number, svg in enumerate(drawings):
        data = pictures.png(svg, int(_width(svg) * _DOTS))
        made.append(Picture(f"{id}-{number}@picture", data) if len(data) <= room else None)
        room -= len(data) if made[-1] else 0
    return made


def _width(svg: str) -> int:
    """How wide a drawing stands in a mail, in CSS pixels."""
    found = re.search(r'viewBox="[-\d.]+[ ,]+[-\d.]+[ ,]+([\d.]+)', svg)
    return min(_WIDEST, int(float(found[1])) if found else _WIDEST) or 1


def _shown(svg: str, picture: Picture | None) -> str:
    """The element that shows a picture; its words where it has none."""
    found = _TITLE.search(svg)
    said = " ".join((found[1] if found else "").split())[:200]  # it is escaped in the drawing
    said = said.replace('"', "&quot;")
    if picture is None:
        return f"<p><em>{said}</em>: in the attached page.</p>"
    return f'<img src="cid:{picture.id}" alt="{said}" width="{_width(svg)}" style="max-width:100%;height:auto;background:#fff">'


class _Reader:
    """Keeps what a mail program renders of a page of ours, section by section. folding: what is folded away is only named."""

    def __init__(self, folding: bool):
        self.folding = folding
        self.chunks = [Chunk()]
        self.sections = 0  # open around what is read
        self.naming = False  # the chunk's heading is being read

    def read(self, node: LexborNode) -> None:
        """What stands inside an element."""
        for inner in node.iter(include_text=True):
            if inner.is_text_node:
                self.write(inner.text_content or "")
            elif inner.is_element_node:
                self.element(inner, inner.tag or "", inner.attributes)

    def write(self, text: str) -> None:
        """Text as it stands."""
        chunk = self.chunks[-1]
        text = _UNIT.sub("\u00a0", text)
        if self.naming:
            chunk.name += text
        chunk.html.append(escape(text, quote=False))

    def element(self, node: LexborNode, tag: str, given: Mapping[str, str | None]) -> None:
        """An element with all that is in it."""
        if tag in _NOT_IN_MAIL or given.get("class") == "skip":
            return
        if self.folding and tag == "details" and "open" not in given:
            self.folded(node)
        elif tag == "section":
            self.section(node)
        elif tag in _WITHOUT_TAG:
            self.read(node)
        elif tag == "img":
            self.picture(int(given["data-picture"] or 0))
        else:
            self.tagged(node, tag, given)

    def folded(self, details: LexborNode) -> None:
        """Name what is folded away."""
        chunk = self.chunks[-1]
        for summary in details.iter():
            if summary.tag == "summary":
                name = " ".join(summary.text().split())
                chunk.folded.append(f"{chunk.name}: {name}" if chunk.name else name)
                chunk.html.append(f"<p><em>{escape(name)}</em>: in the attached page.</p>")

    def section(self, node: LexborNode) -> None:
        """A section that stands in no other is a chunk of its own."""
        outermost = not self.sections
        self.chunks += [Chunk()] if outermost else []
        self.sections += 1
        self.read(node)
        self.sections -= 1
        self.chunks += [Chunk()] if outermost else []

    def picture(self, number: int) -> None:
        """The place of a picture."""
        self.chunks[-1].pictures.append(number)
        self.chunks[-1].html.append(f"\0{number}\0")

    def tagged(self, node: LexborNode, tag: str, given: Mapping[str, str | None]) -> None:
        """An element that stands in the mail as it does in the page."""
        if tag in ("h1", "h2") and not self.chunks[-1].name:
            self.naming = True
        kept = [(name, value) for name, value in given.items() if name in _KEPT or _is_outside(name, value)]
        attributes = "".join(f' {name}="{escape(value or "")}"' for name, value in kept)
        if tag in ("td", "th") and _SHORT.fullmatch(node.text()):
            attributes += " nowrap"  # as an attribute: every mail program knows it, and it is shorter than a style
        if tag == "table":
            self.chunks[-1].html.append(_WIDE)
        self.chunks[-1].html.append("<p><strong>" if tag == "summary" else f"<{tag}{attributes}>")
        self.read(node)
        if tag in ("h1", "h2"):
            self.naming = False
        if tag not in _EMPTY:
            self.chunks[-1].html.append("</strong></p>" if tag == "summary" else f"</{tag}>")
        if tag == "table":
            self.chunks[-1].html.append("</div>")


def _is_outside(name: str, value: str | None) -> bool:
    """A link that leads out of the page; those inside it lead nowhere in a mail."""
    return name == "href" and bool(value) and not str(value).startswith("#")
