"""The closed vocabulary of the realm's tables: what a table may say, and in which units.

The figures stand in data/*.yaml, one file for each group of tables, and nowhere else. Loading (kingdom/orders/tables.py)
refuses a key, a code or a name that is not declared here or there. BP are whole; modifiers are points of an account.
"""

# Without `from __future__ import annotations`: types that are texts cost 3 ms more in every program that reads tables.

from typing import Annotated, Literal

from msgspec import Meta, Struct

from kingdom.games.realm.rules.army_tables import (
    Adventurers,
    ArmyFigures,
    ArmyResource,
    ArmySize,
    ArmySpecial,
    ArmyUpkeep,
    BattleOrder,
    Boon,
    Conquest,
    Movement,
    RecruitCost,
    Reserves,
    Siege,
    Strategy,
    Tactic,
    Unit,
    Vision,
)  # fmt: skip
from kingdom.games.realm.rules.event_tables import (  # fmt: skip
    HUNDRED,
    DamagedBuildings,
    EventAnswers,
    EventKind,
    EventRow,
    Events,
    EventSubstitutes,
)
from kingdom.games.realm.rules.travel_tables import Blockade, Exploration, Smuggling, Trade, TradeRoute
from kingdom.games.realm.rules.types import (
    ATTRIBUTES as ATTRIBUTES,
)  # fmt: skip
from kingdom.games.realm.rules.types import (
    SECONDARY as SECONDARY,
)
from kingdom.games.realm.rules.types import (
    Attribute,
    BuildingName,
    Count,
    EventTableName,
    FeatureName,
    Figure,
    GroundName,
    HostName,
    ImprovementName,
    Modifiers,
    NeighbourName,
    Percent,
    Printed,
    Ruling,
    SettlementModifiers,
    Table,
    TerrainName,
)

# --- terrain and what lies on it -------------------------------------------------------------------------------------


class Terrain(Table, frozen=True):
    """A terrain. null: that can't be done there. `as_adjacent`: its figures are those of the land beside it.

    unseen: what a hex has whose terrain a seat does not know (known.py); no hex of the map has it.
    """

    name: str
    letter: Annotated[str, Meta(pattern=r"^[^.\s]$", examples=["p"], extra={"once": True})]  # in the grid of map.yaml
    preparation_cost: Count | None
    farm_cost: Count | None
    road_cost: Count | None
    movement: Count  # points for an army, and what Vigilance loses
    water: bool = False
    as_adjacent: bool = False
    unseen: bool = False
    waters_farms: bool = False  # serves a farm in or beside the hex


class Every(Table, frozen=True):
    """One point of an attribute for every so many hexes, rounded down."""

    attribute: Attribute
    every: Annotated[int, Meta(ge=1, le=9999)]


class Feature(Table, frozen=True):
    """Something on a hex that counts while the hex is held. `hidden`: only from the moment that it is revealed."""

    name: str
    hidden: bool = False
    kingdom: Modifiers = Modifiers()
    with_road: Modifiers = Modifiers()
    per_hexes: tuple[Every, ...] = ()
    water: bool = False  # serves a farm in or beside the hex, and a settlement's water borders
    boosts: Figure = 0  # added to each numeric benefit of a mine, quarry or sawmill in the hex
    saves: Figure = 0  # further Consumption that a farm or fishery in the hex takes off
    doubles_roads: bool = False
    fortifies: Count = 0  # added to the Defense of a fort or watchtower in the hex
    eases: bool = False  # the hex costs no more movement than one with a road
    not_played: Printed = {}


