"""Order forms as plain data, where board games have them alike: sections, slots, messages, and that a seat is done.

kingdom/render/order_form.py says how the data is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypedDict

from kingdom.engine.offer import LIST, ONE, Offer
from kingdom.games.kit.common_orders import ALL

Button: TypeAlias = dict[str, object]  # what can be chosen in the page, with keys of several kinds
Field: TypeAlias = dict[str, object]  # what is filled in
FINAL = Offer("final", "final", ONE, True, "yes", "I am done", uses={"final": 1})
TEXT = 4000  # characters of a message


class Part(TypedDict):
    """Some of a section's buttons under a title, "" for none."""

    title: str
    offers: list[Button]


class Section(TypedDict):
    """A section of the page."""

    id: str
    title: str
    about: str
    parts: list[Part]


def slot(name: str) -> str:
    """Where what is filled into a field comes to stand. Its mark stands in no text that anybody typed."""
    return f"\x01{name}\x01"


def letters(seats: Iterable[str], seat: str, rank: int) -> Section:
    """The last section: a message to one of the other seats or to all, and that the seat is done."""
    to = [{"value": name, "text": name} for name in (ALL, *seats) if name != seat]
    fields = [
        {"name": "to", "label": "To", "kind": "choice", "options": to},
        {"name": "text", "label": "Text", "kind": "lines", "most": TEXT},
    ]
    message: Button = {
        "id": "message", "rank": rank, "key": "messages", "how": LIST, "value": {"to": slot("to"), "text": slot("text")},
        "text": "Write a message", "fields": fields,
    }  # fmt: skip
    done: Button = {
        "id": FINAL.id, "rank": rank, "key": FINAL.key, "how": FINAL.how, "value": FINAL.order, "text": FINAL.text,
        "takes": list(FINAL.uses),
    }  # fmt: skip
    return {
        "id": "letters", "title": "Messages", "about": "", "parts": [{"title": "", "offers": [message, done]}],
    }  # fmt: skip
