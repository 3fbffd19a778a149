"""Citizens on buildings: a button for each citizen on each slot that takes it, and what a slot asks whoever is placed there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations, product
from math import prod
from typing import NamedTuple, TypeAlias

from kingdom.games.kings_pouch.orders import placing
from kingdom.games.kings_pouch.orders.placing import ANY, citizen_on, next_slot, sweep_of
from kingdom.games.kings_pouch.page.deeds import (
    PLACE,
    PLACING,
    SURE,
    UNSURE,
    Button,
    Data,
    Deed,
    Field,
    button,
    choice,
    feared,
    is_odd,
    line_deed,
    option,
    ranks,
    shapes,
    tried_line,
)
from kingdom.games.kings_pouch.report import lines_text
from kingdom.games.kings_pouch.rules import Effect, Rules, Slot
from kingdom.games.kings_pouch.state import AREAS, CUBES, KINDS, Lord, Table
from kingdom.games.kings_pouch.steps import said
from kingdom.orders.kit.pages import slot

_MOST = 500  # ways to answer all that a slot asks, each of which is counted by itself
_LINES = 3  # lines that can be named
Way: TypeAlias = tuple[str | int, ...]  # what the fields of a question hold, without the empty ones


class Question(NamedTuple):
    """A key of the order. ways: all that its fields may hold, where what the form counts hangs on it. single: no list in the order."""

    key: str
    fields: list[Field]
    ways: tuple[Way, ...] = ()
    single: bool = False

    @property
    def names(self) -> list[str]:
        """Of the fields."""
        return [field["name"] for field in self.fields]

    @property
    def value(self) -> str | list[str]:
        """Where what is filled in comes to stand."""
        return slot(self.names[0]) if self.single else [slot(name) for name in self.names]


def questions(seen: Table, seat: str, asking: Slot, rules: Rules) -> list[Question]:
    """All that a slot asks; of one that asks too much not what can be answered in most ways, which is left to a line of one's own."""
    effects = [effect for line in asking.lines for effect in line]
    asked = [
        *_lines(asking),
        *_areas(effects),
        *_received(effects),
        *_drawn(effects),
        *_odd(effects),
        *_marked(seen, seat, effects, rules),
    ]
    while prod(len(question.ways) or 1 for question in asked) > _MOST:
        asked.remove(max(asked, key=lambda question: len(question.ways)))
    return asked


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
            where for where, mark in marked.items() if mark.owner == seat and mark.markers < rules.most_markers.most
        ]
        spots += [
            option(where, rules.characters[where].name if where in rules.characters else said(where)) for where in mine
        ]
    if spots:
        yield Question("add_marker", [choice("add_marker", "A marker more on", spots, "the first that can bear one")])


SWEEP = PLACE + 0.5  # whoever is left, behind those that are named


class Place(NamedTuple):
    """A slot that can still be used in the turn. number: from 1."""

    building: str
    name: str
    number: int
    slot: Slot
    several: bool

    @property
    def word(self) -> str:
        """Building and number, by which facts and deeds are named."""
        return f"{self.building} {self.number}"

    @property
    def effects(self) -> list[Effect]:
        """What it does, of all lines."""
        return [effect for line in self.slot.lines for effect in line]


def places(lord: Lord, rules: Rules) -> list[Place]:
    """The slots of the seat's finished buildings, as they stand."""
    free = []
    for building in lord.buildings:
        rule = rules.buildings[building]
        for number, open_slot in enumerate(rule.slots, 1):
            if number >= next_slot(lord, building):
                free.append(Place(building, rule.name, number, open_slot, len(rule.slots) > 1))
    return free


def opened(lord: Lord, rules: Rules) -> list[str]:
    """The facts that hold before anybody is placed."""
    free = places(lord, rules)
    next_ones = [place for place in free if place.number == next_slot(lord, place.building)]
    return [
        *(f"{place.word} open" for place in free),
        *(f"{place.building} {place.number - 1} used" for place in next_ones),
    ]


def before(lord: Lord, rules: Rules) -> list[Deed]:
    """What buildings without slots do before anybody is placed."""
    lines = [line for building in lord.buildings for line in rules.buildings[building].once_per_round]
    return [line_deed(line, {}, rules) for line in lines]


def all_effects(lord: Lord, rules: Rules) -> list[Effect]:
    """Every effect that the seat's buildings may have in a turn."""
    own = [rules.buildings[building] for building in lord.buildings]
    lines = [
        line for rule in own for line in (*rule.once_per_round, *(line for slot in rule.slots for line in slot.lines))
    ]
    return [effect for line in lines for effect in line]


