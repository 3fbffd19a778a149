"""kingdom dice: the rolls of a revealed key, for players who verify."""

from __future__ import annotations

import re
from typing import Protocol

from kingdom.cli.commands import WRONG, Said
from kingdom.engine.dice import commitment_of, throw

_ROLL = re.compile(r"([a-z0-9_-]+):([1-9][0-9]{0,3}):([1-9][0-9]{0,3})")


def roll(text: str) -> tuple[str, int, int]:
    """NAME:COUNT:SIDES. Raises ValueError."""
    match = _ROLL.fullmatch(text)
    if not match:
        raise ValueError(text)
    return match[1], int(match[2]), int(match[3])


class Args(Protocol):
    """What is typed behind `kingdom dice`."""

    key: str
    rolls: list[tuple[str, int, int]]
    commitment: str | None


def run(args: Args) -> Said:
    """Exit code 1 where the key is not the one that was promised."""
    key = args.key.lower()
    lines = [f"{name}:{count}:{sides} = {throw(key, name, count, sides)}" for name, count, sides in args.rolls]
    if args.commitment is None:
        return Said(lines)
    promised, found = args.commitment.lower(), commitment_of(key)
    if found == promised:
        return Said([*lines, "The key is the one that was promised."])
    return Said(lines, [f"The key is not the one that was promised: its commitment is {found}."], WRONG)
