"""Drawing by lot for a new campaign: everything drawn is a function of one text, so the same seed gives the same land."""

from __future__ import annotations

from collections.abc import Sequence
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
