"""HTML of a mail -> its text: blocks on lines of their own, what is quoted behind `> `, nothing of what is not shown or struck out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

from kingdom.mail.reading import thresholds

DEEPEST = 1000  # elements inside one another
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset", "figure", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot", "th", "thead",
    "tr", "ul"
))  # fmt: skip
_LINK, _TEXT = "a", ""
_LEFT = _BLOCKS | {_LINK}  # whose end is told
_APART = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6"))  # with an empty line around
_CELLS = frozenset(("td", "th"))
_LAYOUT = "a, blockquote, br, hr, img, ol, pre, table, ul"
_UNSEEN = frozenset(("head", "script", "style", "title", "template", "noscript", "object", "svg", "math", "select", "textarea"))  # fmt: skip
# elements that a parser closes by itself, or that hold nothing: they never stand deep inside one another
_FLAT = frozenset((
    "p", "li", "dt", "dd", "option", "tr", "td", "th", "tbody", "thead", "tfoot", "area", "base", "br", "col", "embed", "hr", "img", "input", "link",
    "meta", "param", "source", "track", "wbr"
))  # fmt: skip
# how mail programs mark a quoted message (the element, or all from the element on) and a signature
_QUOTE = re.compile(
    r"gmail_quote|gmail_attr|yahoo_quoted|moz-cite-prefix|protonmail_quote|tutanota_quote|zmail_extra|OLK_SRC_BODY",
    re.IGNORECASE,
)
_FROM_HERE = re.compile(
    r"divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|replySplit|OutlookMessageHeader", re.IGNORECASE
)
_SIGNATURE = re.compile(
    r"gmail_signature(?!_prefix)|moz-signature|outlook-mobile-signature|AppleMailSignature|^Signature$", re.IGNORECASE
)
_HIDDEN = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden", re.IGNORECASE)
_STRUCK = frozenset(("s", "strike", "del"))
_LINE_THROUGH = re.compile(r"text-decoration[\w-]*\s*:[^;]*\bline-through", re.IGNORECASE)
_INDENT = re.compile(
    r"margin[^;]{0,60}\b[1-9]\d*px.{0,200}border\s*:\s*none|border\s*:\s*none.{0,200}margin", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:]{0,20})")
_ADDRESS = re.compile(r"https?://[^\s<>()]{1,300}", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\r\n\f]+")


class _Place(NamedTuple):
    """What holds for the text inside an element. indent: blanks before its lines; as_it_is: lines and blanks are kept."""

    quoted: bool = False
    as_it_is: bool = False
    indent: int = 0


def read(html: str) -> tuple[str, list[str]]:
    """(the text of an HTML mail, the pieces that its writer struck out). Quoted text stands behind `> `, a signature that a program
    marked below `-- `. What is struck out is not in the text; inside a quote it is nobody's."""
    from selectolax.lexbor import LexborHTMLParser

    writer = _Writer()
    for entered, element, place in _walk(LexborHTMLParser(html).root, writer):
        if element.tag == _TEXT:
            writer.write(element.node.text_content or "", place)
        elif entered:
            writer.begin(element, place)
        elif element.tag == _LINK:
            writer.link(element, place)
        else:
            writer.end(element, place)
    writer.end_line(_Place())
    return "\n".join(writer.lines), writer.struck


def _is_of_data(row: LexborNode) -> bool:
    """Whether a table's row is data, as from a spreadsheet, and not part of a mail's layout: several cells with a few words each."""
    cells = [cell for cell in row.iter() if cell.tag in _CELLS]
    texts = [" ".join((cell.text() or "").split()) for cell in cells]
    if sum(map(bool, texts)) < thresholds.CELLS:
        return False
    return all(cell.css_first(_LAYOUT) is None and len(cell.css("p, div")) <= 1 for cell in cells)


def is_too_deep(html: str) -> bool:
    """Whether elements may be nested more deeply than in any real mail: closing so many takes long."""
    open_ones: dict[str, int] = {}
    for closing, tag in _TAG.findall(html):
        if (name := tag.lower()) not in _FLAT:
            open_ones[name] = max(0, open_ones.get(name, 0) + (-1 if closing else 1))
            if open_ones[name] > DEEPEST:
                return True
    return False


class _Element(NamedTuple):
    """An element; or a text, with the tag `_TEXT`. marks: its class, id and name, by which programs mark quotes and signatures."""

    node: LexborNode
    tag: str
    style: str = ""
    marks: str = ""


