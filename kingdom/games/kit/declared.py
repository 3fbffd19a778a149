"""The words that a game declares, module by module: its refusals and its causes; and which of them a turn made use of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import TypeVar

from kingdom.engine.step import Result
from kingdom.orders.kit.declaration import causes

S = TypeVar("S")  # a game's State


def merged(modules: Iterable[ModuleType], table: str) -> dict[str, str]:
    """Merge the tables of that name, REFUSALS or CAUSES, of all modules. Raises AssertionError if two modules explain a word differently."""
    return causes((), *(getattr(module, table, {}) for module in modules))


def happened(result: Result[S], rules: object) -> Iterator[tuple[str, str]]:
    """Yield ("cause" or "refusal", word) for each entry that was booked and each order that was refused."""
    yield from (("cause", entry.cause) for entry in result.entries)
    yield from (("refusal", notice.facts["code"]) for notice in result.notices if notice.kind == "refusal")
