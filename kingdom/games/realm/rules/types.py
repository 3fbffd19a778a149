"""The basis of every table of the realm: plain types, and the base records of all other records.

Points and BP are whole. Each table's row names have a type of their own, so that a name without a row is found.
"""

# No `from __future__ import annotations`: annotations as text cost 3 ms more in every program that reads tables.

from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

Attribute = Literal["economy", "loyalty", "stability"]
ATTRIBUTES: tuple[Attribute, ...] = ("economy", "loyalty", "stability")
SettlementModifier = Literal["lore", "law", "corruption", "crime", "society", "productivity"]
SECONDARY: dict[str, str] = {  # settlement modifier -> the secondary attribute that it is part of
    "lore": "vigilance",
    "law": "vigilance",
    "corruption": "debauchery",
    "crime": "debauchery",
    "society": "opulence",
    "productivity": "opulence",
}
Count = Annotated[int, Meta(ge=0, le=9999)]
Figure = Annotated[int, Meta(ge=-9999, le=9999)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Printed = dict[str, Any]  # printed figures of a row without effect here, under their printed names

# Names of rows of other tables: a name without a row is an error, "" stands for none. `or`: other words that are allowed.
TerrainName = Annotated[str, Meta(extra={"of": ("terrain",)})]
FeatureName = Annotated[str, Meta(extra={"of": ("features",)})]
GroundName = Annotated[str, Meta(extra={"of": ("terrain", "features")})]
ImprovementName = Annotated[str, Meta(extra={"of": ("improvements",)})]
BuildingName = Annotated[str, Meta(extra={"of": ("buildings",)})]
NeighbourName = Annotated[str, Meta(extra={"of": ("buildings",), "or": ("water_border",)})]
HostName = Annotated[str, Meta(extra={"of": ("buildings",), "or": ("any_building",)})]
UnitName = Annotated[str, Meta(extra={"of": ("units",)})]
ResourceName = Annotated[str, Meta(extra={"of": ("army_resources",)})]
TacticName = Annotated[str, Meta(extra={"of": ("tactics",)})]
StrategyName = Annotated[str, Meta(extra={"of": ("strategies",)})]
SpecialName = Annotated[str, Meta(extra={"of": ("army_specials",)})]
EventName = Annotated[str, Meta(extra={"of": ("event_kinds",)})]
EventTableName = Annotated[str, Meta(extra={"of": ("event_tables",)})]


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of table records: an undeclared key is an error."""


class Modifiers(Table, frozen=True):
    """Points added to the primary attributes."""

    economy: Figure = 0
    loyalty: Figure = 0
    stability: Figure = 0


class SettlementModifiers(Table, frozen=True):
    """Points added to the settlement modifiers, summed over the kingdom into the secondary attributes."""

    lore: Figure = 0
    law: Figure = 0
    corruption: Figure = 0
    crime: Figure = 0
    society: Figure = 0
    productivity: Figure = 0


class Ruling(Table, frozen=True):
    """A decision where the printed rules are silent. text: the decision in words; the other fields are its figures and
    options."""

    text: str


InForce = TypeVar("InForce", bound=Ruling)


def in_force(ruling: InForce | None) -> InForce:
    """The ruling, which must be in force here: kept rules may lack it, but then no order or step gets this far."""
    assert ruling is not None
    return ruling
