"""Events in words: where one strikes, what its kind does by the tables, how it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kingdom.engine.names import words
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.rules import event_tables as tables
from kingdom.games.realm.rules.event_tables import EventKind, EventOutcome, EventSubstitutes
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.rules.types import SECONDARY
from kingdom.games.realm.state import Event
from kingdom.games.realm.steps.events.lasting import changes_end, last_turn

WORDS = {
    "treasury": "BP", "unrest": "Unrest", "economy_checks": "Economy checks", "loyalty_checks": "Loyalty checks",
    "stability_checks": "Stability checks", "continuing_event_checks": "checks of events that go on",
}  # fmt: skip
# number of checks -> the words for no failed check, for one failed check, and so on
HOW_MANY_FAIL = {1: ("success", "failure"), 2: ("both succeed", "one fails", "both fail")}


def where(event: Event) -> str:
    """Where it strikes, for a person: "Oakhold", "0404", or "" for the whole kingdom."""
    return event.settlement or event.hex


def titled(event: Event, rules: Rules) -> str:
    """The event with its place: "Plague in 0404"."""
    place = where(event)
    return rules.event_kinds[event.kind].name + (f" in {place}" if place else "")


class Standing(TypedDict):
    """A standing event as the sheet shows it, without its key."""

    kind: str
    name: str
    where: str
    begins: int
    ends: str


def standing(event: Event, rules: Rules) -> Standing:
    """A standing event as the sheet shows it, without its key."""
    kind = rules.event_kinds[event.kind]
    return {
        "kind": event.kind,
        "name": kind.name,
        "where": where(event) or "the kingdom",
        "begins": event.begins,
        "ends": how_it_ends(event, rules),
    }


def how_it_ends(event: Event, rules: Rules) -> str:
    """What ends a standing event, in words."""
    last = 0 if event.done else last_turn(event, rules)
    return _ending(event, rules.event_kinds[event.kind], rules) + (f", or by itself after turn {last}" if last else "")


def _ending(event: Event, kind: EventKind, rules: Rules) -> str:
    if event.done:
        if waits_for(event):
            return waits_for(event)
        if "until" in event.facts:
            return f"with the start of turn {event.facts['until']}"
        unless = ", unless an end is named" if changes_end(rules) else ""
        return f"over; what it changed lasts until the GM ends it{unless} (ruling event_lasting)"
    if "demand" in event.facts:
        return (
            f"when it is met: {demanded(event)}; or by a {kind.checks[0].capitalize()} check that it is answered with"
        )
    if kind.ends_after:
        return f"after {kind.ends_after} turns in a row without a failed check"
    if not kind.goes_on:
        return f"acts once, in turn {event.begins}"
    names = " and ".join(f"{each.capitalize()}" for each in dict.fromkeys(kind.checks))
    need = len(kind.checks) - min(kind.goes_on) + 1
    many = len(kind.checks) > 1
    how = ("its checks both succeed" if need > 1 else "one of its checks succeeds") if many else "its check succeeds"
    how = f"when {how} ({names})"
    return (
        f"{how}, or the monsters are beaten"
        if any(isinstance(each, tables.PlacesMonster) for each in kind.set_up)
        else how
    )


def waits_for(event: Event) -> str:
    """Which building the event waits for and until when, in words; "" if it waits for none."""
    if "wanted_by" not in event.facts:
        return ""
    return f"when turn {event.facts['wanted_by']} is over; by then {event.facts['wanted']} is to be built in {event.settlement}"


def demanded(event: Event) -> str:
    """An event's demand: "build: farm in 0404"."""
    what = words(str(event.facts["what"]))
    return f"{'build' if event.facts['demand'] == 'build' else 'tear down'} {what} in {where(event)}"


