"""How a chance and a number are said."""

from __future__ import annotations

from functools import cache

from kingdom.engine.names import words


def percent(chance: float) -> str:
    """A chance of 0 to 1 as a person reads it: "65 %"; rounded, but never to a certainty that it is not."""
    if 0 < chance < 0.01 or 0.99 < chance < 1:
        return "under 1 %" if chance < 0.5 else "over 99 %"
    return f"{chance * 100:.0f} %"


@cache
def name_of(key: str) -> str:
    """The name of a number as a person writes it."""
    return {"control_dc": "Control DC", "acr": "ACR"}.get(key) or words(key).capitalize()
