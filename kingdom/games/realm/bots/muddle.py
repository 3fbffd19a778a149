"""Orders drawn at random from their own declaration: whatever may be typed comes up, and most of it can't be carried out.

For simulations alone: this is how every refusal is come by, in texts that have no problem.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from kingdom.games.realm.hexmap import label_of, neighbours
from kingdom.games.realm.orders import BORDERS, GM_ORDERS, ORDERS, names
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.state import Kingdom, World
from kingdom.orders import orders_file as filing
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
    Short,
    Text,
    Word,
    cases_of,
)

T = TypeVar("T")

NOT_DRAWN = ("add", "finish")  # rulings that say too much to be drawn, or would end the simulation
LEFT_OUT = ("kingdom", "turn", "token", "amend", "final")  # what stands at the head, or is not for a draw
PRANKS = 60  # percent of the filings that are one
OPTIONAL = 35  # percent of the optional keys that are given
ITEMS = 3  # of a list at most
KEYS = 3  # keys of a filing at most
LARGEST = 12  # numbers, where more are allowed


def muddled(known: World, seat: str, rules: Rules, chance: Callable[[str, int], int]) -> str:
    """A filing that is wrong, to be merged into what the seat filed (`amend`): a prank, or some keys drawn at random."""
    from kingdom.games.realm.bots.pranks import prank  # pranks are drawn with what is declared here

    draw = Draw(known, seat, rules, chance)
    orders = prank(draw) if draw.happens(PRANKS) else _at_random(draw)
    return filing.write({"kingdom": seat, "turn": known.turn + 1, **orders, "amend": True})


def _at_random(draw: Draw) -> dict[str, Any]:
    keys, orders = [key for key in ORDERS.keys if key not in LEFT_OUT], {}
    for _ in range(1 + draw.below(KEYS)):
        key = draw.pick(keys)
        value = draw.of(ORDERS.keys[key], key)
        if value not in ([], {}, None):
            orders[key] = value
    return orders


def muddled_ruling(world: World, rules: Rules, chance: Callable[[str, int], int]) -> dict[str, Any]:
    """A GM's ruling drawn at random."""
    draw = Draw(world, "", rules, chance)
    cases = {word: record for word, record in cases_of(GM_ORDERS.keys["gm"]).items() if word not in NOT_DRAWN}
    return draw.record(cases[draw.pick(list(cases))])


class Draw:
    """One drawing of orders. seat: whose, "" for the GM's."""

    def __init__(self, world: World, seat: str, rules: Rules, chance: Callable[[str, int], int]):
        self.world = world
        self.seat = seat
        self.rules = rules
        self.kingdom = world.kingdoms.get(seat) or Kingdom("")
        self._names: Mapping[str, Any] = {**names(rules), "seats": tuple(world.kingdoms)}
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

    def of(self, shape: Any, key: str) -> Any:
        """A value of the shape that stands under that key; None where none comes to mind."""
        return _DRAWN[type(shape)](self, shape, key)

    def record(self, shape: Record) -> dict[str, Any]:
        """A map with all that must be there, and some of the rest."""
        value: dict[str, Any] = {}
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
        named = sorted(own(self.kingdom)) if own else []
        if named and not self.happens(15):
            return self.pick(named)
        return _MADE_UP.get(key, "Nowhere")


def _one_of(draw: Draw, shape: OneOf, key: str) -> dict[str, Any]:
    case = draw.pick(list(shape.cases))
    value = draw.record(shape.cases[case])
    return {shape.by: case, **value} if shape.by else value


def _word(draw: Draw, shape: Word, key: str) -> str:
    known = draw._names[shape.of] if isinstance(shape.of, str) else shape.of
    return draw.pick([*known, *shape.also] or ["anything"])  # a table that the rules lack has no words, and takes any


def _map(draw: Draw, shape: MapOf, key: str) -> dict[str, Any]:
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


def _choice(draw: Draw, shape: Choice, key: str) -> dict[str, Any]:
    case = draw.pick(list(shape.cases))
    argument = shape.cases[case]
    return {case: draw.of(argument, key) if argument is not None and draw.happens(60) else ""}


def _list(draw: Draw, shape: ListOf, key: str) -> list[Any]:
    items = [draw.of(shape.of, key) for _ in range(1 + draw.below(ITEMS))]
    return [item for item in items if item]


def _short(draw: Draw, shape: Short, key: str) -> str | None:
    return short_of(shape.of, _one_of(draw, shape.of, key))


_DRAWN: dict[type, Callable[[Draw, Any, str], Any]] = {
    Record: lambda draw, shape, key: draw.record(shape),
    OneOf: _one_of,
    Word: _word,
    MapOf: _map,
    Choice: _choice,
    ListOf: _list,
    Short: _short,
    Label: lambda draw, shape, key: draw.label(),
    Number: lambda draw, shape, key: (
        shape.least + draw.below(min(LARGEST, shape.most - shape.least) + 1) if shape.least >= 0 else draw.below(9) - 4
    ),
    Flag: lambda draw, shape, key: draw.happens(50),
    Id: lambda draw, shape, key: "perhaps",
    Either: lambda draw, shape, key: draw.of(draw.pick(shape.shapes), key),
    Text: lambda draw, shape, key: draw.text(key),
}


def _towns(kingdom: Kingdom) -> list[str]:
    return list(kingdom.settlements)


def _armies(kingdom: Kingdom) -> list[str]:
    return list(kingdom.armies)


_NAMED: dict[str, Callable[[Kingdom], Any]] = {
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
