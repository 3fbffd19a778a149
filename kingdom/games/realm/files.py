"""The files that a realm campaign starts from, declared as shapes: map.yaml and kingdoms/ID.yaml (docs/contract.md, 3 and 4).

The closed lists that they name are those of orders/declaration.py.
"""

import typing
from typing import Annotated, NotRequired

from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.rules.types import ATTRIBUTES, Attribute
from kingdom.orders import kit
from kingdom.orders.schema import Flag, Label, ListOf, MapOf, Number, Raw, Record, Text, Word

NAME = Text("the name of a settlement", example="Oakhold", most=60)
BUILDINGS = ListOf("the buildings that stand", Word("a building", "buildings", example="house"), short="commas")
DISTRICTS = Number("its districts", least=1, most=99)
WATER = ListOf(
    "the borders that are water",
    Text(
        "a border: north, east, south or west; 2-north in the second district",
        example="north",
        pattern=r"([1-9][0-9]?-)?(north|east|south|west)",
        case="lower",
    ),
    short="words",
)

FREE_CITY = Record(
    "a settlement with no loyalty to any kingdom",
    {"name": NAME, "districts": DISTRICTS, "buildings": BUILDINGS, "water": WATER},
    required=("name",),
)
HEX = Record(
    "a hex",
    {
        "terrain": Word("its terrain", "terrain", example="plains"),
        "features": ListOf("what can be seen there", Word("a feature", "features", example="river"), short="words"),
        "resource": Flag("whether it has a resource; hidden"),
        "lair": Flag("whether it has a lair; hidden"),
        "ruin": Word("a building that lies in ruins there; hidden", "buildings", example="temple"),
        "building": Word("a building that stands there; hidden", "buildings", example="temple"),
        "free_city": FREE_CITY,
        "hazard": Text("a hazard; hidden", example="quicksand", most=500),
        "secret": Text("what nobody knows yet; hidden", example="an owlbear lair", most=500),
        "monsters": Record(
            "what lives there; hidden", {"acr": Number("its army challenge rating", 1, 99, 3)}, ("acr",)
        ),
    },
)
MAP = Record(
    "the map",
    {
        "hexes": MapOf("the hexes by their labels", Label("a hex"), HEX, most=9801),
        "grid": Raw("one letter a hex, a row a line", example="|"),
    },
)

ATTRIBUTE = Word("a primary attribute", ATTRIBUTES)
_IMPROVED = ListOf(
    "the improvements there", Word("an improvement", "standing_improvements", example="farm"), short="commas"
)
_RESOURCES = ListOf(
    "what it is equipped with", Word("a resource", "resources", example="improved_weapons"), short="words"
)
_TACTICS = ListOf("the tactics that it knows", Word("a tactic", "tactics", example="defensive_wall"), short="words")
_LED = ListOf("where the leadership bonus goes", ATTRIBUTE, short="words", most=len(ATTRIBUTES))
_HEXES = MapOf("the hexes it holds, each with its improvements", Label("a hex", example="0303"), _IMPROVED, most=9801)


class StartTown(typing.TypedDict):
    """A settlement of a kingdom that starts."""

    hex: Annotated[str, Label("its hex", example="0303")]
    districts: NotRequired[Annotated[int, DISTRICTS]]
    buildings: NotRequired[Annotated[list[str], BUILDINGS]]
    water: NotRequired[Annotated[list[str], WATER]]


SETTLEMENT = kit.record(StartTown, "a settlement")
_TOWNS = MapOf("its settlements by their names", NAME, SETTLEMENT, most=999)


class StartArmy(typing.TypedDict):
    """An army to start with."""

    name: Annotated[str, Text("its name", example="First Foot", most=60)]
    unit: Annotated[str, Word("what it is made of", "units", example="warrior")]
    size: Annotated[str, Word("its size", "army_sizes", example="medium")]
    hex: NotRequired[Annotated[str, Label("where it stands; the capital's hex where it is left out", example="0303")]]
    resources: NotRequired[Annotated[list[str], _RESOURCES]]
    tactics: NotRequired[Annotated[list[str], _TACTICS]]
    reserve: NotRequired[Annotated[bool, Flag("whether it is in reserve")]]


