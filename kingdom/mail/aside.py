"""Filed orders that no longer count. One rename puts them aside, and they are kept."""

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
    """Puts filed orders aside, by one rename, into a folder of mail/. The journal noted it before. Raises Faults."""
    file, place = file_of(campaign, seat, turn), campaign.folder / "mail" / to
    with writing(place):
        if not file.is_file():
            return  # a killed run did it
        store.make_folder(place)
        store.move(file, place_of(campaign, seat, turn, to))


def place_of(campaign: Campaign, seat: str, turn: int, to: str = WITHDRAWN) -> Path:
    """The file to which filed orders are put aside."""
    file = file_of(campaign, seat, turn)
    data = filings.content(file)
    receipt = f"unread{os.stat(file).st_mtime_ns}" if data is None else receipt_of(data)
    return campaign.folder / "mail" / to / f"{turn:04}-{seat}-{receipt}{filings.ENDING}"


def is_of_another(journal: Journal, seat: str, turn: int, receipt: str) -> bool:
    """Whether another player sent the filed orders, before the seat was taken over."""
    time, since = journal.filings.get((seat, turn, receipt), ""), journal.own_from.get(seat, (0, ""))[1]
    return bool(time and since) and datetime.fromisoformat(time) <= datetime.fromisoformat(since)


def handed_on(campaign: Campaign, seat: str, turn: int) -> Path | None:
    """The file of the newest orders that the former player of a seat had filed for a turn; None for none."""
    found = (campaign.folder / "mail" / HANDED_ON).glob(f"{turn:04}-{seat}-*{filings.ENDING}")
    return max(found, key=lambda file: file.stat().st_mtime_ns, default=None)
