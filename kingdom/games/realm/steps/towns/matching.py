"""Dealing out neighbours: each serves one building only. A maximum matching by augmenting paths. Ruling: lots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Could = Mapping[int, Sequence[int]]  # dependant -> the neighbours that could serve it


def serve(dependant: int, could: Could, serves: dict[int, int]) -> bool:
    """Give a dependant one neighbour more, moving others to neighbours of theirs where need be; whether it worked.

    serves: neighbour -> the dependant that it serves; changed only where it worked. Who has a neighbour keeps as many.
    """
    return _augment(dependant, could, serves, set())


def _augment(dependant: int, could: Could, serves: dict[int, int], asked: set[int]) -> bool:
    for neighbour in could[dependant]:
        if neighbour in asked:
            continue
        asked.add(neighbour)
        holder = serves.get(neighbour)
        if holder is None or (holder != dependant and _augment(holder, could, serves, asked)):
            serves[neighbour] = dependant
            return True
    return False


def deal(needs: Iterable[tuple[int, int]], could: Could) -> tuple[dict[int, int], int]:
    """(neighbour -> dependant, needs that stay open) where as many needs as can be are served at once.

    needs: each dependant and how many neighbours it needs.
    """
    serves: dict[int, int] = {}
    still_open = 0
    for dependant, count in needs:
        for _ in range(count):
            still_open += not serve(dependant, could, serves)
    return serves, still_open
