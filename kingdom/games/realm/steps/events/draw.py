"""How the events of the next turn are drawn: the chance, the percentile tables, the place, and the announcement.

All rolls are the kingdom's own: `event`, `event_type` and the other tables (`event_beneficial_kingdom`), `event_hex`,
`event_settlement`, and, under the event's name, those that settle its details. Rulings: events, event_timing.
"""

from __future__ import annotations

from msgspec import Struct

from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.rules.event_tables import HUNDRED, EventChance, EventRow
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Chance, Event, Hex, Kingdom, World, counted, replace
from kingdom.games.realm.steps.events.scene import Scene
from kingdom.games.realm.steps.events.setup import by_percent, can_happen, picked, places, set_up
from kingdom.games.realm.steps.events.words import titled
from kingdom.games.realm.types import Turn

FIRST = "event_type"  # the table that an event is first rolled on


class Drawing(Struct, frozen=True):
    """What a drawing reads and changes: the seat and its kingdom, the world as the step found it, the hexes that events
    changed."""

    seat: str
    kingdom: Kingdom
    world: World
    turn: Turn
    land: dict[str, Hex]


def chance_of(kingdom: Kingdom, world: World, turn: Turn) -> int:
    """The chance in percent that an event is drawn for the next turn; turn 1 uses the chance after a quiet turn.
    Ruling: events."""
    chance = chance_in(world, turn.rules)
    return chance.after_quiet_turn if kingdom.quiet or turn.number == 0 else chance.normal


def chance_in(world: World, rules: Rules) -> Chance | EventChance:
    """The chances of events: those the GM set, else those of the pace that the rules name, else the rules' own. Ruling:
    events."""
    ruling = rules.events
    return world.chance or (ruling.paces[ruling.pace] if ruling.pace else ruling.chance)


def in_grace(kingdom: Kingdom, turn: Turn) -> bool:
    """Whether the next turn is one of the kingdom's first, in which no dangerous event strikes. Ruling: events."""
    return turn.number + 1 < max(1, kingdom.joined) + turn.rules.events.grace


def struck(drawing: Drawing) -> bool:
    """Whether events are drawn; with a chance of 0 nothing is rolled."""
    percent = chance_of(drawing.kingdom, drawing.world, drawing.turn)
    face = drawing.turn.roll(drawing.seat, "event", HUNDRED) if percent else None
    return face is not None and face <= percent


def draw(drawing: Drawing) -> Drawing:
    """The events of one turn drawn and announced: one, and more where a row says to roll again.

    An event that can't happen, is banned or stands there already is rolled again, at most as often as the ruling
    `events` says. A dangerous result in a kingdom's first turns ends the drawing. Rules older than the tables of events
    draw none.
    """
    twice: dict[str, str] = {}
    spared = in_grace(drawing.kingdom, drawing.turn)
    for _ in range(drawing.turn.rules.events.tries if FIRST in drawing.turn.rules.event_tables else 0):
        row = _rolled(FIRST, drawing)
        found = _rolled(row.table, drawing) if row.table else row
        if twice.get(found.event) == "stop":
            return drawing
        if spared and found.event not in drawing.world.banned and not drawing.turn.rules.event_kinds[found.event].good:
            return drawing
        announced = struck_by(drawing, found.event, found.place)
        if announced is None:
            continue
        drawing = announced
        twice.setdefault(found.event, row.twice)
        if not row.again:
            return drawing
    return drawing


def _rolled(table: str, drawing: Drawing) -> EventRow:
    """The row of a table that a percentile roll names; the last row if no row reaches so far."""
    name = table if table.startswith("event") else f"event_{table}"
    face = drawing.turn.roll(drawing.seat, name, HUNDRED) or 1
    rows = drawing.turn.rules.event_tables[table]
    return next((row for row in rows if face <= row.upto), rows[-1])


