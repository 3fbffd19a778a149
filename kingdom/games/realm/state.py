"""The state of a realm campaign: frozen records, all of them JSON. Derived numbers are not here but in sheet.py.

Labels are CCRR ("0304"). Every count is a whole number; BP are whole.
"""

from msgspec import Struct
from msgspec.structs import replace as replace  # records are changed by replace(record, field=...), never in place

from kingdom.games.kit.memo import remember


class Building(Struct, frozen=True, omit_defaults=True):
    """A building that stands.

    lot: its top left lot, `C4` or `2-C4` in the second district; a border (`north`, `2-north`) for city walls, moats
    and watergates; the district (`1`, `2`) for what lies under all of it; the lot of its host where it shares one.
    tall: a building of two lots that stands one above the other instead of side by side.
    """

    id: str
    lot: str
    tall: bool = False


class Rubble(Struct, frozen=True, omit_defaults=True):
    """A lot, one record for each, where a building was destroyed or demolished, for the discount of rebuilding."""

    id: str
    lot: str


class District(Struct, frozen=True, omit_defaults=True):
    """A district of 6 by 6 lots; `water` lists the borders (north, east, south, west) that are water."""

    water: tuple[str, ...] = ()


class HalfPrice(Struct, frozen=True):
    """A half price that a standing granter has already given: `lot` is the granter's, `kind` the building it was for."""

    lot: str
    kind: str


class Bought(Struct, frozen=True, omit_defaults=True):
    """What was paid for a building, and the turns that it has stood since, as far as the ruling debt counts them."""

    bp: int
    turns: int = 0


class Settlement(Struct, frozen=True, omit_defaults=True):
    """A settlement. `buildings` stand in the order in which they were built.

    once: buildings whose one-off Unrest counts once a settlement and has been counted.
    siege: the Defense that its besiegers have worn off, until the siege is lifted. besieged: 0 for no siege; 1 when it begins, and 1
    more for each turn in which nothing was left of the Defense.
    levy: hit points that its militia has lost; rested: turns since its last fight in which it did not fight.
    waiting: the buildings that are not in service yet since it joined the kingdom, in the order in which they were built.
    raised: the fortifications built during the siege, `KIND LOT`, which defend it when the siege is over.
    bought: `KIND LOT` of a building -> what was paid for it, where the ruling debt asks. razed: kind -> of each that was torn down, in how
    many turns more it takes off no Unrest when it is built again.
    yielded: it was surrendered: what waits serves after all that is built in the turn.
    holds: turns that it holds out after its Defense, fixed when the siege began; 0 where they are not.
    """

    hex: str
    districts: tuple[District, ...] = (District(),)
    buildings: tuple[Building, ...] = ()
    rubble: tuple[Rubble, ...] = ()
    half_prices_used: tuple[HalfPrice, ...] = ()
    once: tuple[str, ...] = ()
    siege: int = 0
    besieged: int = 0
    levy: int = 0
    rested: int = 0
    waiting: tuple[Building, ...] = ()
    raised: tuple[str, ...] = ()
    holds: int = 0
    yielded: bool = False
    bought: dict[str, Bought] = {}
    razed: dict[str, tuple[int, ...]] = {}


class FreeCity(Struct, frozen=True):
    """A settlement with no loyalty to any kingdom."""

    name: str
    settlement: Settlement


class Hex(Struct, frozen=True, omit_defaults=True):
    """A hex of the map, as the GM knows it. `monsters` is the ACR of what lives there, 0 for none.

    left: improvements that stand there without benefit since a kingdom lost the hex.
    wild: a kingdom lost it and nobody has held it since: what is left decays, monsters may move in.
    wounds: hit points that those monsters lost in a fight that goes on.
    """

    terrain: str
    features: tuple[str, ...] = ()
    resource: bool = False
    lair: bool = False
    ruin: str = ""
    building: str = ""
    free_city: FreeCity | None = None
    hazard: str = ""
    secret: str = ""
    monsters: int = 0
    wounds: int = 0
    left: tuple[str, ...] = ()
    wild: bool = False


