"""The files that a realm campaign starts from, declared as shapes: map.yaml and kingdoms/ID.yaml (docs/contract.md, 3 and 4).

The closed lists that they name are those of orders/declaration.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired

from kingdom.engine.typed_dict import TypedDict
from kingdom.games.realm.effects import EDICTS
from kingdom.games.realm.rules.rules import ATTRIBUTES
from kingdom.orders.schema import Flag, Label, ListOf, MapOf, Number, Raw, Record, Text, Word

if TYPE_CHECKING:
    pass

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

SETTLEMENT = Record(
    "a settlement",
    {"hex": Label("its hex", example="0303"), "districts": DISTRICTS, "buildings": BUILDINGS, "water": WATER},
    required=("hex",),
)
ARMY = Record(
    "an army to start with",
    {
        "name": Text("its name", example="First Foot", most=60),
        "unit": Word("what it is made of", "units", example="warrior"),
        "size": Word("its size", "army_sizes", example="medium"),
        "hex": Label("where it stands; the capital's hex where it is left out", example="0303"),
        "resources": ListOf(
            "what it is equipped with", Word("a resource", "resources", example="improved_weapons"), short="words"
        ),
        "tactics": ListOf(
            "the tactics that it knows", Word("a tactic", "tactics", example="defensive_wall"), short="words"
        ),
        "reserve": Flag("whether it is in reserve"),
    },
    required=("name", "unit", "size"),
)
ATTRIBUTE = Word("a primary attribute", ATTRIBUTES)
KINGDOM = Record(
    "a kingdom as it starts",
    {
        "name": Text("its name", example="Examplia", most=60),
        "alignment": Word("its alignment", "alignments", example="LG"),
        "government": Word("its form of government", "governments", example="autocracy"),
        "attributes": Record(
            "anything beyond what the rules add",
            {name: Number(f"points of {name}", least=-999, most=999) for name in ATTRIBUTES},
        ),
        "treasury": Number("its treasury in BP", least=-99_999, most=999_999, example=50),
        "unrest": Number("its Unrest", least=0, most=99, example=0),
        "capital": Text("the settlement that is its capital", example="Oakhold", most=60),
        "leadership": ListOf("where the leadership bonus goes", ATTRIBUTE, short="words", most=len(ATTRIBUTES)),
        "edicts": Record(
            "the levels of its maintenance edicts", {name: Word(f"a level of {name}", name) for name in EDICTS}
        ),
        "hexes": MapOf(
            "the hexes it holds, each with its improvements",
            Label("a hex", example="0303"),
            ListOf(
                "the improvements there",
                Word("an improvement", "standing_improvements", example="farm"),
                short="commas",
            ),
            most=9801,
        ),
        "settlements": MapOf("its settlements by their names", NAME, SETTLEMENT, most=999),
        "armies": ListOf("the armies that it starts with", ARMY, most=99),
    },
    required=("name", "hexes"),
)
FILES = {"map.yaml": MAP, "kingdoms/*.yaml": KINGDOM}


# --- map.yaml as it is read; a kingdom's file is an order_types.GmAddStart --------------------------------------------


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
