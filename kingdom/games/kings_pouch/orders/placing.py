"""The placement phase: active citizens go on free slots of the player's buildings, and the slots' effects happen at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from math import prod
from typing import Annotated, Any, NotRequired, TypedDict

from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.kings_pouch import state
from kingdom.games.kings_pouch.orders import counting
from kingdom.games.kings_pouch.orders.counting import PLACING, SURE, UNSURE, feared, next_slot, slot_deed
from kingdom.games.kings_pouch.orders.resting import IF_NEEDED, WORDS, kind_of, plain, rested, shapes_of
from kingdom.games.kings_pouch.report import effect_text, lines_text
from kingdom.games.kings_pouch.rules import Building, Effect, Rules, Slot
from kingdom.games.kings_pouch.state import AREAS, KINDS, Lord, Now, Placed, Purse, Table, Turn, replace, with_player
from kingdom.games.kings_pouch.steps import changed, costs, joined, orders_of, passed, said, tell
from kingdom.games.kings_pouch.steps.effects import Use, possible, take_effect
from kingdom.games.kings_pouch.steps.rounds import TURNS, acting, due
from kingdom.orders import kit
from kingdom.orders.schema import ListOf, MapOf, Number, Word, snake

ANY = "any"
_COMMON = "common"
_MOST = 99
TAKING = ("move", "exchange", "remove")  # effects that take citizens
NEEDING = (*TAKING, "add_marker")  # effects that may be impossible


def kinds_of(meaning: str) -> ListOf:
    """Kinds of citizens, in a row."""
    return ListOf(meaning, kind_of("a kind"), short=WORDS)


LINES = ListOf("which lines of the slot to use, in this order", Number("a line", 1, 9, 1), short=WORDS)
IF_ACTIVE = MapOf(
    "how many must be active for it", kind_of("the kind", example="merchant"), Number("at least this many", 1, _MOST, 1)
)
SPOTS = ListOf(
    "where to add a marker, the first choice first",
    Word("a territory or character", "places", example="queen"),
    short=WORDS,
)


class Placement(TypedDict):
    """A citizen to place, and its wishes."""

    citizen: NotRequired[Annotated[str, kind_of("which citizen", ANY)]]
    at: Annotated[str, Word("the building", "buildings", also=(ANY,), example="City Watch")]
    slot: NotRequired[Annotated[int, Number("the slot, from the top", 1, 9, 1)]]
    lines: NotRequired[Annotated[list[int], LINES]]
    if_active: NotRequired[Annotated[dict[str, int], IF_ACTIVE]]
    remove_from: NotRequired[Annotated[str, Word("from which area a citizen is taken", AREAS, example="rest")]]
    to: NotRequired[Annotated[str, Word("to which area a citizen comes", AREAS, example="active")]]
    draw: NotRequired[Annotated[list[str], shapes_of("the shape of each citizen drawn")]]
    gain: NotRequired[Annotated[list[str], kinds_of("which citizens to receive, where it is free")]]
    remove: NotRequired[Annotated[list[str], kinds_of("which citizens go back to the pool, where it is free")]]
    move: NotRequired[Annotated[list[str], kinds_of("which citizens to move")]]
    exchange: NotRequired[Annotated[list[str], kinds_of("which citizens to exchange")]]
    add_marker: NotRequired[Annotated[list[str], SPOTS]]


class Place(kit.Sequence[Table, Rules, Placement]):
    """Citizens on buildings, one after the other. A citizen that can't be placed stops none of the others."""

    key, name, phase, stops = "place", "citizens on buildings", TURNS[0], False
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
        return "Place your active citizens on buildings, one after the other; `at: any` places everybody who is left on any free slot."

    def play(self, now: Now, turn: Turn) -> Table:
        """First use the buildings without slots that no order names, then carry out each order in the state behind the orders before it."""
        return super().play(now._replace(state=self._begun(now, orders_of(turn, now.seat), turn)), turn)

    def behind(self, now: Now, orders: Orders) -> Now:
        """Return the moment behind these orders. now: the moment before the run."""
        turn = kit.Trial[Table, Rules](now.rules)
        now = self.begun(now, orders)
        for path, order in self.filed(orders):
            now = now._replace(state=self.tried(now, turn, path, order)[0])
        return now

    def begun(self, now: Now, orders: Orders) -> Now:
        """Return the moment when the seat's turn has begun, as far as it can be foreseen: as if the seats before it ordered nothing."""
        table, turn = now.state, kit.Trial[Table, Rules](now.rules)
        seats = () if table.purse else due(table, now.rules)
        for seat in seats[: seats.index(now.seat)] if seats else ():
            table = rested(self._begun(now._replace(state=table, seat=seat), {}, turn), turn, seat)
        return now._replace(state=self._begun(now._replace(state=table), orders, turn), orders=orders)

    def _begun(self, now: Now, orders: Orders, turn: Turn) -> Table:
        """The table when the seat's turn has begun: with its purse, and with its buildings without slots used. Those that orders name wait."""
        if now.state.purse:
            return now.state
        table = replace(now.state, purse=Purse(now.seat, may_tax=orders.get("tax") == IF_NEEDED))
        named = {order["at"] for _, order in self.filed(orders) if not order.get("citizen")}
        for building in table.seats[now.seat].buildings:
            rule = now.rules.buildings[building]
            if rule.once_per_round and not named & {building, snake(rule.name)}:
                table = _use_slotless(table, turn, Use(now.seat, {}), building)
        return table

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        """Each citizen on each slot that is open now, buildings without slots at a time of one's own, and sweeps."""
        now = self.begun(now, {})
        lord = now.state.seats[now.seat]
        named = {card_named(lord.buildings, order["at"], now.rules) for _, order in self.filed(now.orders)}
        for candidate in self._fitting(lord, now.rules):
            if candidate.id not in named and self.objection(now, candidate.order) is None:
                after = self.carry_out(now, candidate.order, kit.Trial(now.rules))
                effect = changed(now.state, after, now.seat, now.rules)
                yield candidate._replace(costs=costs(effect), effect=effect, checked=True)

    def _fitting(self, lord: Lord, rules: Rules) -> Iterator[kit.Candidate]:
        """What comes into question: each kind on the next free slot of a building, buildings without slots, sweeps."""
        for building in lord.buildings:
            rule, number = rules.buildings[building], next_slot(lord, building)
            if rule.once_per_round:
                yield kit.Candidate(building, {"at": building}, f"Use the {rule.name} now", uses={building: 1})
            for kind in rule.slots[number - 1].accepts if number <= len(rule.slots) else ():
                yield _citizen_on(building, number, kind, rule.name)
        yield from map(sweep_of, (ANY, *KINDS) if lord.active.count else (ANY,))

    def on_page(self, now: Now) -> Iterator[kit.Candidate]:
        """Each citizen on each slot that may still be used in the turn, whether active or only hoped for; and sweeps."""
        now = self.begun(now, {})
        lord, swept = now.state.seats[now.seat], dict[str, list[str]]()
        for building in lord.buildings:
            slots = now.rules.buildings[building].slots
            for number in range(next_slot(lord, building), len(slots) + 1):
                for kind in sorted(slots[number - 1].accepts, key=lambda kind: kind == _COMMON):
                    candidate = _counted(now, building, number, kind)
                    swept |= {wanted: [*swept.get(wanted, ()), candidate.id] for wanted in (ANY, kind)}
                    yield from (candidate, _hoped(candidate, kind, slots[number - 1]))
        unsure = {"needs": [[UNSURE]], "ends": [PLACING], "each": feared(counting.effects_of(lord, now.rules))}
        for wanted in (ANY, *KINDS):
            deed = {"again": swept.get(wanted, []), "while": SURE, "each": [unsure]}
            yield sweep_of(wanted)._replace(uses={f"sweep {wanted}": 1}, needs=[[PLACING]], deed=deed, checked=True)

    def objection(self, now: Now, order: Placement) -> kit.Objection:
        """The citizen must be active and fit the next free slot; a building without slots is used once a round."""
        lord = now.state.seats[now.seat]
        needed = (order.get("if_active") or {}).items()
        if short := [f"{least} {kind}" for kind, least in needed if getattr(lord.active, kind) < least]:
            return f"Its condition did not hold: {joined(short)} active (ruling wish_lists)."
        if order["at"] == ANY:  # also if nobody is left to place
            fits = not lord.active.count or free_place(lord, order.get("citizen") or ANY, now.rules)
            return None if fits else "No free slot fits an active citizen (ruling sweep)."
        building = card_named(lord.buildings, order["at"], now.rules)
        if building and now.rules.buildings[building].once_per_round:
            facts = {"building": now.rules.buildings[building].name}
            if order.get("citizen"):
                return Refusal("pouch_no_slots", facts)
            used = any(placed.building == building for placed in lord.placed)
            return Refusal("pouch_used_already", facts) if used else None
        return placement_problem(lord, building, order, now.rules)

    def carry_out(self, now: Now, order: Placement, turn: Turn) -> Table:
        return self.carry_out_at("", now, order, turn)

    def carry_out_at(self, path: str, now: Now, order: Placement, turn: Turn) -> Table:
        """Place a citizen, sweep, or use a building without slots. The seat is told separately what an unused line of effects lacked."""
        table, lord, use = now.state, now.state.seats[now.seat], Use(now.seat, order, path)
        wanted = order.get("citizen") or ANY
        if order["at"] == ANY:  # every free slot that fits, the buildings as they stand (ruling sweep)
            while place := free_place(table.seats[now.seat], wanted, now.rules):
                table = _on_slot(table, turn, use, *place)
            return table
        building = card_named(lord.buildings, order["at"], now.rules)
        rule, number = now.rules.buildings[building], next_slot(lord, building)
        if rule.once_per_round:
            return _use_slotless(table, turn, use, building)
        return _on_slot(table, turn, use, building, number, citizen_for(lord, rule.slots[number - 1], wanted))

    def say(self, order: Placement) -> str:
        at = "any building" if order["at"] == ANY else said(order["at"]).title()
        besides = {key: wish for key, wish in order.items() if key not in ("citizen", "at")}
        wishes = [f"{key.replace('_', ' ')} {plain(wish)}" for key, wish in besides.items()]
        text = f"{order['citizen']} at {at}" if "citizen" in order else at
        return f"{text} ({', '.join(wishes)})" if wishes else text


