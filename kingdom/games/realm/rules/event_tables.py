"""What the tables of events may say: the percentile tables, and each kind of event with its effects.

Each effect is a record with a `code`, carried out by one function (steps/events/effects.py). The same holds for each detail
that is settled when an event is announced (steps/events/setup.py). Points are of accounts; a negative number of faces means
that the die is taken off.
"""

# No `from __future__ import annotations`: annotations as text cost 3 ms more in every program that reads tables.

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
    SettlementModifier,
    Table,
)  # fmt: skip

HUNDRED = 100  # the faces of a percentile roll
Die = Annotated[int, Meta(ge=1, le=1000)]
EventAccount = Literal["treasury", "unrest", Attribute, SettlementModifier]
# What may change until the next Event phase: accounts; the checks of one attribute, or those of ongoing events; Consumption in
# percent; what each farm in and beside the hex takes off Consumption; whether the ruler leads.
PassingAccount = Literal[
    Attribute, SettlementModifier, "economy_checks", "loyalty_checks", "stability_checks", "continuing_event_checks", "consumption_percent", "farms", "unled",
]  # fmt: skip
Scope = Literal["kingdom", "settlement", "hex"]
CountedName = Annotated[str, Meta(extra={"of": ("buildings", "improvements"), "or": ("squatter_lot", "trade_route")})]


class EventChance(Table, frozen=True):
    """The chance of an event in percent: the normal chance, and the chance after a turn without events."""

    normal: Percent
    after_quiet_turn: Percent


PaceName = Literal["eventful", "calm"]


class Events(Ruling, frozen=True):
    """tries: the most rolls on the tables for one event, invalid results included.

    pace: the name of a chance in `paces`, which then replaces `chance`. grace: in so many first turns of a kingdom a dangerous
    result means no event.
    """

    chance: EventChance
    tries: Count = 0
    pace: Literal["", PaceName] = ""
    paces: dict[PaceName, EventChance] = {}
    grace: Count = 0

    def __post_init__(self) -> None:
        if self.pace and self.pace not in self.paces:
            raise ValueError(f"`pace` names {self.pace}, which `paces` lacks: set `chance` by figures instead")


class EventRow(Table, frozen=True):
    """A row of a percentile table: up to this face this event, or a roll on that other table.

    place: the kind of place that the event strikes, if its kind allows several. again: roll once more on the same table; twice:
    the result if that roll gives this row again.
    """

    upto: Annotated[int, Meta(ge=1, le=HUNDRED)]
    event: EventName = ""
    table: EventTableName = ""
    place: Literal["", Scope] = ""
    again: bool = False
    twice: Literal["", "stop", "elsewhere"] = ""


# --- details settled when an event is announced: if one of them has no choices, the event is rolled again ----------------


class NeedsBuilding(Table, frozen=True, tag="needs_building", tag_field="code"):
    """The settlement has one of these buildings, or any building if none is named."""

    any_of: tuple[BuildingName, ...] = ()


class NeedsImprovement(Table, frozen=True, tag="needs_improvement", tag_field="code"):
    """Something is built in the hex."""


class PicksEmptyLot(Table, frozen=True, tag="picks_empty_lot", tag_field="code"):
    """An empty lot of the settlement."""


class PicksFreeBuilding(Table, frozen=True, tag="picks_free_building", tag_field="code"):
    """Picks a building by a percentile roll: each up to its face. If there is no room for the first, the other."""

    upto: dict[BuildingName, Percent]


class PicksOutside(Table, frozen=True, tag="picks_outside", tag_field="code"):
    """One of these improvements, in a hex beside the kingdom that nobody holds."""

    any_of: tuple[ImprovementName, ...]


class PicksDemand(Table, frozen=True, tag="picks_demand", tag_field="code"):
    """Picks a demand by a percentile roll: up to that face something must be built, above it something must be torn down."""

    of: Literal["building", "improvement"]
    build_upto: Percent


class PicksOffer(Table, frozen=True, tag="picks_offer", tag_field="code"):
    """Picks an envoy's offer by a percentile roll: each up to its face."""

    upto: dict[str, Percent]


class PicksHost(Table, frozen=True, tag="picks_host", tag_field="code"):
    """Picks the inviting kingdom, one that touches this one, and the cost of going there: a die of BP."""

    cost_die: Die


class PlacesMonster(Table, frozen=True, tag="places_monster", tag_field="code"):
    """Monsters in a hex from the announcement on. If they are not beaten by the end of a turn, they add Unrest, and from so
    much Unrest on the kingdom loses the hex."""

    unrest: Figure
    hex_lost_from: Count


SetUp = (
    NeedsBuilding | NeedsImprovement | PicksEmptyLot | PicksFreeBuilding | PicksOutside | PicksDemand | PicksOffer
    | PicksHost | PlacesMonster
)  # fmt: skip


# --- effects of an event besides moving accounts ---------------------------------------------------------------------------


class FreeBuilding(Table, frozen=True, tag="free_building", tag_field="code"):
    """The picked building stands at no cost."""


class SettleOutside(Table, frozen=True, tag="settle_outside", tag_field="code"):
    """The picked improvement stands outside the kingdom without benefit. If the kingdom builds the same beside it in the same
    turn, it gets back what the event took of the accounts in `restores`."""

    restores: tuple[EventAccount, ...]


