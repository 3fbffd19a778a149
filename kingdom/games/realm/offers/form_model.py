"""The shapes of what the order form is given as plain data; kingdom/render/order_form.py says how the form reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Required, TypeAlias, TypedDict

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
    value: Any
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
    """What a kind of building is to others, what is nothing left out."""

    name: Required[str]
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
