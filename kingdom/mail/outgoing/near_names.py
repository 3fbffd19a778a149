"""Orders that would be refused for a name -> the same orders with the name that was meant: `Tarnchurch` for `tarn church`.

A refusal lists the names that would do behind its last colon. One of them counts as meant only if the order is no longer
refused for that reason when it is tried with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from kingdom.campaign import preview
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.preview import Refused
from kingdom.engine.problems import nearest
from kingdom.engine.step import Orders
from kingdom.mail.outgoing import order_words
from kingdom.mail.records import FILE
from kingdom.orders import orders_file

_MOST = 5  # orders that are tried with another name
_REMARK = re.compile(r"\([^()]*\)")  # `Tarnchurch (near the inn)`
_BETWEEN = re.compile(r"[\W_]+")


class Meant(NamedTuple):
    """names: the path of an order -> the name that was meant in it. orders: all of them, with these names."""

    names: Mapping[str, str]
    orders: Orders


def meant(campaign: Campaign, seat: str, turn: int, wanted: Orders, refusals: Iterable[Refused]) -> Meant:
    """What the orders probably mean; no names where that can't be told."""
    names: dict[str, str] = {}
    orders, tries = wanted, 0
    for refused in refusals:
        known = _listed(refused["reason"])
        found = set(order_words.texts_at(refused["order"], orders)) - set(known)
        near = {text: name for text in found if text in refused["reason"] and (name := _near(text, known))}
        if not near or tries == _MOST:
            continue
        tries += 1
        changed = order_words.with_texts(refused["order"], orders, partial(_replaced, near))
        if _helps(campaign, seat, turn, changed, refused):
            orders = changed
            names[refused["order"]] = ", ".join(near.values())
    return Meant(names, orders)


def _listed(reason: str) -> list[str]:
    """The names behind the last colon of a reason; none where there is no colon."""
    _, colon, names = order_words.plainly(reason).rpartition(": ")
    return names.rstrip(".").split(", ") if colon else []


def _near(text: str, known: Sequence[str]) -> str:
    """The known name that a text is, or nearly is, without blanks, capitals and a remark in brackets; "" for none."""
    plain = {_bare(name): name for name in known}
    bare = _bare(_REMARK.sub("", text))
    return plain.get(bare) or plain.get(nearest(bare, plain), "")


def _bare(name: str) -> str:
    return _BETWEEN.sub("", name).lower()


def _replaced(names: Mapping[str, str], text: str) -> str:
    return names.get(text, text)


def _helps(campaign: Campaign, seat: str, turn: int, orders: Orders, refused: Refused) -> bool:
    """Whether these orders can be filed, and that one is no longer refused for the same reason."""
    text = orders_file.write({"kingdom": seat, "turn": turn, **orders}).encode()
    filing, still = preview.verdict(campaign, preview.start_of(campaign), seat, text, FILE)
    return filing.orders is not None and (refused["order"], refused["code"]) not in {
        (one["order"], one["code"]) for one in still
    }