class Modifier(Struct, frozen=True, omit_defaults=True):
    """A passing or lasting change of an account by an event, aid and the like.

    A passing one holds for one turn, or to the start of the turn `ends`; a lasting one until a GM order takes it away.
    account: besides accounts what counts in checks alone (`economy_checks`, `continuing_event_checks`, `edict_checks`),
    `consumption_percent`, `farms` (what each in or beside `hex` takes off Consumption) and `unled` (no leadership bonus).
    event: the key of the event that it is of. settlement: it goes where that is lost; part: the settlement modifier (law,
    crime, ...) that it is of. partner: it counts toward that seat.
    """

    account: str
    by: int
    cause: str
    text: str
    lasting: bool = False
    event: str = ""
    settlement: str = ""
    part: str = ""
    hex: str = ""
    partner: str = ""
    ends: int = 0


class Pending(Struct, frozen=True, omit_defaults=True):
    """What needs an answer with the next orders, under `answers`.

    figures: choice -> the figures that it may be given with, for one that needs a figure: {adventurers: 4}.
    about: the seat whose trade it is about, of a question about doors.
    """

    key: str
    question: str
    choices: tuple[str, ...]
    default: str
    figures: dict[str, tuple[int, ...]] = {}
    about: str = ""


class Request(Struct, frozen=True):
    """Free text for the GM to rule on, open until it is answered."""

    turn: int
    text: str


class BattleOrders(Struct, frozen=True, omit_defaults=True):
    """What an army was told beforehand about a battle, since nobody is asked in the middle of one; it stands until it is changed.

    strategy, tactic: "" leaves the choice to the army. withdraw: the percent of its full hit points at which it wants to
    leave, 0 for never.
    """

    strategy: str = ""
    tactic: str = ""
    withdraw: int = 0


class Commander(Struct, frozen=True, omit_defaults=True):
    """Who leads an army: what they add to its checks of morale, the boons that they have learned, and their luck."""

    morale: int = 0
    boons: tuple[str, ...] = ()
    unlucky: bool = False


class Captive(Struct, frozen=True):
    """A commander whom another seat (`by`) holds for a ransom of `bp` BP."""

    commander: Commander
    by: str
    bp: int


class Army(Struct, frozen=True, omit_defaults=True):
    """An army; its name is its key in the kingdom's `armies`. Derived figures (ACR, full hit points, DV, OM) are in armies.py.

    unit, size: rows of the tables `units` and `army_sizes`. hex: where it stands. hp: hit points that are left.
    resources: what it is equipped with -> how many (more than one of siege engines alone). tactics: those it knows besides
    the default ones. deed: what it does where it stands (garrison, patrol, blockade, raid, attack, allow, clear; "" is garrison);
    target: a seat or `monsters`, whom it attacks, "" for whoever holds the place.
    reserve: rests in a settlement at little cost; paid: turns to come for which a reserve army has had its Consumption.
    unpaid: turns of Consumption that it still has to get. routed: it begins no fight until a Loyalty check succeeds.
    came: where it moved from in this turn, until the battles are over.
    busy: it moved or fought in this turn (taken off in Upkeep); rested: turns in a row in which it did neither.
    illness: what it takes off OM and DV until it is cured.
    fed: what its battles of this turn add to its Consumption, once; taken off again when it is paid.
    mustered: it was recruited or changed in this turn, and stays where it is (taken off in Upkeep).
    """

    unit: str
    size: str
    hex: str
    hp: int
    morale: int = 0
    resources: dict[str, int] = {}
    tactics: tuple[str, ...] = ()
    deed: str = ""
    target: str = ""
    battle: BattleOrders = BattleOrders()
    commander: Commander = Commander()
    reserve: bool = False
    paid: int = 0
    unpaid: int = 0
    routed: bool = False
    came: str = ""
    busy: bool = False
    rested: int = 0
    illness: int = 0
    fed: int = 0
    mustered: bool = False


