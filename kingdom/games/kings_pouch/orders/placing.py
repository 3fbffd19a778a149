"""The placement phase: active citizens on free slots of the own buildings, whose effects fire at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final, NotRequired, TypedDict

from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.kings_pouch.orders import counting
from kingdom.games.kings_pouch.orders.counting import PLACING, SURE, UNCERTAIN, UNSURE, feared, line_deed
from kingdom.games.kings_pouch.report import lines_text
from kingdom.games.kings_pouch.rules import Building, Effect, Rules, Slot
from kingdom.games.kings_pouch.state import (
    AREAS,
    CUBES,
    KINDS,
    SHAPES,
    Lord,
    Placed,
    Purse,
    Table,
    count_of,
    each_of,
    plus,
    replace,
    with_lord,
)
from kingdom.games.kings_pouch.steps import changed, costs, counted, joined, orders_of, passed, said, tell, used
from kingdom.games.kings_pouch.steps.effects import Use, possible, take_effect
from kingdom.games.kings_pouch.steps.rounds import acting
from kingdom.games.kings_pouch.types import Now, Turn
from kingdom.orders import kit
from kingdom.orders.schema import ListOf, MapOf, Number, Word, snake

ANY = "any"
_COMMON = "common"
_MOST = 99
TAKING = ("move", "exchange", "remove")  # effects that take citizens
NEEDING = (*TAKING, "add_marker")  # effects that may be impossible
WORDS: Final = "words"


def kind_of(meaning: str, *also: str, example: str = "soldier") -> Word:
    """A kind of citizen."""
    return Word(meaning, KINDS, also=also, example=example)


def kinds_of(meaning: str) -> ListOf:
    """Kinds of citizens, in a row."""
    return ListOf(meaning, kind_of("a kind"), short=WORDS)


def shapes_of(meaning: str) -> ListOf:
    """Shapes of citizens, in a row."""
    return ListOf(meaning, Word("a shape", tuple(SHAPES), example="cube"), short=WORDS, most=_MOST)


class Placement(TypedDict):
    """A citizen to place, and its wishes."""

    citizen: NotRequired[Annotated[str, kind_of("which citizen", ANY)]]
    at: Annotated[str, Word("the building", "buildings", also=(ANY,), example="City Watch")]
    slot: NotRequired[Annotated[int, Number("the slot, from the top", 1, 9, 1)]]
    lines: NotRequired[
        Annotated[
            list[int], ListOf("which lines of the slot to use, in this order", Number("a line", 1, 9, 1), short=WORDS)
        ]
    ]
    if_active: NotRequired[
        Annotated[
            dict[str, int],
            MapOf(
                "how many must be active for it",
                kind_of("the kind", example="merchant"),
                Number("at least this many", 1, _MOST, 1),
            ),
        ]
    ]
    remove_from: NotRequired[Annotated[str, Word("from which area a citizen is taken", AREAS, example="rest")]]
    to: NotRequired[Annotated[str, Word("to which area a citizen comes", AREAS, example="active")]]
    draw: NotRequired[Annotated[list[str], shapes_of("the shape of each citizen drawn")]]
    gain: NotRequired[Annotated[list[str], kinds_of("which citizens to receive, where it is free")]]
    remove: NotRequired[Annotated[list[str], kinds_of("which citizens go back to the pool, where it is free")]]
    move: NotRequired[Annotated[list[str], kinds_of("which citizens to move")]]
    exchange: NotRequired[Annotated[list[str], kinds_of("which citizens to exchange")]]
    add_marker: NotRequired[Annotated[list[str], ListOf("where to add a marker, the first choice first", Word("a territory or character", "places", example="queen"), short=WORDS)]]  # fmt: skip


class Place(kit.Sequence[Table, Rules, Placement]):
    """Citizens on buildings, one after the other; one that can't be placed stops none of the others."""

    key, name, stops = "place", "citizens on buildings", False
    shape = ListOf(
        "the citizens to place, one after the other",
        kit.record(Placement, "a citizen to place", short=("{citizen} at {at}", "{at}")),
        short="commas",
    )
    refusals = {
        "pouch_not_yours": "{building} does not stand finished on your board (ruling placement); place on one of yours: {own}.",
        "pouch_slot_taken": "Every slot of {building} is used this round (ruling placement); place the citizen on another building: {own}.",
        "pouch_slot_closed": "Slot {slot} of {building} is not open: its next free slot is {free} (ruling placement); use that one first.",
        "pouch_wrong_colour": "A {citizen} can't stand on slot {slot} of {building} (ruling placement); that slot takes: {accepts}.",
        "pouch_not_active": "No {citizen} is in your active area (ruling placement); name one that is there: {active}.",
        "pouch_no_slots": "{building} takes no citizen (ruling placement); write `at: {building}` alone, or leave it out, as it is used anyway.",
        "pouch_used_already": "{building} was used this round already (ruling placement); leave it out.",
        "pouch_line_unknown": "{building} has no line {line} there (ruling whole_line); name lines from 1 to {most}.",
        "pouch_line_impossible": "Line {line} of {building} can't be used, as its part `{part}` is not possible now (ruling whole_line); "
        "name its other lines, or get first what it needs.",
    }

    def asks(self, now: Now) -> str:
        """Return what a citizen may be placed on."""
        return "Place your active citizens on buildings, one after the other; `at: any` places everybody who is left on any free slot."

    def play(self, now: Now, turn: Turn) -> Table:
        """Buildings without slots that the orders do not name are used first, then each order as the state is behind those before it."""
        return super().play(now._replace(state=self._begun(now, orders_of(turn, now.seat), turn)), turn)

    def behind(self, now: Now, orders: Orders) -> Now:
        """Return the moment behind these orders. now: the moment before the seat's turn."""
        turn = kit.Trial[Table, Rules](now.rules)
        now = self.begun(now, orders)
        for path, order in self.filed(orders):
            now = now._replace(state=self.tried(now, turn, path, order)[0])
        return now

    def begun(self, now: Now, orders: Orders) -> Now:
        """Return the moment when the seat's turn has begun."""
        return now._replace(state=self._begun(now, orders, kit.Trial[Table, Rules](now.rules)))

    def _begun(self, now: Now, orders: Orders, turn: Turn) -> Table:
        """The table as it is if the turn has begun, else with the seat's purse, and its buildings without slots used, but for those that it uses at a time of its own."""
        if now.state.purse:
            return now.state
        table = replace(now.state, purse=Purse(now.seat, may_tax=orders.get("tax") == IF_NEEDED))
        named = {order["at"] for _, order in self.filed(orders)}
        for building in table.lords[now.seat].buildings:
            rule = now.rules.buildings[building]
            if rule.once_per_round and not named & {building, snake(rule.name)}:
                table = _use_slotless(table, turn, now.seat, building, {}, "")
        return table

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        """Each citizen on each slot that is open now, buildings without slots at a time of one's own, and sweeps."""
        now = self.begun(now, {})
        for candidate in _placed(now.state.lords[now.seat], now.rules):
            after = place_one(now.state, kit.Trial[Table, Rules](now.rules), now.seat, "", candidate.order)
            effect = changed(now.state, after, now.seat, now.rules)
            yield candidate._replace(costs=costs(effect), effect=effect, checked=True)

    def on_page(self, now: Now) -> Iterator[kit.Candidate]:
        """Each citizen on each slot that may still be used in the turn, also one who is only hoped for; and sweeps, which repeat them."""
        now = self.begun(now, {})
        lord, swept = now.state.lords[now.seat], dict[str, list[str]]()
        for building in lord.buildings:
            slots = now.rules.buildings[building].slots
            for number in range(next_slot(lord, building), len(slots) + 1):
                for kind in sorted(slots[number - 1].accepts, key=lambda kind: kind == _COMMON):
                    candidate = _counted(now, building, number, kind)
                    swept |= {wanted: [*swept.get(wanted, ()), candidate.id] for wanted in (ANY, kind)}
                    yield from (candidate, _hoped(candidate, kind, slots[number - 1]))
        lost = feared(counting.all_effects(lord, now.rules))
        unsure = {"needs": [[UNSURE]], "ends": [PLACING], "each": lost}
        for wanted in (ANY, *KINDS):
            deed = {"again": swept.get(wanted, []), "while": SURE, "each": [unsure]}
            yield sweep_of(wanted)._replace(
                uses={f"sweep {wanted}": 1}, needs=[[PLACING]], deed=deed, group="All the others", checked=True
            )

    def tried(self, now: Now, turn: Turn, path: str, order: Placement) -> tuple[Table, bool]:
        """Place a citizen, or sweep; what a line of the slot lacks is told by itself."""
        return place_one(now.state, turn, now.seat, path, order), True

    def say(self, order: Placement) -> str:
        """Return the order in words, and its wishes behind it."""
        at = "any building" if order["at"] == ANY else said(order["at"]).title()
        wishes = [
            f"{key.replace('_', ' ')} {plain(wish)}" for key, wish in order.items() if key not in ("citizen", "at")
        ]
        text = f"{order['citizen']} at {at}" if "citizen" in order else at
        return f"{text} ({', '.join(wishes)})" if wishes else text

    def carry_out(self, now: Now, order: Placement, turn: Turn) -> Table:
        """Return the table behind one order."""
        return place_one(now.state, turn, now.seat, "", order)


