"""The effects that tactics, boons, resources and specials may have in a battle: a closed list, each with its figures.

Points add to a check or to DV; hit points are whole. Shares of ACR are written as text ("1/2") and rounded down.
"""

from typing import Annotated, Literal

from msgspec import Meta

from kingdom.games.realm.rules.types import BuildingName, Count, Figure, StrategyName, Table, TacticName, UnitName

Share = Annotated[str, Meta(pattern=r"^[0-9](/[1-9])?$", examples=["1/2"])]
Sides = Annotated[int, Meta(ge=0, le=100)]  # of a die, 0 for none
Ailment = Literal["disease", "fear", "paralysis", "poison"]
MoraleCheck = Literal["fear", "pursuit", "rout", "strategy", "tactic", "taunt", "withdraw"]


class Bonus(Table, frozen=True, tag="bonus", tag_field="code"):
    """Points of OM and damage when the army attacks, of DV when it is attacked.

    enemy_dv: the change of the attacked enemy's DV against all attackers in the phase; of several such armies the greatest
    change counts. die: extra damage by that die. phase: when the bonus counts. against: the enemies against whom it counts
    (`challenged`: the first enemy that it attacked, `others`: all other enemies; `without_it` does not have the same special;
    `magical` fights with magic; `spellcasting` casts spells; `throwing` has siege engines or throws rocks; `fleeing` routs or
    withdraws). units: only against armies of these. tactics: only while it uses one of these. bloodied: only with half its hit
    points or less. once: only in the first phase in which it attacks with the bonus. magic: a spell or the like, which evasion
    reduces.
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
    """Points for checks of morale.

    checks: only these, () for all. acr: adds the army's ACR. enemy: for the checks of its enemies. until: only up to the start
    of that melee round, 0 for all rounds. always: the check succeeds without a roll. again: a failed check is rolled once more.
    """

    by: Figure = 0
    checks: tuple[MoraleCheck, ...] = ()
    acr: bool = False
    enemy: bool = False
    until: Count = 0
    always: bool = False
    again: bool = False


class OnDamage(Table, frozen=True, tag="on_damage", tag_field="code"):
    """Side effects of a wound: changes of DV and OM for the rest of the battle, and a loss of `die` hit points in the next
    phase.

    most: how often against one enemy, 0 for no limit. ailment: enemies immune to it are spared.
    """

    dv: Figure = 0
    om: Figure = 0
    die: Sides = 0
    most: Count = 0
    illness: Count = 0  # lasts after the battle until it is cured
    ailment: Literal["", Ailment] = ""


class Fear(Table, frozen=True, tag="fear", tag_field="code"):
    """A wounded enemy checks morale against `dc` + ACR. If the check fails, the enemy does not attack in the next phase; after
    `routs_after` failures it routs."""

    dc: Count
    routs_after: Count


class Taunt(Table, frozen=True, tag="taunt", tag_field="code"):
    """In each phase the target checks morale against `dc` + ACR. If the check fails, the target has lower OM and DV against the
    taunter. After `immune_after` successes the target is immune."""

    dc: Count
    om: Figure
    dv: Figure
    immune_after: Count


class Heal(Table, frozen=True, tag="heal", tag_field="code"):
    """A weak army regains hit points, a share of its ACR. uses: how often in a battle, 0 for no limit.

    rests: the army does not attack in that phase; om, om_acr: the loss of OM in that phase, in points and as a share of ACR.
    consumption: of each use, for a Medium army.
    """

    acr: Share
    uses: Count = 0
    rests: bool = False
    om: Figure = 0
    om_acr: Share = "0"
    consumption: Count = 0


class Regrow(Table, frozen=True, tag="regrow", tag_field="code"):
    """The army regains value / divisor hit points at the start of each phase. rises: it is not defeated if no enemy is left."""

    value: Count
    divisor: Annotated[int, Meta(ge=1, le=100)]
    rises: bool = False


class Nature(Table, frozen=True, tag="nature", tag_field="code"):
    """The army's nature, and the ailments to which it is immune."""

    kind: Literal["living", "undead", "construct"] = "living"
    immune: tuple[Ailment, ...] = ()


