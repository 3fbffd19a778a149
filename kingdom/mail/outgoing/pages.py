"""The templates of mails: templates/mail, text and HTML. Each gets `view`, plain data with every text in it cleaned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from kingdom.mail.outgoing.links import Link
from kingdom.orders import places
from kingdom.render.plain_text import cleaned, left, right, wrap

if TYPE_CHECKING:
    from jinja2 import Environment


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from kingdom.render.templates import environment  # loads jinja2

    made: Environment = environment(places.templates() / "mail", {"left": left, "right": right, "wrap": wrap})
    return made


def text(name: str, view: Mapping[str, object], **ours: str) -> str:
    """A mail's text. ours: HTML of our own that goes into the view as it is."""
    from markupsafe import Markup

    whole = {**cleaned(view), **{key: Markup(html) for key, html in ours.items()}}
    return _environment().get_template(name).render(view=whole)


html = text  # escaped by the template's ending


def short(name: str, lines: Iterable[str], typed: Iterable[str] = (), links: Iterable[Link] = ()) -> tuple[str, str]:
    """(text, HTML) of a short mail: paragraphs, lines as they stand, links. name: of the campaign."""
    view = {"campaign": name, "lines": list(lines), "typed": list(typed), "links": [link.view() for link in links]}
    return text("lines.txt", view), html("lines.html", view)
