"""What of the game's closed vocabularies a turn made happen, for simulations: events, rulings, tactics, strategies, battle results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kingdom.games.realm.effects import has
from kingdom.games.realm.rules.building_tables import HalvesPromotion, HalvesTaxPenalty
from kingdom.games.realm.rules.rules import TABLES, Rules
from kingdom.games.realm.state import Kingdom
from kingdom.games.realm.steps.war.battle import OUTCOMES
from kingdom.games.realm.types import Result

_RULING = re.compile(r"\(rulings? ([a-z_0-9]+)")
_SAID = ("text", "reason", "why")

# Most rulings are named where they decide something. These are reckoned with in silence; for each what shows that it was:
EVERY_TURN = ("attribute", "unrest_floor", "step_by_step", "aqueduct")  # at work in all that is reckoned
BY_CAUSE = {  # causes of entries
    "taxes": ("income",),
    "stability": ("stability",),
    "negative_attribute": ("negative_attribute",),
    "consumption": ("consumption",),
    "slavers": ("slavers",),
    "assassination_attempt": ("leader_events",),
    "public_scandal": ("leader_events",),
}
BY_ACCOUNT = dict.fromkeys(("vigilance", "debauchery", "opulence"), "secondary_attributes")
BY_NOTICE = {"check": ("check", "control_dc"), "refusal": ("refused_is_free",)}


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
        if notice.kind == "battle":
            yield from _of_battle(notice.facts)
    yield from (
        ("ruling", name)
        for name in (*_named(result), *EVERY_TURN, *_by_books(result, rules), *_by_state(result, rules))
    )


def _of_battle(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from (("battle result", left["outcome"]) for left in facts["left"])
    for row in facts["rounds"]:
        for side in row["sides"]:
            yield "tactic", side["tactic"]
            yield "strategy", side["strategy"]


def _named(result: Result) -> Iterator[str]:
    """The rulings that the turn's texts name."""
    texts: Iterable[str] = (str(notice.facts.get(key, "")) for notice in result.notices for key in _SAID)
    for text in (*texts, *(entry.detail for entry in result.entries)):
        yield from _RULING.findall(text)


def _by_books(result: Result, rules: Rules) -> Iterator[str]:
    """The rulings that entries and notices show to have been at work."""
    for notice in result.notices:
        yield from BY_NOTICE.get(notice.kind, ())
        if notice.kind == "plan":
            yield "work_plan"
    for entry in result.entries:
        yield from BY_CAUSE.get(entry.cause, ())
        if entry.account in BY_ACCOUNT:
            yield BY_ACCOUNT[entry.account]
        if entry.cause in rules.event_kinds:
            yield from ("events", "event_timing")
        if entry.cause == "improve":
            yield from (name for name in ("canal", "bridge") if name in entry.detail)


def _by_state(result: Result, rules: Rules) -> Iterator[str]:
    """The rulings that what stands after the turn shows to count."""
    for seat, kingdom in result.after.kingdoms.items():
        before = result.before.kingdoms.get(seat, kingdom)
        yield from (name for name, holds in _holds(kingdom, before, rules) if holds)
        foreign = {label for other, each in result.after.kingdoms.items() if other != seat for label in each.hexes}
        yield from ("crossing" for army in kingdom.armies.values() if army.hex in foreign)
        wet = [
            label
            for label in kingdom.hexes
            if label not in before.hexes and rules.terrain[result.after.hexes[label].terrain].water
        ]
        yield from ("water_hexes" for _ in wet)


def _holds(kingdom: Kingdom, before: Kingdom, rules: Rules) -> Iterator[tuple[str, bool]]:
    new = [town for name, town in kingdom.settlements.items() if name not in before.settlements]
    standing = {building.id for town in kingdom.settlements.values() for building in town.buildings}
    yield "government", bool(kingdom.government)
    yield "not_played", any(rules.buildings[kind].not_played for kind in standing)
    yield "halved_edicts", has(kingdom, rules, HalvesPromotion) or has(kingdom, rules, HalvesTaxPenalty)
    yield (
        "event_lasting",
        any(modifier.lasting and modifier.cause in rules.event_kinds for modifier in kingdom.modifiers),
    )
    yield "step_4", any(town.buildings for town in new)
    yield "vision", bool(kingdom.memory)
