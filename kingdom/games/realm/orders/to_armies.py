"""The long forms of orders to armies: their types, with the shape of each key."""

from typing import Annotated, NotRequired, TypeAlias, TypedDict

from kingdom.games.realm.orders.words import ARMY_DEEDS, WAY, ArmyDeed, a_kingdom, a_settlement, an_army
from kingdom.orders import kit
from kingdom.orders.schema import ListOf, Number, OneOf, Text, Word

_RESOURCE = Word("a resource", "resources", example="improved_weapons")

ArmiesRecruit = TypedDict("ArmiesRecruit", {
    "recruit": Annotated[str, Text("its name", example="First Foot", most=60)],
    "size": Annotated[str, Word("its size", "army_sizes", example="medium")],
    "unit": Annotated[str, Word("what it is made of", "units", example="warrior")],
    "from": Annotated[str, a_settlement("where it is recruited")],
    "with": NotRequired[Annotated[list[str], ListOf("its resources", _RESOURCE, short="words", most=20)]],
})  # fmt: skip


class ArmiesExpand(TypedDict):
    """An army made larger."""

    expand: Annotated[str, an_army("its name")]
    to: Annotated[str, Word("its new size", "army_sizes", example="large")]


ArmiesEquip = TypedDict("ArmiesEquip", {
    "equip": Annotated[str, an_army("its name")],
    "with": Annotated[str, Word("the resource", "resources", example="improved_weapons")],
    "count": NotRequired[Annotated[int, Number("how many, of siege engines", 1, 99, 1)]],
})  # fmt: skip


class ArmiesRepair(TypedDict):
    """An army brought back to its full strength."""

    repair: Annotated[str, an_army("its name")]


class ArmiesDisband(TypedDict):
    """An army sent home."""

    disband: Annotated[str, an_army("its name")]
    to: NotRequired[Annotated[str, an_army("an army that gets its resources")]]


class ArmiesReserve(TypedDict):
    """An army put in reserve."""

    reserve: Annotated[str, an_army("its name")]


class ArmiesArmy(TypedDict):
    """An order to an army: where it goes, what it does there, how it fights."""

    army: Annotated[str, an_army("its name")]
    move: NotRequired[Annotated[list[str], WAY]]
    then: NotRequired[Annotated[ArmyDeed, Word("what it does there", ARMY_DEEDS)]]
    target: NotRequired[Annotated[str, a_kingdom("whom it attacks", "monsters")]]
    strategy: NotRequired[Annotated[str, Word("how it fights", "strategies", example="cautious")]]
    tactic: NotRequired[Annotated[str, Word("the tactic that it uses", "tactics", example="defensive_wall")]]
    withdraw: NotRequired[
        Annotated[int, Number("the percent of its hit points at which it leaves a battle, 0 for never", 0, 99, 50)]
    ]


Armies: TypeAlias = (
    ArmiesRecruit | ArmiesExpand | ArmiesEquip | ArmiesRepair | ArmiesDisband | ArmiesReserve | ArmiesArmy
)
TO_ARMIES = {
    "recruit": kit.record(ArmiesRecruit, "a new army", ("recruit {recruit} as {size} {unit} from {from}[ with {with}]",)),
    "expand": kit.record(ArmiesExpand, "an army made larger", ("expand {expand} to {to}",)),
    "equip": kit.record(ArmiesEquip, "an army equipped", ("equip {equip} with [{count} ]{with}",)),
    "repair": kit.record(ArmiesRepair, "an army brought back to its full strength", ("repair {repair}",)),
    "disband": kit.record(ArmiesDisband, "an army sent home", ("disband {disband}[ to {to}]",)),
    "reserve": kit.record(ArmiesReserve, "an army put in reserve", ("reserve {reserve}",)),
    "army": kit.record(ArmiesArmy, "an order to an army", (
        "{army} to {move}[ then {then}][ target {target}]", "{army} then {then}[ target {target}]")),
}  # fmt: skip
SHAPE = ListOf("the orders to armies", OneOf("an order to an army", TO_ARMIES), short="commas")