class Attend(Table, frozen=True, tag="attend", tag_field="code"):
    """If the kingdom chooses to attend and pays: these points for a year, and points in edicts that deal with the host."""

    by: dict[EventAccount, Figure]
    edict_checks: Figure


class Treasure(Table, frozen=True, tag="treasure", tag_field="code"):
    """A treasure without figures (ruling event_substitutes)."""


class PerBuilding(Table, frozen=True, tag="per_building", tag_field="code"):
    """Points of an attribute until the next Event phase, for each of these buildings in the settlement; if none is named, for
    each building that adds to that attribute."""

    attribute: Attribute
    by: Figure
    any_of: tuple[BuildingName, ...] = ()


class InCalm(Table, frozen=True, tag="in_calm", tag_field="code"):
    """Points for a kingdom that had no Unrest and no ongoing event."""

    by: dict[EventAccount, Figure]


class ThreatenLots(Table, frozen=True, tag="threaten_lots", tag_field="code"):
    """Threatens so many lots with buildings, and from that face of the die on more lots beside them. Each makes a check, or its
    building is destroyed."""

    attribute: Attribute
    lots_die: Die
    more_from: Count
    more_die: Die


class ThreatenHexes(Table, frozen=True, tag="threaten_hexes", tag_field="code"):
    """Threatens the hex, and from that face of the die on more hexes beside it. Each makes a check, or an improvement is
    destroyed and Unrest rises."""

    attribute: Attribute
    die: Die
    more_from: Count
    more_die: Die
    unrest: Figure


class DestroyBuildings(Table, frozen=True, tag="destroy_buildings", tag_field="code"):
    """Destroys so many buildings."""

    count: Count


class DamageBuildings(Table, frozen=True, tag="damage_buildings", tag_field="code"):
    """So many buildings, or a die of them, give nothing until they are repaired."""

    count: Count = 0
    die: Count = 0


class BlockLot(Table, frozen=True, tag="block_lot", tag_field="code"):
    """Nothing can be built on the picked lot while the event stands."""


class WantsBuilding(Table, frozen=True, tag="wants_building", tag_field="code"):
    """The settlement must build one of these by the end of the turn that is this many turns later."""

    any_of: tuple[BuildingName, ...]
    turns: Count
    unrest: Figure  # if the building does not stand by then


class Spread(Table, frozen=True, tag="spread", tag_field="code"):
    """The same event begins in a neighbouring hex in the next turn."""


class Another(Table, frozen=True, tag="another", tag_field="code"):
    """The same event begins once more in the next turn: in the same settlement up to that face of a percentile roll, else in
    the nearest other one."""

    here_upto: Percent


class MonsterLeaves(Table, frozen=True, tag="monster_leaves", tag_field="code"):
    """The monsters leave the hex."""


EventEffect = (
    FreeBuilding | SettleOutside | Attend | Treasure | PerBuilding | InCalm | ThreatenLots | ThreatenHexes |
    DestroyBuildings | DamageBuildings | BlockLot | WantsBuilding | Spread | Another | MonsterLeaves
)  # fmt: skip


class EventOutcome(Table, frozen=True):
    """The outcome of an event. by: lasting points (treasury and Unrest once). die: the same, by a die with so many faces;
    explodes: the highest face is added and rolled again. each_settlement: points by a die for each settlement. until_next:
    points until the next Event phase. do: other effects.
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

    set_up: the details that are settled when it is announced. checks: one after another, each with one roll; on_request: only
    if the kingdom answers so. harder_by, easier_by: a point for each of these in the settlement and hex, or in the kingdom.
    law_and_crime: the settlement's Law helps and its Crime hinders. plague: buildings against plagues help. always: its effects
    in every Event phase. outcomes: one for each number of failed checks, from 0. goes_on: the numbers of failed checks with
    which it acts again in the next Event phase; else it ends. ends_after: so many turns in a row without a failed check end it;
    the last of them has no outcome. unmet: the outcome of each turn after the first in which a demand stands. bars_building:
    nothing is built there while it stands. adventurers: whether adventurers may be hired against it.
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
    """changes: `for_ever`: the changes that an event makes add up and last until the GM ends them; `end`: they end by
    themselves.

    goes_on: the changes of an ongoing event end so many turns after its last Event phase. losses: turns that a loss by any
    other event lasts. most: the most that all dangerous events together take off one attribute; unrest: the Unrest added
    instead of a loss above that.
    """

    changes: Literal["for_ever", "end"] = "for_ever"
    goes_on: Count = 0
    losses: Count = 0
    most: Count = 0
    unrest: Count = 0


class EventGoingOn(Ruling, frozen=True):
    """The cost of an ongoing event from its second turn; 0 turns a figure off.

    unrest: the most Unrest that it adds a turn. demand_turns: the number of turns in which an unmet demand adds Unrest; a check
    that quiets the people costs no more than that. ends_after: Event phases after which it ends by itself, except for monsters.
    alike: if so many of one kind stand in a kingdom, none of them spreads or causes another.
    """

    unrest: Count
    demand_turns: Count
    ends_after: Count
    alike: Count = 0


class EventAnswers(Ruling, frozen=True):
    """Adventurers hired against an event: the bonus to its checks for each price.

    checks: how many checks get the bonus, 0 for all. again: whether they may be hired in every Event phase, not only once an
    event.
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
    """repair: a repair costs the price of the building divided by this, rounded up."""

    repair: Die