PLACE = Place()


placement = kit.step("placement", "The first phase of a turn.", PLACE, acting)


def _citizen_on(building: str, number: int, kind: str, name: str) -> kit.Candidate:
    """A citizen of that kind on that slot of a building."""
    uses = {f"active {kind}": 1, f"slot {number} of {building}": 1}
    order = {"citizen": kind, "at": building}
    return kit.Candidate(f"{building} {number} {kind}", order, f"{kind.capitalize()} on {name}", uses=uses)


def _counted(now: Now, building: str, number: int, kind: str) -> kit.Candidate:
    """The same candidate for the page, with a field for each wish of the order and with what it does to the counters."""
    rule, picks = now.rules.buildings[building], _wishes(now, building, number)
    slot, candidate = rule.slots[number - 1], _citizen_on(building, number, kind, rule.name)
    ways = {key: _ways(picks[key]) for key in counting.COUNTED if key in picks}
    # the field with the most values goes: it is typed as a line of one's own
    while prod(map(len, ways.values())) > _MOST:
        most = max(ways, key=lambda key: len(ways[key]))
        del ways[most], picks[most]
    deeds = {
        "|".join(",".join(map(str, way)) for way in ways_of): slot_deed(slot, dict(zip(ways, ways_of, strict=True)))
        for ways_of in product(*ways.values())
    }
    return candidate._replace(
        order={**candidate.order, **{key: kit.Gap(key) for key in picks}}, picks=picks, uses={}, costs={kind: 1}, checked=True,
        needs=[[PLACING], [f"{building} {number}"]], ends=[f"{building} {number}"], gives=[f"{building} {number + 1}"],
        more=(f"slot {number}: " if len(rule.slots) > 1 else "") + lines_text(slot.lines),
        deed={"deed": {"by": list(ways), "of": deeds}} if ways else deeds[""],
        group=rule.name if rule.colour == "none" else f"{rule.name} ({rule.colour})",
    )  # fmt: skip