class Party(Struct, frozen=True, omit_defaults=True):
    """Adventurers who were hired; their key in the kingdom's `parties` is adventurers-N.

    bp: what they were paid. hex: where they are. task: the label of the hex whose monsters they are after; "" with an
    expedition. specials: rows of the table `army_specials`. hp: hit points that are left.
    hazard: they were hired against the hazard there, too; tried: in how many turns they have tried to clear it.
    """

    bp: int
    hex: str
    task: str
    hp: int
    specials: tuple[str, ...] = ()
    hazard: bool = False
    tried: int = 0


class Route(Struct, frozen=True, omit_defaults=True):
    """A trade route on its founder's sheet, its key trade_route-N, or a share of one on the sharer's, its key share_route-N.

    to: the other kingdom. path: the hexes from the settlement where it starts to the one where it ends; at: how far along
    it the caravan is. sent: the turn of the order. bp: what was spent on the way. asked: the key of the question whether it
    is let in, "" before it has arrived. open: it was.
    shares: of a share, the founder's key of the route, "" for a route of one's own. sharers: seats that share it.
    towers: hexes of the path, held by nobody, where the founder built a watchtower.
    watched: turns in a row that it was blockaded, for the Vigilance along it. shut: turns in a row in which closed doors stopped
    its trade.
    """

    to: str
    path: tuple[str, ...]
    at: int = 0
    sent: int = 0
    bp: int = 0
    asked: str = ""
    open: bool = False
    shares: str = ""
    sharers: tuple[str, ...] = ()
    towers: tuple[str, ...] = ()
    watched: int = 0
    shut: int = 0


class Guest(Struct, frozen=True):
    """An open route that another kingdom, `by`, founded to this one; its key in the kingdom's `guests` is that of the question
    by which it was let in. route: its key on the founder's sheet."""

    by: str
    route: str
    path: tuple[str, ...]


class Event(Struct, frozen=True, omit_defaults=True):
    """An event that stands: one that was announced and takes effect in the next Event phase, or one that goes on.

    kind: a row of the table `event_kinds`. hex, settlement: where it struck, "" for the whole kingdom. begins: the turn in
    which it first takes effect. facts: what was rolled for it or is kept count of (the building that is demanded, the ACR of
    a monster, successes in a row), by words of the events module. done: its effects are over and it stands as a mark alone.
    """

    kind: str
    begins: int
    hex: str = ""
    settlement: str = ""
    facts: dict[str, int | str] = {}
    done: bool = False


class Sighting(Struct, frozen=True, omit_defaults=True):
    """What a kingdom remembers of a hex that it once saw and does not see now, as it last was.

    turn: when it was last seen. hex: without what was hidden from the kingdom. holder: the seat that held it then.
    built: what could be seen standing there.
    """

    turn: int
    hex: Hex
    holder: str = ""
    built: tuple[str, ...] = ()


class Taking(Struct, frozen=True, omit_defaults=True):
    """A hex that an army took: in which turn, for the seat `by`, from the seat `of`. back: the turn in which that one retook it."""

    turn: int
    by: str
    of: str
    back: int = 0


