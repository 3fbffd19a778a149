"""What the tables of events may say: the percentile tables, and each kind of event with what it does."""

from typing import Annotated, Literal

from msgspec import Meta

from kingdom.games.realm.ruletypes import Count, EventName, EventTableName, Percent, Ruling, Table


class EventChance(Table):
    """The chance of an event in percent, and after a turn without one."""

    normal: Percent
    after_quiet_turn: Percent


class Events(Ruling):
    chance: EventChance


class EventRow(Table):
    """A row of a percentile table: up to this face, this event, or roll on that table.

    again: roll once more on the same table; twice: what then happens where the same comes up again.
    """

    upto: Annotated[int, Meta(ge=1, le=100)]
    event: EventName = ""
    table: EventTableName = ""
    again: bool = False
    twice: Literal["", "stop", "elsewhere"] = ""


class EventKind(Table):
    """A kind of event. scope: what it may strike."""

    name: str
    scope: tuple[Literal["kingdom", "settlement", "hex"], ...]
    good: bool = False
    text: str = ""


class EventAnswers(Ruling):
    """Adventurers hired against an event: what each price adds to its checks."""

    bonus_by_bp: dict[str, Count]


class EventSubstitutes(Ruling):
    monster_die: Annotated[int, Meta(ge=1, le=1000)]
    treasure_die: Annotated[int, Meta(ge=1, le=1000)]
    month_turns: Count
    year_turns: Count
