"""What is worked out from frozen states and remembered in case it is asked for again. Whoever goes through many turns lets go of it."""

from __future__ import annotations

from typing import Protocol
from weakref import WeakSet


class Ages(Protocol):
    """Something that remembers."""

    def age(self) -> None:
        """Let go of what nobody asked for since this was called last."""
        ...


_all: WeakSet[Ages] = WeakSet()


def add(memory: Ages) -> None:
    """Have a memory age with the others."""
    _all.add(memory)


def turn_over() -> None:
    """Let go of what nobody asked for in the last two turns that were gone through."""
    for memory in _all:
        memory.age()
