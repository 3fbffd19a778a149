"""Chances and names of numbers in words."""

from __future__ import annotations

from functools import cache

from kingdom.engine.names import words


def percent(chance: float) -> str:
    """A chance of 0 to 1 as a person reads it: "65 %"; rounded, but never to 0 % or 100 % unless it is certain."""
    if 0 < chance < 0.01 or 0.99 < chance < 1:
        return "under 1 %" if chance < 0.5 else "over 99 %"
    return f"{chance * 100:.0f} %"


@cache
def name_of(key: str) -> str:
    """The name of an account as a person writes it."""
    return {"control_dc": "Control DC", "acr": "ACR"}.get(key) or words(key).capitalize()
