"""The state of a realm campaign: frozen records, all of them JSON. Derived numbers are not here but in sheet.py.

Labels are CCRR ("0304"). Every count is a whole number; BP are whole.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace as replace  # records are changed by replace(record, field=...), never in place


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


class Settlement(Struct, frozen=True, omit_defaults=True):
    """A settlement. `buildings` stand in the order in which they were built.

    once: buildings whose one-off Unrest counts once a settlement and has been counted.
    """

    hex: str
    districts: tuple[District, ...] = (District(),)
    buildings: tuple[Building, ...] = ()
    rubble: tuple[Rubble, ...] = ()
    half_prices_used: tuple[HalfPrice, ...] = ()
    once: tuple[str, ...] = ()


class FreeCity(Struct, frozen=True):
    """A settlement with no loyalty to any kingdom."""

    name: str
    settlement: Settlement


class Hex(Struct, frozen=True, omit_defaults=True):
    """A hex of the map, as the GM knows it. `monsters` is the ACR of what lives there, 0 for none.

    left: improvements that stand there without benefit since a kingdom lost the hex.
    wild: a kingdom lost it and nobody has held it since: what is left decays, monsters may move in.
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
    left: tuple[str, ...] = ()
    wild: bool = False


class Modifier(Struct, frozen=True, omit_defaults=True):
    """A passing or lasting change of an account by an event, aid and the like.

    A passing one holds for one turn; a lasting one until a GM order takes it away.
    """

    account: str
    by: int
    cause: str
    text: str
    lasting: bool = False


class Pending(Struct, frozen=True):
    """What needs an answer with the next orders, under `answers`."""

    key: str
    question: str
    choices: tuple[str, ...]
    default: str


class Request(Struct, frozen=True):
    """Free text for the GM to rule on, open until it is answered."""

    turn: int
    text: str


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


class World(Struct, frozen=True):
    """The whole state after a turn: every hex that exists, and the kingdoms by seat in the order of their ids."""

    turn: int
    hexes: dict[str, Hex]
    kingdoms: dict[str, Kingdom]


def with_kingdoms(world: World, changed: dict[str, Kingdom]) -> World:
    """The world with these kingdoms in place of their older selves."""
    return replace(world, kingdoms={**world.kingdoms, **changed}) if changed else world


_owners: tuple[dict[str, Kingdom], dict[str, str]] = ({}, {})  # of the kingdoms last asked about, which are frozen


def owners(world: World) -> dict[str, str]:
    """Label -> the seat that holds the hex, for every hex that is held. Remembered while the kingdoms are the same:
    not to be changed by the caller."""
    global _owners
    if _owners[0] is not world.kingdoms:
        _owners = world.kingdoms, {label: seat for seat, kingdom in world.kingdoms.items() for label in kingdom.hexes}
    return _owners[1]
