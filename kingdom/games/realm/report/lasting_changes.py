"""What lasts beyond a turn in every kingdom, as one table for the GM: each row with the order that ends it."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.engine.names import words
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.report.survey import name_of
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, Modifier, World
from kingdom.games.realm.steps.events.words import titled


class LastingRow(TypedDict):
    """What one event or one kind of cause changed in a kingdom for longer than a turn, and the line of gm.yaml that ends it."""

    kingdom: str
    what: str
    changes: list[str]
    order: str


def lasting_changes(world: World, rules: Rules) -> list[LastingRow]:
    """The rows of all kingdoms in play, in their order."""
    return [
        {
            "kingdom": kingdom.name,
            "what": _titled(key, kingdom, rules),
            "changes": summed(modifiers),
            "order": f'- {{end: {key}, of: {seat}, reason: "..."}}',
        }
        for seat, kingdom in world.kingdoms.items()
        if not kingdom.destroyed
        for key, modifiers in _by_source(kingdom).items()
    ]


def _by_source(kingdom: Kingdom) -> dict[str, list[Modifier]]:
    """The key of an event, else a cause -> what it changed that lasts."""
    found: dict[str, list[Modifier]] = {}
    for modifier in kingdom.modifiers:
        if modifier.lasting or modifier.ends:
            found.setdefault(modifier.event or modifier.cause, []).append(modifier)
    return found


def _titled(key: str, kingdom: Kingdom, rules: Rules) -> str:
    event = kingdom.events.get(key)
    if event is None or event.kind not in rules.event_kinds:
        return words(key).capitalize()
    return titled(event, rules) + ("" if event.done else ", which goes on")


def summed(modifiers: Iterable[Modifier]) -> list[str]:
    """What these come to by account and end: "Stability -4 until turn 9 begins", "Corruption +1"."""
    sums: dict[tuple[str, int], int] = {}
    for modifier in modifiers:
        name = words(modifier.part).capitalize() if modifier.part else name_of(modifier.account)
        key = (name, 0 if modifier.lasting else modifier.ends)
        sums[key] = sums.get(key, 0) + modifier.by
    return [f"{name} {by:+d}" + (f" until turn {ends} begins" if ends else "") for (name, ends), by in sums.items()]