_ARMIES = ListOf("the armies that it starts with", kit.record(StartArmy, "an army to start with"), most=99)


class StartPoints(typing.TypedDict, total=False):
    """Points of the attributes, beyond what the rules add."""

    economy: Annotated[int, Number("points of economy", least=-999, most=999)]
    loyalty: Annotated[int, Number("points of loyalty", least=-999, most=999)]
    stability: Annotated[int, Number("points of stability", least=-999, most=999)]


class StartEdicts(typing.TypedDict, total=False):
    """The levels of the maintenance edicts."""

    holiday: Annotated[str, Word("a level of holiday", "holiday")]
    promotion: Annotated[str, Word("a level of promotion", "promotion")]
    taxation: Annotated[str, Word("a level of taxation", "taxation")]


class Start(typing.TypedDict):
    """A kingdom as it starts, kingdoms/ID.yaml."""

    name: Annotated[str, Text("its name", example="Examplia", most=60)]
    alignment: NotRequired[Annotated[str, Word("its alignment", "alignments", example="LG")]]
    government: NotRequired[Annotated[str, Word("its form of government", "governments", example="autocracy")]]
    attributes: NotRequired[Annotated[StartPoints, kit.record(StartPoints, "anything beyond what the rules add")]]
    treasury: NotRequired[Annotated[int, Number("its treasury in BP", least=-99_999, most=999_999, example=50)]]
    unrest: NotRequired[Annotated[int, Number("its Unrest", least=0, most=99, example=0)]]
    capital: NotRequired[Annotated[str, Text("the settlement that is its capital", example="Oakhold", most=60)]]
    leadership: NotRequired[Annotated[list[Attribute], _LED]]
    edicts: NotRequired[Annotated[StartEdicts, kit.record(StartEdicts, "the levels of its maintenance edicts")]]
    hexes: Annotated[dict[str, list[str]], _HEXES]
    settlements: NotRequired[Annotated[dict[str, StartTown], _TOWNS]]
    armies: NotRequired[Annotated[list[StartArmy], _ARMIES]]


KINGDOM = kit.record(Start, "a kingdom as it starts")
FILES = {"map.yaml": MAP, "kingdoms/*.yaml": KINGDOM}


# --- map.yaml as it is read-----------------------------------------------------------------------------------------------


class Town(TypedDict):
    """What a settlement and a free city are laid out by, as the files have it."""

    districts: NotRequired[int]
    buildings: NotRequired[list[str]]
    water: NotRequired[list[str]]  # the borders that are water


class MapCity(Town):
    """A free city, as map.yaml has it."""

    name: str


class MapMonsters(TypedDict):
    """What lives in a hex, as map.yaml has it."""

    acr: int


class MapHex(TypedDict, total=False):
    """A hex, as map.yaml has it."""

    terrain: str
    features: list[str]
    resource: bool
    lair: bool
    ruin: str
    building: str
    free_city: MapCity
    hazard: str
    secret: str
    monsters: MapMonsters


# --- an edit after the start ------------------------------------------------------------------------------------------


_ACCOUNTS = {"treasury": "treasury", "unrest": "unrest", **{f"attributes.{name}": name for name in ATTRIBUTES}}


def edit(file: str, path: str, was: str, now: str) -> str:
    """The order as it is written in gm.yaml, "" where none does it: what stands on the map is nobody's to grant.

    file: as in the campaign's folder; path: what was edited in it; was, now: as typed, "" for nothing.
    """
    if not file.startswith("kingdoms/") or path not in _ACCOUNTS:
        return ""
    try:
        by = int(now or 0) - int(was or 0)
    except ValueError:
        return ""
    seat = file.removeprefix("kingdoms/").removesuffix(".yaml")
    return f'gm: [{{grant: {seat}, account: {_ACCOUNTS[path]}, by: {by}, reason: "{path} corrected"}}]'
