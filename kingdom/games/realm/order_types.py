"""The orders of Kingdoms in the long form, as types. Made by `scripts/retype` from orders.py; change that, not this.

A type is named for the keys that lead to it: `BuildUpgrade` is an upgrade under `build`. A list is as its seat filed it; where the
GM made an order void, None stands in its place, which `common_orders.listed` leaves out.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict


class Improve(TypedDict):
    """An improvement."""

    hex: str  # the hex
    build: str  # the improvement


class Settle(TypedDict):
    """A settlement."""

    hex: str  # its hex
    name: str  # its name
    water: NotRequired[list[Literal["north", "east", "south", "west"]]]  # its borders that are water


BuildUpgrade = TypedDict(  # An upgrade
    "BuildUpgrade",
    {
        "in": str,  # the settlement
        "upgrade": str,  # the building that stands
        "to": str,  # what it becomes
        "lot": NotRequired[str],  # the top left lot
        "border": NotRequired[str],  # the border of a district
    },
)


BuildDemolish = TypedDict(  # A demolition
    "BuildDemolish",
    {
        "in": str,  # the settlement
        "demolish": str,  # the building that stands
        "lot": NotRequired[str],  # the top left lot
        "border": NotRequired[str],  # the border of a district
    },
)


BuildBuild = TypedDict(  # A building
    "BuildBuild",
    {
        "in": str,  # the settlement
        "build": str,  # the building, or district
        "lot": NotRequired[str],  # the top left lot
        "border": NotRequired[str],  # the border of a district
        "water": NotRequired[list[Literal["north", "east", "south", "west"]]],  # its borders that are water
    },
)


Build: TypeAlias = BuildUpgrade | BuildDemolish | BuildBuild


ArmiesRecruit = TypedDict(  # A new army
    "ArmiesRecruit",
    {
        "recruit": str,  # its name
        "size": str,  # its size
        "unit": str,  # what it is made of
        "from": str,  # where it is recruited
        "with": NotRequired[list[str]],  # its resources
    },
)


class ArmiesExpand(TypedDict):
    """An army made larger."""

    expand: str  # its name
    to: str  # its new size


ArmiesEquip = TypedDict(  # An army equipped
    "ArmiesEquip",
    {
        "equip": str,  # its name
        "with": str,  # the resource
        "count": NotRequired[int],  # how many, of siege engines
    },
)


class ArmiesRepair(TypedDict):
    """An army brought back to its full strength."""

    repair: str  # its name


class ArmiesDisband(TypedDict):
    """An army sent home."""

    disband: str  # its name
    to: NotRequired[str]  # an army that gets its resources


class ArmiesReserve(TypedDict):
    """An army put in reserve."""

    reserve: str  # its name


class ArmiesArmy(TypedDict):
    """An order to an army."""

    army: str  # its name
    move: NotRequired[list[str]]  # the way, hex by hex
    then: NotRequired[
        Literal["garrison", "patrol", "blockade", "raid", "attack", "allow", "clear"]
    ]  # what it does there
    target: NotRequired[str]  # whom it attacks
    strategy: NotRequired[str]  # how it fights
    tactic: NotRequired[str]  # the tactic that it uses
    withdraw: NotRequired[int]  # the percent of its hit points at which it leaves a battle, 0 for never


Armies: TypeAlias = (
    ArmiesRecruit | ArmiesExpand | ArmiesEquip | ArmiesRepair | ArmiesDisband | ArmiesReserve | ArmiesArmy
)


class SpecialAid(TypedDict):
    """Aid to a kingdom."""

    edict: Literal["aid"]  # which of them
    to: str  # the kingdom that gets it
    attribute: Literal["economy", "loyalty", "stability"]  # the attribute that it is for


SpecialExplore = TypedDict(  # An expedition
    "SpecialExplore",
    {
        "edict": Literal["explore"],  # which of them
        "from": str,  # where it starts
        "weeks": int,  # its weeks
        "route": NotRequired[list[str]],  # the way, hex by hex
        "toward": NotRequired[Literal["n", "ne", "se", "s", "sw", "nw"] | str],  # a direction or a hex
        "until": NotRequired[list[str]],  # the terrains that it turns back at
        "escort": NotRequired[int | str],  # its escort
    },
)


class SpecialAdventurers(TypedDict):
    """Adventurers against a monster."""

    edict: Literal["adventurers"]  # which of them
    bp: int  # BP for them
    task: str  # the monster's hex


class SpecialTradeRoute(TypedDict):
    """A new trade route."""

    edict: Literal["trade_route"]  # which of them
    to: str  # the kingdom to trade with
    hex: str  # the hex where it ends


class SpecialShareRoute(TypedDict):
    """A route to share."""

    edict: Literal["share_route"]  # which of them
    to: str  # the kingdom


class SpecialCloseRoute(TypedDict):
    """A route to close."""

    edict: Literal["close_route"]  # which of them
    route: str  # a trade route, named as on its founder's sheet


Special: TypeAlias = (
    SpecialAid | SpecialExplore | SpecialAdventurers | SpecialTradeRoute | SpecialShareRoute | SpecialCloseRoute
)


class Loyalty(TypedDict):
    """What to do about Unrest: one of these."""

    rouse_the_people: NotRequired[Literal["economy", "loyalty", "stability"] | Literal[""]]  # the attribute that gains
    change_minds_by_breaking_heads: NotRequired[Literal[""]]


class Messages(TypedDict):
    """A message."""

    to: str  # to whom
    text: str  # the message


class Orders(TypedDict):
    """The orders of a turn."""

    kingdom: str  # whose orders these are
    turn: int  # the turn that they are for
    leadership: NotRequired[list[Literal["economy", "loyalty", "stability"]]]  # what the ruler's bonus goes to
    improve: NotRequired[list[Improve]]  # the improvements
    settle: NotRequired[list[Settle]]  # the settlements to found
    build: NotRequired[list[Build]]  # what to build in settlements
    armies: NotRequired[list[Armies]]  # the orders to armies
    special: NotRequired[list[Special]]  # the special edicts
    loyalty: NotRequired[Loyalty]  # what to do about Unrest
    answers: NotRequired[dict[str, dict[str, int | str] | str]]  # answers to what the last report asked
    plan: NotRequired[list[str]]  # what to do when nothing else is left to do
    reserve: NotRequired[int]  # BP that the plan leaves
    messages: NotRequired[list[Messages]]  # messages
    requests: NotRequired[list[str]]  # what the GM is asked to rule on
    amend: NotRequired[bool]  # whether this is added to what is filed
    final: NotRequired[bool]  # whether you are done
    token: NotRequired[str]  # the word that proves who you are


class GmGrant(TypedDict):
    """A grant or a fine."""

    grant: str  # the kingdom
    account: str  # the account
    by: int  # by how much
    reason: str  # the reason, for the books


class GmSet(TypedDict):
    """An account set."""

    set: str  # the kingdom
    account: str  # the account
    to: int  # what it becomes
    reason: str  # the reason, for the books


class GmReveal(TypedDict):
    """A hex revealed."""

    reveal: str  # the hex
    to: str  # the kingdom that learns it
    reason: str  # the reason, for the books


class GmVoidVoid(TypedDict):
    """The order."""

    kingdom: str  # the kingdom
    order: str  # its path


class GmVoid(TypedDict):
    """An order made void."""

    void: GmVoidVoid  # the order
    reason: str  # the reason, for the books


class GmMonsters(TypedDict):
    """Monsters placed or removed."""

    monsters: str  # the hex
    acr: int  # their ACR; 0 takes them away
    reason: str  # the reason, for the books


GmEvent = TypedDict(  # An event forced
    "GmEvent",
    {
        "event": str,  # the kind of event
        "to": str,  # the kingdom that it strikes
        "in": NotRequired[str],  # the settlement that it strikes
        "hex": NotRequired[str],  # the hex that it strikes
        "reason": str,  # the reason, for the books
    },
)


class GmEnd(TypedDict):
    """An event ended."""

    end: str  # the event, as the sheet names it, or the cause of another lasting change
    of: str  # whose it is
    reason: str  # the reason, for the books


class GmBan(TypedDict):
    """A kind of event forbidden."""

    ban: str  # the kind of event
    reason: str  # the reason, for the books


class GmAllow(TypedDict):
    """A kind of event allowed again."""

    allow: str  # the kind of event
    reason: str  # the reason, for the books


class GmChanceChance(TypedDict):
    """The chance in percent."""

    normal: int  # percent
    after_quiet_turn: int  # percent after a turn without an event


class GmChance(TypedDict):
    """The chance of events."""

    chance: GmChanceChance  # the chance in percent
    reason: str  # the reason, for the books


class GmGive(TypedDict):
    """A hex given."""

    give: str  # the hex
    to: str  # the kingdom that gets it
    reason: str  # the reason, for the books


GmTake = TypedDict(  # A hex taken
    "GmTake",
    {
        "take": str,  # the hex
        "from": str,  # the kingdom that loses it
        "reason": str,  # the reason, for the books
    },
)


class GmRename(TypedDict):
    """A new name."""

    rename: str  # the kingdom's id, or its settlement or army
    of: NotRequired[str]  # whose settlement or army it is
    to: str  # the new name
    reason: str  # the reason, for the books


class GmRetire(TypedDict):
    """A kingdom that leaves."""

    retire: str  # its id
    reason: str  # the reason, for the books


class GmAddStartAttributes(TypedDict):
    """Anything beyond what the rules add."""

    economy: NotRequired[int]  # points of economy
    loyalty: NotRequired[int]  # points of loyalty
    stability: NotRequired[int]  # points of stability


class GmAddStartEdicts(TypedDict):
    """The levels of its maintenance edicts."""

    holiday: NotRequired[str]  # a level of holiday
    promotion: NotRequired[str]  # a level of promotion
    taxation: NotRequired[str]  # a level of taxation


class GmAddStartSettlements(TypedDict):
    """A settlement."""

    hex: str  # its hex
    districts: NotRequired[int]  # its districts
    buildings: NotRequired[list[str]]  # the buildings that stand
    water: NotRequired[list[str]]  # the borders that are water


class GmAddStartArmies(TypedDict):
    """An army to start with."""

    name: str  # its name
    unit: str  # what it is made of
    size: str  # its size
    hex: NotRequired[str]  # where it stands; the capital's hex where it is left out
    resources: NotRequired[list[str]]  # what it is equipped with
    tactics: NotRequired[list[str]]  # the tactics that it knows
    reserve: NotRequired[bool]  # whether it is in reserve


class GmAddStart(TypedDict):
    """A kingdom as it starts."""

    name: str  # its name
    alignment: NotRequired[str]  # its alignment
    government: NotRequired[str]  # its form of government
    attributes: NotRequired[GmAddStartAttributes]  # anything beyond what the rules add
    treasury: NotRequired[int]  # its treasury in BP
    unrest: NotRequired[int]  # its Unrest
    capital: NotRequired[str]  # the settlement that is its capital
    leadership: NotRequired[list[Literal["economy", "loyalty", "stability"]]]  # where the leadership bonus goes
    edicts: NotRequired[GmAddStartEdicts]  # the levels of its maintenance edicts
    hexes: dict[str, list[str]]  # the hexes it holds, each with its improvements
    settlements: NotRequired[dict[str, GmAddStartSettlements]]  # its settlements by their names
    armies: NotRequired[list[GmAddStartArmies]]  # the armies that it starts with


class GmAdd(TypedDict):
    """A kingdom that joins."""

    add: str  # its id
    start: GmAddStart  # a kingdom as it starts
    reason: str  # the reason, for the books


class GmFinish(TypedDict):
    """The end of the campaign."""

    finish: Literal["campaign"]  # what comes to its end
    reason: str  # the reason, for the books


Gm: TypeAlias = (
    GmGrant
    | GmSet
    | GmReveal
    | GmVoid
    | GmMonsters
    | GmEvent
    | GmEnd
    | GmBan
    | GmAllow
    | GmChance
    | GmGive
    | GmTake
    | GmRename
    | GmRetire
    | GmAdd
    | GmFinish
)


class Tell(TypedDict):
    """A text for the reports."""

    to: str  # to whom
    answers: NotRequired[int]  # which of that kingdom's open requests it answers
    text: str  # the text


class GmOrders(TypedDict):
    """The GM's orders of a turn."""

    kingdom: NotRequired[Literal["gm"]]  # whose orders these are
    turn: int  # the turn that they are for
    gm: NotRequired[list[Gm]]  # the GM's rulings
    tell: NotRequired[list[Tell]]  # what the GM tells
    amend: NotRequired[bool]  # whether this is added to what is filed
    token: NotRequired[str]  # the word that proves who you are
