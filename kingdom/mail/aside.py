"""Filed orders that count no longer: taken away by one rename, and kept. Nothing is lost."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from kingdom.campaign import filings, store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import writing
from kingdom.mail.journal import Journal
from kingdom.render.reports import DIGITS

AHEAD = 3  # turns beyond the next one whose orders are kept for later
# folders of mail/: what a player took back; what a former player of a seat filed
WITHDRAWN, HANDED_ON = "withdrawn", "handed-on"
OWN_WORDS = ("messages", "requests", "final", "amend")  # keys of orders that are the player's and not the seat's


def receipt_of(data: bytes) -> str:
    """The receipt of a filed file: the first digits of its digest."""
    return store.digest_of(data)[:DIGITS]


def file_of(campaign: Campaign, seat: str, turn: int) -> Path:
    """Where a seat's orders for a turn are filed."""
    return filings.folder_of(campaign.folder, turn) / f"{seat}{filings.ENDING}"


def put_aside(campaign: Campaign, seat: str, turn: int, to: str = WITHDRAWN) -> None:
    """Take what is filed away, by one rename, to a folder of mail/; the journal said so first. Raises Faults."""
    file, place = file_of(campaign, seat, turn), campaign.folder / "mail" / to
    with writing(place):
        if not file.is_file():
            return  # a killed run did it
        store.make_folder(place)
        store.move(file, place_of(campaign, seat, turn, to))


def place_of(campaign: Campaign, seat: str, turn: int, to: str = WITHDRAWN) -> Path:
    """Where what is filed is put if it is taken away."""
    file = file_of(campaign, seat, turn)
    data = filings.content(file)
    receipt = f"unread{os.stat(file).st_mtime_ns}" if data is None else receipt_of(data)
    return campaign.folder / "mail" / to / f"{turn:04}-{seat}-{receipt}{filings.ENDING}"


def is_of_another(journal: Journal, seat: str, turn: int, receipt: str) -> bool:
    """Whether what is filed was sent by another player, before the seat was taken over."""
    time, since = journal.filings.get((seat, turn, receipt), ""), journal.own_from.get(seat, (0, ""))[1]
    return bool(time and since) and datetime.fromisoformat(time) <= datetime.fromisoformat(since)


def handed_on(campaign: Campaign, seat: str, turn: int) -> Path | None:
    """What the former player of a seat had filed for a turn, the newest; None for nothing."""
    found = (campaign.folder / "mail" / HANDED_ON).glob(f"{turn:04}-{seat}-*{filings.ENDING}")
    return max(found, key=lambda file: file.stat().st_mtime_ns, default=None)