class Expedition(Struct, frozen=True, omit_defaults=True):
    """An expedition under way; its key in the kingdom's `expeditions` is explore-N.

    home: the label of the hex that it started from and returns to; since: the turn in which it did. at: the hex where it is.
    left: turns until it reports. bp: what was paid for it. ahead: the hexes that it still has to visit, in order; toward: a
    direction or a label, where it was sent that way; until: the terrains that it turns back at,
    with blanks between. army: the name of the army that
    escorts it; party: the adventurers who do. noted: what it saw of each hex that is not its kingdom's, in the order of the
    first visit; found: those of them whose hidden things it found; met: how it fared with monsters, by label.
    turned: the hex before which it turned back. regroups: turns in which it stays where it is; fights: monsters hold it up.
    """

    home: str
    since: int
    at: str
    left: int
    bp: int
    ahead: tuple[str, ...] = ()
    toward: str = ""
    until: str = ""
    army: str = ""
    party: Party | None = None
    noted: dict[str, Sighting] = {}
    found: tuple[str, ...] = ()
    met: dict[str, str] = {}
    turned: str = ""
    regroups: int = 0
    fights: bool = False


class Kingdom(Struct, frozen=True, omit_defaults=True):
    """A seat's kingdom.

    hexes: label -> the improvements that stand there (`prepared` is one), each hex held.
    modifiers hold now; coming ones hold from the start of the next turn.
    stores: BP that granaries keep.
    cut_off: label -> the count of a hex that is cut off from the capital.
    revealed: labels whose hidden things this kingdom has seen.
    anarchy: the number of the turn that is, was or will be its anarchy turn, 0 for none.
    loses_hex: Unrest was 11 or more at the last test; a hex is lost at the start of the next turn.
    edict_size: the size at the start of the last Edict phase, which caps and the leadership bonus go by.
    founding: founded in play, and its first settlement is still to come.
    used: what of this turn's limits is used: claims, terrain, settlements, buildings, first_house, special_edicts.
    began_empty: the turn began without a hex.
    armies, parties, expeditions, routes: by name or key. events: those that stand, by key (KIND-N). guests: the routes of
    others that were let in, by the key of the question.
    quiet: no event was rolled for this kingdom in the last turn. counted: KIND -> how many of that kind were counted so far,
    for the N of the next key. doors: the seats whose trade is not let in. plan: what is still to be worked off, in the
    plainest words of orders; reserve: BP that it leaves. damaged: settlement -> lots of buildings that give nothing until they
    are repaired. blocked: settlement -> lots that nothing can be built on.
    commanders: those who lost their army and lead none; captives: those whom others hold, by the key of the question (ransom-N).
    memory: label -> what was last seen of hexes that are out of sight.
    worn: label -> the Defense that besiegers have worn off a fort or watchtower there.
    sizes: how many hexes it held at the ends of the last turns, the oldest first, as many as the ruling final_size looks back.
    absent: the campaign names the seat, which has not joined yet; `destroyed` is set too.
    besiegers: label -> seat -> for how many turns it has attacked this place, in which nobody fought it any more.
    occupiers: label of open land -> seat -> army -> for how many turns running it has ended there and attacked it, where nobody fought it
    and nothing was left to wear off. lost: label -> the turn in which it lost that hex, unless it gave it up or surrendered it, for as long
    as the ruling conquest lets it retake such. takings: label -> who took that hex from whom, of those that it suffered, did or saw in the
    same time, and that have not been retaken since. started: the hex in which it started, of its capital if it had one; "" where no ruling asks.
    joined: the turn in which the GM let it join, 0 for one that was there from the start or plays by rules without `grace` and safe turns.
    anew: it lost all land, and has not both a hex and a settlement again. given_up: the hexes that it gave up when it gave up all.
    unsafe: its capital has no safe turns any more: it made war, or its seat was lost and taken up anew.
    """

    name: str
    treasury: int = 0
    unrest: int = 0
    alignment: str = ""
    government: str = ""
    attributes: dict[str, int] = {}
    capital: str = ""
    leadership: tuple[str, ...] = ()
    holiday: str = "very_long"
    promotion: str = "none"
    taxation: str = "minimalist"
    hexes: dict[str, tuple[str, ...]] = {}
    settlements: dict[str, Settlement] = {}
    modifiers: tuple[Modifier, ...] = ()
    coming: tuple[Modifier, ...] = ()
    stores: int = 0
    cut_off: dict[str, int] = {}
    revealed: tuple[str, ...] = ()
    pending: tuple[Pending, ...] = ()
    requests: tuple[Request, ...] = ()
    anarchy: int = 0
    loses_hex: bool = False
    edict_size: int = 0
    founding: bool = False
    used: dict[str, int] = {}
    began_empty: bool = False
    destroyed: bool = False
    absent: bool = False
    armies: dict[str, Army] = {}
    parties: dict[str, Party] = {}
    expeditions: dict[str, Expedition] = {}
    routes: dict[str, Route] = {}
    guests: dict[str, Guest] = {}
    events: dict[str, Event] = {}
    quiet: bool = False
    counted: dict[str, int] = {}
    doors: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()
    reserve: int = 0
    damaged: dict[str, tuple[str, ...]] = {}
    blocked: dict[str, tuple[str, ...]] = {}
    commanders: tuple[Commander, ...] = ()
    captives: dict[str, Captive] = {}
    memory: dict[str, Sighting] = {}
    worn: dict[str, int] = {}
    besiegers: dict[str, dict[str, int]] = {}
    occupiers: dict[str, dict[str, dict[str, int]]] = {}
    started: str = ""
    lost: dict[str, int] = {}
    takings: dict[str, Taking] = {}
    sizes: tuple[int, ...] = ()
    joined: int = 0
    unsafe: bool = False
    anew: bool = False
    given_up: tuple[str, ...] = ()

    def lets_in(self, other: str) -> bool:
        """Whether the trade of that seat is let in."""
        return other not in self.doors


