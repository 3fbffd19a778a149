"""Remember what was worked out from frozen records. It stays true as long as that very record lives."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Generic, ParamSpec, TypeAlias, TypeVar

from kingdom.engine import remembered

ENOUGH = 10_000  # entries: enough for all that the steps of a turn of 2,000 kingdoms ask more than once
P = ParamSpec("P")
V = TypeVar("V")
# the records that a value depends on, and whatever else it depends on
Grounds: TypeAlias = tuple[tuple[object, ...], Hashable]


class Memo(Generic[V]):
    """Values by the ids of the records they were worked out from; the records are held, so that their ids stay theirs.

    Old entries go in bulk: of two generations the older is dropped when the younger is full, so memory stays bounded
    and what is in use stays known.
    """

    def __init__(self, size: int = ENOUGH):
        self._size = size
        self._young: dict[Hashable, tuple[object, V]] = {}
        self._old: dict[Hashable, tuple[object, V]] = {}
        remembered.add(self)

    def age(self) -> None:
        """Begin a new generation, and drop the values that the last generation did not ask for."""
        self._old, self._young = self._young, {}

    def get(self, key: Hashable) -> V | None:
        """The value, None if it is not known."""
        entry = self._young.get(key)
        if entry is None:
            entry = self._old.get(key)
            if entry is None:
                return None
            self._keep(key, entry)
        return entry[1]

    def put(self, key: Hashable, records: object, value: V) -> V:
        """Remember and return the value; `records`: the records whose ids are in the key."""
        self._keep(key, (records, value))
        return value

    def _keep(self, key: Hashable, entry: tuple[object, V]) -> None:
        if len(self._young) >= self._size:
            self.age()
        self._young[key] = entry


def remember(by: Callable[..., Grounds], size: int = ENOUGH) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """Decorate a function so that it returns again what it returned for the same grounds. Nobody may change the value.

    by: makes the grounds of the function's arguments. Records count by identity, the rest by equality. size: of the Memo. A value
    that is None is worked out each time.
    """

    def remembering(work: Callable[P, V]) -> Callable[P, V]:
        memo: Memo[V] = Memo(size)

        @wraps(work)
        def remembered_or_worked_out(*args: P.args, **kwargs: P.kwargs) -> V:
            records, rest = by(*args, **kwargs)
            key = (*map(id, records), rest)
            known = memo.get(key)
            return memo.put(key, records, work(*args, **kwargs)) if known is None else known

        return remembered_or_worked_out

    return remembering
