"""kingdom pack: pack old turns, which then take less room and can be read as before."""

from __future__ import annotations

from argparse import Namespace

from kingdom.campaign import lock, packing, undo
from kingdom.cli.commands import Said, campaign_of


def run_pack(args: Namespace) -> Said:
    """Pack all turns but the newest, and turn 0."""
    campaign = campaign_of(args)
    with lock.held(campaign.folder, "pack"):
        undo.clear(campaign)
        done = packing.pack(campaign.turns, args.older_than, args.told)
    if not done.turns:
        stay = f"turn 0 and the newest {args.older_than} stay as they are"
        return Said([f"There is nothing to pack: {stay}, and all others are packed."])
    first, last = done.turns[0], done.turns[-1]
    said = f"Turn {first} is packed. It" if first == last else f"Turns {first} to {last} are packed. They"
    was, now = (f"{size / 1e6:.1f}\u00a0MB" for size in (done.bytes_before, done.bytes))
    return Said([f"{said} had {done.files_before} files and {was}; now {done.files} and {now}."])