class Chance(Struct, frozen=True):
    """A chance of events that the GM set in place of the rules' own, in percent."""

    normal: int
    after_quiet_turn: int


class World(Struct, frozen=True, omit_defaults=True):
    """The whole state after a turn: every hex that exists, and the kingdoms by seat in the order of their ids.

    chance: of events, where a GM order set it. banned: kinds of events that a GM order forbade.
    ended: why a GM order ended the campaign with this turn, "" while it goes on.
    """

    turn: int
    hexes: dict[str, Hex]
    kingdoms: dict[str, Kingdom]
    chance: Chance | None = None
    banned: tuple[str, ...] = ()
    ended: str = ""


def in_service(settlement: Settlement) -> tuple[Building, ...]:
    """The settlement's buildings without those that wait since it joined, which stand without effect. Ruling: joined_buildings."""
    if not settlement.waiting:
        return settlement.buildings
    return tuple(building for building in settlement.buildings if building not in settlement.waiting)


def counted(kingdom: Kingdom, kind: str) -> tuple[Kingdom, str]:
    """(the kingdom with one more of that kind counted, the key of it): keys are KIND-N and never used again."""
    number = kingdom.counted.get(kind, 0) + 1
    return replace(kingdom, counted={**kingdom.counted, kind: number}), f"{kind}-{number}"


def with_kingdoms(world: World, changed: dict[str, Kingdom]) -> World:
    """The world with these kingdoms in place of their older selves; the same world where each of them is its older self."""
    is_same = all(kingdom is world.kingdoms.get(seat) for seat, kingdom in changed.items())
    return world if is_same else replace(world, kingdoms={**world.kingdoms, **changed})


def with_settlement(kingdom: Kingdom, name: str, **changed: object) -> Kingdom:
    """The kingdom with these fields of that settlement changed."""
    return replace(kingdom, settlements={**kingdom.settlements, name: replace(kingdom.settlements[name], **changed)})


@remember(lambda world: ((world.kingdoms,), ()), size=30)  # a report asks for those of the turn again and again
def owners(world: World) -> dict[str, str]:
    """Label -> the seat that holds the hex, for every hex that is held. Remembered while the kingdoms are the same:
    not to be changed by the caller."""
    return {label: seat for seat, kingdom in world.kingdoms.items() for label in kingdom.hexes}
