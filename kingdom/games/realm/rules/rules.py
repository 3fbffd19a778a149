"""All tables and rulings of the realm in one record, which a turn plays by.

The other modules here declare the shape of each; the figures are only in data/*.yaml, one file for each group of tables.
Loading (kingdom/orders/tables.py) refuses keys, codes and names that are not declared here or in these modules.
"""

# No `from __future__ import annotations`: annotations as text cost 3 ms more in every program that reads tables.

from msgspec import Struct

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
    DamageCap,
    DefeatLasting,
    MilitiaRuling,
    Movement,
    MusterRuling,
    Occupation,
    RecruitCost,
    Reserves,
    SafeTurns,
    Siege,
    Strategy,
    Tactic,
    Unit,
    Vision,
)  # fmt: skip
from kingdom.games.realm.rules.building_tables import BuildingKind
from kingdom.games.realm.rules.event_tables import (  # fmt: skip
    HUNDRED,
    DamagedBuildings,
    EventAnswers,
    EventGoingOn,
    EventKind,
    EventLasting,
    EventRow,
    Events,
    EventSubstitutes,
)
from kingdom.games.realm.rules.kingdom_tables import (
    Abandon,
    Alignment,
    Anarchy,
    BreakingHeads,
    BuildingPrice,
    CapitalMove,
    Check,
    Claim,
    ConsumptionRuling,
    ContestedClaim,
    ControlDC,
    Debt,
    Edicts,
    FarmWater,
    FinalSize,
    FreeBuildings,
    FreeCityRuling,
    Government,
    HalvedEdicts,
    HexLoss,
    Income,
    JoinedBuildings,
    LeadershipBonus,
    Limits,
    Lots,
    NegativeAttribute,
    NobodyFirst,
    NoHexes,
    Requests,
    Roads,
    RouseThePeople,
    SecondaryTerritory,
    SendAid,
    SpecialEdicts,
    Stability,
    UpgradeUnrest,
    WaterHexes,
    Wilderness,
)
from kingdom.games.realm.rules.land_tables import (
    Blockade,
    Exploration,
    Feature,
    Hazards,
    Improvement,
    OneRoute,
    Patrol,
    Raid,
    Smuggling,
    Terrain,
    Trade,
    TradeRoute,
)
from kingdom.games.realm.rules.types import ATTRIBUTES as ATTRIBUTES
from kingdom.games.realm.rules.types import SECONDARY as SECONDARY
from kingdom.games.realm.rules.types import (
    EventTableName,
    Ruling,
)


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
    no_hexes: NoHexes
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
    # tables and rulings of later releases: one that the kept rules of an older campaign lack is off
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
    event_lasting: EventLasting | None = None
    event_going_on: EventGoingOn | None = None
    slavers: Ruling | None = None
    event_answers: EventAnswers | None = None
    event_substitutes: EventSubstitutes | None = None
    leader_events: Ruling | None = None
    damaged_buildings: DamagedBuildings | None = None
    army_figures: ArmyFigures | None = None
    recruit_cost: RecruitCost | None = None
    muster: MusterRuling | None = None
    reserves: Reserves | None = None
    army_upkeep: ArmyUpkeep | None = None
    movement: Movement | None = None
    vision: Vision | None = None
    battle_order: BattleOrder | None = None
    defeat_lasting: DefeatLasting | None = None
    damage_cap: DamageCap | None = None
    adventurers: Adventurers | None = None
    exploration: Exploration | None = None
    trade_route: TradeRoute | None = None
    trade: Trade | None = None
    smuggling: Smuggling | None = None
    blockade: Blockade | None = None
    raid: Raid | None = None
    patrol: Patrol | None = None
    crossing: Ruling | None = None
    meeting: Ruling | None = None
    siege: Siege | None = None
    militia: MilitiaRuling | None = None
    occupation: Occupation | None = None
    safe_turns: SafeTurns | None = None
    conquest: Conquest | None = None
    work_plan: Ruling | None = None
    joined_buildings: JoinedBuildings | None = None
    debt: Debt | None = None
    one_route: OneRoute | None = None
    final_size: FinalSize | None = None
    nobody_first: NobodyFirst | None = None
    requests: Requests | None = None
    hazards: Hazards | None = None

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
