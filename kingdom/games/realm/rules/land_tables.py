"""What the tables of land and travel may say: terrain, features, improvements; trade, smuggling, trade routes and their
dangers, expeditions. BP are whole; modifiers are points of an account.
"""

# No `from __future__ import annotations`: annotations as text cost 3 ms more in every program that reads tables.

from typing import Annotated, Literal

from msgspec import Meta

from kingdom.games.realm.rules.types import (
    Attribute,
    BuildingName,
    Count,
    FeatureName,
    Figure,
    GroundName,
    ImprovementName,
    Modifiers,
    Percent,
    Printed,
    Ruling,
    Table,
    TerrainName,
)


class Terrain(Table, frozen=True):
    """A terrain. A cost of null: this can't be done there. as_adjacent: it uses the figures of the land beside it.

    unseen: it stands for terrain that a seat does not know (known.py); no hex of the map has it.
    """

    name: str
    letter: Annotated[str, Meta(pattern=r"^[^.\s]$", examples=["p"], extra={"once": True})]  # in the grid of map.yaml
    preparation_cost: Count | None
    farm_cost: Count | None
    road_cost: Count | None
    movement: Count  # points that an army needs to enter it, and that Vigilance loses in it
    water: bool = False
    as_adjacent: bool = False
    unseen: bool = False
    waters_farms: bool = False  # counts as water for a farm in or beside the hex


class Every(Table, frozen=True):
    """One point of an attribute for every `every` hexes, rounded down."""

    attribute: Attribute
    every: Annotated[int, Meta(ge=1, le=9999)]


class Feature(Table, frozen=True):
    """Something on a hex that counts while the hex is held. hidden: it counts only after it is revealed."""

    name: str
    hidden: bool = False
    kingdom: Modifiers = Modifiers()
    with_road: Modifiers = Modifiers()
    per_hexes: tuple[Every, ...] = ()
    water: bool = False  # counts as water for farms in or beside the hex and for a settlement's water borders
    boosts: Figure = 0  # added to each numeric benefit of a mine, quarry or sawmill in the hex
    saves: Figure = 0  # more Consumption that a farm or fishery in the hex takes off
    doubles_roads: bool = False
    fortifies: Count = 0  # added to the Defense of a fort or watchtower in the hex
    eases: bool = False  # the hex costs at most the movement of a road
    not_played: Printed = {}


class Improvement(Table, frozen=True):
    """A terrain improvement. Its price is `cost`, or `cost_of` (a column of the terrain table) times `times`.

    ground: the hex must have one of these terrains or features; () for any land. own_water: terrain -> features, one of which
    must lie in the hex itself. consumption: what it adds to Consumption, below 0 if it lowers Consumption.
    """

    name: str
    order: bool = True  # may be ordered; false for a bridge, which comes with its road
    cost: Count | None = None
    cost_of: Literal["", "preparation", "farm", "road"] = ""
    times: Annotated[int, Meta(ge=1, le=99)] = 1
    doubled_by_river: bool = False
    ground: tuple[GroundName, ...] = ()
    own_water: dict[TerrainName, tuple[FeatureName, ...]] = {}
    shares_hex: bool = False
    occupies: bool = True  # false for prepared ground, which takes no place
    kingdom: Modifiers = Modifiers()
    consumption: Figure = 0
    tax_bp: Count = 0
    boosted: bool = False  # a resource in the hex adds to its benefits
    saves_more: bool = False  # a feature of the hex lowers Consumption further, by its `saves`
    is_road: bool = False
    feature: FeatureName = ""  # the hex counts as having this feature
    unrest: Figure = 0  # once, when it is completed
    defense: Count = 0
    upgrade_of: ImprovementName = ""
    only_upgrade: bool = False  # can only be an upgrade, never built anew
    min_size: Count = 0  # of the kingdom
    becomes: tuple[BuildingName, ...] = ()  # buildings of a settlement founded in the hex
    text: str = ""

    def __post_init__(self) -> None:
        if self.order and self.cost is None and not self.cost_of:
            raise ValueError("its price is missing: write `cost` or `cost_of`")


# --- trade and exploration --------------------------------------------------------------------------------------------


class TradeRoute(Ruling, frozen=True):
    """silent_host: the answer of a silent host to a caravan from a kingdom whose trade it lets in. whole_turn: everything that
    the last report showed stays known to the end of the turn, even for hexes given up or lost during it."""

    bp_per_turn: Count  # paid from the treasury while the caravan is under way
    movement: Count
    consumption: Count  # Consumption a turn of an open route
    gain: Count  # BP for the founder if either side gains by trade
    tower_cost: Count
    silent_host: Literal["accept", "reject"]
    whole_turn: bool = False


class OneRoute(Ruling, frozen=True):
    # a route ends after so many turns in which either side shuts out the other's trade
    shut: Annotated[int, Meta(ge=1, le=9999)]


class Trade(Ruling, frozen=True):
    """between_neighbours: kingdoms that touch may trade; if off, kingdoms trade and smuggle only along routes."""

    between_neighbours: bool
    die: Annotated[int, Meta(ge=2, le=1000)]
    size_per_point: Annotated[int, Meta(ge=1, le=1000)]
    margin_per_bp: Annotated[int, Meta(ge=1, le=1000)]
    least: Count


class Smuggling(Ruling, frozen=True):
    told_by: Count  # a failure by this much is told to the other kingdom


class Blockade(Ruling, frozen=True):
    vigilance: Count  # Vigilance gained along the route for each turn of the blockade
    stops_aid: bool = False  # a blockade also stops aid along the route
    monsters_raid: Percent | None = None  # how often monsters on the route raid it; null: they always blockade it


class Raid(Ruling, frozen=True):
    """own_doors: the default answer of a route's other kingdoms, whether they still let in the trade of the kingdom of this
    route that raids it; null: they are not asked. by_force: several raiders share by their ACR; if off, evenly."""

    own_doors: Literal["closed", "open"] | None = None
    by_force: bool = False


class Patrol(Ruling, frozen=True):
    """field_armies: an army may patrol from anywhere; if off, only from a watchtower, fort or settlement."""

    field_armies: bool = True


class Exploration(Ruling, frozen=True):
    """loyalty_checks: the number of checks when an expedition meets monsters; delay: turns of regrouping if some succeed and
    some fail.

    returns: an expedition that has regrouped explores no further and comes back.
    """

    bp_per_week: Count
    movement: Count
    loyalty_checks: Annotated[int, Meta(ge=1, le=20)]
    delay: Count
    returns: bool = False


class Hazards(Ruling, frozen=True):
    """dc: the number that an attempt must reach; per_movement: added for each point of movement that the terrain costs. turns:
    how many turns adventurers try."""

    die: Annotated[int, Meta(ge=2, le=1000)]
    dc: Figure
    per_movement: Figure
    turns: Annotated[int, Meta(ge=1, le=1000)]
