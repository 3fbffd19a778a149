"""What the tables of events may say: the percentile tables, and each kind of event with what it does.

Each effect is a record with a `code`; what it does is one function (steps/events/effects.py), and so is each thing that is settled
when an event is announced (steps/events/setup.py). Points are of accounts; a die with a number of faces below 0 is taken off.
"""

# Without `from __future__ import annotations`: types that are texts cost 3 ms more in every program that reads tables.

from typing import Annotated, Literal

from msgspec import Meta

from kingdom.games.realm.rules.types import (
    Attribute,
    BuildingName,
    Count,
    EventName,
    EventTableName,
    Figure,
    ImprovementName,
    Percent,
    Printed,
    Ruling,
    Table,
)  # fmt: skip

HUNDRED = 100  # the faces of a percentile roll
Die = Annotated[int, Meta(ge=1, le=1000)]
EventAccount = Literal[
    "treasury",
    "unrest",
    "economy",
    "loyalty",
    "stability",
    "lore",
    "law",
    "corruption",
    "crime",
    "society",
    "productivity",
]
# Until the next Event phase: accounts; what is added to checks of an attribute alone, or to those of events that go on;
# Consumption in percent; what each farm in and beside the hex takes off Consumption; that the ruler does not lead.
PassingAccount = Literal[
    "economy", "loyalty", "stability", "lore", "law", "corruption", "crime", "society", "productivity",
    "economy_checks", "loyalty_checks", "stability_checks", "continuing_event_checks", "consumption_percent", "farms", "unled",
]  # fmt: skip
Scope = Literal["kingdom", "settlement", "hex"]
CountedName = Annotated[str, Meta(extra={"of": ("buildings", "improvements"), "or": ("squatter_lot", "trade_route")})]


class EventChance(Table, frozen=True):
    """The chance of an event in percent, and after a turn without one."""

    normal: Percent
    after_quiet_turn: Percent


PaceName = Literal["eventful", "calm"]


class Events(Ruling, frozen=True):
    """tries: how often at most the tables are rolled on for one event, invalid ones included.

    pace: a name for a chance of `paces`, which then holds in place of `chance`. grace: in so many first turns of a kingdom a
    dangerous result is no event.
    """

    chance: EventChance
    tries: Count = 0
    pace: Literal["", "eventful", "calm"] = ""
    paces: dict[PaceName, EventChance] = {}
    grace: Count = 0

    def __post_init__(self) -> None:
        if self.pace and self.pace not in self.paces:
            raise ValueError(f"`pace` names {self.pace}, which `paces` lacks: set `chance` by figures instead")


class EventRow(Table, frozen=True):
    """A row of a percentile table: up to this face, this event, or roll on that table.

    place: what an event that may strike several kinds of place strikes by this row. again: roll once more on the same
    table; twice: what then happens where the same comes up again.
    """

    upto: Annotated[int, Meta(ge=1, le=HUNDRED)]
    event: EventName = ""
    table: EventTableName = ""
    place: Literal["", "kingdom", "settlement", "hex"] = ""
    again: bool = False
    twice: Literal["", "stop", "elsewhere"] = ""


# --- what is settled when an event is announced: where there is nothing to choose from, the event is rolled again ---------


class NeedsBuilding(Table, frozen=True, tag="needs_building", tag_field="code"):
    """The settlement has one of these buildings; of any kind where none is named."""

    any_of: tuple[BuildingName, ...] = ()


class NeedsImprovement(Table, frozen=True, tag="needs_improvement", tag_field="code"):
    """Something is built in the hex."""


class PicksEmptyLot(Table, frozen=True, tag="picks_empty_lot", tag_field="code"):
    """An empty lot of the settlement."""


class PicksFreeBuilding(Table, frozen=True, tag="picks_free_building", tag_field="code"):
    """A building by a percentile roll: up to that face. The other where there is no room for the first."""

    upto: dict[BuildingName, Percent]


class PicksOutside(Table, frozen=True, tag="picks_outside", tag_field="code"):
    """One of these improvements, in a hex beside the kingdom that nobody holds."""

    any_of: tuple[ImprovementName, ...]


