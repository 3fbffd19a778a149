"""kingdom replay: run kept turns again."""

from __future__ import annotations

from typing import Protocol

from kingdom.campaign import replay
from kingdom.cli.commands import DONE, WRONG, OfCampaign, Said, campaign_of
from kingdom.render.progress import Told


class Args(OfCampaign, Protocol):
    """What is typed behind `kingdom replay`."""

    turn: int | None
    told: Told


def run(args: Args) -> Said:
    """Exit code 1 where a turn comes out otherwise."""
    lines, notes = [], []
    for number, problem in replay.replay(campaign_of(args), args.turn, args.told):
        lines.append(f"Turn {number}: {'it comes out otherwise' if problem else 'the same state, dice and ledger'}.")
        notes += [str(problem)] if problem else []
    return Said(lines, notes, WRONG if notes else DONE)
