"""HTML of a mail -> its text: blocks on lines of their own, what is quoted behind `> `, nothing of what is not shown or struck out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

DEEPEST = 1000  # elements inside one another
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset", "figure", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot", "th", "thead",
    "tr", "ul"
))  # fmt: skip
_LINK = "a"
_LEFT = _BLOCKS | {_LINK}  # whose end is told
_APART = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6"))  # with an empty line around
_UNSEEN = frozenset(("head", "script", "style", "title", "template", "noscript", "object", "svg", "math", "select", "textarea"))  # fmt: skip
# elements that a parser closes by itself, or that hold nothing: they never stand deep inside one another
_FLAT = frozenset((
    "p", "li", "dt", "dd", "option", "tr", "td", "th", "tbody", "thead", "tfoot", "area", "base", "br", "col", "embed", "hr", "img", "input", "link",
    "meta", "param", "source", "track", "wbr"
))  # fmt: skip
# by what mail programs mark the message that they quote: the element, or all from it on; and a signature
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
_MAY_STRIKE = re.compile(r"<(?:s|strike|del)\b|line-through", re.IGNORECASE)
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


def text_of(html: str) -> str:
    """The text of an HTML mail. Quoted text stands behind `> `; what a program marked as a signature below `-- `."""
    return _read(html)[0]


def struck_in(html: str) -> list[str]:
    """What its writer struck out: no part of the text. What stands in a quote is nobody's."""
    return _read(html)[1] if _MAY_STRIKE.search(html) else []  # most mails strike nothing


def _read(html: str) -> tuple[str, list[str]]:
    """(its text, what is struck out beside quotes)."""
    from selectolax.lexbor import LexborHTMLParser

    writer = _Writer()
    for entered, node, place in _walk(LexborHTMLParser(html).root, writer):
        if node.is_text_node:
            writer.write(node.text_content or "", place)
        elif entered:
            writer.begin(node, place)
        elif node.tag == _LINK:
            writer.link(node, place)
        else:
            writer.end_line(place, node.tag in _APART)
    writer.end_line(_Place())
    return "\n".join(writer.lines), writer.struck


def is_too_deep(html: str) -> bool:
    """Whether more elements could stand inside one another than a mail has: closing so many takes long."""
    open_ones: dict[str, int] = {}
    for closing, tag in _TAG.findall(html):
        if (name := tag.lower()) not in _FLAT:
            open_ones[name] = max(0, open_ones.get(name, 0) + (-1 if closing else 1))
            if open_ones[name] > DEEPEST:
                return True
    return False


def _walk(root: LexborNode | None, writer: _Writer) -> Iterator[tuple[bool, LexborNode, _Place]]:
    """(entered or left, the element or text, its place), in the order of the page; without what is not shown or struck out."""
    stack: list[tuple[LexborNode, _Place]] = []
    node: LexborNode | None = root
    place = _Place()
    while node is not None:
        style = node.attributes.get("style") or "" if node.is_element_node else ""
        seen = node.is_text_node or node.is_element_node and node.tag not in _UNSEEN and not _HIDDEN.search(style)
        if seen and node.is_element_node and (node.tag in _STRUCK or _LINE_THROUGH.search(style)):
            if not (place.quoted or writer.from_here):
                writer.struck.append(" ".join((node.text() or "").split()))
            seen = False
        inner = _place(node, place, writer.from_here) if seen and node.is_element_node else place
        if seen:
            yield True, node, inner
        if seen and node.child is not None:
            stack.append((node, place))
            node, place = node.child, inner
            continue
        if seen and node.is_element_node and node.tag in _LEFT:
            yield False, node, inner
        while node.next is None and stack:
            inner = place
            node, place = stack.pop()
            if node.tag in _LEFT:
                yield False, node, inner
        node = node.next


def _marks(node: LexborNode) -> str:
    return f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''} {node.attributes.get('name') or ''}".strip()


def _place(node: LexborNode, outer: _Place, from_here: bool) -> _Place:
    indented = (
        node.tag == "blockquote"
        and bool(_INDENT.search(node.attributes.get("style") or ""))
        and not _QUOTE.search(_marks(node))
    )
    quoted = outer.quoted or from_here or bool(_QUOTE.search(_marks(node))) or node.tag == "blockquote" and not indented
    return _Place(quoted, outer.as_it_is or node.tag == "pre", outer.indent + 2 * indented)


class _Writer:
    """Collects the lines. from_here: all that follows is quoted. struck: what is struck out beside quotes."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line = ""
        self.from_here = False
        self.struck: list[str] = []

    def begin(self, node: LexborNode, place: _Place) -> None:
        """An element begins."""
        if node.tag == "br":
            self.add(place)
        elif node.tag in _BLOCKS and self.line.strip(" ") != "-":  # a list's mark waits for its text
            self.end_line(place, node.tag in _APART)
        marks = _marks(node)
        if _FROM_HERE.search(marks):
            self.from_here = True
        elif _SIGNATURE.search(marks) and not place.quoted and not self.from_here:
            self.end_line(place)
            self.lines.append("-- ")
        if node.tag == "li":
            self.line = "- "

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
        self.line += text.lstrip(" ") if not self.line or self.line.endswith(" ") else text

    def link(self, node: LexborNode, place: _Place) -> None:
        """A link ends: its address stands behind its words, if they do not say it themselves."""
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