def plain(wish: object) -> str:
    """What is wished for, in words."""
    if isinstance(wish, Mapping):
        return ", ".join(f"{count} {kind}" for kind, count in wish.items())
    if isinstance(wish, bool):
        return "yes" if wish else "no"
    return " ".join(map(str, wish)) if isinstance(wish, list) else str(wish)


PLACE = Place()
IF_NEEDED = "if_needed"


def placement(table: Table, turn: Turn) -> Table:
    """The first phase of a turn."""
    seat = acting(table, turn)
    return PLACE.play(Now(table, seat, turn.rules, turn.foreseeing), turn) if seat else table


def citizen_on(building: str, number: int, kind: str, name: str) -> kit.Candidate:
    """A citizen of that kind on that slot of a building."""
    uses = {f"active {kind}": 1, f"slot {number} of {building}": 1}
    order = {"citizen": kind, "at": building}
    return kit.Candidate(f"{building} {number} {kind}", order, f"{kind.capitalize()} on {name}", uses=uses)


def _counted(now: Now, building: str, number: int, kind: str) -> kit.Candidate:
    """The same as the page counts it; what an order wishes for besides is filled in."""
    rule = now.rules.buildings[building]
    candidate, slot, picks = (
        citizen_on(building, number, kind, rule.name),
        rule.slots[number - 1],
        _wishes(now, building, number),
    )
    lines = [line_deed(line) for line in slot.lines]
    empty = "|" * (len(picks) - 1)
    cubes = {
        cube + empty: {"each": [line_deed(line, cube) for line in slot.lines]} for cube in CUBES if "gain" in picks
    }
    filled = {
        "by": list(picks),
        "of": {empty: {"each": lines}, **cubes},
        "other": {**UNCERTAIN, "each": feared(_effects(slot))},
    }
    return candidate._replace(
        order={**candidate.order, **{key: kit.Gap(key) for key in picks}}, picks=picks, uses={}, costs={kind: 1}, checked=True,
        needs=[[PLACING], [f"{building} {number}"]], ends=[f"{building} {number}"], gives=[f"{building} {number + 1}"],
        more=(f"slot {number}: " if len(rule.slots) > 1 else "") + lines_text(slot.lines), deed={"deed": filled} if picks else {"each": lines},
        group=rule.name if rule.colour == "none" else f"{rule.name} ({rule.colour})",
    )  # fmt: skip


