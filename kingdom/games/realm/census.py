"""What of the game's closed vocabularies a turn made happen, for simulations: events, rulings, causes, tactics, battle results."""

from __future__ import annotations

import re
from typing import Any, Iterable, Iterator, Mapping

from kingdom.games.realm.battle import OUTCOMES
from kingdom.games.realm.rules import TABLES, Rules
from kingdom.turn import Result

_RULING = re.compile(r"\(rulings? ([a-z_0-9]+)")
_SAID = ("text", "reason", "why")


def could_happen(rules: Rules) -> dict[str, list[str]]:
    """Vocabulary -> its words."""
    return {
        "event": list(rules.event_kinds),
        "ruling": [name for name in rules.__struct_fields__ if name not in TABLES and getattr(rules, name) is not None],
        "tactic": list(rules.tactics),
        "strategy": list(rules.strategies),
        "battle result": list(OUTCOMES),
    }


def happened(result: Result, rules: Rules) -> Iterator[tuple[str, str]]:
    """(vocabulary, word) for each time that one occurred in the turn."""
    for kingdom in result.after.kingdoms.values():
        yield from (("event", event.kind) for event in kingdom.events.values() if event.begins == result.number + 1)
    for notice in result.notices:
        yield from _rulings(str(notice.facts.get(key, "")) for key in _SAID)
        if notice.kind == "battle":
            yield from _of_battle(notice.facts)
    yield from _rulings(entry.detail for entry in result.entries)


def _rulings(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    for text in texts:
        yield from (("ruling", name) for name in _RULING.findall(text))


def _of_battle(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from (("battle result", left["outcome"]) for left in facts["left"])
    for row in facts["rounds"]:
        for side in row["sides"]:
            yield "tactic", side["tactic"]
            yield "strategy", side["strategy"]
