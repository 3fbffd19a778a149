"""The land around a start, and the draws of a new campaign.

Everything depends only on one text, so the same seed gives the same land and names. Every start has the same land, ring by
ring; only the place of each thing in its ring is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeVar

from kingdom.engine.dice import key_of, throw
from kingdom.games.realm.hexmap import distance, neighbours
from kingdom.games.realm.state import Building, FreeCity, Hex, Settlement, replace

# --- by lot -----------------------------------------------------------------------------------------------------------


T = TypeVar("T")


class Chance:
    """Draws from one seed. Each kind of draw has a name, and draws under one name do not change those under another."""

    def __init__(self, seed: str):
        self._key = key_of(seed, 0, "new campaign")  # no seat has this id, so no roll of the campaign has this key
        self._counts: dict[str, int] = {}

    def number(self, name: str, most: int) -> int:
        """A number from 1 to `most`."""
        self._counts[name] = self._counts.get(name, 0) + 1
        return throw(self._key, name, self._counts[name], most)

    def pick(self, name: str, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.number(name, len(items)) - 1]

    def shuffled(self, name: str, items: Sequence[T]) -> list[T]:
        """All items in another order."""
        left = list(items)
        return [left.pop(self.number(name, len(left)) - 1) for _ in items]


# (kingdom, capital). The initials differ, so that each kingdom has its own letter on the map.
KINGDOMS = (
    ("Alderreach", "Alderstow"), ("Brackmoor", "Brackenford"), ("Corvane", "Corhaven"), ("Dunmarrow", "Marrowgate"),
    ("Emberlyn", "Embercross"), ("Fallowmere", "Fallowton"), ("Greyholt", "Greyquay"), ("Harrowfen", "Harrowbridge"),
    ("Ivelmark", "Ivelstone"), ("Jarrowdale", "Jarrowick"), ("Kestrane", "Kestwell"), ("Larkenshaw", "Larkenhythe"),
    ("Merrowald", "Merrowmouth"), ("Nethercombe", "Netherby"), ("Orrenvale", "Orrenstead"), ("Pellamar", "Pellaport"),
    ("Quillmarch", "Quillbury"), ("Rookhallow", "Rookham"), ("Sablethorn", "Sablecote"), ("Tarnwick", "Tarnchurch"),
    ("Umberlow", "Umberside"), ("Vantrel", "Vantholm"), ("Wynterfold", "Wynterbourne"), ("Yarrowdene", "Yarrowmill"),
)  # fmt: skip
# for more kingdoms: the first halves of their names, the second halves of kingdoms' and of capitals' names
_STEMS = (
    "Ald", "Bram", "Crow", "Dare", "Elm", "Farn", "Gorse", "Hazel", "Iron", "Jackdaw", "Knap", "Lin", "Mal", "Nor", "Oaken", "Pen", "Raven", "Sheld",
    "Thistle", "Ulver", "Wend", "Yew", "Birk", "Cold", "Fox", "Hart", "Lark", "Sorrel",
)  # fmt: skip
_LANDS = (
    "arth", "bourne", "croft", "dale", "ey", "fell", "garth", "hurst", "lea", "march", "ness", "over", "ridge", "shire", "strand", "thwaite", "wald",
    "water", "weald", "wold",
)  # fmt: skip
_TOWNS = ("ton", "bury", "cester")
FEW = len(KINGDOMS)  # kingdoms that each have a letter of their own on the map
MOST_KINGDOMS = 500  # a map of 99 by 99 hexes, all that labels can name, leaves 19 hexes for each
_CITY = (
    ("Old", "High", "Cold", "Stone", "Wolf", "Ash", "Salt", "Long"),
    ("wick", "ford", "gate", "minster", "market", "combe"),
)
_AGAIN = ("Far", "New", "Little", "Upper", "Nether", "Great", "East", "West", "North", "South", "Lower", "Inner")
SECRETS = (
    "a shepherd here knows a path over the hills that no map has",
    "an old boundary stone with a crown that nobody can name",
    "a hermit who once served a queen and still keeps her ring",
    "a spring that runs red once a year",
    "the wreck of a river barge with a locked chest",
    "a ring of standing stones that hums at night",
    "a deserted inn whose hearth is warm",
    "a charcoal burner who is a deserter and knows the old king's plans",
    "a mill wheel that turns against the stream",
    "a grave with fresh flowers and tomorrow's date",
    "wild horses of a breed that was thought lost",
    "a smuggler's cellar, empty but for a ledger",
    "a blind woman who names every traveller's birthplace",
    "a bell under the turf that rings before storms",
    "an orchard whose apples keep for years",
    "a letter of a dead prince, never delivered",
)
LAIRS = (
    "bandits in an old quarry", "giant spiders in a hollow oak", "a family of ogres under the hill", "wolves that walk like men",
    "trolls under a fallen bridge", "a hermit and his hundred snakes", "deserters who call themselves a free company",
    "a manticore in the cliffs", "a wyvern that takes the sheep", "goblins in a flooded mine", "a hag and her crows", "the dead of a lost battle",
)  # fmt: skip
HAZARDS = ("quicksand", "a firedamp bog", "a wood that catches fire every summer", "slopes that slide after rain")


class Names:
    """Hands out names and texts; none of a kind comes twice before all were used."""

    def __init__(self, chance: Chance):
        self._chance = chance
        self._left: dict[str, list[str]] = {}
        self._rounds = 0
        self._cities = iter(chance.shuffled("cities", [first + last for first, last in product(*_CITY)]))

    def kingdoms(self, count: int) -> list[tuple[str, str]]:
        """(kingdom, capital) of that many kingdoms, in the order of the alphabet."""
        named = self._chance.shuffled("kingdoms", KINGDOMS)[:count]
        if count > FEW:
            stems = self._chance.shuffled("further kingdoms", [*enumerate(product(_STEMS, _LANDS))])
            more = [(stem + land, stem + land + _TOWNS[number % len(_TOWNS)]) for number, (stem, land) in stems]
            named += more[: count - FEW]
        return sorted(named)

    def free_city(self) -> str:
        """The name of a free city; after all names were used, they come again with `New` or the like in front."""
        name = next(self._cities, "")
        if not name:
            self._rounds += 1
            before = _AGAIN[self._rounds % len(_AGAIN)]
            self._cities = iter([f"{before} {first}{last}" for first, last in product(*_CITY)])
            name = next(self._cities)
        return name

    def text(self, kind: str) -> str:
        """A secret, a lair or a hazard."""
        left = self._left.setdefault(kind, [])
        if not left:
            left += self._chance.shuffled(kind, {"secret": SECRETS, "lair": LAIRS, "hazard": HAZARDS}[kind])
        return left.pop()


# --- the land around a start ------------------------------------------------------------------------------------------


WIDEST = 3  # rings of a homeland where the map has the room


# The land of a start, each hex as its place is drawn: WRITTEN stands for a text of its own, CITY for a city with a name of its own.
WRITTEN = "?"
CITY = FreeCity("", Settlement("", buildings=(Building("house", ""), Building("inn", ""))))

# The river comes from the hills or mountains, passes the capital and ends in the water of the third ring.
CAPITAL = Hex("plains", ("river",))
# first ring, second, third
SOURCE = (Hex("plains", ("river",)), Hex("hills", ("river",)), Hex("mountains", ("river",)))
MOUTH = (Hex("plains", ("river",)), Hex("plains", ("river", "coast")), Hex("water"))
BESIDE_MOUTH = (Hex("plains", ("coast",)), Hex("forest", ("coast",)))  # third ring, on both sides of the water
RINGS = (  # the rest of each ring
    (Hex("plains"), Hex("hills"), Hex("forest"), Hex("forest", secret=WRITTEN)),
    (
        Hex("plains"), Hex("plains"), Hex("plains", ruin="shrine"),
        Hex("hills"), Hex("hills", resource=True),
        Hex("forest"), Hex("forest", resource=True), Hex("forest", secret=WRITTEN),
        Hex("marsh"),
        Hex("mountains", lair=True, secret=WRITTEN, monsters=2),
    ),
    (
        Hex("plains"), Hex("plains", building="mill"), Hex("plains", free_city=CITY),
        Hex("hills"), Hex("hills"), Hex("hills", ("landmark",)),
        Hex("forest"), Hex("forest", secret=WRITTEN), Hex("forest", lair=True, secret=WRITTEN, monsters=3),
        Hex("mountains"), Hex("mountains"), Hex("mountains", resource=True),
        Hex("marsh", hazard=WRITTEN), Hex("marsh", ruin="temple"),
    ),
)  # fmt: skip


def rings_of(start: str, radius: int) -> list[list[str]]:
    """The labels at each distance from the start, from 0 to the radius."""
    rings = [[start]]
    seen = {start}
    for _ in range(radius):
        rings.append(list(dict.fromkeys(near for label in rings[-1] for near in neighbours(label) if near not in seen)))
        seen.update(rings[-1])
    return rings


def homeland(start: str, radius: int, chance: Chance, names: Names) -> dict[str, Hex]:
    """Label -> hex of the land around a start, `radius` rings wide. All of it must be on the map."""
    rings = rings_of(start, radius)
    spots = {start: CAPITAL, **_river(rings, chance)}
    for number, ring in enumerate(rings[1:]):
        free = [label for label in ring if label not in spots]
        spots.update(zip(free, chance.shuffled("spots", RINGS[number]), strict=False))
        _gather(free, spots)
    return {label: _hex(label, spot, names) for label, spot in spots.items()}


def _river(rings: list[list[str]], chance: Chance) -> dict[str, Hex]:
    """The river's hexes apart from the capital's: straight down to the water, and up to its source."""
    start, mouth = rings[0][0], chance.number("river", 6) - 1
    spots: dict[str, Hex] = {}
    label = start
    for spot in (
        MOUTH if len(rings) > WIDEST else SOURCE[: len(rings) - 1]
    ):  # if the homeland is too small for the water, the river flows on
        label = neighbours(label)[mouth]
        spots[label] = spot
    if len(rings) > WIDEST:
        spots.update(zip([near for near in rings[-1] if distance(near, label) == 1], BESIDE_MOUTH, strict=False))
    first = neighbours(start)[mouth]
    above = [near for near in rings[1] if distance(near, first) > 1]
    for _ring, spot in zip(rings[1:], SOURCE, strict=False):
        label = chance.pick("river", above)
        spots[label] = spot
        above = [near for near in neighbours(label) if distance(near, start) == distance(label, start) + 1]
    return spots


def _gather(free: list[str], spots: dict[str, Hex]) -> None:
    """Swap spots within their ring as long as that brings equal terrain together, so that single hexes become regions."""
    for _ in free:
        swaps = ((one, other) for index, one in enumerate(free) for other in free[index + 1 :])
        if not any(_swap(one, other, spots) for one, other in swaps):
            return


def _swap(one: str, other: str, spots: dict[str, Hex]) -> bool:
    before = _alike(one, spots) + _alike(other, spots)
    spots[one], spots[other] = spots[other], spots[one]
    if _alike(one, spots) + _alike(other, spots) > before:
        return True
    spots[one], spots[other] = spots[other], spots[one]
    return False


def _alike(label: str, spots: dict[str, Hex]) -> int:
    return sum(near in spots and spots[near].terrain == spots[label].terrain for near in neighbours(label))


def _hex(label: str, spot: Hex, names: Names) -> Hex:
    """The hex with texts and a city of its own."""
    if spot.secret:
        spot = replace(spot, secret=names.text("lair" if spot.lair else "secret"))
    if spot.hazard:
        spot = replace(spot, hazard=names.text("hazard"))
    if spot.free_city:
        spot = replace(spot, free_city=FreeCity(names.free_city(), replace(CITY.settlement, hex=label)))
    return spot