def _hoped(candidate: kit.Candidate, kind: str, slot: Slot) -> kit.Candidate:
    """The same for a citizen who may be drawn in the turn: placed if one is active by then, and else passed over."""
    nobody = {"ends": candidate.ends, "each": feared(_effects(slot))}
    order = {"if_active": {kind: 1}, "citizen": kind, "at": candidate.order["at"]}
    return candidate._replace(
        id=f"{candidate.id} ?", text=f"{candidate.text}, if one is drawn", order=order, picks={}, costs={}, ends=(), gives=(),
        needs=[[UNSURE], *candidate.needs], deed={"all": [{"first": [candidate.id, nobody]}]},
    )  # fmt: skip


def _effects(slot: Slot) -> list[Effect]:
    return [effect for line in slot.lines for effect in line]


def _wishes(now: Now, building: str, number: int) -> dict[str, kit.Pick]:
    """What an order may wish for on a slot, by its key; of lines those that are possible in any case."""
    table, slot = now.state, now.rules.buildings[building].slots[number - 1]
    effects, picks = _effects(slot), dict[str, kit.Pick]()
    areas, anywhere = (
        {area: f"the {area} area" for area in AREAS},
        {effect.does for effect in effects if effect.area not in AREAS},
    )
    if any(effect.does == "gain" and effect.what not in KINDS for effect in effects):
        picks["gain"] = kit.Pick("Receive", CUBES, none="whom the pool has", kind="ranked", most=2)
    sure = {at: line for at, line in enumerate(slot.lines, 1) if all(effect.does not in NEEDING for effect in line)}
    if (
        len(slot.lines) > 1 and sure and any(effect.does in (*NEEDING, "draw") for effect in effects)
    ):  # nobody leaves others out
        texts = {at: f"{at}: {lines_text((line,))}" for at, line in sure.items()}
        picks["lines"] = kit.Pick("Use the line", list(sure), texts=texts, none="all that can be used", kind="ranked")
    if anywhere & {"remove", "exchange", "move"}:
        picks["remove_from"] = kit.Pick("Take from", AREAS, texts=areas, none="the rest area first")
    if anywhere & {"gain", "draw"}:
        picks["to"] = kit.Pick("Comes to", AREAS, texts=areas, none="the active area")
    for key, words, none in (("draw", tuple(SHAPES), "cubes first"), *((key, KINDS, "nobody named") for key in TAKING)):
        asking = [effect.n for effect in effects if effect.does == key and (key == "draw" or counting.is_odd(effect))]
        if sum(asking):
            picks[key] = kit.Pick(key.capitalize(), words, none=none, kind="row", most=sum(asking))
    marked = [
        table.territories if effect.what == "territory" else table.claimed
        for effect in effects
        if effect.does == "add_marker"
    ]
    spots = [
        where
        for marks in marked
        for where, mark in marks.items()
        if mark.owner == now.seat and mark.markers < now.rules.most_markers.most
    ]
    if spots:
        named = {
            spot: now.rules.characters[spot].name if spot in now.rules.characters else said(spot) for spot in spots
        }
        picks["add_marker"] = kit.Pick(
            "A marker more on", list(named), texts=named, none="the first that can bear one", kind="ranked"
        )
    return picks