def particulars(event: Event, kingdom: str, rules: Rules) -> list[str]:
    """The details that were fixed when the event was announced, a sentence each. kingdom: the name of the kingdom that it strikes."""
    facts, lines = event.facts, []
    if "demand" in facts:
        lines.append(f"Demanded of {kingdom}: {demanded(event)}.")
    elif "at" in facts:
        lines.append(f"They build a {words(str(facts['what']))} in {facts['at']}, beyond the border.")
    if "lot" in facts:
        lines.append(f"The lot is {facts['lot']}.")
    if "building" in facts:
        lines.append(f"The building is a {rules.buildings[str(facts['building'])].name}.")
    if "host" in facts:
        lines.append(f"The host is {facts['host']}; to go there costs {facts['cost']} BP.")
    if "offer" in facts:
        article = "an" if str(facts["offer"])[:1] in "aeiou" else "a"
        lines.append(f"The offer is {article} {facts['offer']}, from an unnamed realm.")
    if "acr" in facts:
        lines.append(f"Monsters of ACR {facts['acr']} are in {event.hex}.")
    return lines


def described(kind: EventKind, rules: Rules) -> list[str]:
    """The effects of an event's kind by the tables, a sentence each."""
    lines = [kind.text]
    if always := outcome(kind.always, rules):
        lines.append(f"{'It brings' if kind.good else 'In any case'}: {always}.")
    if kind.checks:
        lines.append(_checks(kind, rules))
    if unmet := outcome(kind.unmet, rules):
        lines.append(f"In each turn after the first in which it is not met: {unmet}.")
    for each in kind.set_up:
        if isinstance(each, tables.PlacesMonster):
            price = f"Unrest {each.unrest:+}, and at Unrest {each.hex_lost_from} or more the hex is lost"
            lines.append(f"Not beaten by the end of a turn: {price}.")
    if kind.bars_building:
        lines.append("Nothing is built there while it stands.")
    return lines


def _checks(kind: EventKind, rules: Rules) -> str:
    names = [f"a {each.capitalize()} check" for each in kind.checks]
    said = " and ".join(dict.fromkeys(names)) if len(set(names)) == len(names) else f"{names[0]} and another"
    results = [
        f"{how}: {outcome(each, rules) or 'nothing'}{', and it goes on' if fails in kind.goes_on else ''}"
        for fails, (how, each) in enumerate(zip(HOW_MANY_FAIL[len(kind.checks)], kind.outcomes, strict=True))
    ]
    asked = "If you answer so, " if kind.on_request else ""
    counts = [(kind.harder_by, "-1"), (kind.easier_by, "+1")]
    counted = [f"with {by} for each {', '.join(map(words, names))}" for names, by in counts if names]
    if kind.law_and_crime:
        counted.append("plus the Law of that settlement, less its Crime; those of your other settlements don't count")
    more = f" ({'; '.join(counted)})" if counted else ""
    text = f"{asked}{said}{more}; {'; '.join(results)}."
    return text[:1].upper() + text[1:]


def outcome(given: EventOutcome, rules: Rules) -> str:
    """The effects of an outcome: "Unrest +1, BP -d6"; "" for none."""
    parts = [f"{_account(account)} {by:+}" for account, by in given.by.items()]
    parts += [f"{_account(account)} {_die(die, given.explodes)}" for account, die in given.die.items()]
    parts += [f"{_account(account)} {_die(die)} for each settlement" for account, die in given.each_settlement.items()]
    if passing := [_passing(account, by) for account, by in given.until_next.items()]:
        parts.append(f"until the next Event phase {', '.join(passing)}")
    return ", ".join(parts + [_EFFECTS[type(each)](each, rules) for each in given.do])


def _die(die: int, explodes: bool = False) -> str:
    return f"{'-' if die < 0 else '+'}d{abs(die)}{f' (each {abs(die)} adds another)' if explodes else ''}"


def _account(account: str) -> str:
    return WORDS.get(account) or modifier_said(account)


def modifier_said(name: str) -> str:
    """An account in words; a settlement modifier names the account of the sheet first, `Vigilance (Lore)`."""
    said = words(name).capitalize()
    return f"{SECONDARY[name].capitalize()} ({said})" if name in SECONDARY else said


