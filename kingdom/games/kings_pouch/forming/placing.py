"""Citizens on buildings: a button for each citizen on each slot that takes it, or what is filled in where the slot asks something."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any, Iterable, Iterator, Mapping, NamedTuple

from kingdom.games.kings_pouch.forming.deeds import feared, is_odd, line_deed
from kingdom.games.kings_pouch.forming.offers import LIST, PLACE, PLACING, SURE, UNSURE, Deed, Offer, choice, option, ranks, shapes, slot
from kingdom.games.kings_pouch.placement import ANY, next_slot
from kingdom.games.kings_pouch.rules import Effect, Rules, Slot
from kingdom.games.kings_pouch.state import AREAS, CUBES, KINDS, Lord, Table
from kingdom.games.kings_pouch.steps import said
from kingdom.games.kings_pouch.telling.words import lines_text

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
    return [*(f"{place.word} open" for place in free), *(f"{place.building} {place.number - 1} used" for place in next_ones)]


def before(lord: Lord, rules: Rules) -> list[Deed]:
    """What buildings without slots do before anybody is placed."""
    lines = [line for building in lord.buildings for line in rules.buildings[building].once_per_round]
    return [line_deed(line, {}, rules) for line in lines]


def all_effects(lord: Lord, rules: Rules) -> list[Effect]:
    """Every effect that the seat's buildings may have in a turn."""
    own = [rules.buildings[building] for building in lord.buildings]
    lines = [line for rule in own for line in (*rule.once_per_round, *(line for slot in rule.slots for line in slot.lines))]
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
        asked = _asked(seen, seat, place, rules)
        for kind in place.slot.accepts:
            value = {"citizen": kind, "at": place.building, **asked.value}
            filled = {"fields": asked.fields, "deed": {"by": asked.by, "of": asked.of}} if asked.fields else {"all": [place.word]}
            yield _offer(f"{place.word} {kind}", value, f"{kind.capitalize()} on {place.name}", more=_does(place), **_taken(place, kind), **filled)


def _offer(id: str, value: Any, text: str, rank: float = PLACE, **more: Any) -> Offer:
    return {"id": id, "rank": rank, "key": "place", "how": LIST, "value": value, "text": text, **more}


def _does(place: Place) -> str:
    return (f"slot {place.number}: " if place.several else "") + lines_text(place.slot.lines)


def hopes(lord: Lord, rules: Rules) -> Iterator[Offer]:
    """The same for a citizen who may be drawn in the turn: placed if one is active by then, and else passed over."""
    for place in places(lord, rules):
        for kind in place.slot.accepts:
            value = {"if_active": {kind: 1}, "citizen": kind, "at": place.building}
            nobody = {"sized": {"counter": kind, "by": kind, "costs": [0]}, **_opened(place), "each": feared(place.effects)}
            needs = [[UNSURE], *_opened(place)["needs"]]
            text = f"{kind.capitalize()} on {place.name}, if one is active then"
            yield _offer(f"{place.word} {kind} hoped", value, text, more=_does(place), needs=needs, all=[{"first": [f"{place.word} {kind}", nobody]}])


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


# --- what a slot asks ------------------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """What is filled in for a slot: fields, where it comes to stand, and the deed of what the fields in `by` hold together."""

    fields: list[dict[str, Any]]
    value: dict[str, Any]
    by: list[str]
    of: dict[str, Deed]


