"""What the tables and rulings of a kingdom's turn may say: edicts, governments, alignments, limits; checks, claims, building,
Unrest and the special edicts. Each ruling is a record by its name on the rulings page; one without figures is fixed.
"""

# No `from __future__ import annotations`: annotations as text cost 3 ms more in every program that reads tables.

from typing import Annotated, Literal

from msgspec import Meta

from kingdom.games.realm.rules.land_tables import Every
from kingdom.games.realm.rules.types import (
    Attribute,
    BuildingName,
    Count,
    Figure,
    Modifiers,
    Percent,
    Ruling,
    SettlementModifiers,
    Table,
)


class EdictLevel(Table, frozen=True):
    """The effects of a level of holiday, promotion or taxation while it is in force."""

    economy: Figure = 0
    loyalty: Figure = 0
    stability: Figure = 0
    consumption: Figure = 0


class Edicts(Table, frozen=True):
    """The three maintenance edicts; their levels from the lowest to the highest."""

    holiday: dict[str, EdictLevel]
    promotion: dict[str, EdictLevel]
    taxation: dict[str, EdictLevel]


class Limits(Table, frozen=True):
    """A row of the improvement table: up to this size (null: any), how many a turn."""

    size: Count | None
    settlements: Count
    buildings: Count
    terrain: Count
    claims: Count


class Government(Table, frozen=True):
    """A form of government."""

    name: str
    kingdom: Modifiers = Modifiers()
    settlement: SettlementModifiers = SettlementModifiers()
    starting_building: BuildingName = ""


class Alignment(Table, frozen=True):
    """An alignment."""

    name: str
    kingdom: Modifiers = Modifiers()


# --- rulings -----------------------------------------------------------------------------------------------------------


class ControlDC(Ruling, frozen=True):
    base: Figure
    per_size: Count
    per_district: Count


class Check(Ruling, frozen=True):
    die: Annotated[int, Meta(ge=2, le=1000)]
    always_succeeds: Count  # this face
    always_fails: Count  # this face
    slip: Count  # a natural failure that reaches the DC counts as failing by this


class Income(Ruling, frozen=True):
    divisor: Annotated[int, Meta(ge=1, le=100)]


class Stability(Ruling, frozen=True):
    success_unrest: Figure
    success_bp: Count  # paid instead of lowering Unrest if Unrest is 0
    near: Count  # a failure by up to this margin adds near_unrest, a worse failure a far_die
    near_unrest: Figure
    far_die: Annotated[int, Meta(ge=1, le=1000)]


class NegativeAttribute(Ruling, frozen=True):
    unrest: Figure


class ConsumptionRuling(Ruling, frozen=True):
    per_size: Count
    per_district: Count
    unpaid_unrest: Figure


class HalvedEdicts(Ruling, frozen=True):
    divisor: Annotated[int, Meta(ge=1, le=100)]


class LeadershipBonus(Ruling, frozen=True):
    bonus: Figure
    first: Attribute  # until the player first chooses
    two_from: Count  # size
    all_from: Count
    step: Annotated[int, Meta(ge=1, le=9999)]  # the bonus rises by per_step for each full step beyond
    per_step: Figure


class Claim(Ruling, frozen=True):
    cost: Count


class ContestedClaim(Ruling, frozen=True):
    die: Annotated[int, Meta(ge=2, le=1000)]


class Abandon(Ruling, frozen=True):
    unrest: Figure
    settlement_unrest: Figure  # instead of `unrest`, if the hex holds a settlement


class FreeCityRuling(Ruling, frozen=True):
    failure_die: Annotated[int, Meta(ge=1, le=1000)]
    again_cost: Count


class JoinedBuildings(Ruling, frozen=True):
    """serve: whether the buildings of a settlement that joins come into service at once, or as many a turn as the limit of
    buildings.

    surrendered_last: buildings of a surrendered settlement come into service after the turn's orders, with what these left of
    the limit.
    """

    serve: Literal["within_limit", "at_once"]
    surrendered_last: bool = False