def _element(node: LexborNode) -> _Element | None:
    """The element or the text of a node; None for any other node, and for an element that is not shown."""
    if node.is_text_node:
        return _Element(node, _TEXT)
    tag = (node.tag or "") if node.is_element_node else ""
    if not tag or tag in _UNSEEN:
        return None
    given = node.attributes
    if not given:
        return _Element(node, tag)
    style = given.get("style") or ""
    marks = f"{given.get('class') or ''} {given.get('id') or ''} {given.get('name') or ''}".strip()
    return None if _HIDDEN.search(style) else _Element(node, tag, style, marks)


def _walk(root: LexborNode | None, writer: _Writer) -> Iterator[tuple[bool, _Element, _Place]]:
    """(entered or left, the element or text, its place), in the order of the page; without what is not shown or struck out."""
    stack: list[tuple[_Element, _Place]] = []
    node: LexborNode | None = root
    place = _Place()
    while node is not None:
        element = _element(node)
        if element and (element.tag in _STRUCK or _LINE_THROUGH.search(element.style)):
            if not (place.quoted or writer.from_here):
                writer.struck.append(" ".join((node.text() or "").split()))
            element = None
        if element:
            inner = place if element.tag == _TEXT else _place(element, place, writer.from_here)
            yield True, element, inner
            if node.child is not None:
                stack.append((element, place))
                node, place = node.child, inner
                continue
            if element.tag in _LEFT:
                yield False, element, inner
        while node.next is None and stack:
            inner = place
            element, place = stack.pop()
            node = element.node
            if element.tag in _LEFT:
                yield False, element, inner
        node = node.next


def _place(element: _Element, outer: _Place, from_here: bool) -> _Place:
    programs = bool(element.marks and _QUOTE.search(element.marks))
    indented = element.tag == "blockquote" and not programs and bool(_INDENT.search(element.style))
    quoted = outer.quoted or from_here or programs or element.tag == "blockquote" and not indented
    if quoted == outer.quoted and element.tag != "pre" and not indented:
        return outer
    return _Place(quoted, outer.as_it_is or element.tag == "pre", outer.indent + 2 * indented)


class _Writer:
    """Collects the lines. from_here: all that follows is quoted. struck: what is struck out outside quotes. in_row: the text belongs to a
    table's row that becomes one line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line = ""
        self.from_here = False
        self.struck: list[str] = []
        self.in_row = False

    def begin(self, element: _Element, place: _Place) -> None:
        """An element begins."""
        if self.in_row and element.tag != "tr":
            self.line += "\t" if element.tag in _CELLS and self.line.strip() else ""
        elif element.tag == "br":
            self.add(place)
        elif element.tag in _BLOCKS and self.line.strip(" ") != "-":  # a list's mark waits for its text
            self.end_line(place, element.tag in _APART)
        if element.marks and _FROM_HERE.search(element.marks):
            self.from_here = True
        elif element.marks and _SIGNATURE.search(element.marks) and not place.quoted and not self.from_here:
            self.end_line(place)
            self.lines.append("-- ")
        if element.tag == "li":
            self.line = "- "
        elif element.tag == "tr":
            self.in_row = _is_of_data(element.node)

    def end(self, element: _Element, place: _Place) -> None:
        """An element ends."""
        if element.tag == "tr":
            self.in_row = False
        if not self.in_row:
            self.end_line(place, element.tag in _APART)

    def write(self, text: str, place: _Place) -> None:
        """Text of the line that is being written."""
        if place.as_it_is:
            *whole, last = text.split("\n")
            for line in whole:
                self.line += line
                self.add(place)
            self.line += last
            return
        text = _BLANKS.sub(" ", text)
        self.line += text.lstrip(" ") if not self.line or self.line.endswith((" ", "\t")) else text

    def link(self, element: _Element, place: _Place) -> None:
        """A link ends: its address stands behind its words, if they do not say it themselves."""
        node = element.node
        address, said = node.attributes.get("href") or "", (node.text() or "").strip().rstrip("/").lower()
        if said and not place.quoted and not self.from_here and _ADDRESS.fullmatch(address):
            bare = address.lower().partition("://")[2].rstrip("/")
            self.line += "" if bare in said or said in (bare, f"www.{bare}") else f" ({address})"

    def add(self, place: _Place) -> None:
        """The line is done, empty or not."""
        quoted = place.quoted or self.from_here
        self.lines.append(("> " if quoted else " " * place.indent) + self.line.rstrip())
        self.line = ""

    def end_line(self, place: _Place, apart: bool = False) -> None:
        """The line is done, if anything stands in it; an empty one follows where it is to stand apart."""
        if self.line.strip():
            self.add(place)
        self.line = ""
        if apart and self.lines and self.lines[-1].strip("> "):
            self.lines.append(">" if place.quoted or self.from_here else "")
