"""How long an event and its changes last, and what an event may cost a turn. Rulings: event_lasting, event_going_on."""

from __future__ import annotations

from kingdom.games.realm.rules.event_tables import EventKind, EventOutcome, PlacesMonster
from kingdom.games.realm.rules.rules import ATTRIBUTES, Rules
from kingdom.games.realm.rules.types import in_force
from kingdom.games.realm.state import Event, Kingdom, Modifier, replace
from kingdom.games.realm.types import Turn


def changes_end(rules: Rules) -> bool:
    """Whether the changes that events make end by themselves."""
    return rules.event_lasting is not None and rules.event_lasting.changes == "end"


def with_change(kingdom: Kingdom, modifier: Modifier, kind: EventKind, turn: Turn) -> tuple[Kingdom, int]:
    """(the kingdom with an event's change of an account, the Unrest added instead of a loss above the limit)."""
    ruling = in_force(turn.rules.event_lasting)
    stays = modifier.by > 0 and not kind.goes_on
    ends = 0 if stays else turn.number + (ruling.goes_on if kind.goes_on else ruling.losses)
    modifier = replace(modifier, lasting=stays, ends=ends)
    name = (modifier.event, modifier.account, modifier.text)
    older = [each for each in kingdom.modifiers if (each.event, each.account, each.text) == name]
    rest = tuple(each for each in kingdom.modifiers if each not in older)
    by = modifier.by + sum(each.by for each in older if (each.lasting, each.ends) == (stays, ends))
    most = by
    if ruling.most and by < 0 and not kind.good and modifier.account in ATTRIBUTES:
        # the sum that dangerous events take off that attribute, below 0
        kinds = turn.rules.event_kinds
        taken = sum(
            each.by
            for each in rest
            if each.account == modifier.account and each.by < 0 and each.cause in kinds and not kinds[each.cause].good
        )
        most = max(by, min(0, -ruling.most - taken))
    kingdom = replace(kingdom, modifiers=(*rest, replace(modifier, by=most)) if most else rest)
    return kingdom, ruling.unrest if most > by else 0


def newest_alone(key: str, kingdom: Kingdom, turn: Turn) -> Kingdom:
    """The kingdom without the changes that an ongoing event made in earlier turns: only its newest outcome counts."""
    ends = turn.number + in_force(turn.rules.event_lasting).goes_on
    kept = tuple(
        each for each in kingdom.modifiers if each.event != key or (not each.lasting and each.ends in (0, ends))
    )
    return replace(kingdom, modifiers=kept) if len(kept) < len(kingdom.modifiers) else kingdom


def most_unrest(event: Event, turn: int, rules: Rules) -> int:
    """The most Unrest that the event may add in that turn, 0 for no limit."""
    ruling = rules.event_going_on
    later = event.begins < turn and not event.done and rules.event_kinds[event.kind].goes_on
    return ruling.unrest if ruling and later else 0


def last_turn(event: Event, rules: Rules) -> int:
    """The turn in which an ongoing event ends by itself, 0 for never."""
    ruling, kind = rules.event_going_on, rules.event_kinds[event.kind]
    monsters = any(isinstance(each, PlacesMonster) for each in kind.set_up)
    return event.begins + ruling.ends_after - 1 if ruling and ruling.ends_after and kind.goes_on and not monsters else 0


def unmet_turns(event: Event, turn: int, rules: Rules) -> int | None:
    """In how many turns, from that turn on, an unmet demand still adds Unrest; None for no limit."""
    ruling = rules.event_going_on
    if ruling is None or not ruling.demand_turns:
        return None
    return max(0, event.begins + ruling.demand_turns - max(turn, event.begins + 1) + 1)


def when_quieted(event: Event, turn: int, rules: Rules) -> EventOutcome:
    """The cost of a demand when a check quiets it: only the Unrest that the tables say, and at most what ignoring it
    would still cost."""
    kind = rules.event_kinds[event.kind]
    left = unmet_turns(event, turn, rules)
    if left is None:
        return kind.outcomes[0]
    unrest = min(kind.outcomes[0].by.get("unrest", 0), left * kind.unmet.by.get("unrest", 0))
    return EventOutcome(by={"unrest": unrest} if unrest else {})