class Debt(Ruling, frozen=True):
    """The ways out for a kingdom with a treasury below 0.

    served: turns after which the kingdom may tear down a bought building for nothing and gets its price back divided by
    `divisor`, rounded down, but only until the treasury is at 0. credit: the kingdom may buy one building a turn on credit
    while its debt is below this and its Unrest is `unrest` or more: a building of `on_credit`, or of `first_on_credit` if none
    stands in the town. again: turns after tearing down in which a new building of that kind in the town takes off no Unrest.
    """

    served: Annotated[int, Meta(ge=1, le=100)]
    divisor: Annotated[int, Meta(ge=1, le=100)]
    credit: Count
    unrest: Count
    again: Count
    on_credit: tuple[BuildingName, ...]
    first_on_credit: tuple[BuildingName, ...]


class HexLoss(Ruling, frozen=True):
    unrest: Count  # from this Unrest
    hexes: Count


class NobodyFirst(Ruling, frozen=True):
    """lot_die: the die that seats throw for their order if nothing else decides it; draws: the most throws while they tie."""

    lot_die: Annotated[int, Meta(ge=2, le=1000)]
    draws: Annotated[int, Meta(ge=1, le=100)]


class Anarchy(Ruling, frozen=True):
    unrest: Count  # from this Unrest
    check_total: Figure
    loses_one_in: Annotated[int, Meta(ge=1, le=100)]  # of its hexes, rounded down


class Wilderness(Ruling, frozen=True):
    decay: Percent
    monsters: Percent
    monster_die: Annotated[int, Meta(ge=1, le=1000)]


class SecondaryTerritory(Ruling, frozen=True):
    first: Count
    growth: Count
    lost_at: Count


class WaterHexes(Ruling, frozen=True):
    buildings: tuple[BuildingName, ...]  # in a settlement beside the water


class FarmWater(Ruling, frozen=True):
    required: bool
    farms_beside: Count


class Roads(Ruling, frozen=True):
    river_factor: Annotated[int, Meta(ge=1, le=100)]
    per_hexes: tuple[Every, ...]


class FreeBuildings(Ruling, frozen=True):
    demolition_cost: Count


class BuildingPrice(Ruling, frozen=True):
    exempt_from_crowding: tuple[BuildingName, ...]
    half: Annotated[int, Meta(ge=1, le=100)]  # divides the price
    rebuild_same: Annotated[int, Meta(ge=1, le=100)]
    rebuild_other: Annotated[int, Meta(ge=1, le=100)]  # divides the list price of the building that stood there
    rebuild_least: Count


class UpgradeUnrest(Ruling, frozen=True):
    lot_destroyed: Figure


class Lots(Ruling, frozen=True):
    columns: Annotated[int, Meta(ge=1, le=26)]
    rows: Annotated[int, Meta(ge=1, le=26)]


class CapitalMove(Ruling, frozen=True):
    success_unrest: Figure
    failure_die: Annotated[int, Meta(ge=1, le=1000)]


class BreakingHeads(Ruling, frozen=True):
    success_unrest: Figure
    clear_margin: Count
    clear_unrest: Figure  # instead of success_unrest, with clear_margin or more
    failure_loyalty: Figure


class RouseThePeople(Ruling, frozen=True):
    per_margin: Annotated[int, Meta(ge=1, le=1000)]
    least: Figure
    unnamed: Attribute
    failure_unrest: Figure


class NoHexes(Ruling, frozen=True):
    """settle: a kingdom that lost all land needs a settlement to survive, not only a hex. near: a kingdom that gave up all land
    may take only land that it gave up, or a hex beside that."""

    settle: bool = False
    near: bool = False


class FinalSize(Ruling, frozen=True):
    """turns: at the end of the game a kingdom's land counts at most with its size so many turns before."""

    turns: Annotated[int, Meta(ge=1, le=1000)]


class Requests(Ruling, frozen=True):
    """turns: how many turns a request to the GM stays open after the turn that made it; 0: until it is answered."""

    turns: Count


class SpecialEdicts(Ruling, frozen=True):
    per_turn: Count


class SendAid(Ruling, frozen=True):
    size_per_bp: Annotated[int, Meta(ge=1, le=1000)]
    size_per_point: Annotated[int, Meta(ge=1, le=1000)]
    margin_per_point: Annotated[int, Meta(ge=1, le=1000)]
    least: Figure
    die: Annotated[int, Meta(ge=2, le=1000)]
    helped_waits: bool = False  # a kingdom that got aid last turn can't send aid this turn
