"""The long forms of what is built in settlements: their types, with the shape of each key."""

from typing import Annotated, NotRequired, TypeAlias, TypedDict

from kingdom.games.realm.orders.words import BORDERS, WATER, Border, a_settlement
from kingdom.orders import kit
from kingdom.orders.schema import Text, Word

_LOT = Text("the top left lot", example="A1", most=6, pattern=r"(?:[1-9]\d?-)?[A-Z][1-9]\d?", case="upper")
_BORDER = Text(
    "the border of a district", example="north", most=9, pattern=rf"(?:[1-9]\d?-)?(?:{'|'.join(BORDERS)})", case="lower"
)
_PLACE = (("lot", "border"),)


BuildUpgrade = TypedDict("BuildUpgrade", {
    "in": Annotated[str, a_settlement("the settlement")],
    "upgrade": Annotated[str, Word("the building that stands", "buildings", example="tenement")],
    "to": Annotated[str, Word("what it becomes", "buildings", example="house")],
    "lot": NotRequired[Annotated[str, _LOT]],
    "border": NotRequired[Annotated[str, _BORDER]],
})  # fmt: skip
BuildDemolish = TypedDict("BuildDemolish", {
    "in": Annotated[str, a_settlement("the settlement")],
    "demolish": Annotated[str, Word("the building that stands", "buildings", example="inn")],
    "lot": NotRequired[Annotated[str, _LOT]],
    "border": NotRequired[Annotated[str, _BORDER]],
})  # fmt: skip
BuildBuild = TypedDict("BuildBuild", {
    "in": Annotated[str, a_settlement("the settlement")],
    "build": Annotated[str, Word("the building, or district", "buildings", ("district",), example="house")],
    "lot": NotRequired[Annotated[str, _LOT]],
    "border": NotRequired[Annotated[str, _BORDER]],
    "water": NotRequired[Annotated[list[Border], WATER]],
})  # fmt: skip
Build: TypeAlias = BuildUpgrade | BuildDemolish | BuildBuild

BUILD = {
    "upgrade": kit.record(BuildUpgrade, "an upgrade", ("upgrade {upgrade} to {to} in {in}[ at {lot}][ at {border}]",), _PLACE),
    "demolish": kit.record(BuildDemolish, "a demolition", ("demolish {demolish} in {in}[ at {lot}][ at {border}]",), _PLACE),
    "build": kit.record(BuildBuild, "a building", ("[build ]{build} in {in}[ at {lot}][ at {border}][ water {water}]",), _PLACE),
}  # fmt: skip
