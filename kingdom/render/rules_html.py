"""The rules as a page for a browser, made of the Markdown that `kingdom rules` prints."""

from __future__ import annotations

import re
from html import unescape

from kingdom.engine.named_tuple import NamedTuple

_HEADING = re.compile(r"<h([123])>(.*?)</h\1>")
_ANCHOR = re.compile(r"&lt;a id=&quot;([a-z0-9_]+)&quot;&gt;&lt;/a&gt;")  # before a ruling in a table
_ELSEWHERE = re.compile(
    r'<a href="(?!#|https?:)[^"]*">(.*?)</a>'
)  # a file of the program's docs, which the reader may not have


class Heading(NamedTuple):
    """A heading of the page. level: 1 to 3; id: where it stands in the page."""

    level: int
    id: str
    name: str


def page_of(markdown: str) -> tuple[str, list[Heading]]:
    """(the inside of the page, its headings) of rules in Markdown. HTML in them, as a campaign's own texts may hold, is shown as text."""
    from markdown_it import MarkdownIt  # slow to load

    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    headings: list[Heading] = []

    def named(found: re.Match[str]) -> str:
        name = unescape(re.sub(r"<[^>]*>", "", found[2]))
        headings.append(Heading(int(found[1]), re.sub(r"[^\w-]", "", name.lower().replace(" ", "-")), name))
        return f'<h{found[1]} id="{headings[-1].id}">{found[2]}</h{found[1]}>'

    html = _ELSEWHERE.sub(r"\1", _ANCHOR.sub(r'<a id="\1"></a>', _HEADING.sub(named, html)))
    return html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace(
        "</table>", "</table></div>"
    ), headings