def _hoped(candidate: kit.Candidate, kind: str, slot: Slot) -> kit.Candidate:
    """The same for a citizen who may be drawn during the turn. If none is active by then the order is passed over."""
    fears = feared(_effects(slot))
    nobody = {"ends": candidate.ends, **({"each": fears} if fears else {})}
    order = {"if_active": {kind: 1}, "citizen": kind, "at": candidate.order["at"]}
    return candidate._replace(
        id=f"{candidate.id} ?", text=f"{candidate.text}, if one is drawn", order=order, more="", picks={}, costs={}, ends=(), gives=(),
        needs=[[UNSURE], *candidate.needs], deed={"first": [candidate.id, nobody]},
    )  # fmt: skip


def _ways(pick: kit.Pick) -> list[tuple[Any, ...]]:
    """All that a pick may hold: nothing, a value, or several in any order."""
    most = 1 if pick.kind == "choice" else pick.most or len(pick.values)
    return [way for count in range(most + 1) for way in permutations(pick.values, count)]


def _effects(slot: Slot) -> list[Effect]:
    return [effect for line in slot.lines for effect in line]


def _wishes(now: Now, building: str, number: int) -> dict[str, kit.Pick]:
    """Key of the order -> what may be wished for on a slot. Lines whose effects only the engine can tell are not offered."""
    table, slot, rules = now.state, now.rules.buildings[building].slots[number - 1], now.rules
    effects, areas = _effects(slot), {area: f"the {area} area" for area in AREAS}
    does = {effect.does for effect in effects}
    anywhere = {effect.does for effect in effects if effect.area not in AREAS}
    lines = {number: line for number, line in enumerate(slot.lines, 1) if not any(map(counting.is_odd, line))}
    picks = dict[str, kit.Pick]()
    if any(effect.does == "gain" and effect.what not in KINDS for effect in effects):
        picks["gain"] = kit.Pick("Receive", state.CUBES, none="whom the pool has", kind="ranked", most=2)
    if len(slot.lines) > 1 and lines and does & {*NEEDING, "draw"}:  # nobody leaves others out
        texts = {number: f"{number}: {lines_text((line,))}" for number, line in lines.items()}
        picks["lines"] = kit.Pick("Use the line", list(lines), texts=texts, none="all that can be used", kind="ranked")
    if anywhere & {*TAKING}:
        picks["remove_from"] = kit.Pick("Take from", AREAS, texts=areas, none="the rest area first")
    if anywhere & {"gain", "draw"}:
        picks["to"] = kit.Pick("Comes to", AREAS, texts=areas, none="the active area")
    for key, words, none in (
        ("draw", tuple(state.SHAPES), "cubes first"),
        *((key, KINDS, "nobody named") for key in TAKING),
    ):
        asking = [effect.n for effect in effects if effect.does == key and (key == "draw" or counting.is_odd(effect))]
        if sum(asking):
            picks[key] = kit.Pick(key.capitalize(), words, none=none, kind="row", most=sum(asking))
    spots = dict[str, str]()
    for effect in effects:
        if effect.does == "add_marker":
            marked = table.territories if effect.what == "territory" else table.claimed
            most = rules.most_markers.most
            mine = [spot for spot, mark in marked.items() if mark.owner == now.seat and mark.markers < most]
            spots |= {spot: rules.characters[spot].name if spot in rules.characters else said(spot) for spot in mine}
    if spots:
        none = "the first that can bear one"
        picks["add_marker"] = kit.Pick("A marker more on", list(spots), texts=spots, none=none, kind="ranked")
    return picks


