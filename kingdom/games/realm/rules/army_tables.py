"""What the tables of armies may say: units, sizes, resources, tactics, strategies, boons, specials; movement and sight.

ACR may be a fraction and is written as text ("1/3"); BP are whole.
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
    """The people or creatures of an army, with the figures of one of them.

    rating: its challenge rating, which is the ACR of a Medium army. hit_die: faces. speed: its index in `by_speed` of the
    ruling movement. recruit: kingdoms may recruit it; other units are monsters. ranged: its army can shoot. mounted: it counts
    as having mounts, but without their figures. evil: some bonuses count only against evil units.
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
    not_played: Printed = {}  # printed figures without effect here


class ArmySize(Table, frozen=True):
    """A size of army. steps: along the ladder of ratings. times: price and Consumption of resources as a multiple of a Medium
    army's, as a rating.

    slots: how many new settlements of the improvement table recruiting it uses up. defeat: what the kingdom loses with a
    destroyed army.
    """

    steps: Figure
    times: Rating
    slots: Count
    defeat: Modifiers = Modifiers()
    not_played: Printed = {}


class ArmyResource(Table, frozen=True):
    """Equipment of an army. Cost and Consumption are for a Medium army.

    needs: one of these buildings must stand in the settlement that equips it. one_size: cost and Consumption are the same for
    every size, and an army may have several. instead_of: the resource that does not count if an army has both.
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
    """A tactic. default: every army knows it. needs: `mounted` or `ranged`, if only such armies can use it."""

    name: str
    default: bool = False
    needs: Literal["", "mounted", "ranged"] = ""
    effects: tuple[BattleEffect, ...] = ()


class Boon(Table, frozen=True):
    """A boon that a commander may learn. needs: `mounted` or `ranged`, if it counts only for such armies."""

    name: str
    needs: Literal["", "mounted", "ranged"] = ""
    effects: tuple[BattleEffect, ...] = ()
    not_played: Printed = {}


class ArmySpecial(Table, frozen=True):
    """An ability of an army's units. own_dv: points in the army's own DV, in and out of battle."""

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
    least_cost: Count  # of a resource, even for the smallest army
    tactics_divisor: Annotated[int, Meta(ge=1, le=100)]
    reserve_every: Annotated[int, Meta(ge=1, le=100)]  # turns


class Movement(Ruling, frozen=True):
    """points: of each army a turn, if `by_speed` is empty. by_speed: the points of speed 1, 2 and 3; the last value also
    applies to higher speeds.

    road: the cost of a hex with a road or river whose terrain costs more. mounts: the points that mounts add to `by_speed`.
    """

    points: Count
    road: Count
    by_speed: tuple[Count, ...] = ()
    mounts: Count = 0


class Vision(Ruling, frozen=True):
    """lookouts: improvements from which a kingdom sees with full Vigilance, as from settlements."""

    seen_from: Count  # Vigilance that must be left to see a hex and its contents
    lookouts: tuple[ImprovementName, ...]


class Outcome(Table, frozen=True):
    """The fate of a destroyed army's commander, up to this percentile."""

    up_to: Percent
    fate: Literal["killed", "captured", "escapes"]


