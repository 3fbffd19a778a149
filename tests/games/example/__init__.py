"""A whole game on the kit, from outside the package, as a plug-in is; docs/games.md is written around it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent


@contextmanager
def found() -> Iterator[None]:
    """Let the program find the game meanwhile, as a folder beside its own would be found."""
    import kingdom.games

    kingdom.games.__path__.append(str(HERE))
    try:
        yield
    finally:
        kingdom.games.__path__.remove(str(HERE))
