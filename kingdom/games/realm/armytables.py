"""What the tables of armies may say: units, sizes, resources, tactics, strategies, boons, specials; movement and sight.

ACR is a number that may be a fraction ("1/3"), written as a text; BP are whole.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta

from kingdom.games.realm.ruletypes import (
    BuildingName, Count, Figure, Modifiers, ResourceName, Ruling, SpecialName, Table, TacticName,
)  # fmt: skip

Rating = Annotated[str, Meta(pattern=r"^[1-9][0-9]?(/[1-9])?$", examples=["1/3"])]  # a challenge rating


class Unit(Table):
    """What an army is made of: figures of one of its people or creatures.

    rating: its challenge rating, which is the ACR of a Medium army of them. hit_die: faces. recruit: kingdoms may recruit it;
    the others are monsters. ranged: its army can shoot. mounted: it counts as having mounts, without their figures.
    """

    name: str
    rating: Rating
    hit_die: Literal[6, 8, 10, 12]
    recruit: bool = True
    ranged: bool = False
    mounted: bool = False
    tactics: tuple[TacticName, ...] = ()
    specials: tuple[SpecialName, ...] = ()
    not_played: dict[str, Any] = {}  # what was printed of it and has no effect here


class ArmySize(Table):
    """A size of army. steps: along the ladder of ratings. times: what resources cost and eat of a Medium army's, as a rating.

    slots: settlements of the improvement table that recruiting one uses. defeat: what the kingdom loses with it.
    """

    units: Count
    steps: Figure
    times: Rating
    slots: Count
    defeat: Modifiers = Modifiers()


class ArmyResource(Table):
    """What an army may be equipped with. Cost and Consumption are for a Medium army.

    needs: any one of these buildings in the settlement where it is equipped. one_size: cost and Consumption are the same for
    every size, and an army may have several. instead_of: where an army has both, that one does not count.
    """

    name: str
    cost: Count
    consumption: Count = 0
    om: Figure = 0
    dv: Figure = 0
    ranged: bool = False
    mounted: bool = False
    one_size: bool = False
    instead_of: ResourceName = ""
    needs: tuple[BuildingName, ...] = ()


class Strategy(Table):
    """A place on the track of strategies, from the most careful to the most reckless."""

    dv: Figure
    om: Figure
    damage: Figure


class Tactic(Table):
    """A tactic. default: every army knows it."""

    name: str
    default: bool = False
    om: Figure = 0
    dv: Figure = 0
    text: str = ""


class Boon(Table):
    """What a commander may learn."""

    name: str
    tactics: Count = 0  # so many more may be known
    text: str = ""


class ArmySpecial(Table):
    """What most units of an army can do. own_dv: part of the army's own DV, in and out of battle."""

    name: str
    own_dv: Figure = 0
    text: str = ""


class ArmyFigures(Ruling):
    """Ruling army_figures. ladder: the ratings below 1, the least first."""

    ladder: tuple[Rating, ...]
    dv_base: Count
    consumption_divisor: Annotated[int, Meta(ge=1, le=100)]
    least_consumption: Count
    least_cost: Count  # of a resource, however small the army
    tactics_divisor: Annotated[int, Meta(ge=1, le=100)]
    reserve_every: Annotated[int, Meta(ge=1, le=100)]  # turns


class Movement(Ruling):
    points: Count  # a turn
    road: Count  # what a hex with a road or a river costs, where the terrain costs more


class Vision(Ruling):
    seen_from: Count  # what must be left of Vigilance for a hex to be seen


class BattleOrder(Ruling):
    rounds: Count


class Adventurers(Ruling):
    bp_per_acr: Annotated[int, Meta(ge=1, le=100)]
    least_bp: Count
    specials_die: Annotated[int, Meta(ge=1, le=1000)]
