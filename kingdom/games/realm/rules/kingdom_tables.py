"""What the tables and rulings of a kingdom's turn may say: edicts, governments, alignments, limits; checks, claims, building,
Unrest and the special edicts. Each ruling is a record by its name on the rulings page; one without figures is fixed.
"""

# Without `from __future__ import annotations`: types that are texts cost 3 ms more in every program that reads tables.

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
    """What a level of holiday, promotion or taxation does while it holds."""

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
    success_bp: Count  # instead, at Unrest 0
    near: Count  # failing by up to this much
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
    first: Attribute  # where nobody ever chose
    two_from: Count  # size
    all_from: Count
    step: Annotated[int, Meta(ge=1, le=9999)]  # and +1 for each full step beyond
    per_step: Figure


class Claim(Ruling, frozen=True):
    cost: Count


class ContestedClaim(Ruling, frozen=True):
    die: Annotated[int, Meta(ge=2, le=1000)]


class Abandon(Ruling, frozen=True):
    unrest: Figure
    settlement_unrest: Figure  # instead, where the hex holds a settlement


class FreeCityRuling(Ruling, frozen=True):
    failure_die: Annotated[int, Meta(ge=1, le=1000)]
    again_cost: Count


class JoinedBuildings(Ruling, frozen=True):
    """serve: whether the buildings of a settlement that joins serve at once, or within the limit of buildings, so many a turn.

    surrendered_last: those of one that surrendered serve after the orders, and use up what these left of the limit.
    """

    serve: Literal["within_limit", "at_once"]
    surrendered_last: bool = False


class Debt(Ruling, frozen=True):
    """What a kingdom below 0 BP can do.

    served: turns after which a building is torn down for nothing, and brings what was paid for it divided by `divisor`, rounded down, as
    far as the treasury rises to 0. credit: a building of `on_credit`, one of `first_on_credit` where none stands in the town, one a turn,
    while the treasury is above minus so many BP and Unrest is `unrest` or more. again: turns in which what was torn down in a town takes
    off no Unrest when it is built there again.
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
    """lot_die: what each of those throws whom nothing else puts in an order; draws: how often at most, while they tie."""

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
    rebuild_other: Annotated[int, Meta(ge=1, le=100)]  # divides the list price of what stood there
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
    clear_unrest: Figure  # instead, by that margin or more
    failure_loyalty: Figure


class RouseThePeople(Ruling, frozen=True):
    per_margin: Annotated[int, Meta(ge=1, le=1000)]
    least: Figure
    unnamed: Attribute
    failure_unrest: Figure


class NoHexes(Ruling, frozen=True):
    """settle: who lost all land needs a settlement too, not a hex alone. near: who gave all up may take only what was given up, or
    a hex beside it."""

    settle: bool = False
    near: bool = False


class FinalSize(Ruling, frozen=True):
    """turns: at the end no more land counts than was held so many turns before."""

    turns: Annotated[int, Meta(ge=1, le=1000)]


class Requests(Ruling, frozen=True):
    """turns: for how many after its own a request to the GM stays open; 0: until it is answered."""

    turns: Count


class SpecialEdicts(Ruling, frozen=True):
    per_turn: Count


class SendAid(Ruling, frozen=True):
    size_per_bp: Annotated[int, Meta(ge=1, le=1000)]
    size_per_point: Annotated[int, Meta(ge=1, le=1000)]
    margin_per_point: Annotated[int, Meta(ge=1, le=1000)]
    least: Figure
    die: Annotated[int, Meta(ge=2, le=1000)]
    helped_waits: bool = False  # who was helped last turn may not help in this one
