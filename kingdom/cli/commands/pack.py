"""kingdom pack: pack old turns, which then take less room and are read as before."""

from __future__ import annotations

from typing import Protocol

from kingdom.campaign import lock, packing, undo
from kingdom.cli.commands import OfCampaign, Said, campaign_of
from kingdom.render.progress import Told


class OfPack(OfCampaign, Protocol):
    """The arguments of `kingdom pack`. older_than: how many of the newest turns stay as they are."""

    older_than: int
    told: Told


def run_pack(args: OfPack) -> Said:
    """Pack all turns but the newest, and turn 0."""
    campaign = campaign_of(args)
    with lock.held(campaign.folder, "pack"):
        undo.clear(campaign)
        done = packing.pack(campaign.turns, args.older_than, args.told)
    if not done.turns:
        return Said(
            [
                f"Nothing is to be packed: all turns but the newest {args.older_than} and turn 0 are packed already, or there are no more."
            ]
        )
    first, last = done.turns[0], done.turns[-1]
    said = f"Turn {first} is packed." if first == last else f"Turns {first} to {last} are packed."
    was, now = (f"{size / 1e6:.1f} MB" for size in (done.bytes_before, done.bytes))
    return Said([f"{said} They had {done.files_before} files and {was}; now {done.files} and {now}."])
