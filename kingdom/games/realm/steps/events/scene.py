"""One event as it acts on one kingdom: its dice, what it moves and books. What an outcome of the tables says is done in effects.py.

Rulings: event_timing, event_lasting, affordable (a loss stops at 0), anarchy (no change of Unrest).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from kingdom.games.realm.report.event_words import titled
from kingdom.games.realm.rules.event_tables import EventKind
from kingdom.games.realm.rules.types import SECONDARY
from kingdom.games.realm.state import Event, Hex, Kingdom, Modifier, World, replace
from kingdom.games.realm.steps.shared import book, in_anarchy, with_unrest
from kingdom.games.realm.types import Turn

Account = TypeVar("Account", bound=str)  # a closed list of accounts, or any


class Scene(NamedTuple):
    """before: the kingdom as the event found it. land: hexes that events changed in this step, label -> hex, over those of the
    world; whoever changes one writes it there. They move no account. about: what its rolls are called by."""

    seat: str
    kingdom: Kingdom
    world: World
    turn: Turn
    key: str
    event: Event
    before: Kingdom
    land: dict[str, Hex]

    @property
    def kind(self) -> EventKind:
        """What the tables say of its kind."""
        return self.turn.rules.event_kinds[self.event.kind]

    @property
    def about(self) -> str:
        """The name of its checks, and how those of its other rolls begin."""
        return f"{self.event.kind}-{self.event.hex}" if self.event.hex else self.event.kind

    @property
    def title(self) -> str:
        """The event with its place, for a person."""
        return titled(self.event, self.turn.rules)

    def hex(self, label: str) -> Hex | None:
        """A hex as it is now, None where there is none on the map."""
        return self.land.get(label) or self.world.hexes.get(label)

    def roll(self, what: str, sides: int) -> int | None:
        """A die of the kingdom's own; None where the turn is only foreseen."""
        return self.turn.roll(self.seat, f"{self.about}-{what}", sides)

    def exploding(self, what: str, sides: int) -> int | None:
        """A die of which the highest face is added and rolled again."""
        total = 0
        while True:
            face = self.roll(what, sides)
            if face is None:
                return None
            total += face
            if face < sides or sides < 2:
                return total

    def told(self, text: str) -> Scene:
        """Tell the kingdom."""
        self.turn.tell(self.seat, "news", event=self.key, text=f"{self.title}: {text}.")
        return self

    def booked(self, kingdom: Kingdom, detail: str) -> Scene:
        """The scene with this kingdom, what that moved booked under the event."""
        if kingdom is self.kingdom:
            return self
        book(self.turn, self.seat, kingdom, self.world.hexes, self.event.kind, detail)
        return self._replace(kingdom=kingdom)

    def fact(self, **facts: int | str) -> Scene:
        """The scene with more kept in the event."""
        return self._replace(event=replace(self.event, facts={**self.event.facts, **facts}))

    # --- accounts

    def moved(self, by: Mapping[Account, int], detail: str) -> Scene:
        """Move accounts for good: BP and Unrest once, the others as lasting modifiers that stand by the event's name."""
        kingdom = self.kingdom
        for account, points in by.items():
            if account == "treasury":
                least = min(0, kingdom.treasury)
                kingdom = replace(kingdom, treasury=max(least, kingdom.treasury + points))
            elif account == "unrest":
                kingdom = with_unrest(kingdom, points, self.turn.number, self.turn.rules)
            else:
                kingdom = _with_lasting(kingdom, self.modifier(account, points, lasting=True))
        return self.booked(kingdom, f"{self.title}: {detail}")

    def modifier(
        self, account: str, by: int, lasting: bool = False, ends: int = 0, hex: str = "", partner: str = ""
    ) -> Modifier:
        """A modifier of this event. One of a settlement's own goes where that is lost."""
        new = Modifier(account, by, self.event.kind, self.title, lasting, self.key, hex=hex, partner=partner, ends=ends)
        if account not in SECONDARY:
            return new
        text = f"{self.title} ({account})"
        return replace(new, account=SECONDARY[account], text=text, settlement=self.event.settlement, part=account)

    def passing(self, by: Mapping[Account, int], detail: str) -> Scene:
        """What holds until the next Event phase."""
        new = tuple(self.modifier(account, points, hex=self.event.hex) for account, points in by.items())
        if not new:
            return self
        return self.booked(replace(self.kingdom, modifiers=self.kingdom.modifiers + new), f"{self.title}: {detail}")

    def points(self, account: str, die: int, explodes: bool = False) -> int | None:
        """Points of an account by a die; a die below 0 takes them off. What an anarchy turn does not move is not rolled."""
        if account == "unrest" and in_anarchy(self.kingdom, self.turn):
            return None
        points = self.exploding(account, abs(die)) if explodes else self.roll(account, abs(die))
        return None if points is None else points if die > 0 else -points


def _with_lasting(kingdom: Kingdom, modifier: Modifier) -> Kingdom:
    """The kingdom with a lasting modifier, which adds to one of the same event and name that it has already."""
    same = (modifier.event, modifier.account, modifier.text)
    old = [each for each in kingdom.modifiers if each.lasting and (each.event, each.account, each.text) == same]
    rest = tuple(each for each in kingdom.modifiers if each not in old)
    modifier = replace(modifier, by=modifier.by + sum(each.by for each in old))
    return replace(kingdom, modifiers=rest + ((modifier,) if modifier.by else ()))