def slot_deeds(lord: Lord, rules: Rules) -> dict[str, Deed]:
    """word -> deed: each slot without wishes, each citizen on it, and the same for a sweep, which counts while all is sure."""
    deeds: dict[str, Deed] = {}
    for place in places(lord, rules):
        deeds[place.word] = {"each": [tried_line(line, {}, rules) for line in place.slot.lines]}
        for kind in place.slot.accepts:
            deeds[f"{place.word} {kind}"] = {**_taken(place, kind), "all": [place.word]}
            deeds[f"sweep {place.word} {kind}"] = {"needs": [[SURE]], "all": [f"{place.word} {kind}"]}
    return deeds


def _taken(place: Place, kind: str) -> Deed:
    """What any citizen of the kind does on the slot."""
    return {"costs": {kind: 1}, **_opened(place), "gives": [f"{place.word} used"]}


def _opened(place: Place) -> Deed:
    needs = [[PLACING], [f"{place.word} open"], [f"{place.building} {place.number - 1} used"]]
    return {"needs": needs, "ends": [f"{place.word} open"]}


def placements(seen: Table, lord: Lord, seat: str, rules: Rules) -> Iterator[Button]:
    """Each citizen on each slot that takes it."""
    for place in places(lord, rules):
        asked = questions(seen, seat, place.slot, rules)
        fields = [field for question in asked for field in question.fields]
        filled = {"fields": fields, "deed": _answered(place, asked, rules)} if fields else {"all": [place.word]}
        for kind in place.slot.accepts:
            candidate = citizen_on(place.building, place.number, kind, place.name)
            value = {**candidate.order, **{question.key: question.value for question in asked}}
            yield button(
                placing.PLACE,
                candidate,
                PLACE,
                value,
                more=_does(place),
                **_taken(place, kind),
                **filled,
            )


def _does(place: Place) -> str:
    return (f"slot {place.number}: " if place.several else "") + lines_text(place.slot.lines)


def hopes(lord: Lord, rules: Rules) -> Iterator[Button]:
    """The same for a citizen who may be drawn in the turn: placed if one is active by then, and else passed over."""
    for place in places(lord, rules):
        for kind in place.slot.accepts:
            candidate = citizen_on(place.building, place.number, kind, place.name)
            hoped = candidate._replace(id=f"{candidate.id} ?", text=f"{candidate.text}, if one is drawn")
            fears = {"each": feared(place.effects)} if feared(place.effects) else {}
            nobody = {"sized": {"counter": kind, "by": kind, "costs": [0]}, "ends": [f"{place.word} open"], **fears}
            needs = [[UNSURE], *_opened(place)["needs"]]
            yield button(
                placing.PLACE,
                hoped,
                PLACE,
                {"if_active": {kind: 1}, **candidate.order},
                more=_does(place),
                needs=needs,
                all=[{"first": [f"{place.word} {kind}", nobody]}],
            )


def sweeps(lord: Lord, rules: Rules) -> Iterator[Button]:
    """Whoever is left, or all of a kind, on every free slot that fits (ruling sweep)."""
    unsure = {"needs": [[UNSURE]], "ends": [PLACING], "each": feared(all_effects(lord, rules))}
    for wanted in (ANY, *KINDS):
        order = [
            f"sweep {place.word} {kind}"
            for place in places(lord, rules)
            for kind in sorted(place.slot.accepts, key=lambda kind: kind == KINDS[0])
            if wanted in (ANY, kind)
        ]
        yield button(placing.PLACE, sweep_of(wanted), SWEEP, takes=[f"sweep {wanted}"],
                     needs=[[PLACING]], again=order, each=[unsure])  # fmt: skip


def _answered(place: Place, asked: list[Question], rules: Rules) -> Data:
    """What the slot does by what is filled in: `by`, the fields that count; `of`, what they hold, parted by | -> deed."""
    counting = [question for question in asked if question.ways]
    deeds = {}
    for held in product(*(question.ways for question in counting)):
        words = [
            str(word)
            for question, way in zip(counting, held, strict=True)
            for word in (*way, *[""] * (len(question.fields) - len(way)))
        ]
        deeds["|".join(words)] = _deed(
            place, {question.key: way for question, way in zip(counting, held, strict=True)}, rules
        )
    return {"by": [name for question in counting for name in question.names], "of": deeds}


def _deed(place: Place, held: Mapping[str, Way], rules: Rules) -> Deed:
    """The slot's lines: those that are named, which must be possible, or all that are."""
    wishes = {**{key: way[0] for key, way in held.items() if way}, "gain": held.get("gain", ())}
    if held.get("lines"):
        return {"all": [line_deed(place.slot.lines[int(number) - 1], wishes, rules) for number in held["lines"]]}
    return {"each": [tried_line(line, wishes, rules) for line in place.slot.lines]}