class BattleOrder(Ruling, frozen=True):
    """Ruling battle_order, with the printed figures of a battle.

    rounds: the ranged phase is the first. lucky_damage: of a natural 20 below DV. least_damage: of a hit.
    usual, weak, ahead: the strategies of an army without orders for one; weak: with `weak_at` percent of its hit points or
    less; ahead: with an ACR at least `ahead_by` above every enemy's. high_ground: DV of a defender on `high_terrain`.
    after_rout: the change of morale. victory_morale: gained instead of a tactic, up to `most_morale`.
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
    """changes: whether the loss of attributes for lost armies ends after `turns`; most: the highest total loss of one
    attribute, 0 for no limit."""

    changes: Literal["end", "for_ever"]
    turns: Count
    most: Count


class DamageCap(Ruling, frozen=True):
    """An army or militia deals no more than its hit points. together: the most damage a phase of all armies of a kingdom with
    less than one hit point."""

    together: Count


class Adventurers(Ruling, frozen=True):
    bp_per_acr: Annotated[int, Meta(ge=1, le=100)]
    least_bp: Count
    hit_die: Literal[6, 8, 10, 12]
    dv_base: Count
    specials_die: Annotated[int, Meta(ge=1, le=1000)]
    specials: tuple[SpecialName, ...]  # the specials that a party may have


SizeName = Annotated[str, Meta(extra={"of": ("army_sizes",)})]


class RecruitCost(Ruling, frozen=True):
    """consumption: the price of repairing an army in turns of its Consumption; also of a new or larger army if `per_acr` is 0.

    per_acr, per_square: BP of a new army for each point of its ACR and of the square of its ACR, the sum rounded down; least:
    the lowest price. Making an army larger costs the difference. sale_divisor: divides the price of a disbanded army's
    resources, rounded down.
    """

    consumption: Count
    sale_divisor: Annotated[int, Meta(ge=1, le=100)]
    per_acr: Count = 0
    least: Count = 0
    per_square: Count = 0


class MusterRuling(Ruling, frozen=True):
    """waits: an army that was recruited, made larger, equipped or repaired does not move in that turn. deeds: the deeds that it
    may have meanwhile."""

    waits: bool
    deeds: tuple[Literal["garrison", "patrol", "allow"], ...]


class Reserves(Ruling, frozen=True):
    """holds: building -> the largest size of army in reserve for which it has room; each building holds one army.

    not_played: buildings that hold no army, since none of the printed units for them exists here.
    """

    holds: dict[BuildingName, SizeName]
    not_played: Printed = {}


class ArmyUpkeep(Ruling, frozen=True):
    """The effects of the Upkeep phase on armies.

    unpaid: the change of an unpaid army's morale until it is paid; the ruling battle_order says when an army goes home. rest:
    hit points from a turn of rest, as a multiple of the ACR; a Loyalty check gives as many again; least: the lowest gain.
    whole: turns of rest in a row after which an army has all its hit points. illness: points that a failed Stability check adds
    to an illness.
    """

    unpaid: Figure
    rest: Count
    least: Count
    whole: Annotated[int, Meta(ge=1, le=100)]
    illness: Count
    not_played: Printed = {}


class Siege(Ruling, frozen=True):
    """hunger: the Defense that each turn of a siege takes off.

    lasts: true: a siege begins when nobody fights for the place any more, wears off its Defense, and then takes `turns`, one
    more for each district, and `capital` more for a capital. False: a settlement falls when its Defense is worn off, and forts
    do not delay attackers. later: Defense built in a besieged settlement counts only after the siege. surrender_divisor:
    divides the Unrest for a surrendered settlement, rounded up; 0 if nobody can surrender. surrender_after: the turn of the
    siege from which the Unrest is divided, if a militia was beaten; 0 for at once. fixed: a siege takes as many turns as when
    it began, and its militia stays beaten: a moved capital, a new district, loyal people or buildings that come into service do
    not make it longer.
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
    """acr: the ACR of a settlement's militia, a row for each number of districts; the last row for all above. Empty: there is
    no militia.

    by_districts: the highest row that districts reach, 0 for no limit. capital: how many rows higher a capital stands, even
    above that limit. loyal: ACR more if Loyalty less Unrest is at least the Control DC divided by `loyal_divisor`. From
    `unrest` on the ACR is divided by `unrest_divisor`, rounded down, and at least `least`. whole: turns without a fight after
    which the militia has all its hit points; in_a_row: a fight, a siege or an army before a safe capital restarts that count.
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
    """turns: a kingdom's first turns, in which no siege of its capital begins; if `within` is not 0, no hex so near to the
    kingdom's start is taken or besieged instead."""

    turns: Count
    within: Count = 0


class Occupation(Ruling, frozen=True):
    """acr: an army below this ACR takes no hex and besieges nothing, even beside other armies. turns: how many turns the same
    army must end on open land before the land falls; 0: the land falls at once."""

    acr: Count
    turns: Count = 0


class Conquest(Ruling, frozen=True):
    """must_touch: only a hex that touches the victor's land becomes the victor's.

    stays: a hex that no attacker can take stays its holder's. hexes: how many hexes a kingdom of size `up_to_size` or less may
    take a turn; a larger kingdom as many as its claims. cost: BP for each hex. unrest: the loser's for a hex, settlement_unrest
    for a hex with a settlement; together at most `most_unrest` a turn. within_claims: instead of `hexes` and `up_to_size`,
    claimed and taken hexes together are limited by the turn's claims. retakes: hexes a turn that a kingdom may retake on top of
    these, if it lost them in the last `own_turns` turns and neither gave them up nor surrendered them.
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
