"""What the rulings about keeping armies may say: what recruiting costs, where reserves rest, what the Upkeep does to armies."""

from typing import Annotated, Any

from msgspec import Meta

from kingdom.games.realm.rules.types import BuildingName, Count, Figure, Ruling

SizeName = Annotated[str, Meta(extra={"of": ("army_sizes",)})]


class RecruitCost(Ruling, frozen=True):
    """consumption: turns of Consumption that a new army, a larger one and a repaired one cost.

    sale_divisor: divides the price of the resources of an army that is disbanded, rounded down.
    """

    consumption: Count
    sale_divisor: Annotated[int, Meta(ge=1, le=100)]


class Reserves(Ruling, frozen=True):
    """holds: building -> the largest size of the one army that it has room for.

    not_played: buildings that hold nobody, since no unit here is what was printed for them.
    """

    holds: dict[BuildingName, SizeName]
    not_played: dict[str, Any] = {}


class ArmyUpkeep(Ruling, frozen=True):
    """What the Upkeep does to armies.

    unpaid: to the morale of an army that is not paid, until it is; when an army goes home is said in ruling battle_order.
    rest: hit points that a turn of rest gives, as times the ACR, and a Loyalty check as many again; least: at least so many.
    whole: after so many turns of rest in a row an army is whole. illness: what a failed Stability check adds to an illness.
    """

    unpaid: Figure
    rest: Count
    least: Count
    whole: Annotated[int, Meta(ge=1, le=100)]
    illness: Count
    not_played: dict[str, Any] = {}
