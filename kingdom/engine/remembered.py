"""Memories of results worked out from frozen states. Code that goes through many turns must let go of old results."""

from __future__ import annotations

from typing import Protocol
from weakref import WeakSet


class Ages(Protocol):
    """A memory of results."""

    def age(self) -> None:
        """Let go of results that nobody asked for since the last call."""
        ...


_all: WeakSet[Ages] = WeakSet()


def add(memory: Ages) -> None:
    """Add a memory to those that `turn_over` ages."""
    _all.add(memory)


def turn_over() -> None:
    """Let go of results that nobody asked for in the last two turns."""
    for memory in _all:
        memory.age()
