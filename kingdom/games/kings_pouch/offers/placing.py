"""Citizens on buildings: a button for each citizen on each slot that takes it, or what is filled in where the slot asks something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from kingdom.games.kings_pouch.offers.deeds import LIST, PLACE, PLACING, SURE, UNSURE, Deed, Offer, feared, line_deed
from kingdom.games.kings_pouch.offers.slots import Question, Way, questions
from kingdom.games.kings_pouch.report.words import lines_text
from kingdom.games.kings_pouch.rules import Effect, Rules, Slot
from kingdom.games.kings_pouch.state import KINDS, Lord, Table
from kingdom.games.kings_pouch.steps.placement import ANY, next_slot

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
    found = []
    for building in lord.buildings:
        rule = rules.buildings[building]
        for number, each in enumerate(rule.slots, 1):
            if number >= next_slot(lord, building):
                found.append(Place(building, rule.name, number, each, len(rule.slots) > 1))
    return found


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
    found: dict[str, Deed] = {}
    for place in places(lord, rules):
        found[place.word] = {"each": [line_deed(line, {}, rules) for line in place.slot.lines]}
        for kind in place.slot.accepts:
            found[f"{place.word} {kind}"] = {**_taken(place, kind), "all": [place.word]}
            found[f"sweep {place.word} {kind}"] = {"needs": [[SURE]], "all": [f"{place.word} {kind}"]}
    return found


def _taken(place: Place, kind: str) -> Deed:
    """What any citizen of the kind does on the slot."""
    return {"costs": {kind: 1}, **_opened(place), "gives": [f"{place.word} used"]}


def _opened(place: Place) -> Deed:
    needs = [[PLACING], [f"{place.word} open"], [f"{place.building} {place.number - 1} used"]]
    return {"needs": needs, "ends": [f"{place.word} open"]}


def placements(seen: Table, lord: Lord, seat: str, rules: Rules) -> Iterator[Offer]:
    """Each citizen on each slot that takes it."""
    for place in places(lord, rules):
        asked = questions(seen, seat, place.slot, rules)
        fields = [field for question in asked for field in question.fields]
        filled = {"fields": fields, "deed": _answered(place, asked, rules)} if fields else {"all": [place.word]}
        for kind in place.slot.accepts:
            value = {"citizen": kind, "at": place.building, **{question.key: question.value for question in asked}}
            yield _offer(
                f"{place.word} {kind}",
                value,
                f"{kind.capitalize()} on {place.name}",
                more=_does(place),
                **_taken(place, kind),
                **filled,
            )


def _offer(id: str, value: Any, text: str, rank: float = PLACE, **more: Any) -> Offer:
    return {"id": id, "rank": rank, "key": "place", "how": LIST, "value": value, "text": text, **more}


def _does(place: Place) -> str:
    return (f"slot {place.number}: " if place.several else "") + lines_text(place.slot.lines)


def hopes(lord: Lord, rules: Rules) -> Iterator[Offer]:
    """The same for a citizen who may be drawn in the turn: placed if one is active by then, and else passed over."""
    for place in places(lord, rules):
        for kind in place.slot.accepts:
            value = {"if_active": {kind: 1}, "citizen": kind, "at": place.building}
            nobody = {
                "sized": {"counter": kind, "by": kind, "costs": [0]},
                **_opened(place),
                "each": feared(place.effects),
            }
            needs = [[UNSURE], *_opened(place)["needs"]]
            text = f"{kind.capitalize()} on {place.name}, if one is active then"
            yield _offer(
                f"{place.word} {kind} hoped",
                value,
                text,
                more=_does(place),
                needs=needs,
                all=[{"first": [f"{place.word} {kind}", nobody]}],
            )


def sweeps(lord: Lord, rules: Rules) -> Iterator[Offer]:
    """Whoever is left, or all of a kind, on every free slot that fits (ruling sweep)."""
    unsure = {"needs": [[UNSURE]], "ends": [PLACING], "each": feared(all_effects(lord, rules))}
    for wanted in (ANY, *KINDS):
        order = [
            f"sweep {place.word} {kind}"
            for place in places(lord, rules)
            for kind in sorted(place.slot.accepts, key=lambda kind: kind == KINDS[0])
            if wanted in (ANY, kind)
        ]
        text = "Everybody who is left" if wanted == ANY else f"Every {wanted} who is left"
        yield _offer(f"sweep {wanted}", {"citizen": wanted, "at": ANY}, f"{text}, on any free slot", SWEEP, takes=[f"sweep {wanted}"],
                     needs=[[PLACING]], again=order, each=[unsure])  # fmt: skip


def _answered(place: Place, asked: list[Question], rules: Rules) -> dict[str, Any]:
    """What the slot does by what is filled in: `by`, the fields that count; `of`, what they hold, parted by | -> deed."""
    counting = [question for question in asked if question.ways]
    found = {}
    for held in product(*(question.ways for question in counting)):
        words = [
            str(word)
            for question, way in zip(counting, held)
            for word in (*way, *[""] * (len(question.fields) - len(way)))
        ]
        found["|".join(words)] = _deed(place, {question.key: way for question, way in zip(counting, held)}, rules)
    return {"by": [name for question in counting for name in question.names], "of": found}


def _deed(place: Place, held: Mapping[str, Way], rules: Rules) -> Deed:
    """The slot's lines: those that are named, which must be possible, or all that are."""
    wishes = {**{key: way[0] for key, way in held.items() if way}, "gain": held.get("gain", ())}
    if held.get("lines"):
        return {"all": [line_deed(place.slot.lines[number - 1], wishes, rules) for number in held["lines"]]}
    return {"each": [line_deed(line, wishes, rules) for line in place.slot.lines]}
