"""A report's page as it stands inside a mail: what mail programs render, and no more than they show whole.

They run no script, draw no SVG and fold nothing, and cut what is too long. So a picture becomes a PNG that is a part of the
same message, what the page folds away and what has no room is named and stands in the page alone, which is attached whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from kingdom.mail.outgoing.letters import Picture

_SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL)
_NOT_IN_MAIL = frozenset(("nav", "script", "style", "head", "template", "form", "button"))
_EMPTY = frozenset(("br", "hr", "img", "col", "meta", "link", "input", "wbr"))
_KEPT = frozenset(("class", "colspan", "rowspan", "start", "dir", "lang"))  # of the attributes
_WIDEST = 560  # CSS pixels of a picture in a mail
_DOTS = 1.5  # of the PNG to a CSS pixel: sharp enough, and half the bytes of 2
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
    for number, one in zip(wanted, made):
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
    reader = _reader(folding)
    reader.feed(page)
    reader.close()
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


def _reader(folding: bool) -> Any:
    """What reads a page of ours, section by section. (The parser is loaded by who needs it.)"""
    from html.parser import HTMLParser

    class Reader(HTMLParser):
        """Keeps what a mail program renders."""

        def __init__(self) -> None:
            super().__init__(convert_charrefs=True)
            self.chunks = [Chunk()]
            self.skipped = 0  # elements open inside one that has no place in a mail
            self.depth = 0  # of sections
            self.naming = 0  # the heading or summary that is being read
            self.in_body = False
            self.fold: str | None = None

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "body":
                self.in_body = True
                return
            if not self.in_body:
                return
            if self.skipped:
                self.skipped += tag not in _EMPTY
                if tag == "summary" and self.skipped == 2:
                    self.fold = ""
                return
            given = dict(attrs)
            if (
                tag in _NOT_IN_MAIL
                or given.get("class") == "skip"
                or (folding and tag == "details" and "open" not in given)
            ):
                self.skipped = 1
                return
            if tag == "section":
                self.depth += 1
                if self.depth == 1:
                    self.chunks.append(Chunk())
            self.begin(tag, given)

        def begin(self, tag: str, given: dict[str, str | None]) -> None:
            chunk = self.chunks[-1]
            if tag == "img":
                number = int(given["data-picture"] or 0)
                chunk.pictures.append(number)
                chunk.html.append(f"\0{number}\0")
                return
            if tag in ("h1", "h2") and not chunk.name:
                self.naming = 1
            if tag in ("details", "main", "article", "header", "footer", "section"):
                return
            if tag == "summary":
                chunk.html.append("<p><strong>")
                return
            kept = "".join(
                f' {name}="{escape(value or "")}"'
                for name, value in given.items()
                if name in _KEPT or _is_outside(name, value)
            )
            chunk.html.append(f"<{tag}{kept}>")

        def handle_endtag(self, tag: str) -> None:
            if not self.in_body or tag == "body":
                return
            if self.skipped:
                self.skipped -= 1
                if tag == "summary" and self.fold is not None:
                    name = " ".join(self.fold.split())
                    self.chunks[-1].folded.append(f"{self.chunks[-1].name}: {name}" if self.chunks[-1].name else name)
                    self.chunks[-1].html.append(f"<p><em>{escape(name)}</em>: in the attached page.</p>")
                    self.fold = None
                return
            if tag == "section":
                self.depth -= 1
                if self.depth == 0:
                    self.chunks.append(Chunk())
            if tag in ("h1", "h2"):
                self.naming = 0
            if tag in ("details", "main", "article", "header", "footer", "section", *_EMPTY):
                return
            self.chunks[-1].html.append("</strong></p>" if tag == "summary" else f"</{tag}>")

        def handle_data(self, data: str) -> None:
            if self.fold is not None:
                self.fold += data
            if not self.in_body or self.skipped:
                return
            if self.naming:
                self.chunks[-1].name += data
            self.chunks[-1].html.append(escape(data, quote=False))

    return Reader()


def _is_outside(name: str, value: str | None) -> bool:
    """A link that leads out of the page; those inside it lead nowhere in a mail."""
    return name == "href" and bool(value) and not str(value).startswith("#")