class Body(Table, frozen=True, tag="body", tag_field="code"):
    """The share of damage that the army takes. through_armor: when it attacks, armour from equipment does not count in the
    enemy's DV."""

    not_magical: Share
    magical: Share
    through_armor: bool = False


class IgnoresDefense(Table, frozen=True, tag="ignores_defense", tag_field="code"):
    """Fortifications of these `kinds` do not help against the army; with no kinds, only `share` of the Defense does.

    digs: the army spends one phase without an attack to get past the greatest fortification.
    """

    kinds: tuple[BuildingName, ...] = ()
    share: Share = "0"
    digs: bool = False


class HalvesGround(Table, frozen=True, tag="halves_ground", tag_field="code"):
    """High ground helps less against the army, by this divisor."""

    divisor: Annotated[int, Meta(ge=1, le=100)]


class Breach(Table, frozen=True, tag="breach", tag_field="code"):
    """In each melee phase each siege engine takes this die off the fortifications of its army's target."""

    die: Sides


class Siegebreaker(Table, frozen=True, tag="siegebreaker", tag_field="code"):
    """When the army wounds its target, a second offense check that hits destroys so many of the target's siege engines."""

    engines: Count


class FalseRetreat(Table, frozen=True, tag="false_retreat", tag_field="code"):
    """Once a battle, the army does not attack in a melee phase and has these points against its target in the next."""

    om: Figure
    dv: Figure


class Withdraws(Table, frozen=True, tag="withdraws", tag_field="code"):
    """The army tries to leave the battle, with these losses of OM and DV in that phase."""

    om: Figure
    dv: Figure


class SlipsAway(Table, frozen=True, tag="slips_away", tag_field="code"):
    """The army withdraws without a check."""


class Shoots(Table, frozen=True, tag="shoots", tag_field="code"):
    """The army attacks in the ranged phase. throws: rocks, which some enemies can catch. magic: its attacks count as magic."""

    throws: bool = False
    magic: bool = False


class Magic(Table, frozen=True, tag="magic", tag_field="code"):
    """The army's attacks count as magic."""


class Evasion(Table, frozen=True, tag="evasion", tag_field="code"):
    """Magic bonuses of the enemy count less against the army, by this divisor."""

    divisor: Annotated[int, Meta(ge=1, le=100)]


class Ferocity(Table, frozen=True, tag="ferocity", tag_field="code"):
    """When the army is defeated in melee, it fights one more melee phase, with these losses of OM and DV."""

    om: Figure
    dv: Figure


class Forbids(Table, frozen=True, tag="forbids", tag_field="code"):
    """The army can't use these strategies and tactics."""

    tactics: tuple[TacticName, ...] = ()
    strategies: tuple[StrategyName, ...] = ()


class Bound(Table, frozen=True, tag="bound", tag_field="code"):
    """The army uses only this strategy and this tactic."""

    tactic: TacticName
    strategy: StrategyName


class Spawns(Table, frozen=True, tag="spawns", tag_field="code"):
    """Defeating a living enemy of at least its own ACR gives the army back a share of its ACR as hit points."""

    acr: Share


class Feeds(Table, frozen=True, tag="feeds", tag_field="code"):
    """The Consumption that a victory adds in that turn."""

    consumption: Figure


class KnowsMore(Table, frozen=True, tag="knows_more", tag_field="code"):
    """The army may know so many tactics more."""

    tactics: Count


class Forages(Table, frozen=True, tag="forages", tag_field="code"):
    """The part of its Consumption that depends on ACR is divided by this."""

    divisor: Annotated[int, Meta(ge=1, le=100)]


BattleEffect = (
    Bonus | Morale | OnDamage | Fear | Taunt | Heal | Regrow | Nature | Body | IgnoresDefense | HalvesGround |
    Breach | Siegebreaker | FalseRetreat | Withdraws | SlipsAway | Shoots | Magic | Evasion | Ferocity | Forbids |
    Bound | Spawns | Feeds | KnowsMore | Forages
)  # fmt: skip