def sweep_of(wanted: str) -> kit.Candidate:
    """All citizens who are left, or all of a kind, on any free slots (ruling sweep)."""
    text = "Everybody who is left" if wanted == ANY else f"Every {wanted} who is left"
    return kit.Candidate(
        f"sweep {wanted}", {"citizen": wanted, "at": ANY}, f"{text}, on any free slot", group="All the others"
    )


def card_named(cards: Iterable[str], word: str, rules: Rules) -> str:
    """Which of the cards or buildings a word names, either by its word or by its name; "" for none."""
    return next((card for card in cards if word in (card, snake(rules.buildings[card].name))), "")


def placement_problem(lord: Lord, building: str, order: Placement, rules: Rules) -> Refusal | None:
    """Why a citizen can't be placed. building: "" if the order names no building of the lord."""
    own = joined(rules.buildings[other].name for other in lord.buildings if other != building)
    if not building:
        return Refusal("pouch_not_yours", {"building": name_of(order["at"], rules), "own": own})
    rule, slot, wanted = rules.buildings[building], next_slot(lord, building), order.get("citizen") or ANY
    if slot > len(rule.slots):
        return Refusal("pouch_slot_taken", {"building": rule.name, "own": own})
    if order.get("slot", slot) != slot:
        return Refusal("pouch_slot_closed", {"slot": order["slot"], "building": rule.name, "free": slot})
    accepts = rule.slots[slot - 1].accepts
    if wanted not in (ANY, *accepts):
        facts = {"citizen": wanted, "slot": slot, "building": rule.name, "accepts": joined(accepts)}
        return Refusal("pouch_wrong_colour", facts)
    if not citizen_for(lord, rule.slots[slot - 1], wanted):
        active = joined((f"{count} {kind}" for kind, count in lord.active.each()), "nobody")
        nobody = " or ".join(accepts) if wanted == ANY else wanted
        return Refusal("pouch_not_active", {"citizen": nobody, "active": active})
    return None


