"""Orders drawn at random from what a game declares, allowed or not, for simulations and tests: together they must cause every refusal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from kingdom.engine.game import Chance
from kingdom.engine.regex import regex
from kingdom.games.kit.common_orders import HEAD
from kingdom.orders.schema import Choice, Either, Flag, ListOf, MapOf, Number, OneOf, Record, Text, Word
from kingdom.orders.yaml_out import dump

T = TypeVar("T")
WILD = 4  # one time in 4 a value is not among the likely values
SMALL = 7  # numbers that are drawn are below this
ITEMS = 4  # fewer items of a list are drawn
SOME = 3  # one time in 3 an optional key is there
NOT_DRAWN = (*HEAD, "token", "amend")


class Draw:
    """Values of declared shapes, from one chance. names: the closed lists. likely: key -> the values that might do there."""

    def __init__(
        self, chance: Chance, names: Mapping[str, Sequence[str]], likely: Mapping[str, Sequence[object]] | None = None
    ):
        self.chance, self.names, self.likely = chance, names, likely or {}

    def below(self, most: int) -> int:
        """A number from 0 to below `most`."""
        return self.chance("number", most) - 1

    def one(self, values: Sequence[T]) -> T:
        """One of these values."""
        return values[self.chance("one", len(values)) - 1]

    def of(self, shape: object) -> Any:  # the value of a shape is what the shape says
        """A value of this shape."""
        if isinstance(shape, Record):
            return self.record(shape)
        if isinstance(shape, ListOf):
            return [self.of(shape.of) for _ in range(min(shape.most, max(shape.least, self.below(ITEMS))))]
        if isinstance(shape, OneOf):
            case = self.one(list(shape.cases))
            return {**({shape.by: case} if shape.by else {}), **self.of(shape.cases[case])}
        if isinstance(shape, Either):
            return self.of(self.one(shape.shapes))
        if isinstance(shape, Choice):
            case = self.one(list(shape.cases))
            return {case: "" if shape.cases[case] is None else self.of(shape.cases[case])}
        if isinstance(shape, MapOf):
            keys = [self.one([*shape.fixed, self.of(shape.key)]) for _ in range(self.below(ITEMS))]
            return {key: self.of(shape.fixed.get(key, shape.of)) for key in keys}
        return self.plain(shape)

    def plain(self, shape: object) -> object:
        """A value that holds no others. A game with shapes of its own draws their values itself."""
        if isinstance(shape, Number):
            least = max(shape.least, -SMALL)
            return least + self.below(min(shape.most, SMALL) - least + 1)
        if isinstance(shape, Word):
            words = self.names[shape.of] if isinstance(shape.of, str) else shape.of
            return self.one([*words, *shape.also])
        if isinstance(shape, Flag):
            return self.one((True, False))
        if isinstance(shape, Text):
            number = str(self.below(SMALL))
            return number if shape.pattern and regex(shape.pattern).fullmatch(number) else shape.example
        raise TypeError(f"nothing is drawn of {shape!r}")

    def record(self, shape: Record) -> dict[str, Any]:
        """A map with all that must be there, and some of the rest; of keys that exclude each other the first key that is drawn."""
        keys: list[str] = []
        for key in shape.keys:
            excluded = any(key in group and set(group) & set(keys) for group in shape.apart)
            if key in shape.required or (not excluded and self.chance("key", SOME) == 1):
                keys.append(key)
        return {key: self.at(key, shape.keys[key]) for key in keys}

    def at(self, key: str, shape: object) -> Any:
        """A value of this shape under that key: mostly a likely value, if there is one."""
        likely = self.likely.get(key)
        return self.one(likely) if likely and self.chance("wild", WILD) > 1 else self.of(shape)


def filing(declared: Record, head: Mapping[str, object], draw: Draw, but: Collection[str] = ()) -> str:
    """A text of orders with some of the keys that a game declares, to be merged into what is filed. but: keys that are not drawn."""
    keys = [key for key in declared.keys if key not in (*NOT_DRAWN, *but)]
    some = [key for key in keys if draw.chance("order", 2) == 1]
    return dump({**head, **{key: draw.of(declared.keys[key]) for key in some}, "amend": True})