class PicksDemand(Table, frozen=True, tag="picks_demand", tag_field="code"):
    """What is to be built, up to that face of a percentile roll, or else torn down."""

    of: Literal["building", "improvement"]
    build_upto: Percent


class PicksOffer(Table, frozen=True, tag="picks_offer", tag_field="code"):
    """What an envoy offers, by a percentile roll: up to that face."""

    upto: dict[str, Percent]


class PicksHost(Table, frozen=True, tag="picks_host", tag_field="code"):
    """The kingdom that invites, of those that touch, and what it costs to go there: a die of BP."""

    cost_die: Die


class PlacesMonster(Table, frozen=True, tag="places_monster", tag_field="code"):
    """Monsters in a hex from the announcement on. Not beaten by the end of a turn they add Unrest, and from so much Unrest
    the hex is lost."""

    unrest: Figure
    hex_lost_from: Count


SetUp = (
    NeedsBuilding | NeedsImprovement | PicksEmptyLot | PicksFreeBuilding | PicksOutside | PicksDemand | PicksOffer
    | PicksHost | PlacesMonster
)  # fmt: skip


# --- what an event does beside moving accounts -----------------------------------------------------------------------------


class FreeBuilding(Table, frozen=True, tag="free_building", tag_field="code"):
    """The building that was picked stands at no cost."""


class SettleOutside(Table, frozen=True, tag="settle_outside", tag_field="code"):
    """The improvement that was picked stands there without benefit. Where the kingdom builds the same beside it in the
    same turn, the event takes nothing from these any more."""

    restores: tuple[EventAccount, ...]


class Attend(Table, frozen=True, tag="attend", tag_field="code"):
    """Where it is answered so and paid: for a year these points, and points in the edicts that deal with the host."""

    by: dict[EventAccount, Figure]
    edict_checks: Figure


class Treasure(Table, frozen=True, tag="treasure", tag_field="code"):
    """A treasure without figures (ruling event_substitutes)."""


class PerBuilding(Table, frozen=True, tag="per_building", tag_field="code"):
    """Until the next Event phase points of an attribute, for each of these buildings in the settlement; where none is named
    for each that adds to that attribute."""

    attribute: Attribute
    by: Figure
    any_of: tuple[BuildingName, ...] = ()


class InCalm(Table, frozen=True, tag="in_calm", tag_field="code"):
    """Points for a kingdom that had no Unrest and no event that goes on."""

    by: dict[EventAccount, Figure]


class ThreatenLots(Table, frozen=True, tag="threaten_lots", tag_field="code"):
    """A number of lots with buildings, and from that face on more lots beside them: a check each, or the building is destroyed."""

    attribute: Attribute
    lots_die: Die
    more_from: Count
    more_die: Die


class ThreatenHexes(Table, frozen=True, tag="threaten_hexes", tag_field="code"):
    """The hex, and from that face of a die on more hexes beside it: a check each, or an improvement is destroyed and
    Unrest rises."""

    attribute: Attribute
    die: Die
    more_from: Count
    more_die: Die
    unrest: Figure


class DestroyBuildings(Table, frozen=True, tag="destroy_buildings", tag_field="code"):
    """A number of buildings is destroyed."""

    count: Count


class DamageBuildings(Table, frozen=True, tag="damage_buildings", tag_field="code"):
    """A number of buildings, or a die of them, gives nothing until repaired."""

    count: Count = 0
    die: Count = 0


class BlockLot(Table, frozen=True, tag="block_lot", tag_field="code"):
    """Nothing is built on the lot that was picked while the event stands."""


class WantsBuilding(Table, frozen=True, tag="wants_building", tag_field="code"):
    """The settlement must build one of these by the end of the turn that is this many turns later."""

    any_of: tuple[BuildingName, ...]
    turns: Count
    unrest: Figure  # where it is not


class Spread(Table, frozen=True, tag="spread", tag_field="code"):
    """The same event begins in a hex beside it in the next turn."""


class Another(Table, frozen=True, tag="another", tag_field="code"):
    """The same event begins in the next turn once more: here up to that face of a percentile roll, else in the nearest
    other settlement."""

    here_upto: Percent


class MonsterLeaves(Table, frozen=True, tag="monster_leaves", tag_field="code"):
    """The monsters leave the hex."""


