"""Patterns that are compiled when they are first used: most of a program's are for what a command never comes across."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

_compile = re.compile


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled as soon as something is asked of it."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))


@contextmanager
def late_patterns() -> Iterator[None]:
    """All patterns of the libraries that are loaded inside are late ones.

    PyYAML, of which only the part in C is used, has 15, of which that part uses none: to compile them takes two thirds of
    the time in which it is loaded.
    """
    vars(re)["compile"] = _LatePattern
    try:
        yield
    finally:
        vars(re)["compile"] = _compile


class _LatePattern:
    def __init__(self, pattern: str, flags: int = 0):
        self._source = pattern, flags

    def __getattr__(self, name: str) -> object:
        found: object = getattr(_compile(*self._source), name)
        setattr(self, name, found)  # asked once
        return found