def struck_by(drawing: Drawing, kind: str, scope: str = "", hex: str = "", settlement: str = "") -> Drawing | None:
    """The drawing with an event of that kind announced; None where it can't happen.

    scope: what the event strikes, if its kind allows several; hex, settlement: where, if not a roll decides.
    """
    rules, kingdom = drawing.turn.rules, drawing.kingdom
    allowed = rules.event_kinds[kind].scope
    scope = scope if scope in allowed else allowed[0]
    if kind in drawing.world.banned and not (hex or settlement):
        return None
    possible = [
        scene
        for label, name in places(rules.event_kinds[kind], scope, kingdom)
        if (not hex or label == hex) and (not settlement or name == settlement) and not _stands(kingdom, kind, label)
        for scene in [_scene(drawing, kind, label, name)]
        if can_happen(scene)
    ]
    if not possible:
        return None
    number = drawing.turn.roll(drawing.seat, f"event_{scope}", len(possible)) if len(possible) > 1 else 1
    return announced(drawing, possible[(number or 1) - 1])


def _stands(kingdom: Kingdom, kind: str, hex: str) -> bool:
    """Whether an event of that kind stands there already."""
    return any(each.kind == kind and not each.done and each.hex == hex for each in kingdom.events.values())


def _scene(drawing: Drawing, kind: str, hex: str, settlement: str) -> Scene:
    seat, kingdom, turn = drawing.seat, drawing.kingdom, drawing.turn
    event = Event(kind, turn.number + 1, hex, settlement)
    key = counted(kingdom, kind)[1]
    return Scene(seat, kingdom, drawing.world, turn, key, event, kingdom, drawing.land)


def announced(drawing: Drawing, scene: Scene) -> Drawing:
    """The drawing after that event's details are settled; the event stands in the kingdom and the kingdom is told."""
    scene = set_up(scene)
    kingdom, key = counted(scene.kingdom, scene.event.kind)
    kingdom = replace(kingdom, events={**kingdom.events, key: scene.event})
    text = f"{titled(scene.event, drawing.turn.rules)}: it takes effect in turn {scene.event.begins}."
    drawing.turn.tell(drawing.seat, "news", event=key, text=text)
    return replace(drawing, kingdom=kingdom)


# --- events that beget others ----------------------------------------------------------------------------------------------


def begotten(drawing: Drawing) -> Drawing:
    """The events of the next turn that this turn's events cause: by spreading, or by another of the same kind. Ruling:
    event_going_on."""
    ruling = drawing.turn.rules.event_going_on
    for key, event in drawing.kingdom.events.items():
        alike = sum(other.kind == event.kind and not other.done for other in drawing.kingdom.events.values())
        full = bool(ruling and ruling.alike and alike >= ruling.alike)
        if "spread" in event.facts:
            drawing = _without(drawing if full else _spread(drawing, event), key, "spread")
        if "another" in event.facts:
            drawing = _without(drawing if full else _another(drawing, key, event), key, "another")
    return drawing


def _without(drawing: Drawing, key: str, fact: str) -> Drawing:
    event = drawing.kingdom.events[key]
    event = replace(event, facts={name: each for name, each in event.facts.items() if name != fact})
    return replace(drawing, kingdom=replace(drawing.kingdom, events={**drawing.kingdom.events, key: event}))


def _spread(drawing: Drawing, event: Event) -> Drawing:
    """The same event in a held hex beside it that has no such event yet."""
    kingdom = drawing.kingdom
    ill = {each.hex for each in kingdom.events.values() if each.kind == event.kind and not each.done}
    beside = [near for near in sorted(neighbours(event.hex)) if near in kingdom.hexes and near not in ill]
    if not beside:
        return drawing
    label = picked(_scene(drawing, event.kind, event.hex, event.settlement), "spreads", beside)
    return announced(drawing, _scene(drawing, event.kind, label, ""))


def _another(drawing: Drawing, key: str, event: Event) -> Drawing:
    """The same event once more, in the same settlement or the nearest other one, as a percentile roll says."""
    kingdom = drawing.kingdom
    scene = _scene(drawing, event.kind, event.hex, event.settlement)
    where = by_percent(scene, "another", {"here": int(event.facts["another"]), "elsewhere": HUNDRED})
    others = [
        (distance(each.hex, event.hex), name) for name, each in kingdom.settlements.items() if name != event.settlement
    ]
    if where == "elsewhere" and others:
        name = min(others)[1]
        scene = _scene(drawing, event.kind, kingdom.settlements[name].hex, name)
    return announced(drawing, scene)
