"""Patterns and modules that are made when they are first used: most are for what a command never comes across."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import cast

_compile = re.compile


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled as soon as something is asked of it."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))


@contextmanager
def late_patterns() -> Iterator[None]:
    """All patterns of the libraries that are loaded inside are late ones.

    Only the C part of PyYAML is used here, and it needs none of PyYAML's 15 patterns. Compiling them takes two thirds of the
    time that loading it takes.
    """
    vars(re)["compile"] = _LatePattern
    try:
        yield
    finally:
        vars(re)["compile"] = _compile


@contextmanager
def late_modules(*names: str) -> Iterator[None]:
    """What is loaded inside gets a stand-in for each of these modules, which loads the module when something is asked of it."""
    late = {name: _LateModule(name) for name in names if name not in sys.modules}
    sys.modules.update(late)
    try:
        yield
    finally:
        for name, module in late.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


class _LateModule(ModuleType):
    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # the import system asks for these itself
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        found: object = getattr(import_module(self.__name__), name)
        setattr(self, name, found)  # asked once
        return found


class _LatePattern:
    def __init__(self, pattern: str, flags: int = 0):
        self._source = pattern, flags

    def __getattr__(self, name: str) -> object:
        found: object = getattr(_compile(*self._source), name)
        setattr(self, name, found)  # asked once
        return found
