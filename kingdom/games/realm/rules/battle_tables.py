"""What tactics, boons, resources and specials may do in a battle: a closed list of effects, each with its figures.

Points add to a check or to DV; hit points are whole. Shares of ACR are written as texts ("1/2") and drop fractions.
"""

from typing import Annotated, Literal

from msgspec import Meta

from kingdom.games.realm.rules.types import BuildingName, Count, Figure, StrategyName, Table, TacticName, UnitName

Share = Annotated[str, Meta(pattern=r"^[0-9](/[1-9])?$", examples=["1/2"])]
Sides = Annotated[int, Meta(ge=0, le=100)]  # of a die, 0 for none
Ailment = Literal["disease", "fear", "paralysis", "poison"]
MoraleCheck = Literal["fear", "pursuit", "rout", "strategy", "tactic", "taunt", "withdraw"]


class Bonus(Table, frozen=True, tag="bonus", tag_field="code"):
    """Points of OM and damage when it attacks, of DV when it is attacked.

    enemy_dv: of the enemy that it attacks, whoever attacks that enemy in the phase; of several armies with it the greatest counts.
    die: damage of that die besides. phase: when it counts. against: the enemy that it counts for (`challenged` is the first
    that it attacked, `others` are all but that; `without_it` does not have the same special; `magical` fights with magic; `spellcasting` casts spells;
    `throwing` has siege engines or throws rocks; `fleeing` routs or withdraws). units: for armies of these alone.
    tactics: while it uses one of these. bloodied: while it has half its hit points or less. once: in the first phase of a
    battle in which it attacks with it. magic: it is a spell or the like, of which evasion takes half.
    """

    om: Figure = 0
    dv: Figure = 0
    damage: Figure = 0
    die: Sides = 0
    phase: Literal["any", "ranged", "melee", "first_melee", "later_melee"] = "any"
    against: Literal[
        "any", "undead", "living", "evil", "magical", "not_magical", "fortified", "unmounted", "without_it", "challenged",
        "others", "monsters", "throwing", "fleeing", "spellcasting",
    ] = "any"  # fmt: skip
    units: tuple[UnitName, ...] = ()
    tactics: tuple[TacticName, ...] = ()
    bloodied: bool = False
    once: bool = False
    magic: bool = False
    enemy_dv: Figure = 0


class Morale(Table, frozen=True, tag="morale", tag_field="code"):
    """Points of checks of morale: of these, () all.

    acr: its ACR besides. enemy: of those of its enemies. until: up to the start of that melee round alone, 0 for all.
    always: it succeeds without a roll. again: one that fails is rolled again, once.
    """

    by: Figure = 0
    checks: tuple[MoraleCheck, ...] = ()
    acr: bool = False
    enemy: bool = False
    until: Count = 0
    always: bool = False
    again: bool = False


class OnDamage(Table, frozen=True, tag="on_damage", tag_field="code"):
    """What a wound does besides: to DV and OM for the rest of the battle, `die` hit points in the next phase.

    most: how often to one enemy, 0 for any number. ailment: who is immune to it is spared.
    """

    dv: Figure = 0
    om: Figure = 0
    die: Sides = 0
    most: Count = 0
    illness: Count = 0  # after the battle, until it is cured
    ailment: Literal["", "disease", "fear", "paralysis", "poison"] = ""


class Fear(Table, frozen=True, tag="fear", tag_field="code"):
    """Who is wounded checks morale against `dc` + ACR: failing, it does not attack in the next phase; failing so often,
    it routs."""

    dc: Count
    routs_after: Count


class Taunt(Table, frozen=True, tag="taunt", tag_field="code"):
    """In each phase its target checks morale against `dc` + ACR: failing, it has that much less against the taunter.
    After that many successes it is immune."""

    dc: Count
    om: Figure
    dv: Figure
    immune_after: Count


class Heal(Table, frozen=True, tag="heal", tag_field="code"):
    """Hit points back: a share of ACR, when the army is weak. uses: in a battle, 0 for any number.

    rests: it does not attack in that phase; om, om_acr: what its attack loses in that phase, points and a share of ACR.
    consumption: of each use, for a Medium army.
    """

    acr: Share
    uses: Count = 0
    rests: bool = False
    om: Figure = 0
    om_acr: Share = "0"
    consumption: Count = 0