def sweep_of(wanted: str) -> kit.Candidate:
    """Everybody who is left, or all of a kind, on whatever is free (ruling sweep)."""
    text = "Everybody who is left" if wanted == ANY else f"Every {wanted} who is left"
    return kit.Candidate(f"sweep {wanted}", {"citizen": wanted, "at": ANY}, f"{text}, on any free slot")


def _placed(lord: Lord, rules: Rules) -> Iterator[kit.Candidate]:
    for building in lord.buildings:
        rule, number = rules.buildings[building], next_slot(lord, building)
        if rule.once_per_round:
            yield kit.Candidate(building, {"at": building}, f"Use the {rule.name} now", uses={building: 1})
        for kind in rule.slots[number - 1].accepts if number <= len(rule.slots) else ():
            candidate = citizen_on(building, number, kind, rule.name)
            if placement_problem(lord, building, candidate.order, rules) is None:
                yield candidate
    for wanted in (ANY, *KINDS):
        if free_place(lord, wanted, rules) or not count_of(lord.active):
            yield sweep_of(wanted)


def place_one(table: Table, turn: Turn, seat: str, path: str, order: Placement) -> Table:
    """One citizen, or a sweep, as one order of the list has it."""
    lord = table.lords[seat]
    short = [
        f"{least} {kind}"
        for kind, least in (order.get("if_active") or {}).items()
        if getattr(lord.active, kind) < least
    ]
    if short:
        passed(turn, seat, path, f"Its condition did not hold: {joined(short)} active (ruling wish_lists).")
        return table
    if order["at"] == ANY:
        return _sweep(table, turn, seat, path, order)
    building = building_of(lord, order["at"], turn.rules)
    if building and turn.rules.buildings[building].once_per_round:
        return _slotless(table, turn, seat, path, building, order)
    refused = placement_problem(lord, building, order, turn.rules)
    if refused:
        turn.refuse_with(seat, path, refused)
        return table
    slot = next_slot(lord, building)
    citizen = citizen_for(lord, turn.rules.buildings[building].slots[slot - 1], order.get("citizen") or ANY)
    used(turn, seat, path)
    return _on_slot(table, turn, seat, path, building, slot, citizen, order)


