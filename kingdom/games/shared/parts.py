"""The parts of a game that most commands need not: they are loaded when they are asked for."""

from __future__ import annotations

import importlib
from typing import Any, Callable


def whole(package: str) -> Callable[[str], Any]:
    """The `__getattr__` of a game's package: its GAME, which stands in game.py, so that a part can be imported without the whole."""

    def of(name: str) -> Any:
        if name != "GAME":
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return importlib.import_module(f"{package}.game").GAME

    return of


def parts_of(package: str) -> Callable[[str, str], Callable[..., Any]]:
    """part(module, function): that function of the game's package, loaded when it is called; `telling.view` is a module inside."""

    def part(module: str, function: str) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            return getattr(importlib.import_module(f"{package}.{module}"), function)(*given, **named)

        return call

    return part