class Regrow(Table, frozen=True, tag="regrow", tag_field="code"):
    """Hit points back at the start of each phase: value / divisor. rises: it is not defeated where no enemy is left."""

    value: Count
    divisor: Annotated[int, Meta(ge=1, le=100)]
    rises: bool = False


class Nature(Table, frozen=True, tag="nature", tag_field="code"):
    """What it is, and what it is immune to."""

    kind: Literal["living", "undead", "construct"] = "living"
    immune: tuple[Ailment, ...] = ()


class Body(Table, frozen=True, tag="body", tag_field="code"):
    """The share of damage that it takes. through_armor: armour that the enemy is equipped with does not count for its DV."""

    not_magical: Share
    magical: Share
    through_armor: bool = False


class IgnoresDefense(Table, frozen=True, tag="ignores_defense", tag_field="code"):
    """Fortifications of these kinds, () all, do not help against it; of the others, `share` does.

    digs: it takes one phase, without an attack, to get past the greatest of them.
    """

    kinds: tuple[BuildingName, ...] = ()
    share: Share = "0"
    digs: bool = False


class HalvesGround(Table, frozen=True, tag="halves_ground", tag_field="code"):
    """High ground helps so much less against it."""

    divisor: Annotated[int, Meta(ge=1, le=100)]


class Breach(Table, frozen=True, tag="breach", tag_field="code"):
    """In each melee phase each of them takes this die off the fortifications of its army's target."""

    die: Sides


class Siegebreaker(Table, frozen=True, tag="siegebreaker", tag_field="code"):
    """Where it wounds its target, a second offense check that hits destroys that many of its siege engines."""

    engines: Count


class FalseRetreat(Table, frozen=True, tag="false_retreat", tag_field="code"):
    """Once, it does not attack in a melee phase and has so much more against its target in the next."""

    om: Figure
    dv: Figure


class Withdraws(Table, frozen=True, tag="withdraws", tag_field="code"):
    """It tries to leave the battle, with so much less in that phase."""

    om: Figure
    dv: Figure


class SlipsAway(Table, frozen=True, tag="slips_away", tag_field="code"):
    """It withdraws without a check."""


class Shoots(Table, frozen=True, tag="shoots", tag_field="code"):
    """It attacks in the ranged phase. throws: rocks, which some can catch. magic: what it fights with counts as magic."""

    throws: bool = False
    magic: bool = False


class Magic(Table, frozen=True, tag="magic", tag_field="code"):
    """What it fights with counts as magic."""


class Evasion(Table, frozen=True, tag="evasion", tag_field="code"):
    """The enemy's magic counts so much less against it."""

    divisor: Annotated[int, Meta(ge=1, le=100)]


class Ferocity(Table, frozen=True, tag="ferocity", tag_field="code"):
    """Defeated in melee, it fights for one melee phase more, with so much less."""

    om: Figure
    dv: Figure


class Forbids(Table, frozen=True, tag="forbids", tag_field="code"):
    """It uses none of these."""

    tactics: tuple[TacticName, ...] = ()
    strategies: tuple[StrategyName, ...] = ()


class Bound(Table, frozen=True, tag="bound", tag_field="code"):
    """It uses nothing else."""

    tactic: TacticName
    strategy: StrategyName


class Spawns(Table, frozen=True, tag="spawns", tag_field="code"):
    """Defeating a living enemy of its own ACR or more gives it back a share of ACR as hit points."""

    acr: Share


class Feeds(Table, frozen=True, tag="feeds", tag_field="code"):
    """What a victory adds to its Consumption in that turn."""

    consumption: Figure


class KnowsMore(Table, frozen=True, tag="knows_more", tag_field="code"):
    """The army may know that many more tactics."""

    tactics: Count


class Forages(Table, frozen=True, tag="forages", tag_field="code"):
    """Its Consumption for its ACR is divided by this."""

    divisor: Annotated[int, Meta(ge=1, le=100)]


BattleEffect = (
    Bonus | Morale | OnDamage | Fear | Taunt | Heal | Regrow | Nature | Body | IgnoresDefense | HalvesGround |
    Breach | Siegebreaker | FalseRetreat | Withdraws | SlipsAway | Shoots | Magic | Evasion | Ferocity | Forbids |
    Bound | Spawns | Feeds | KnowsMore | Forages
)  # fmt: skip