def _asked(seen: Table, seat: str, place: Place, rules: Rules) -> Asked:
    effects, lines = place.effects, place.slot.lines
    fields: list[dict[str, Any]] = []
    value: dict[str, Any] = {}
    counted: list[tuple[str, list[str], list[tuple[Any, ...]]]] = []  # key of the order, fields, what they may hold

    def ask(key: str, rows: list[dict[str, Any]], held: list[tuple[Any, ...]] | None = None, single: bool = False) -> None:
        names = [row["name"] for row in rows]
        fields.extend(rows)
        value[key] = slot(names[0]) if single else [slot(name) for name in names]
        if held is not None:
            counted.append((key, names, held))

    certain = [number for number, line in enumerate(lines, 1) if not any(is_odd(effect) for effect in line)]
    if len(lines) > 1 and certain:
        options = [option(number, f"{number}: {lines_text((lines[number - 1],))}") for number in certain]
        names = [f"line{number}" for number in certain]
        labels = ["Use line", *(["then line"] * (len(certain) - 1))]
        ways = [way for count in range(len(certain) + 1) for way in permutations(certain, count)]
        ask("lines", ranks(names, labels, options, "all that can be used", "no other", distinct=True), ways)
    if any(effect.does in ("remove", "exchange", "move") and effect.area not in AREAS for effect in effects):
        areas = [option(area, f"the {area} area") for area in AREAS]
        ask("remove_from", [choice("remove_from", "Take from", areas, "the rest area first")], [(), *((area,) for area in AREAS)], single=True)
    if any(effect.does in ("gain", "draw") and effect.area not in AREAS for effect in effects):
        ask("to", [choice("to", "Comes to", [option(area, f"the {area} area") for area in AREAS], "the active area")], [(), *((area,) for area in AREAS)], single=True)
    if any(effect.does == "gain" and effect.what not in KINDS for effect in effects):
        wishes = [way for count in range(3) for way in product(CUBES, repeat=count)]
        ask("gain", ranks(["gain1", "gain2"], ["Receive", "or else"], [option(kind) for kind in CUBES], "whom the pool has"), wishes)
    if draws := sum(effect.n for effect in effects if effect.does == "draw"):
        ask("draw", shapes(draws)[0])
    for key in ("move", "exchange", "remove"):
        count = sum(effect.n for effect in effects if effect.does == key and is_odd(effect))
        if count:
            names = [f"{key}{number}" for number in range(1, count + 1)]
            ask(key, ranks(names, [f"{key.capitalize()} {number}" for number in range(1, count + 1)], [option(kind) for kind in KINDS], "nobody named"))
    if spots := _spots(seen, seat, effects, rules):
        ask("add_marker", [choice("add_marker", "A marker more on", spots, "the first that can bear one")])
    by = [name for _, names, _ in counted for name in names]
    return Asked(fields, value, by, _deeds(place, counted, rules))


def _spots(seen: Table, seat: str, effects: Iterable[Effect], rules: Rules) -> list[dict[str, Any]]:
    """Where a marker may be added, as things stand."""
    found = []
    for what in dict.fromkeys(effect.what for effect in effects if effect.does == "add_marker"):
        marked = seen.territories if what == "territory" else seen.claimed
        mine = [where for where, each in marked.items() if each.owner == seat and each.markers < rules.most_markers.most]
        found += [option(where, rules.characters[where].name if where in rules.characters else said(where)) for where in mine]
    return found


def _deeds(place: Place, counted: list[tuple[str, list[str], list[tuple[Any, ...]]]], rules: Rules) -> dict[str, Deed]:
    """What the fields hold, parted by | -> the deed of the slot."""
    found = {}
    for held in product(*(each for _, _, each in counted)):
        wishes = {key: way for (key, _, _), way in zip(counted, held)}
        words = [str(word) for (_, names, _), way in zip(counted, held) for word in (*way, *[""] * (len(names) - len(way)))]
        found["|".join(words)] = _deed(place, wishes, rules)
    return found


def _deed(place: Place, wishes: Mapping[str, tuple[Any, ...]], rules: Rules) -> Deed:
    plain = {"remove_from": next(iter(wishes.get("remove_from", ())), None), "to": next(iter(wishes.get("to", ())), None), "gain": wishes.get("gain")}
    chosen = wishes.get("lines", ())
    lines = [line_deed(place.slot.lines[number - 1], plain, rules) for number in chosen]
    if chosen:
        return {"all": lines}
    return {"each": [line_deed(line, plain, rules) for line in place.slot.lines]}
