"""Load a library without compiling its patterns: most of them are for what the program never asks of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

_compile = re.compile


@contextmanager
def late_patterns() -> Iterator[None]:
    """What is loaded inside compiles each of its patterns when it is first used.

    PyYAML, of which only the part in C is used, compiles 15 patterns, of which that part uses none: two thirds of the time
    that it takes to load.
    """
    vars(re)["compile"] = _LatePattern
    try:
        yield
    finally:
        vars(re)["compile"] = _compile


class _LatePattern:
    """Stands for a compiled pattern: it is one as soon as something is asked of it."""

    def __init__(self, pattern: str, flags: int = 0):
        self._source = pattern, flags

    def __getattr__(self, name: str) -> object:
        found: object = getattr(_compile(*self._source), name)
        setattr(self, name, found)  # asked once
        return found
