"""What the tables of armies may say: units, sizes, resources, tactics, strategies, boons, specials; movement and sight.

ACR is a number that may be a fraction ("1/3"), written as a text; BP are whole.
"""

from typing import Annotated, Literal

from msgspec import Meta

from kingdom.games.realm.rules.battle_tables import BattleEffect
from kingdom.games.realm.rules.types import (
    BuildingName,
    Count,
    Figure,
    ImprovementName,
    Modifiers,
    Percent,
    Printed,
    ResourceName,
    Ruling,
    SpecialName,
    StrategyName,
    Table,
    TacticName,
    TerrainName,
)

Rating = Annotated[str, Meta(pattern=r"^[1-9][0-9]?(/[1-9])?$", examples=["1/3"])]  # a challenge rating


class Unit(Table, frozen=True):
    """What an army is made of: figures of one of its people or creatures.

    rating: its challenge rating, which is the ACR of a Medium army of them. hit_die: faces. speed: by which of `by_speed` of the
    ruling movement it marches. recruit: kingdoms may recruit it; the others are monsters. ranged: its army can shoot. mounted: it
    counts as having mounts, without their figures. evil: some fight better against it.
    """

    name: str
    rating: Rating
    hit_die: Literal[6, 8, 10, 12]
    speed: Literal[1, 2, 3] = 1
    recruit: bool = True
    ranged: bool = False
    mounted: bool = False
    evil: bool = False
    tactics: tuple[TacticName, ...] = ()
    specials: tuple[SpecialName, ...] = ()
    not_played: Printed = {}  # what was printed of it and has no effect here


class ArmySize(Table, frozen=True):
    """A size of army. steps: along the ladder of ratings. times: what resources cost and eat of a Medium army's, as a rating.

    slots: settlements of the improvement table that recruiting one uses. defeat: what the kingdom loses with it.
    """

    steps: Figure
    times: Rating
    slots: Count
    defeat: Modifiers = Modifiers()
    not_played: Printed = {}


class ArmyResource(Table, frozen=True):
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
    effects: tuple[BattleEffect, ...] = ()


class Strategy(Table, frozen=True):
    """A place on the track of strategies, from the most careful to the most reckless."""

    dv: Figure
    om: Figure
    damage: Figure


class Tactic(Table, frozen=True):
    """A tactic. default: every army knows it. needs: what its army must have."""

    name: str
    default: bool = False
    needs: Literal["", "mounted", "ranged"] = ""
    effects: tuple[BattleEffect, ...] = ()


class Boon(Table, frozen=True):
    """What a commander may learn. needs: what the army must have for it to count."""

    name: str
    needs: Literal["", "mounted", "ranged"] = ""
    effects: tuple[BattleEffect, ...] = ()
    not_played: Printed = {}


class ArmySpecial(Table, frozen=True):
    """What most units of an army can do. own_dv: part of the army's own DV, in and out of battle."""

    name: str
    own_dv: Figure = 0
    effects: tuple[BattleEffect, ...] = ()
    not_played: Printed = {}


class ArmyFigures(Ruling, frozen=True):
    """Ruling army_figures. ladder: the ratings below 1, the least first."""

    ladder: tuple[Rating, ...]
    dv_base: Count
    consumption_divisor: Annotated[int, Meta(ge=1, le=100)]
    least_consumption: Count
    least_cost: Count  # of a resource, however small the army
    tactics_divisor: Annotated[int, Meta(ge=1, le=100)]
    reserve_every: Annotated[int, Meta(ge=1, le=100)]  # turns


class Movement(Ruling, frozen=True):
    """points: a turn, of all armies where `by_speed` is empty. by_speed: the points of speed 1, 2 and 3; the last one for all that
    are faster.

    road: what a hex with a road or a river costs, where the terrain costs more. mounts: what they add to `by_speed`.
    """

    points: Count
    road: Count
    by_speed: tuple[Count, ...] = ()
    mounts: Count = 0