def name_of(word: str, rules: Rules) -> str:
    """A building's name for a person."""
    return rules.buildings[word].name if word in rules.buildings else said(word).title()


def citizen_for(lord: Lord, slot: Slot, wanted: str) -> str:
    """The kind to place on a slot, specialists before commons; "" if no active citizen fits (ruling sweep)."""
    kinds = sorted(slot.accepts, key=lambda kind: kind == _COMMON) if wanted == ANY else [wanted]
    return next((kind for kind in kinds if kind in slot.accepts and getattr(lord.active, kind)), "")


def free_place(lord: Lord, wanted: str, rules: Rules) -> tuple[str, int, str] | None:
    """(building, slot, citizen) of the first free slot that an active citizen fits, the buildings as they stand."""
    for building in lord.buildings:
        slots, number = rules.buildings[building].slots, next_slot(lord, building)
        citizen = citizen_for(lord, slots[number - 1], wanted) if number <= len(slots) else ""
        if citizen:
            return building, number, citizen
    return None


def _on_slot(table: Table, turn: Turn, use: Use, building: str, number: int, citizen: str) -> Table:
    lord, rule = table.seats[use.seat], turn.rules.buildings[building]
    placed = (*lord.placed, Placed(building, number, citizen))
    table = with_player(table, use.seat, active=lord.active.plus(citizen, -1), placed=placed)
    return _fired(table, turn, use, rule, rule.slots[number - 1].lines, f"places a {citizen} on the {rule.name}")


def _use_slotless(table: Table, turn: Turn, use: Use, building: str) -> Table:
    rule = turn.rules.buildings[building]
    table = with_player(table, use.seat, placed=(*table.seats[use.seat].placed, Placed(building)))
    return _fired(table, turn, use, rule, rule.once_per_round, f"uses the {rule.name}")


def _fired(table: Table, turn: Turn, use: Use, rule: Building, lines: Sequence[Sequence[Effect]], what: str) -> Table:
    """Use every possible line; or the lines that the order names, in that order. All effects of a line happen, or none of them."""
    use, wanted = use.at(rule.name), use.wishes.get("lines")
    for number in range(1, len(lines) + 1) if wanted is None else wanted:
        if not 1 <= number <= len(lines):
            turn.refuse(use.seat, use.path, "pouch_line_unknown", building=rule.name, line=number, most=len(lines))
            continue
        missing = next(
            (effect_text(effect) for effect in lines[number - 1] if not possible(effect, table, use, turn)), ""
        )
        if not missing:
            for effect in lines[number - 1]:
                table = take_effect(effect, table, use, turn)
        elif wanted is not None:
            turn.refuse(use.seat, use.path, "pouch_line_impossible", building=rule.name, line=number, part=missing)
        elif use.path:
            text = f"Line {number} of {rule.name} was not used: `{missing}` is not possible (ruling whole_line)."
            passed(turn, use.seat, use.path, text)
    tell(turn, use.seat, f"{what}: {joined(use.done, 'nothing')}.")
    return table