def building_of(lord: Lord, word: str, rules: Rules) -> str:
    """The lord's finished building that a word names, by its own word or its name; "" where there is none."""
    return next((own for own in lord.buildings if word in (own, snake(rules.buildings[own].name))), "")


def placement_problem(lord: Lord, building: str, order: Placement, rules: Rules) -> Refusal | None:
    """Why a citizen can't be placed. building: "" where the order names none of the lord's."""
    own = joined(rules.buildings[other].name for other in lord.buildings)
    if not building:
        return Refusal("pouch_not_yours", {"building": name_of(order["at"], rules), "own": own})
    rule, slot = rules.buildings[building], next_slot(lord, building)
    if slot > len(rule.slots):
        return Refusal(
            "pouch_slot_taken",
            {
                "building": rule.name,
                "own": joined(rules.buildings[other].name for other in lord.buildings if other != building),
            },
        )
    if order.get("slot", slot) != slot:
        return Refusal("pouch_slot_closed", {"slot": order["slot"], "building": rule.name, "free": slot})
    accepts, wanted = rule.slots[slot - 1].accepts, order.get("citizen") or ANY
    if wanted not in (ANY, *accepts):
        return Refusal(
            "pouch_wrong_colour",
            {
                "citizen": wanted,
                "slot": slot,
                "building": rule.name,
                "accepts": joined(accepts),
            },
        )
    if not citizen_for(lord, rule.slots[slot - 1], wanted):
        active = joined((f"{count} {kind}" for kind, count in each_of(lord.active)), "nobody")
        return Refusal(
            "pouch_not_active", {"citizen": " or ".join(accepts) if wanted == ANY else wanted, "active": active}
        )
    return None


def name_of(word: str, rules: Rules) -> str:
    """A building's name for a person."""
    return rules.buildings[word].name if word in rules.buildings else said(word).title()


def next_slot(lord: Lord, building: str) -> int:
    """The number of the building's next free slot, from 1."""
    return 1 + sum([placed.building == building for placed in lord.placed])


def citizen_for(lord: Lord, slot: Slot, wanted: str) -> str:
    """The kind to place on a slot, specialists before commons; "" where nobody who is active fits (ruling sweep)."""
    kinds = sorted(slot.accepts, key=lambda kind: kind == _COMMON) if wanted == ANY else [wanted]
    return next((kind for kind in kinds if kind in slot.accepts and getattr(lord.active, kind)), "")