class Vision(Ruling, frozen=True):
    """lookouts: improvements that see with full Vigilance, as settlements do."""

    seen_from: Count  # what must be left of Vigilance for a hex, and what is in it, to be seen
    lookouts: tuple[ImprovementName, ...]


class Outcome(Table, frozen=True):
    """What becomes of the commander of an army that is destroyed, up to this percentile."""

    up_to: Percent
    fate: Literal["killed", "captured", "escapes"]


class BattleOrder(Ruling, frozen=True):
    """Ruling battle_order, with the printed figures of a battle.

    rounds: the ranged phase is the first. lucky_damage: of a natural 20 below DV. least_damage: of a hit.
    usual, weak, ahead: the strategies of an army that was given none, the second with `weak_at` percent of its hit points
    or less, the third with an ACR so much (`ahead_by`) above every enemy's. high_ground: DV of a defender on `high_terrain`.
    after_rout: morale. victory_morale: instead of a tactic, up to `most_morale`.
    """

    rounds: Count
    die: Annotated[int, Meta(ge=2, le=1000)]
    lucky_face: Count
    lucky_damage: Count
    unlucky_face: Count
    least_damage: Count
    tactic_dc: Count
    strategy_dc: Count
    free_steps: Count
    rout_dc: Count
    usual: StrategyName
    weak: StrategyName
    ahead: StrategyName
    weak_at: Percent
    ahead_by: Count
    high_ground: Figure
    high_terrain: tuple[TerrainName, ...]
    after_rout: Figure
    victory_morale: Figure
    most_morale: Figure
    disbands_at: Figure
    most_boons: Count
    commander_die: Annotated[int, Meta(ge=2, le=1000)]
    commander: tuple[Outcome, ...]
    unlucky_morale: Figure
    monster_hit_die: Literal[6, 8, 10, 12]
    not_played: Printed = {}


class DefeatLasting(Ruling, frozen=True):
    """changes: whether what lost armies take off attributes ends after `turns`; most: of one attribute together, 0 for no limit."""

    changes: Literal["end", "for_ever"]
    turns: Count
    most: Count


class DamageCap(Ruling, frozen=True):
    """An army or militia deals no more than its hit points. together: what those of a kingdom that have less than one deal in a phase."""

    together: Count


class Adventurers(Ruling, frozen=True):
    bp_per_acr: Annotated[int, Meta(ge=1, le=100)]
    least_bp: Count
    hit_die: Literal[6, 8, 10, 12]
    dv_base: Count
    specials_die: Annotated[int, Meta(ge=1, le=1000)]
    specials: tuple[SpecialName, ...]  # those that they may have


SizeName = Annotated[str, Meta(extra={"of": ("army_sizes",)})]


class RecruitCost(Ruling, frozen=True):
    """consumption: turns of Consumption that a repaired army costs, and a new or larger one where `per_acr` is 0.

    per_acr, per_square: BP of a new army for each point of its ACR and of the square of it, the sum rounded down; least: at least so
    many. A larger one pays what is more.
    sale_divisor: divides the price of the resources of an army that is disbanded, rounded down.
    """

    consumption: Count
    sale_divisor: Annotated[int, Meta(ge=1, le=100)]
    per_acr: Count = 0
    least: Count = 0
    per_square: Count = 0


class MusterRuling(Ruling, frozen=True):
    """waits: an army that was recruited, made larger, equipped or repaired does not move in that turn. deeds: what it may do."""

    waits: bool
    deeds: tuple[Literal["garrison", "patrol", "allow"], ...]


class Reserves(Ruling, frozen=True):
    """holds: building -> the largest size of the one army that it has room for.

    not_played: buildings that hold nobody, since no unit here is what was printed for them.
    """

    holds: dict[BuildingName, SizeName]
    not_played: Printed = {}


