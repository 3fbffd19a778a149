"""What a new campaign draws by lot: everything is a function of one text, so the same seed gives the same land and names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeVar

from kingdom.engine.dice import key_of, throw

T = TypeVar("T")


class Chance:
    """Draws under one seed. Each thing that is drawn has a name, and its draws do not depend on those of other names."""

    def __init__(self, seed: str):
        self._key = key_of(seed, 0, "new campaign")  # no seat has this id, so no roll of the campaign has this key
        self._counts: dict[str, int] = {}

    def number(self, name: str, most: int) -> int:
        """1 to `most`."""
        self._counts[name] = self._counts.get(name, 0) + 1
        return throw(self._key, name, self._counts[name], most)

    def pick(self, name: str, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.number(name, len(items)) - 1]

    def shuffled(self, name: str, items: Sequence[T]) -> list[T]:
        """All items in another order."""
        left = list(items)
        return [left.pop(self.number(name, len(left)) - 1) for _ in items]


# A kingdom and its capital; the initials differ, so that each kingdom has its own letter on the map.
KINGDOMS = (
    ("Alderreach", "Alderstow"), ("Brackmoor", "Brackenford"), ("Corvane", "Corhaven"), ("Dunmarrow", "Marrowgate"),
    ("Emberlyn", "Embercross"), ("Fallowmere", "Fallowton"), ("Greyholt", "Greyquay"), ("Harrowfen", "Harrowbridge"),
    ("Ivelmark", "Ivelstone"), ("Jarrowdale", "Jarrowick"), ("Kestrane", "Kestwell"), ("Larkenshaw", "Larkenhythe"),
    ("Merrowald", "Merrowmouth"), ("Nethercombe", "Netherby"), ("Orrenvale", "Orrenstead"), ("Pellamar", "Pellaport"),
    ("Quillmarch", "Quillbury"), ("Rookhallow", "Rookham"), ("Sablethorn", "Sablecote"), ("Tarnwick", "Tarnchurch"),
    ("Umberlow", "Umberside"), ("Vantrel", "Vantholm"), ("Wynterfold", "Wynterbourne"), ("Yarrowdene", "Yarrowmill"),
)  # fmt: skip
MOST_KINGDOMS = len(KINGDOMS)
_CITY = (
    ("Old", "High", "Cold", "Stone", "Wolf", "Ash", "Salt", "Long"),
    ("wick", "ford", "gate", "minster", "market", "combe"),
)
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
    """Hands out names and texts, none of a kind twice before all were used."""

    def __init__(self, chance: Chance):
        self._chance = chance
        self._left: dict[str, list[str]] = {}
        self._cities = iter(chance.shuffled("cities", [first + last for first, last in product(*_CITY)]))

    def kingdoms(self, count: int) -> list[tuple[str, str]]:
        """(kingdom, capital) of so many kingdoms, in the order of the alphabet."""
        return sorted(self._chance.shuffled("kingdoms", KINGDOMS)[:count])

    def free_city(self) -> str:
        """The name of a free city."""
        return next(self._cities)

    def text(self, kind: str) -> str:
        """A secret, a lair or a hazard."""
        left = self._left.setdefault(kind, [])
        if not left:
            left += self._chance.shuffled(kind, {"secret": SECRETS, "lair": LAIRS, "hazard": HAZARDS}[kind])
        return left.pop()
