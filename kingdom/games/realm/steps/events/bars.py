"""Events that let nothing be built where they are, such as a plague."""

from __future__ import annotations

from kingdom.engine.step import Refusal
from kingdom.games.realm.report.event_words import how_it_ends
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom

REFUSALS = {
    "event_bars": "Nothing is built in {hex} while the event {event} stands there (table event_kinds). It ends {ends}.",
}


def barring(label: str, kingdom: Kingdom, rules: Rules) -> Refusal | None:
    """The refusal where an event lets nothing be built in that hex, None where none does."""
    for event in kingdom.events.values() if kingdom.events else ():
        kind = rules.event_kinds.get(event.kind)
        if kind and kind.bars_building and event.hex == label and not event.done:
            return Refusal("event_bars", {"hex": label, "event": kind.name, "ends": how_it_ends(event, kind)})
    return None
