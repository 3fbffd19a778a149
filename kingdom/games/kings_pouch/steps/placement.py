"""The placement phase: active citizens on free slots of the own buildings, whose effects fire at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kingdom.engine.step import Orders
from kingdom.games.kings_pouch.rules import Building, Effect, Rules, Slot
from kingdom.games.kings_pouch.state import Lord, Placed, Purse, Table, count_of, each_of, plus, replace, with_lord
from kingdom.games.kings_pouch.steps import counted, joined, listed, orders_of, passed, said, tell, used
from kingdom.games.kings_pouch.steps.effects import Use, possible, take_effect
from kingdom.games.kings_pouch.steps.rounds import acting
from kingdom.games.kings_pouch.types import Refused, Turn
from kingdom.orders.schema import snake

REFUSALS = {
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
ANY = "any"
_COMMON = "common"


def placement(table: Table, turn: Turn) -> Table:
    """The first phase of a turn. Buildings without slots that the orders do not name are used first."""
    seat = acting(table, turn)
    if not seat:
        return table
    table = replace(table, purse=Purse(seat))
    orders = list(listed(orders_of(turn, seat).get("place"), "place"))
    named = {order.get("at") for _, order in orders}
    for building in table.lords[seat].buildings:
        rule = turn.rules.buildings[building]
        if rule.once_per_round and not named & {building, snake(rule.name)}:
            table = _use_slotless(table, turn, seat, building, {}, "")
    for path, order in orders:
        table = place_one(table, turn, seat, path, order)
    return table


def place_one(table: Table, turn: Turn, seat: str, path: str, order: Orders) -> Table:
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
        turn.refuse(seat, path, refused[0], **refused[1])
        return table
    slot = next_slot(lord, building)
    citizen = citizen_for(lord, turn.rules.buildings[building].slots[slot - 1], order.get("citizen") or ANY)
    used(turn, seat, path)
    return _on_slot(table, turn, seat, path, building, slot, citizen, order)


def building_of(lord: Lord, word: str, rules: Rules) -> str:
    """The lord's finished building that a word names, by its own word or its name; "" where there is none."""
    return next((own for own in lord.buildings if word in (own, snake(rules.buildings[own].name))), "")


def placement_problem(lord: Lord, building: str, order: Orders, rules: Rules) -> Refused | None:
    """Why a citizen can't be placed, as a code with its facts. building: "" where the order names none of the lord's."""
    own = joined(rules.buildings[other].name for other in lord.buildings)
    if not building:
        return "pouch_not_yours", {"building": name_of(order["at"], rules), "own": own}
    rule, slot = rules.buildings[building], next_slot(lord, building)
    if slot > len(rule.slots):
        return "pouch_slot_taken", {
            "building": rule.name,
            "own": joined(rules.buildings[other].name for other in lord.buildings if other != building),
        }
    if order.get("slot", slot) != slot:
        return "pouch_slot_closed", {"slot": order["slot"], "building": rule.name, "free": slot}
    accepts, wanted = rule.slots[slot - 1].accepts, order.get("citizen") or ANY
    if wanted not in (ANY, *accepts):
        return "pouch_wrong_colour", {
            "citizen": wanted,
            "slot": slot,
            "building": rule.name,
            "accepts": joined(accepts),
        }
    if not citizen_for(lord, rule.slots[slot - 1], wanted):
        active = joined((f"{count} {kind}" for kind, count in each_of(lord.active)), "nobody")
        return "pouch_not_active", {"citizen": " or ".join(accepts) if wanted == ANY else wanted, "active": active}
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


def _sweep(table: Table, turn: Turn, seat: str, path: str, order: Orders) -> Table:
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
