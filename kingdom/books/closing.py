"""What stands beside a campaign that is over: its chronicle and its archive. Whoever changes the newest turn settles them.

They are made from kept turns, and what was written to each other beside these, each in its place by one rename, and say of
which newest turn they are; so what a killed run did not come to the next `kingdom run` does, and a turn that is taken back
takes them with it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, writing
from kingdom.render.progress import Told, silent

if TYPE_CHECKING:
    from kingdom.books.chapters import Beside

CHRONICLE, ARCHIVE = "chronicle", "archive.zip"


def why_over(campaign: Campaign) -> str:
    """Why the campaign is over after its newest turn, "" while it goes on. Raises Faults."""
    if campaigns.newest(campaign) < 0:
        return ""
    turn = campaigns.kept(campaign)
    return campaigns.over(campaign, turn.record.turn + 1, campaigns.state_of(campaign, turn))


def settle(campaign: Campaign, over: str, beside: Callable[[Campaign], Beside], told: Told = silent) -> list[str]:
    """Make chronicle and archive where the campaign is over and they are not of its newest turn; gives what was made, a line each.

    beside: what finds the messages that went another way than by orders. Where it goes on, those of an end that was taken
    back are taken away. Only for who holds the campaign. Raises Faults.
    """
    chronicle, packed = campaign.folder / CHRONICLE, campaign.folder / ARCHIVE
    if not over:
        _take_away(chronicle, packed)
        return []
    from kingdom.books import archive  # seldom needed
    from kingdom.books import chronicle as chronicles

    newest, made = campaigns.kept(campaign).digest, []
    mark = chronicles.mark_of(chronicle) if chronicle.is_dir() else None
    if mark is None or (mark.newest, mark.over) != (newest, True):
        chronicles.write(campaign, chronicle, told, beside(campaign))
        made.append(f"The chronicle is in {chronicle}.")
    packed_up_to = archive.newest_in(packed)
    if packed.exists() and not packed_up_to:
        raise fault("no_archive", packed)
    if packed_up_to != newest:
        told("the archive is packed")
        archive.write(campaign, chronicle, packed)
        made.append(f"The archive is {packed}.")
    return made


def archive_of(campaign: Campaign, digest: str) -> Path | None:
    """The archive whose newest turn has that digest, None where there is none."""
    from kingdom.books import archive

    packed = campaign.folder / ARCHIVE
    return packed if archive.newest_in(packed) == digest else None


def _take_away(chronicle: Path, packed: Path) -> None:
    """What tells of an end that is none any more. A chronicle that the GM had made in the meantime stays, and what is not ours."""
    with writing(chronicle):
        if packed.is_file():
            from kingdom.books import archive

            if archive.newest_in(packed):
                packed.unlink()
        if chronicle.is_dir():
            from kingdom.books import chronicle as chronicles

            mark = chronicles.mark_of(chronicle)
            if mark is not None and mark.over:
                gone = chronicle.with_name(f".{CHRONICLE}.partial")
                if gone.exists():
                    store.remove([gone])
                store.move(chronicle, gone)
                store.remove([gone])