class Improvement(Table, frozen=True):
    """A terrain improvement. Its price is `cost`, or `cost_of` (a column of the terrain table) times `times`.

    ground: terrains or features of the hex, any of which will do; () any land.
    own_water: terrain -> features, one of which must lie in the hex itself.
    consumption: what it adds to Consumption, negative where it takes some off.
    """

    name: str
    order: bool = True  # may be ordered; a bridge comes with its road
    cost: Count | None = None
    cost_of: Literal["", "preparation", "farm", "road"] = ""
    times: Annotated[int, Meta(ge=1, le=99)] = 1
    doubled_by_river: bool = False
    ground: tuple[GroundName, ...] = ()
    own_water: dict[TerrainName, tuple[FeatureName, ...]] = {}
    shares_hex: bool = False
    occupies: bool = True  # prepared ground occupies nothing
    kingdom: Modifiers = Modifiers()
    consumption: Figure = 0
    tax_bp: Count = 0
    boosted: bool = False  # by a resource in the hex
    saves_more: bool = False  # with a resource in the hex
    is_road: bool = False
    feature: FeatureName = ""  # the hex counts as having this feature
    unrest: Figure = 0  # once, when it is completed
    defense: Count = 0
    upgrade_of: ImprovementName = ""
    only_upgrade: bool = False  # is not built where that does not stand
    min_size: Count = 0  # of the kingdom
    becomes: tuple[BuildingName, ...] = ()  # buildings of a settlement founded in the hex
    text: str = ""

    def __post_init__(self) -> None:
        if self.order and self.cost is None and not self.cost_of:
            raise ValueError("its price is missing: write `cost` or `cost_of`")


# --- settlements -----------------------------------------------------------------------------------------------------


class CountsAs(Table, frozen=True, tag="counts_as", tag_field="code"):
    """For adjacency this building is also a `building`, or, for `water_border`, a border of water."""

    building: NeighbourName


class HalvesPromotion(Table, frozen=True, tag="halve_promotion_consumption", tag_field="code"):
    """The Consumption of the promotion edict is halved, rounded toward 0."""


class HalvesTaxPenalty(Table, frozen=True, tag="halve_taxation_loyalty_penalty", tag_field="code"):
    """The Loyalty penalty of the taxation edict is halved, rounded toward 0."""


class BoostsMine(Table, frozen=True, tag="boost_connected_mine", tag_field="code"):
    """So many mines that a road or river joins to the settlement give more."""

    mines: Count
    economy: Figure
    tax_bp: Count


class FarmsSaveMore(Table, frozen=True, tag="farms_save_more", tag_field="code"):
    """Farms in the settlement's hex and the hexes beside it take this much off Consumption, instead of their own figure."""

    consumption: Figure


class StoresSurplus(Table, frozen=True, tag="store_farm_surplus", tag_field="code"):
    """Keeps up to so many BP of the Consumption that farms save beyond 0; used where the treasury can't pay."""

    bp: Count


class MoreSpecialEdicts(Table, frozen=True, tag="special_edicts", tag_field="code"):
    """So many special edicts a turn; where two are issued, each check of them changes by `check`."""

    count: Count
    check: Figure


class UnrestOncePerSettlement(Table, frozen=True, tag="unrest_once_per_settlement", tag_field="code"):
    """The one-off Unrest counts for the first of them in a settlement only."""


class FreeWith(Table, frozen=True, tag="free_of_limit_with", tag_field="code"):
    """Outside the building limit where it is ordered in one turn with that building, at the same border."""

    building: BuildingName


class WantsGate(Table, frozen=True, tag="wants_gate", tag_field="code"):
    """Where it meets a `wall`, a `gate` must be built into it in the same turn."""

    wall: BuildingName
    gate: BuildingName


class FirstIsFree(Table, frozen=True, tag="first_of_turn_outside_limit", tag_field="code"):
    """The first of them in a turn is outside the building limit."""


class AlwaysFree(Table, frozen=True, tag="outside_limit", tag_field="code"):
    """Outside the building limit."""


class ArmyTactic(Table, frozen=True, tag="recruits_know_tactic", tag_field="code"):
    """Armies recruited here know so many more tactics."""

    count: Count


class TradeRouteValue(Table, frozen=True, tag="trade_route_value", tag_field="code"):
    """Percent more from trade routes for each such building, up to `most`."""

    percent: Count
    most: Count


class PlagueBonus(Table, frozen=True, tag="plague_bonus", tag_field="code"):
    """Added to Stability checks against a plague."""

    stability: Figure


