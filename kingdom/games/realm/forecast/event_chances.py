"""How likely the checks of an event fail, with the attributes, Unrest and Control DC known before the Event phase."""

from __future__ import annotations

from msgspec import Struct

from kingdom.games.realm.rules.event_tables import EventKind
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import accounts, control_dc
from kingdom.games.realm.state import Event, Hex, Kingdom, World, replace
from kingdom.games.realm.steps.events.scene import bonuses, helped_first, helps
from kingdom.games.realm.steps.land.losing import extra_unrest
from kingdom.games.realm.steps.shared import by_events, decide


class Outlook(Struct, frozen=True):
    """An event before the Event phase of `turn`. kingdom: with the modifiers that apply then; hexes: the land as the kingdom
    knows it."""

    key: str
    event: Event
    kingdom: Kingdom
    hexes: dict[str, Hex]
    turn: int
    rules: Rules

    @property
    def kind(self) -> EventKind:
        """The event's kind in the tables."""
        return self.rules.event_kinds[self.event.kind]


def outlook_of(key: str, event: Event, seat: str, seen: World, rules: Rules) -> Outlook:
    """The outlook of an event for the turn after `seen`, the world as the seat knows it."""
    kingdom, turn = seen.kingdoms[seat], seen.turn + 1
    held = tuple(each for each in kingdom.modifiers if each.lasting or each.ends > turn) + kingdom.coming
    return Outlook(key, event, replace(kingdom, modifiers=held), seen.hexes, turn, rules)


def chance_of_check(outlook: Outlook, attribute: str, bonus: int) -> float:
    """The chance of 0 to 1 that a check of the event succeeds."""
    event, kingdom, rules = outlook.event, outlook.kingdom, outlook.rules
    added = accounts(kingdom, outlook.hexes, rules)[attribute] + sum(by_events(kingdom, attribute).values()) + bonus
    added += sum(each.by for each in bonuses(event, kingdom, rules))
    added -= kingdom.unrest + (extra_unrest(kingdom, event.hex) if event.hex else 0)
    dc, sides = control_dc(kingdom, rules), rules.check.die
    return sum(decide(die, die + added, dc, rules)[0] for die in range(1, sides + 1)) / sides


def chances_of_failures(outlook: Outlook, bonus: int = 0) -> list[float]:
    """The chances that no check fails, that one fails, and so on. bonus: the adventurers' bonus to the checks in which they
    help."""
    checks, found = outlook.kind.checks, [1.0]
    order = helped_first(accounts(outlook.kingdom, outlook.hexes, outlook.rules), checks)
    for number, attribute in enumerate(checks):
        helped = bonus if helps(order.index(number), outlook.rules) else 0
        chance = chance_of_check(outlook, attribute, helped)
        found = [
            (found[fails] * chance if fails < len(found) else 0) + (found[fails - 1] * (1 - chance) if fails else 0)
            for fails in range(len(found) + 1)
        ]
    return found
