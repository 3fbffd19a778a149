"""What the order form is given, as plain data: the shapes of it (kingdom/render/order_form.py says how the form reads them), and how an
offer of the form is made. The form itself (templates/form) only adds up what stands here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Required, TypeAlias, Unpack, cast

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.offer import LIST, How
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.hexmap import hex_in_words
from kingdom.games.realm.offers.turn_preview import MUSTER, ORDER, Course, standing
from kingdom.games.realm.orders.declaration import DECISIONS
from kingdom.games.realm.orders.kind import Now, named
from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World
from kingdom.games.realm.visibility.known import Other
from kingdom.orders import kit

Scalar: TypeAlias = str | int


class Option(TypedDict, total=False):
    """What a field may hold: only `when` other fields hold one of these, not `unless`."""

    value: Required[Scalar]
    text: Required[str]
    when: dict[str, list[str]]
    unless: dict[str, list[str]]


class FieldShape(TypedDict, total=False):
    """What else a field holds besides its name, label and kind."""

    options: Sequence[Option]
    on_map: bool
    none: str
    least: int
    most: int
    value: int
    unlike: list[str]


class Field(FieldShape):
    """A field of an offer that is filled in. kind: `choice`, `many`, `text`, `lines` or `number`."""

    name: str
    label: str
    kind: str


class Costs(TypedDict, total=False):
    """What fields cost of a counter; a row's key is their values with a bar between. strict: what has no row can't be had."""

    counter: Required[str]
    by: Required[list[str]]
    costs: Required[dict[str, int]]
    strict: bool


class Sized(TypedDict):
    """What an offer costs by the level of a counter."""

    counter: str
    by: str
    costs: dict[int, int]


class Credit(TypedDict):
    """When a building may be had for more than the treasury holds. above: the treasury; least: of counters, of which the first is used up;
    first: none of its kind was chosen in the town before."""

    above: int
    least: dict[str, int]
    first: bool


class Works(TypedDict, total=False):
    """What is built at a place that is chosen; places and prices by lot, or the number of their pool."""

    town: Required[str]
    kind: Required[str]
    places: Required[dict[str, str] | int]
    prices: Required[Mapping[str, Sequence[tuple[int, int]]] | int]
    caps: Required[list[str]]
    word: Required[str]
    over: list[str]
    old: str
    alone: bool
    credit: Credit


class OfferShape(TypedDict, total=False):
    """What else an offer of the form may hold: what it needs, takes and gives."""

    more: str
    at: str
    group: str
    fields: list[Field]
    costs: dict[str, int]
    tables: list[Costs]
    sized: Sized
    adds: dict[str, int]
    least: dict[str, int]
    needs: list[list[str]]
    needs_of: dict[str, dict[str, list[list[str]]]]
    gives: list[str]
    ends: list[str]
    takes: list[str]
    takes_of: dict[str, dict[str, list[str]]]
    against: list[str]
    any_of: list[str]
    empties: bool
    work: Works


class FormOffer(OfferShape):
    """An order that may be pressed or filled in. value: its long form, with slots for its fields."""

    id: str
    rank: int
    key: str
    how: str
    value: object
    text: str


class Unsaid(TypedDict, total=False):
    """What stands where nothing of a choice is chosen."""

    text: Required[str]
    more: Required[str]
    place: int


class Part(TypedDict, total=False):
    """A part of a section: buttons, a choice, or some words of a list."""

    title: Required[str]
    kind: str
    offers: list[FormOffer]
    about: str
    by: str
    names: dict[str, str]
    folded: bool
    none: Unsaid
    key: str
    most: int
    now: list[str]
    options: list[Option]


class Section(TypedDict):
    """A section of the form."""

    id: str
    title: str
    about: str
    parts: list[Part]


class Counter(TypedDict, total=False):
    """What orders use up. level: it is not shown as what is left."""

    id: Required[str]
    name: Required[str]
    left: Required[int]
    unit: str
    level: bool


class Stands(TypedDict):
    """A building that may serve another as a neighbour."""

    kind: str
    lots: list[str]


class Town(TypedDict):
    """A settlement: its ground as the form counts with it, and what may be ordered in it."""

    name: str
    hex: str
    open: bool
    standing: list[Stands]
    left: dict[str, int]
    half: dict[str, int]
    offers: list[FormOffer]


class KindShape(TypedDict, total=False):
    """What a kind of building is to others, what is nothing left out. does: what it gives a kingdom, in words."""

    name: Required[str]
    does: str
    names: list[str]
    avoids: list[str]
    count: int
    of: list[str]
    halves: list[str]
    walls: list[str]
    gate: bool
    walled: bool


class Model(TypedDict, total=False):
    """All that the form offers a seat."""

    notice: Required[str]
    counters: Required[list[Counter]]
    coin: Required[str]
    facts: Required[list[str]]
    sections: Required[list[Section]]
    places: Required[dict[str, str]]
    towns: dict[str, dict[str, object]]
    kinds: dict[str, KindShape]
    shapes: dict[str, dict[str, list[list[str]]]]
    pools: dict[str, list[dict[str, object]]]


# --- how they are made


_IN_FORM = {
    "build": ("build", "upgrade", "demolish"),
    MUSTER: ("armies",),
    "special": ("special", "close_route"),
    "plan": (),
    "reserve": (),
}
RANKS = (
    *(rank for part in ORDER for rank in _IN_FORM.get(part, (part,))), "plan", "messages",
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
        return named(seat, self.seen)

    def lies(self, label: str) -> str:
        """A hex with what lies there, for a person."""
        return hex_in_words(label, self.world.hexes[label], self.rules)

    def moment(self) -> Now:
        """The moment when the first order comes up."""
        return Now(self.world, self.seat, self.rules, before=self.seen)


NOTHING: tuple[object, ...] = (None, "", [], {}, ())  # what an offer leaves out


def offer(
    id: str, rank: str, key: str, value: object, text: str, how: How = LIST, **more: Unpack[OfferShape]
) -> FormOffer:
    """An order that may be chosen. more: what else it needs, takes and gives; what is empty is left out."""
    made = {"id": id, "rank": RANKS.index(rank), "key": key, "how": how, "value": value, "text": text}
    rest = {name: what for name, what in more.items() if what or what not in NOTHING}
    return cast(FormOffer, made | rest)  # the keys of `more` are checked where they are given


def decisions(ground: Ground, section: str, part: str = "") -> list[FormOffer]:
    """The orders of that part of the form that have a file of their own."""
    kinds = [kind for kind in DECISIONS if (kind.section, kind.part) == (section, part)]
    made = [
        kit.button(kind, RANKS.index(kind.key), candidate)
        for kind in kinds
        for candidate in kit.possible(kind, ground.moment(), later=True)
    ]
    return cast(list[FormOffer], made)  # the form's tests read every key


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


def water_borders() -> Field:
    """The field of a district's borders that are water."""
    return field("water", "Borders that are water", "many", options=options((each, each) for each in BORDERS))


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