class ArmyUpkeep(Ruling, frozen=True):
    """What the Upkeep does to armies.

    unpaid: to the morale of an army that is not paid, until it is; when an army goes home is said in ruling battle_order.
    rest: hit points that a turn of rest gives, as times the ACR, and a Loyalty check as many again; least: the fewest of these.
    whole: turns of rest in a row after which an army is whole. illness: what a failed Stability check adds to an illness.
    """

    unpaid: Figure
    rest: Count
    least: Count
    whole: Annotated[int, Meta(ge=1, le=100)]
    illness: Count
    not_played: Printed = {}


class Siege(Ruling, frozen=True):
    """hunger: Defense that a turn before the walls takes.

    lasts: a siege begins when nobody fights for the place any more, wears its Defense off, and then takes `turns`, one more for each
    district, and `capital` more for a capital. Otherwise a settlement falls when its Defense is worn off, and forts hold nobody up.
    later: Defense that is built in a besieged settlement counts when the siege is over. surrender_divisor: divides the Unrest of a
    settlement's loss where its owner surrenders it, rounded up; 0 where nobody can.
    surrender_after: turns of a siege from which on it is divided, and only where a militia was beaten; 0 for at once.
    fixed: a siege takes the turns that it had when it began, and its militia stays beaten: neither a capital moved there, nor a
    district, nor loyal people, nor buildings that come into service lengthen it.
    """

    hunger: Count
    lasts: bool = False
    turns: Count = 0
    capital: Count = 0
    later: bool = False
    surrender_divisor: Count = 0
    fixed: bool = False
    surrender_after: Count = 0


class MilitiaRuling(Ruling, frozen=True):
    """acr: of a settlement's militia, by its districts; the last one for all that have more. Without any there is none.

    by_districts: the last row that districts reach, 0 for all. capital: so many rows higher for a capital, above that too.
    loyal: ACR more where Loyalty less Unrest is at least the Control DC divided by `loyal_divisor`. From `unrest` on the ACR is divided
    by `unrest_divisor`, rounded down, and at least `least`. whole: turns without a fight after which it is whole again; in_a_row: a
    fight, a siege or an army before a safe capital begins them anew.
    """

    acr: tuple[Rating, ...]
    hit_die: Literal[6, 8, 10, 12]
    loyal: Count
    loyal_divisor: Annotated[int, Meta(ge=1, le=100)]
    unrest: Count
    unrest_divisor: Annotated[int, Meta(ge=1, le=100)]
    least: Rating
    whole: Annotated[int, Meta(ge=1, le=100)]
    capital: Count = 0
    by_districts: Count = 0
    in_a_row: bool = False


class SafeTurns(Ruling, frozen=True):
    """turns: the first ones of a kingdom, in which no siege of its capital begins; or, where `within` is not 0, no hex so near to where
    it started is taken or besieged."""

    turns: Count
    within: Count = 0


class Occupation(Ruling, frozen=True):
    """acr: an army below it takes no hex and besieges nothing, whatever stands beside it. turns: that the same army must end on open land
    before that falls; 0 where it falls at once."""

    acr: Count
    turns: Count = 0


class Conquest(Ruling, frozen=True):
    """must_touch: only a hex that touches the victor's land becomes the victor's.

    stays: who can't take a hex makes nobody lose it. hexes: how many a kingdom of size `up_to_size` or less takes in a turn; a larger one
    takes as many as its claims. cost: BP of each. unrest: the loser's for a hex, settlement_unrest for one with a settlement; together
    at most `most_unrest` a turn.
    within_claims: in place of `hexes` and `up_to_size` a kingdom claims and takes together so many hexes a turn as it has claims.
    retakes: so many hexes a turn beside them that it lost in the last `own_turns` turns, neither given up nor surrendered.
    """

    must_touch: bool
    stays: bool = False
    hexes: Count = 0
    up_to_size: Count = 0
    cost: Count = 0
    unrest: Count = 0
    settlement_unrest: Count = 0
    most_unrest: Count = 0
    within_claims: bool = False
    retakes: Count = 0
    own_turns: Count = 0