def _passing(account: str, by: int) -> str:
    if account == "consumption_percent":
        return f"Consumption is {by} %"
    if account == "farms":
        return f"farms in and beside the hex take {by or 'nothing'} off Consumption{' each' if by else ''}"
    if account == "unled":
        return "no leadership bonus (ruling leader_events)"
    return f"{_account(account)} {by:+}"


def _buildings(names: Iterable[str], rules: Rules) -> str:
    return " or ".join(rules.buildings[name].name for name in names)


def _so_many(count: int) -> str:
    return f"{count} building{'s' if count > 1 else ''}"


def _more(die: int, at: int, more: int) -> str:
    return f"d{die}, and at {at} d{more} more beside"


def _unless_full(rules: Rules) -> str:
    """The limit for events that cause others, in words; "" if there is none."""
    ruling = rules.event_going_on
    return f" (none while {ruling.alike} of a kind stand in your kingdom)" if ruling and ruling.alike else ""


def _substitutes(rules: Rules) -> EventSubstitutes:
    """The ruling event_substitutes. Rules whose effects ask for it always have it."""
    assert rules.event_substitutes is not None
    return rules.event_substitutes


_EFFECTS: Mapping[type, Callable[[Any, Rules], str]] = {
    tables.FreeBuilding: lambda each, rules: "a building at no cost",
    tables.SettleOutside: lambda each, rules: (
        "an improvement beyond the border; build the same beside it in the same turn, and "
        f"{', '.join(map(_account, each.restores))} come back"
    ),
    tables.Attend: lambda each, rules: (
        f"if attended, for {_substitutes(rules).year_turns} turns "
        + ", ".join(f"{_account(account)} {by:+}" for account, by in each.by.items())
        + f", and {each.edict_checks:+} to rolls of aid to the host"
    ),
    tables.Treasure: lambda each, rules: f"BP +d{_substitutes(rules).treasure_die} (ruling event_substitutes)",
    tables.PerBuilding: lambda each, rules: (
        f"until the next Event phase {_account(each.attribute)} {each.by:+} for each "
        + (_buildings(each.any_of, rules) if each.any_of else f"building there that adds to {_account(each.attribute)}")
    ),
    tables.InCalm: lambda each, rules: (
        "in a kingdom without Unrest and without an event that goes on "
        + ", ".join(f"{_account(account)} {by:+}" for account, by in each.by.items())
    ),
    tables.ThreatenLots: lambda each, rules: (
        f"threatens buildings on {_more(each.lots_die, each.more_from, each.more_die)}: "
        f"a {each.attribute.capitalize()} check for each lot, or its building is destroyed"
    ),
    tables.ThreatenHexes: lambda each, rules: (
        f"threatens the improved hex, on {each.more_from} of a d{each.die} d{each.more_die} more beside it: a "
        f"{each.attribute.capitalize()} check for each, or an improvement is destroyed and Unrest {each.unrest:+}"
    ),
    tables.DestroyBuildings: lambda each, rules: (
        f"{each.count} building is destroyed, Unrest +{rules.upgrade_unrest.lot_destroyed} a lot"
    ),
    tables.DamageBuildings: lambda each, rules: (
        f"{f'd{each.die} buildings' if each.die else _so_many(each.count)} damaged (ruling damaged_buildings)"
    ),
    tables.BlockLot: lambda each, rules: "nothing can be built on the lot",
    tables.WantsBuilding: lambda each, rules: (
        f"unless a {_buildings(each.any_of, rules)} is built there by the end of the next turn, Unrest {each.unrest:+}"
    ),
    tables.Spread: lambda each, rules: f"it spreads to a hex beside it{_unless_full(rules)}",
    tables.Another: lambda each, rules: (
        f"another one opens in the next turn, here or in the nearest settlement{_unless_full(rules)}"
    ),
    tables.MonsterLeaves: lambda each, rules: "the monsters leave",
}
