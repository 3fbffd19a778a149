"""Chances and names of numbers in words."""

from __future__ import annotations

from functools import cache

from kingdom.engine.names import words
from kingdom.render.terminal import percent as percent


@cache
def name_of(key: str) -> str:
    """The name of an account as a person writes it."""
    return {"control_dc": "Control DC", "acr": "ACR"}.get(key) or words(key).capitalize()