EventEffect = (
    FreeBuilding | SettleOutside | Attend | Treasure | PerBuilding | InCalm | ThreatenLots | ThreatenHexes |
    DestroyBuildings | DamageBuildings | BlockLot | WantsBuilding | Spread | Another | MonsterLeaves
)  # fmt: skip


class EventOutcome(Table, frozen=True):
    """What an event comes to. by: points that last (treasury and Unrest once). die: the same by a die with that many faces;
    explodes: the highest face is added and rolled again. each_settlement: by a die for each settlement.
    until_next: until the next Event phase. do: what else.
    """

    by: dict[EventAccount, Figure] = {}
    die: dict[EventAccount, Figure] = {}
    explodes: bool = False
    each_settlement: dict[EventAccount, Figure] = {}
    until_next: dict[PassingAccount, Figure] = {}
    do: tuple[EventEffect, ...] = ()
    not_played: Printed = {}


class EventKind(Table, frozen=True):
    """A kind of event. scope: what it may strike.

    set_up: what is settled when it is announced. checks: one after another, each with one roll; on_request: only where it
    is answered so. harder_by, easier_by: a point for each of these in the settlement and hex, or in the kingdom.
    law_and_crime: the settlement's Law helps and its Crime hinders. plague: what is built against plagues helps.
    always: what it does in every Event phase. outcomes: by how many checks fail, from none on. goes_on: with that many failed
    checks it acts again in the next Event phase, else it ends. ends_after: turns in a row without a failed check
    end it, and the last of them without what it else comes to. unmet: for every turn after the first in which a demand stands.
    bars_building: nothing is built there while it stands. adventurers: whether some may be hired against it.
    """

    name: str
    text: str
    scope: tuple[Scope, ...]
    good: bool = False
    set_up: tuple[SetUp, ...] = ()
    checks: tuple[Attribute, ...] = ()
    on_request: bool = False
    harder_by: tuple[CountedName, ...] = ()
    easier_by: tuple[CountedName, ...] = ()
    law_and_crime: bool = False
    plague: bool = False
    always: EventOutcome = EventOutcome()
    outcomes: tuple[EventOutcome, ...] = ()
    goes_on: tuple[Count, ...] = ()
    ends_after: Count = 0
    unmet: EventOutcome = EventOutcome()
    bars_building: bool = False
    adventurers: bool = True

    def __post_init__(self) -> None:
        if self.outcomes and len(self.outcomes) != len(self.checks) + 1:
            raise ValueError("`outcomes` must have one more row than `checks`: by how many of them fail, from none on")


class EventLasting(Ruling, frozen=True):
    """changes: `for_ever`: what an event changes lasts until the GM ends it, and adds up; `end`: it ends.

    goes_on: so many turns after its last Event phase what an event that goes on changed ends. losses: so many turns a loss by
    another event lasts. most: what dangerous events take off one attribute, all together; unrest: what a loss above it adds instead.
    """

    changes: Literal["for_ever", "end"] = "for_ever"
    goes_on: Count = 0
    losses: Count = 0
    most: Count = 0
    unrest: Count = 0


class EventGoingOn(Ruling, frozen=True):
    """What an event that goes on costs from its second turn; 0 turns each figure off.

    unrest: the most Unrest that it adds in a turn. demand_turns: in so many turns a demand that is not met adds Unrest, and a check that
    quiets it costs no more than that. ends_after: Event phases after which it ends by itself, monsters left out. alike: where so
    many of a kind stand in a kingdom none of them spreads or opens another.
    """

    unrest: Count
    demand_turns: Count
    ends_after: Count
    alike: Count = 0


class EventAnswers(Ruling, frozen=True):
    """Adventurers hired against an event: what each price adds to its checks.

    checks: to how many of them, 0 for all. again: whether they may be hired in each Event phase, not once an event.
    """

    bonus_by_bp: dict[str, Count]
    checks: Count = 0
    again: bool = False


class EventSubstitutes(Ruling, frozen=True):
    monster_die: Die
    treasure_die: Die
    year_turns: Count
    not_played: Printed = {}


class DamagedBuildings(Ruling, frozen=True):
    """repair: what the price of a building is divided by where it is repaired, rounded up."""

    repair: Die
