"""Remember what was worked out from frozen records. It stays true as long as that very record lives."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from kingdom.engine import remembered

FEW = 1_000  # of a game with a handful of seats
V = TypeVar("V")


class Memo(Generic[V]):
    """Values by the ids of the records they were worked out from; the records are held, so that their ids stay theirs.

    Old entries go in bulk: of two generations the older is dropped when the younger is full, so memory stays bounded
    and what is in use stays known.
    """

    def __init__(self, size: int = 10_000):  # enough for what each step of a turn of 2,000 kingdoms asks again
        self._size = size
        self._young: dict[Hashable, tuple[object, V]] = {}
        self._old: dict[Hashable, tuple[object, V]] = {}
        remembered.add(self)

    def age(self) -> None:
        """Begin a new generation, and drop the values that the last generation did not ask for."""
        self._old, self._young = self._young, {}

    def get(self, key: Hashable) -> V | None:
        """The value, None where it is not known."""
        entry = self._young.get(key)
        if entry is None:
            entry = self._old.get(key)
            if entry is None:
                return None
            self._keep(key, entry)
        return entry[1]

    def put(self, key: Hashable, records: object, value: V) -> V:
        """Remember and return the value; `records` are those whose ids are in the key."""
        self._keep(key, (records, value))
        return value

    def _keep(self, key: Hashable, entry: tuple[object, V]) -> None:
        if len(self._young) >= self._size:
            self.age()
        self._young[key] = entry
