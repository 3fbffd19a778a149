"""What a slot asks whoever is placed there: fields of the form, each one empty where the order says nothing of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product
from math import prod
from typing import Any, NamedTuple

from kingdom.games.kings_pouch.offers.deeds import choice, is_odd, option, ranks, shapes, slot
from kingdom.games.kings_pouch.report.words import lines_text
from kingdom.games.kings_pouch.rules import Effect, Rules, Slot
from kingdom.games.kings_pouch.state import AREAS, CUBES, KINDS, Table
from kingdom.games.kings_pouch.steps.shared import said

_MOST = 500  # ways to answer all that a slot asks, each of which is counted by itself
_LINES = 3  # lines that can be named
Way = tuple[Any, ...]  # what the fields of a question hold, without the empty ones


class Question(NamedTuple):
    """A key of the order. ways: all that its fields may hold, where what the form counts hangs on it. single: no list in the order."""

    key: str
    fields: list[dict[str, Any]]
    ways: tuple[Way, ...] = ()
    single: bool = False

    @property
    def names(self) -> list[str]:
        """Of the fields."""
        return [field["name"] for field in self.fields]

    @property
    def value(self) -> Any:
        """Where what is filled in comes to stand."""
        return slot(self.names[0]) if self.single else [slot(name) for name in self.names]


def questions(seen: Table, seat: str, asking: Slot, rules: Rules) -> list[Question]:
    """All that a slot asks; of one that asks too much not what can be answered in most ways, which is left to a line of one's own."""
    effects = [effect for line in asking.lines for effect in line]
    found = [
        *_lines(asking),
        *_areas(effects),
        *_received(effects),
        *_drawn(effects),
        *_odd(effects),
        *_marked(seen, seat, effects, rules),
    ]
    while prod(len(question.ways) or 1 for question in found) > _MOST:
        found.remove(max(found, key=lambda question: len(question.ways)))
    return found


def _lines(asking: Slot) -> Iterator[Question]:
    """Which lines are used, and in which order: of those whose effects can be told beforehand."""
    lines = {number: line for number, line in enumerate(asking.lines, 1) if not any(is_odd(effect) for effect in line)}
    if len(asking.lines) > 1 and lines:
        options = [option(number, f"{number}: {lines_text((line,))}") for number, line in lines.items()]
        most = min(len(lines), _LINES)
        names = [f"line{number}" for number in range(1, most + 1)]
        fields = ranks(
            names, ["Use line", *["then line"] * (most - 1)], options, "all that can be used", "no other", distinct=True
        )
        yield Question("lines", fields, tuple(way for count in range(most + 1) for way in permutations(lines, count)))


def _areas(effects: list[Effect]) -> Iterator[Question]:
    options, ways = [option(area, f"the {area} area") for area in AREAS], ((), *((area,) for area in AREAS))
    open_ = {effect.does for effect in effects if effect.area not in AREAS}
    if open_ & {"remove", "exchange", "move"}:
        yield Question(
            "remove_from", [choice("remove_from", "Take from", options, "the rest area first")], ways, single=True
        )
    if open_ & {"gain", "draw"}:
        yield Question("to", [choice("to", "Comes to", options, "the active area")], ways, single=True)


def _received(effects: list[Effect]) -> Iterator[Question]:
    if any(effect.does == "gain" and effect.what not in KINDS for effect in effects):
        labels = ("Receive", "or else")  # where the pool has neither there is but one more kind
        fields = ranks(["gain1", "gain2"], labels, [option(kind) for kind in CUBES], "whom the pool has")
        yield Question(
            "gain", fields, tuple(way for count in range(len(labels) + 1) for way in product(CUBES, repeat=count))
        )


def _drawn(effects: list[Effect]) -> Iterator[Question]:
    if draws := sum(effect.n for effect in effects if effect.does == "draw"):
        yield Question("draw", shapes(draws)[0])


def _odd(effects: list[Effect]) -> Iterator[Question]:
    """Which kinds of citizens are taken, where any may be."""
    for key in ("move", "exchange", "remove"):
        numbers = range(1, 1 + sum(effect.n for effect in effects if effect.does == key and is_odd(effect)))
        if numbers:
            labels = [f"{key.capitalize()} {number}" for number in numbers]
            yield Question(
                key,
                ranks(
                    [f"{key}{number}" for number in numbers], labels, [option(kind) for kind in KINDS], "nobody named"
                ),
            )


def _marked(seen: Table, seat: str, effects: Iterable[Effect], rules: Rules) -> Iterator[Question]:
    """Where a marker is added, of the places that can bear one as things stand."""
    spots = []
    for what in dict.fromkeys(effect.what for effect in effects if effect.does == "add_marker"):
        marked = seen.territories if what == "territory" else seen.claimed
        mine = [
            where for where, each in marked.items() if each.owner == seat and each.markers < rules.most_markers.most
        ]
        spots += [
            option(where, rules.characters[where].name if where in rules.characters else said(where)) for where in mine
        ]
    if spots:
        yield Question("add_marker", [choice("add_marker", "A marker more on", spots, "the first that can bear one")])
