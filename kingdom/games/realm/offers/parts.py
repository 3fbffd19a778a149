"""Offers: orders that are certain to be carried out after those that were chosen before them, as plain data.

What an offer may hold is said in kingdom/render/order_form.py; the form itself (templates/form) only adds up what stands here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Unpack, cast

from kingdom.games.realm.offers.course import Course, standing
from kingdom.games.realm.offers.form_model import Costs, Field, FieldShape, FormOffer, OfferShape, Option, Scalar
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.visibility.known import Other

PIERS = "piers"  # the fact that every pier stands
KEPT = "all land"  # the fact that nothing was let go from which the kingdom sees
LIST, MAP, ONE = "list", "map", "one"  # how an order stands under its key: one of a list, a key of a map, all of it
RANKS = (
    "answers", "leadership", "abandon", "claim", "improve", "settle", "build", "upgrade", "demolish", "armies", "edicts",
    "capital", "doors", "smuggle", "special", "close_route", "march", "loyalty", "plan", "messages",
)  # fmt: skip  # the order in which a turn carries them out, and in a list that in which they are written


class Ground(NamedTuple):
    """What offers are made from. world: as the next orders find it, of other kingdoms what the seat knows.

    seen: what the seat knows now. lost: hexes that are taken from it at the turn's start if its answer stays as it is.
    """

    seat: str
    kingdom: Kingdom
    world: World
    seen: World
    near: Mapping[str, Other]
    lost: tuple[str, ...]
    rules: Rules

    def course(self) -> Course:
        """The turn to come before anything is chosen, to ask what may be ordered in it."""
        return standing(self.world, self.seat, self.rules)

    def name_of(self, seat: str) -> str:
        """The name of a kingdom."""
        return self.seen.kingdoms[seat].name or seat


NOTHING: tuple[Any, ...] = (None, "", [], {}, ())  # what an offer leaves out


def offer(
    id: str, rank: str, key: str, value: Any, text: str, how: str = LIST, **more: Unpack[OfferShape]
) -> FormOffer:
    """An order that may be chosen. more: what else it needs, takes and gives; what is empty is left out."""
    made = {"id": id, "rank": RANKS.index(rank), "key": key, "how": how, "value": value, "text": text}
    rest = {name: what for name, what in more.items() if what or what not in NOTHING}
    return cast(FormOffer, made | rest)  # the keys of `more` are checked where they are given


def slot(name: str) -> str:
    """Where what is filled into a field comes to stand. Its mark stands in no text that anybody typed."""
    return f"\x01{name}\x01"


def slots(text: str) -> str:
    """A text with slots for the fields that it names in braces."""
    return re.sub(r"\{(\w+)\}", lambda found: slot(found[1]), text)


def field(name: str, label: str, kind: str, **more: Unpack[FieldShape]) -> Field:
    """A field of an offer that is filled in: `choice`, `many` (each with options), `text`, `lines` or `number`."""
    rest = {word: what for word, what in more.items() if what not in (None, "")}
    return cast(
        Field, {"name": name, "label": label, "kind": kind} | rest
    )  # the keys of `more` are checked where they are given


def options(words: Iterable[tuple[Scalar, str]]) -> list[Option]:
    """The options of a field, (value, text) each."""
    return [{"value": value, "text": text} for value, text in words]


def table(counter: str, by: Iterable[str], costs: Mapping[str, int], strict: bool = False) -> Costs:
    """What fields cost of a counter: `by` names the fields, a row's key is their values with a bar between.

    strict: what has no row can't be had; otherwise it costs nothing.
    """
    made: Costs = {"counter": counter, "by": list(by), "costs": dict(costs)}
    if strict:
        made["strict"] = True
    return made


def fold(name: str) -> str:
    """A name without regard to small and capital letters, as the form compares them."""
    return name.upper().lower()


def held(label: str) -> str:
    """The fact that the hex is held."""
    return f"held {label}"


def whole(label: str) -> str:
    """The fact that what armies use stands in the settlement there."""
    return f"whole {label}"