def _sweep(table: Table, turn: Turn, seat: str, path: str, order: Placement) -> Table:
    """Every free slot that fits, the buildings as they stand, until there is none (ruling sweep)."""
    count, nobody = 0, not count_of(table.lords[seat].active)
    while place := free_place(table.lords[seat], order.get("citizen") or ANY, turn.rules):
        table, count = _on_slot(table, turn, seat, path, *place, order), count + 1
    if count or nobody:  # nobody: with nobody left to place it is carried out all the same
        used(turn, seat, path, counted(count, "citizen"))
    else:
        passed(turn, seat, path, "No free slot fits an active citizen (ruling sweep).")
    return table


def free_place(lord: Lord, wanted: str, rules: Rules) -> tuple[str, int, str] | None:
    """(building, slot, citizen) of the first free slot that an active citizen fits."""
    return next(free_places(lord, wanted, rules), None)


def free_places(lord: Lord, wanted: str, rules: Rules) -> Iterator[tuple[str, int, str]]:
    """(building, slot, citizen) of each free slot that an active citizen fits, the buildings as they stand."""
    for building in lord.buildings:
        slots, number = rules.buildings[building].slots, next_slot(lord, building)
        citizen = citizen_for(lord, slots[number - 1], wanted) if number <= len(slots) else ""
        if citizen:
            yield building, number, citizen


def _on_slot(
    table: Table, turn: Turn, seat: str, path: str, building: str, number: int, citizen: str, order: Orders
) -> Table:
    lord, rule = table.lords[seat], turn.rules.buildings[building]
    placed = (*lord.placed, Placed(building, number, citizen))
    table = with_lord(table, seat, active=plus(lord.active, citizen, -1), placed=placed)
    return _fired(
        table, turn, seat, path, rule, rule.slots[number - 1].lines, order, f"places a {citizen} on the {rule.name}"
    )


def _slotless(table: Table, turn: Turn, seat: str, path: str, building: str, order: Orders) -> Table:
    """An order for a building without slots."""
    name = turn.rules.buildings[building].name
    if order.get("citizen"):
        turn.refuse(seat, path, "pouch_no_slots", building=name)
    if any(placed.building == building for placed in table.lords[seat].placed):
        turn.refuse(seat, path, "pouch_used_already", building=name)
        return table
    if not order.get("citizen"):
        used(turn, seat, path)
    return _use_slotless(table, turn, seat, building, order, path)


def _use_slotless(table: Table, turn: Turn, seat: str, building: str, order: Orders, path: str) -> Table:
    rule = turn.rules.buildings[building]
    table = with_lord(table, seat, placed=(*table.lords[seat].placed, Placed(building)))
    return _fired(table, turn, seat, path, rule, rule.once_per_round, order, f"uses the {rule.name}")


def _fired(
    table: Table,
    turn: Turn,
    seat: str,
    path: str,
    rule: Building,
    lines: Sequence[Sequence[Effect]],
    order: Orders,
    what: str,
) -> Table:
    """The lines that can be used, or of those that the order names, in its order, each all or none."""
    use = Use(seat, rule.name, order)
    wanted = order.get("lines")
    for number in range(1, len(lines) + 1) if wanted is None else wanted:
        if not 1 <= number <= len(lines):
            turn.refuse(seat, path, "pouch_line_unknown", building=rule.name, line=number, most=len(lines))
            continue
        missing = next((effect for effect in lines[number - 1] if not possible(effect, table, use, turn)), None)
        if missing is None:
            for effect in lines[number - 1]:
                table = take_effect(effect, table, use, turn)
        elif wanted is not None:
            turn.refuse(seat, path, "pouch_line_impossible", building=rule.name, line=number, part=part_of(missing))
        elif path:
            passed(
                turn,
                seat,
                path,
                f"Line {number} of {rule.name} was not used: `{part_of(missing)}` is not possible (ruling whole_line).",
            )
    tell(turn, seat, f"{what}: {joined(use.done, 'nothing')}.")
    return table


def part_of(effect: Effect) -> str:
    """An effect in a few words: "remove 1 corrupt"."""
    return " ".join(
        [
            effect.does.replace("_", " "),
            str(effect.n) if effect.n else "all",
            *([said(effect.what)] if effect.what else []),
        ]
    )
