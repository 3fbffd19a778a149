"""Remembering what was reckoned from frozen records: it stays true as long as that very record lives."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

MANY = 40_000  # so many that what a turn of 1,000 kingdoms found is still known when it ends
FEW = 1_000  # of a game with a handful of seats


class Memo:
    """Values by the ids of the records they were reckoned from; the records are held, so that their ids stay theirs.

    Old entries go in bulk: of two generations the older is dropped when the younger is full, so memory stays bounded
    and what is in use stays known.
    """

    def __init__(self, size: int = 10_000):
        self._size = size
        self._young: dict[Hashable, tuple[Any, Any]] = {}
        self._old: dict[Hashable, tuple[Any, Any]] = {}

    def get(self, key: Hashable) -> Any:
        """The value, None where it is not known."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                return None
            self._keep(key, found)
        return found[1]

    def put(self, key: Hashable, records: Any, value: Any) -> Any:
        """Remember and return the value; `records` are those whose ids are in the key."""
        self._keep(key, (records, value))
        return value

    def _keep(self, key: Hashable, entry: tuple[Any, Any]) -> None:
        if len(self._young) >= self._size:
            self._old, self._young = self._young, {}
        self._young[key] = entry
