"""Values drawn at random from the declaration of orders: anything that can be typed may come up, in texts that read without a
problem.

The kingdom game adds hexes, and the names of a kingdom's things, to the drawing of every game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kingdom.games.kit import drawn
from kingdom.games.realm.hexmap import label_of, neighbours
from kingdom.games.realm.orders.declaration import CLAIM, names
from kingdom.games.realm.orders.words import BORDERS
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World
from kingdom.orders.reading import short_of
from kingdom.orders.schema import Id, Label, ListOf, Short, Text


class Draw(drawn.Draw):
    """One drawing of orders. seat: the seat that orders, "" for the GM."""

    def __init__(self, world: World, seat: str, rules: Rules, chance: Callable[[str, int], int]):
        self.world = world
        self.seat = seat
        self.rules = rules
        self.kingdom = world.kingdoms.get(seat) or Kingdom("")
        closed = {**{name: [*words] for name, words in names(rules).items()}, "seats": [*world.kingdoms]}
        # a table that the rules lack has no words, so any word will do
        super().__init__(chance, {name: words or ["anything"] for name, words in closed.items()}, _likely(self.kingdom))

    def happens(self, percent: int) -> bool:
        """Whether something with that chance happens."""
        return self.below(100) < percent

    def at(self, key: str, shape: object) -> Any:
        """A value of the shape under that key; names of the kingdom's own things come up only where the shape allows any
        text."""
        return super().at(key, shape) if isinstance(shape, Text) or key == "answers" else self.of(shape)

    def of(self, shape: object) -> Any:
        """A value of this shape; a list holds at least one thing."""
        if isinstance(shape, ListOf):
            return [self.of(shape.of) for _ in range(max(1, self.below(drawn.ITEMS)))]
        return super().of(shape)

    def plain(self, shape: object) -> object:
        """A value of a shape that holds no other values, such as a hex or a short form."""
        match shape:
            case Label():
                return self.label()
            case Short():
                while (text := short_of(shape.of, self.of(shape.of))) is None:
                    continue  # not every drawn value has a short form
                return text
            case Text():
                return shape.example if shape.pattern else "Nowhere"
        return "perhaps" if isinstance(shape, Id) else super().plain(shape)

    def label(self) -> str:
        """A hex label: one of the kingdom's hexes, one beside them, one in sight, or any label, even off the map."""
        own, seen = sorted(self.kingdom.hexes), sorted(self.world.hexes)
        near = [label for held in own[:2] for label in neighbours(held)]
        choices = [labels for labels in (own, near, seen) if labels]
        if not choices or self.happens(5):
            return label_of(1 + self.below(99), 1 + self.below(99))
        return self.one(self.one(choices))


def _likely(kingdom: Kingdom) -> Mapping[str, Sequence[object]]:
    """Return for each key of an order the kingdom's names that may stand there, mostly with a name that nothing has."""
    towns, armies = [*kingdom.settlements], [*kingdom.armies, "Ninth Host"]
    buildings = [building for town in kingdom.settlements.values() for building in town.buildings]
    return {
        **dict.fromkeys(("in", "from", "capital", "settle", "name"), towns),
        **dict.fromkeys(("army", "recruit", "expand", "equip", "repair", "disband", "reserve", "escort", "to"), armies),
        "route": [*kingdom.routes, "trade_route-9"],
        "end": [*kingdom.events, "plague-9"],
        "lot": [*[building.lot for building in buildings if building.lot != building.lot.lower()][:9], "Z9"],
        "border": [*BORDERS, "2-north"],
        "order": [f"{CLAIM.key}[0]"],
        "answers": [  # the question for a hex accepts only a hex
            {asked.key: choice}
            for asked in kingdom.pending
            for choice in [
                *(asked.choices or ("accept",)),
                *({word: figure} for word, figures in asked.figures.items() for figure in figures),
                *([] if asked.key == "lose_hex" else ["perhaps", {"perhaps": 3}]),
            ]
        ],
    }
