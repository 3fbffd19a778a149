"""What the table of buildings may say, and its closed list of effects. BP are whole; modifiers are points of an account."""

# No `from __future__ import annotations`: annotations as text cost 3 ms more in every program that reads tables.

from typing import Literal

from kingdom.games.realm.rules.types import (
    BuildingName,
    Count,
    Figure,
    HostName,
    Modifiers,
    NeighbourName,
    Printed,
    SettlementModifiers,
    Table,
)


class CountsAs(Table, frozen=True, tag="counts_as", tag_field="code"):
    """For adjacency this building is also a `building`, or, for `water_border`, a border of water."""

    building: NeighbourName


class HalvesPromotion(Table, frozen=True, tag="halve_promotion_consumption", tag_field="code"):
    """The Consumption of the promotion edict is halved, rounded toward 0."""


class HalvesTaxPenalty(Table, frozen=True, tag="halve_taxation_loyalty_penalty", tag_field="code"):
    """The Loyalty penalty of the taxation edict is halved, rounded toward 0."""


class BoostsMine(Table, frozen=True, tag="boost_connected_mine", tag_field="code"):
    """Up to so many mines joined to the settlement by road or river give more."""

    mines: Count
    economy: Figure
    tax_bp: Count


class FarmsSaveMore(Table, frozen=True, tag="farms_save_more", tag_field="code"):
    """Farms in the settlement's hex and the hexes beside it take this much off Consumption, instead of their own figure."""

    consumption: Figure


class StoresSurplus(Table, frozen=True, tag="store_farm_surplus", tag_field="code"):
    """Keeps up to this many BP of the Consumption that farms save beyond 0; used if the treasury can't pay."""

    bp: Count


class MoreSpecialEdicts(Table, frozen=True, tag="special_edicts", tag_field="code"):
    """The number of special edicts a turn; if more than the usual are issued, each of their checks changes by `check`."""

    count: Count
    check: Figure


class UnrestOncePerSettlement(Table, frozen=True, tag="unrest_once_per_settlement", tag_field="code"):
    """The one-off Unrest counts only for the first such building in a settlement."""


class FreeWith(Table, frozen=True, tag="free_of_limit_with", tag_field="code"):
    """The building does not count against the limit if that other building is ordered in the same turn at the same border."""

    building: BuildingName


class WantsGate(Table, frozen=True, tag="wants_gate", tag_field="code"):
    """Where the building meets a `wall`, a `gate` must be built into the wall in the same turn."""

    wall: BuildingName
    gate: BuildingName


class FirstIsFree(Table, frozen=True, tag="first_of_turn_outside_limit", tag_field="code"):
    """The first such building in a turn does not count against the building limit."""


class AlwaysFree(Table, frozen=True, tag="outside_limit", tag_field="code"):
    """The building never counts against the building limit."""


class ArmyTactic(Table, frozen=True, tag="recruits_know_tactic", tag_field="code"):
    """Armies recruited here know so many tactics more."""

    count: Count


class TradeRouteValue(Table, frozen=True, tag="trade_route_value", tag_field="code"):
    """The percentage that each such building adds to the income from trade routes, together up to `most`."""

    percent: Count
    most: Count


class PlagueBonus(Table, frozen=True, tag="plague_bonus", tag_field="code"):
    """Added to Stability checks against a plague."""

    stability: Figure


class ImmuneToSiegeEngines(Table, frozen=True, tag="immune_to_siege_engines", tag_field="code"):
    """Siege engines can't damage its Defense."""


class NotPlayed(Table, frozen=True, tag="not_played", tag_field="code"):
    """A printed effect that is not played here (ruling `not_played`), in our own words."""

    text: str


Effect = (
    CountsAs | HalvesPromotion | HalvesTaxPenalty | BoostsMine | FarmsSaveMore | StoresSurplus | MoreSpecialEdicts
    | UnrestOncePerSettlement | FreeWith | WantsGate | FirstIsFree | AlwaysFree | ArmyTactic | TradeRouteValue |
    PlagueBonus | ImmuneToSiegeEngines | NotPlayed
)  # fmt: skip


class Beside(Table, frozen=True):
    """So many buildings of these kinds must stand beside it."""

    count: Count
    any_of: tuple[BuildingName, ...]


class Needs(Table, frozen=True):
    """A requirement: one of these buildings must stand in the settlement, or one whose magic items reach this grade."""

    any_of: tuple[BuildingName, ...] = ()
    magic_items: Literal["", "minor", "medium", "major"] = ""


class BuildingKind(Table, frozen=True):
    """A building of the list.

    lots: 0 if it takes no lot. place: `lot`; `border` of land; `wall` (on a city wall); `district` (under the whole district);
    `shared` (on the lot of another).
    shares_lot_with: buildings with which it may share a lot, `any_building` for all; with place `lot` it may also stand on a
    lot of its own.
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
    per_settlement: Count = 0  # at most this many, 0: no limit
    per_district: Count = 0
    needs: Needs | None = None
    shares_lot_with: tuple[HostName, ...] = ()
    effects: tuple[Effect, ...] = ()
    not_played: Printed = {}  # printed figures without effect here, under the names they were printed with
    text: str = ""

    def has(self, effect: type[object]) -> bool:
        """Whether one of its effects is of that kind."""
        return any(isinstance(own, effect) for own in self.effects)

    def __post_init__(self) -> None:
        if (self.lots > 0) != (self.place == "lot"):
            raise ValueError("`lots` must be 0 where `place` is not `lot`, and 1, 2 or 4 where it is")
