"""What lasts beyond a turn in every kingdom, as one table for the GM: each row with the order that ends it."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.engine.names import words
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.report.survey import name_of
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Modifier, World
from kingdom.games.realm.steps.events.words import titled


class LastingRow(TypedDict):
    """What one event or one kind of cause changed in a kingdom for longer than a turn, and the line of gm.yaml that ends it."""

    kingdom: str
    what: str
    changes: list[str]
    order: str


def lasting_changes(world: World, rules: Rules) -> list[LastingRow]:
    """The rows of all kingdoms in play, in their order."""
    rows: list[LastingRow] = []
    for seat, kingdom in world.kingdoms.items():
        lasting: dict[str, list[Modifier]] = {}  # the key of an event, else a cause -> what it changed that lasts
        for modifier in kingdom.modifiers if not kingdom.destroyed else ():
            if modifier.lasting or modifier.ends:
                lasting.setdefault(modifier.event or modifier.cause, []).append(modifier)
        for key, modifiers in lasting.items():
            event, what = kingdom.events.get(key), words(key).capitalize()
            if event is not None and event.kind in rules.event_kinds:
                what = titled(event, rules) + ("" if event.done else ", which goes on")
            order = f'- {{end: {key}, of: {seat}, reason: "..."}}'
            rows.append({"kingdom": kingdom.name, "what": what, "changes": summed(modifiers), "order": order})
    return rows


def summed(modifiers: Iterable[Modifier]) -> list[str]:
    """What these come to by account and end: "Stability -4 until turn 9 begins", "Corruption +1"."""
    sums: dict[tuple[str, int], int] = {}
    for modifier in modifiers:
        name = words(modifier.part).capitalize() if modifier.part else name_of(modifier.account)
        key = (name, 0 if modifier.lasting else modifier.ends)
        sums[key] = sums.get(key, 0) + modifier.by
    return [f"{name} {by:+d}" + (f" until turn {ends} begins" if ends else "") for (name, ends), by in sums.items()]