class ImmuneToSiegeEngines(Table, frozen=True, tag="immune_to_siege_engines", tag_field="code"):
    """Siege engines do nothing to its Defense."""


class NotPlayed(Table, frozen=True, tag="not_played", tag_field="code"):
    """A printed effect without effect here (ruling `not_played`), in our own words."""

    text: str


Effect = (
    CountsAs | HalvesPromotion | HalvesTaxPenalty | BoostsMine | FarmsSaveMore | StoresSurplus | MoreSpecialEdicts
    | UnrestOncePerSettlement | FreeWith | WantsGate | FirstIsFree | AlwaysFree | ArmyTactic | TradeRouteValue |
    PlagueBonus | ImmuneToSiegeEngines | NotPlayed
)  # fmt: skip


class Beside(Table, frozen=True):
    """So many buildings of these kinds must be adjacent."""

    count: Count
    any_of: tuple[BuildingName, ...]


class Needs(Table, frozen=True):
    """What must stand in the settlement: one of these buildings, or one whose magic items reach this grade."""

    any_of: tuple[BuildingName, ...] = ()
    magic_items: Literal["", "minor", "medium", "major"] = ""


class BuildingKind(Table, frozen=True):
    """A building of the list.

    lots: 0 for what takes no lot. place: `lot`; `border` of land; `wall` (on a city wall); `district` (under all of it);
    `shared` (on the lot of another).
    shares_lot_with: hosts it may share a lot with, `any_building` for all; it may also stand on a lot of its own
    where place is `lot`.
    """

    name: str
    cost: Count
    lots: Literal[0, 1, 2, 4]
    place: Literal["lot", "border", "wall", "district", "shared"] = "lot"
    kingdom: Modifiers = Modifiers()
    settlement: SettlementModifiers = SettlementModifiers()
    unrest: Figure = 0  # once, when it is completed
    defense: Count = 0
    halves: tuple[BuildingName, ...] = ()
    upgrades_to: tuple[BuildingName, ...] = ()
    beside: Beside | None = None
    not_beside: tuple[BuildingName, ...] = ()
    beside_water: bool = False
    per_settlement: Count = 0  # at most so many, 0: no limit
    per_district: Count = 0
    needs: Needs | None = None
    shares_lot_with: tuple[HostName, ...] = ()
    effects: tuple[Effect, ...] = ()
    not_played: Printed = {}  # printed figures without effect here, under the names they were printed with
    text: str = ""

    def __post_init__(self) -> None:
        if (self.lots > 0) != (self.place == "lot"):
            raise ValueError("`lots` must be 0 where `place` is not `lot`, and 1, 2 or 4 where it is")


# --- edicts, governments ---------------------------------------------------------------------------------------------


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
    """A row of the improvement table: up to this size (null: any), so many a turn."""

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


# --- rulings: one record for each name of the rulings page; one without figures is fixed --------------------------------


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
    step: Annotated[int, Meta(ge=1, le=9999)]  # and +1 for each full so many beyond
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


class HexLoss(Ruling, frozen=True):
    unrest: Count  # from this Unrest
    hexes: Count


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


class SpecialEdicts(Ruling, frozen=True):
    per_turn: Count


