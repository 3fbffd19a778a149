"""The events of a turn as rows for a report: what struck, what is announced and may be answered, what stands and how it ends; what became
of the plan; and what lasts beyond a turn in every kingdom."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.names import words
from kingdom.engine.step import Facts
from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.forecast.event_chances import outlook_of
from kingdom.games.realm.forecast.event_odds import ways_out, worst_of
from kingdom.games.realm.forecast.words import name_of
from kingdom.games.realm.report.parts import Part
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Event, Modifier, World
from kingdom.games.realm.steps.events.words import described, how_it_ends, modifier_said, particulars, titled
from kingdom.games.realm.steps.workplan import WAITS
from kingdom.games.realm.types import Result

ACTING = ("events", "monsters_at_large")  # the steps in which events act
WORSE = ("consumption", "unrest", "debauchery", "unled")  # accounts of which more is worse


class EventRow(NamedTuple):
    """group: struck, announced, standing, over; key: empty for what struck; asked: whether it waits for an answer; ways: what may be
    done about it, which is among the lines too; worst: the BP, about, that ignoring it costs at most."""

    group: str
    lines: list[str]
    title: str = ""
    key: str = ""
    asked: bool = False
    ways: list[str] = []
    worst: int = 0


def events(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[EventRow]:
    """What a report shows of events, for one seat. part: its part of the turn; seen: what it knows after it (known.py)."""
    kingdom = result.after.kingdoms[seat]
    struck = [
        EventRow("struck", [notice.facts["text"]])
        for notice in part.notices
        if notice.kind == "news" and notice.step in ACTING and "event" in notice.facts
    ]
    known = {key: event for key, event in kingdom.events.items() if event.kind in rules.event_kinds}
    rows = [_row(key, event, seat, result.after, seen, rules) for key, event in known.items()]
    return struck + sorted(rows, key=lambda row: _GROUPS.index(row.group))


_GROUPS = ("announced", "standing", "over")


def _row(key: str, event: Event, seat: str, after: World, seen: World, rules: Rules) -> EventRow:
    kind, kingdom, turn = rules.event_kinds[event.kind], after.kingdoms[seat], after.turn
    group = "over" if event.done else "announced" if event.begins > turn else "standing"
    if event.done:
        mine = [modifier for modifier in kingdom.modifiers if modifier.event == key]
        stays = ", ".join(summed(modifier for modifier in mine if modifier.lasting))
        ending = ", ".join(summed(modifier for modifier in mine if not modifier.lasting))
        lines = [f"It changed: {'; '.join(filter(None, (stays, ending)))}."] if mine else []
    else:
        lines = [*particulars(event, kingdom.name, rules), *described(kind, rules)]
    asked = any(pending.key == key for pending in kingdom.pending)
    begins = f"in turn {event.begins}" if group == "announced" else f"since turn {event.begins}"
    ends = _ends(event, rules)
    lines.append(f"It {ends}." if ends.startswith("ends ") else f"{ends[:1].upper()}{ends[1:]}.")
    outlook = outlook_of(key, event, seat, seen, rules)
    ways = ways_out(outlook)
    title, worst = f"{titled(event, rules)}, {begins}", worst_of(outlook) if asked else 0
    return EventRow(group, lines + ways, title, key, asked, ways, worst)


# --- the plan


def plan(result: Result, seat: str, part: Part, seen: World, rules: Rules) -> list[Facts]:
    """The items of the seat's plan, in its order, with what became of each (done or waits) and why.

    Where nothing was worked off, in anarchy or in turn 0, all wait.
    """
    rows: list[Facts] = [
        {"text": notice.facts["item"], "outcome": notice.facts["outcome"], "why": notice.facts["why"]}
        for notice in part.notices
        if notice.kind == "plan"
    ]
    return rows or [{"text": text, "outcome": WAITS, "why": ""} for text in result.after.kingdoms[seat].plan]


# --- what lasts beyond a turn


class LastingRow(TypedDict):
    """What one event or one kind of cause changed in a kingdom for longer than a turn, or how an event that stands will end; and the GM's
    order that ends it. damage: some of it is harm without an end, and it is no good event's."""

    kingdom: str
    what: str
    changes: list[str]
    order: str
    damage: bool


def lasting_changes(world: World, rules: Rules) -> list[LastingRow]:
    """The rows of all kingdoms in play, in their order: of each what changed something, then the events that did not."""
    rows: list[LastingRow] = []
    for seat, kingdom in ((seat, each) for seat, each in world.kingdoms.items() if not each.destroyed):
        lasting: dict[str, list[Modifier]] = {}  # the key of an event, else a cause -> what it changed that lasts
        for modifier in kingdom.modifiers:
            if modifier.lasting or modifier.ends:
                lasting.setdefault(modifier.event or modifier.cause, []).append(modifier)
        events = {key: event for key, event in kingdom.events.items() if event.kind in rules.event_kinds}
        for key in dict.fromkeys((*lasting, *events)):
            modifiers, event = lasting.get(key, []), events.get(key)
            changes = summed(modifiers)
            damage = any(each.lasting and not is_good(each) for each in modifiers)
            if event is None:
                what = f"{words(key).capitalize()}: {', '.join(dict.fromkeys(each.text for each in modifiers))}"
            else:
                what = titled(event, rules)
                damage = damage and not rules.event_kinds[event.kind].good  # what a boom corrupts goes with the boom
                changes += [_ends(event, rules)] if not (changes and event.done) else []
            order = f'{{end: {key}, of: {seat}, reason: "..."}}'
            rows.append({"kingdom": kingdom.name, "what": what, "changes": changes, "order": order, "damage": damage})
    return rows


def _ends(event: Event, rules: Rules) -> str:
    """How an event ends, as a part of a list."""
    kind, ends = rules.event_kinds[event.kind], how_it_ends(event, rules)
    return ends if event.done or not (kind.goes_on or kind.ends_after) else f"ends {ends}"


def is_good(modifier: Modifier) -> bool:
    """Whether the kingdom is better off with it. A percentage of Consumption says what is left of it, all others what is added."""
    if modifier.account == "consumption_percent":
        return modifier.by < 100
    return (modifier.by > 0) == (modifier.account not in WORSE)


def summed(modifiers: Iterable[Modifier]) -> list[str]:
    """What these come to by account and end: "Stability -4 until turn 9 begins", "Corruption +1"."""
    sums: dict[tuple[str, int], int] = {}
    for modifier in modifiers:
        name = modifier_said(modifier.part) if modifier.part else name_of(modifier.account)
        key = (name, 0 if modifier.lasting else modifier.ends)
        sums[key] = sums.get(key, 0) + modifier.by
    return [f"{name} {by:+d}" + (f" until turn {ends} begins" if ends else "") for (name, ends), by in sums.items()]
