"""Values drawn at random from the declaration of orders: whatever may be typed comes up, in texts that have no problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from kingdom.games.realm.hexmap import label_of, neighbours
from kingdom.games.realm.orders.declaration import BORDERS, names
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World
from kingdom.orders.reading import short_of
from kingdom.orders.schema import (
    Choice,
    Either,
    Flag,
    Id,
    Label,
    ListOf,
    MapOf,
    Number,
    OneOf,
    Record,
    Shape,
    Short,
    Text,
    Word,
)

T = TypeVar("T")

OPTIONAL = 35  # percent of the optional keys that are given
ITEMS = 3  # of a list at most
LARGEST = 12  # numbers, where more are allowed


class Draw:
    """One drawing of orders. seat: whose, "" for the GM's."""

    def __init__(self, world: World, seat: str, rules: Rules, chance: Callable[[str, int], int]):
        self.world = world
        self.seat = seat
        self.rules = rules
        self.kingdom = world.kingdoms.get(seat) or Kingdom("")
        self._names: Mapping[str, Iterable[str]] = {**names(rules), "seats": tuple(world.kingdoms)}
        self._chance = chance

    def below(self, sides: int) -> int:
        """0 to `sides` - 1."""
        return self._chance("muddle", sides) - 1

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All of the items in another order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in items]

    def happens(self, percent: int) -> bool:
        """Whether something with that chance happens."""
        return self.below(100) < percent

    def of(self, shape: Shape, key: str) -> object:
        """A value of the shape that stands under that key; None where none comes to mind."""
        match shape:
            case Record():
                return self.record(shape)
            case OneOf():
                return _one_of(self, shape)
            case MapOf():
                return _map(self, shape, key)
            case Choice():
                return _choice(self, shape, key)
            case ListOf():
                return _list(self, shape, key)
            case Short():
                return short_of(shape.of, _one_of(self, shape.of))
            case Either():
                return self.of(self.pick(shape.shapes), key)
            case _:
                return self.word(shape, key)

    def word(self, shape: Shape, key: str) -> str | int | None:
        """A value that holds no others: a word, a number, a text."""
        match shape:
            case Word():
                return _word(self, shape)
            case Label():
                return self.label()
            case Number(least=least, most=most):
                return least + self.below(min(LARGEST, most - least) + 1) if least >= 0 else self.below(9) - 4
            case Flag():
                return self.happens(50)
            case Id():
                return "perhaps"
            case Text():
                return self.text(key)
        raise TypeError(f"nothing is drawn for {key}")

    def record(self, shape: Record) -> dict[str, object]:
        """A map with all that must be there, and some of the rest."""
        value: dict[str, object] = {}
        for key, of in shape.keys.items():
            apart = any(key in group and set(group) & set(value) for group in shape.apart)
            if key in shape.required or (not apart and self.happens(OPTIONAL)):
                drawn = self.of(of, key)
                if drawn is not None and drawn != []:
                    value[key] = drawn
        return value

    def label(self) -> str:
        """A hex: of its own, beside them, that it sees, or anywhere, on the map or not."""
        own, seen = sorted(self.kingdom.hexes), sorted(self.world.hexes)
        near = [label for held in own[:2] for label in neighbours(held)]
        choices = [labels for labels in (own, near, seen) if labels]
        if not choices or self.happens(5):
            return label_of(1 + self.below(99), 1 + self.below(99))
        return self.pick(self.pick(choices))

    def text(self, key: str) -> str | None:
        """A text of the kind that stands under that key."""
        own = _NAMED.get(key)
        named: list[str] = sorted(own(self.kingdom)) if own else []
        if named and not self.happens(15):
            return self.pick(named)
        return _MADE_UP.get(key, "Nowhere")


def _one_of(draw: Draw, shape: OneOf) -> dict[str, object]:
    case = draw.pick(list(shape.cases))
    value = draw.record(shape.cases[case])
    return {shape.by: case, **value} if shape.by else value


def _word(draw: Draw, shape: Word) -> str:
    known: Iterable[str] = draw._names[shape.of] if isinstance(shape.of, str) else shape.of
    return draw.pick([*known, *shape.also] or ["anything"])  # a table that the rules lack has no words, and takes any


def _map(draw: Draw, shape: MapOf, key: str) -> dict[object, object]:
    asked = [pending.key for pending in draw.kingdom.pending]
    if key == "answers":
        name = draw.pick([*asked, *shape.fixed, "bandit_activity-1"])
        choices = next((pending.choices for pending in draw.kingdom.pending if pending.key == name), ()) or ("accept",)
        wild = (
            draw.label()
            if name in shape.fixed
            else draw.pick([*choices, "perhaps", {draw.pick([*choices, "perhaps"]): draw.below(LARGEST)}])
        )
        return {name: wild}
    return {draw.of(shape.key, key): draw.of(shape.of, key)}


def _choice(draw: Draw, shape: Choice, key: str) -> dict[str, object]:
    case = draw.pick(list(shape.cases))
    argument = shape.cases[case]
    return {case: draw.of(argument, key) if argument is not None and draw.happens(60) else ""}


def _list(draw: Draw, shape: ListOf, key: str) -> list[object]:
    items = [draw.of(shape.of, key) for _ in range(1 + draw.below(ITEMS))]
    return [item for item in items if item]


def _towns(kingdom: Kingdom) -> list[str]:
    return list(kingdom.settlements)


def _armies(kingdom: Kingdom) -> list[str]:
    return list(kingdom.armies)


_NAMED: dict[str, Callable[[Kingdom], Iterable[str]]] = {
    **dict.fromkeys(("in", "from", "capital", "settle", "name"), _towns),
    **dict.fromkeys(("army", "recruit", "expand", "equip", "repair", "disband", "reserve", "escort", "to"), _armies),
    "route": lambda kingdom: list(kingdom.routes),
    "end": lambda kingdom: list(kingdom.events),
    "lot": lambda kingdom: [
        building.lot
        for town in kingdom.settlements.values()
        for building in town.buildings
        if building.lot != building.lot.lower()
    ][:9],
    "border": lambda kingdom: BORDERS,
}
_MADE_UP = {
    "lot": "Z9", "border": "2-north", "route": "trade_route-9", "end": "plague-9", "order": "claim[0]",
    "army": "Ninth Host", "recruit": "Ninth Host", "reason": "a whim", "text": "Hear, hear.", "requests": "May I?",
}  # fmt: skip