class SendAid(Ruling, frozen=True):
    size_per_bp: Annotated[int, Meta(ge=1, le=1000)]
    size_per_point: Annotated[int, Meta(ge=1, le=1000)]
    margin_per_point: Annotated[int, Meta(ge=1, le=1000)]
    least: Figure
    die: Annotated[int, Meta(ge=2, le=1000)]


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """All tables and rulings of the realm; each field is the first key of an override in campaign.yaml."""

    # tables
    terrain: dict[str, Terrain]
    features: dict[str, Feature]
    improvements: dict[str, Improvement]
    buildings: dict[str, BuildingKind]
    edicts: Edicts
    improvement_limits: tuple[Limits, ...]
    alignments: dict[str, Alignment]
    governments: dict[str, Government]
    # rulings, in the order of the rulings page
    check: Check
    control_dc: ControlDC
    attribute: Ruling
    income: Income
    stability: Stability
    negative_attribute: NegativeAttribute
    unrest_floor: Ruling
    consumption: ConsumptionRuling
    government: Ruling
    not_played: Ruling
    halved_edicts: HalvedEdicts
    secondary_attributes: Ruling
    step_by_step: Ruling
    caps_at_start: Ruling
    leadership_default: LeadershipBonus
    affordable: Ruling
    refused_is_free: Ruling
    events: Events
    claim: Claim
    contested_claim: ContestedClaim
    abandon: Abandon
    free_city: FreeCityRuling
    hex_loss: HexLoss
    anarchy: Anarchy
    wilderness: Wilderness
    capital_lost: Ruling
    secondary_territory: SecondaryTerritory
    no_hexes: Ruling
    improvements_sharing: Ruling
    aqueduct: Ruling
    bridge: Ruling
    canal: Ruling
    water_hexes: WaterHexes
    farm_water: FarmWater
    roads: Roads
    prepare: Ruling
    step_4: Ruling
    free_buildings: FreeBuildings
    building_price: BuildingPrice
    upgrade_unrest: UpgradeUnrest
    lots: Lots
    district: Ruling
    capital_move: CapitalMove
    change_minds_by_breaking_heads: BreakingHeads
    rouse_the_people: RouseThePeople
    special_edicts: SpecialEdicts
    send_aid: SendAid
    # what later releases added: a table or ruling that kept rules do not have is off
    units: dict[str, Unit] = {}
    army_sizes: dict[str, ArmySize] = {}
    army_resources: dict[str, ArmyResource] = {}
    strategies: dict[str, Strategy] = {}
    tactics: dict[str, Tactic] = {}
    boons: dict[str, Boon] = {}
    army_specials: dict[str, ArmySpecial] = {}
    event_kinds: dict[str, EventKind] = {}
    event_tables: dict[EventTableName, tuple[EventRow, ...]] = {}
    event_timing: Ruling | None = None
    event_lasting: Ruling | None = None
    slavers: Ruling | None = None
    event_answers: EventAnswers | None = None
    event_substitutes: EventSubstitutes | None = None
    leader_events: Ruling | None = None
    damaged_buildings: DamagedBuildings | None = None
    army_figures: ArmyFigures | None = None
    recruit_cost: RecruitCost | None = None
    reserves: Reserves | None = None
    army_upkeep: ArmyUpkeep | None = None
    movement: Movement | None = None
    vision: Vision | None = None
    battle_order: BattleOrder | None = None
    adventurers: Adventurers | None = None
    exploration: Exploration | None = None
    trade_route: TradeRoute | None = None
    trade: Trade | None = None
    smuggling: Smuggling | None = None
    blockade: Blockade | None = None
    raid: Ruling | None = None
    patrol: Ruling | None = None
    crossing: Ruling | None = None
    meeting: Ruling | None = None
    siege: Siege | None = None
    conquest: Conquest | None = None
    work_plan: Ruling | None = None

    def __post_init__(self) -> None:
        sizes = [row.size for row in self.improvement_limits]
        grown = [size for size in sizes if size is not None]
        if [*grown, None] != sizes or grown != sorted(set(grown)):
            raise ValueError(
                "the sizes of `improvement_limits` must grow from row to row, and the last must be null (any)"
            )
        for name, rows in self.event_tables.items():
            faces = [row.upto for row in rows]
            if faces[-1:] != [HUNDRED] or faces != sorted(set(faces)):
                raise ValueError(
                    f"`upto` must grow from row to row in {name} of `event_tables`, and the last be {HUNDRED}"
                )


TABLES = (
    "terrain", "features", "improvements", "buildings", "edicts", "improvement_limits", "alignments", "governments",
    "units", "army_sizes", "army_resources", "strategies", "tactics", "boons", "army_specials", "event_kinds", "event_tables",
)  # fmt: skip
