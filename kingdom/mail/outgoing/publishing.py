"""What `publish` shows: each seat's newest report and its order form, in a folder that some web server shows.

A name there is made of the campaign's seed and the seat's token, so that nobody guesses it: whoever has the address may read.
A report has a name for each turn, the form of a seat keeps its own, so that it can be bookmarked.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import writing
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import order_forms, posting, reporting
from kingdom.mail.outgoing.links import Shown, published_folder, published_name, shown

_INDEX = "index.html"  # so that the server lists nothing
_NOTHING = '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Nothing here</title><p>Nothing to see here.</p></html>\n'


def publish(campaign: Campaign, journal: Journal, now: datetime) -> Mapping[str, Shown]:
    """Put the newest turn's reports, and the forms of the next one, into the folder. Raises Faults where the disk does not take them."""
    if not campaign.settings.publish.folder or campaigns.newest(campaign) < 0:
        return {}
    folder, turn = published_folder(campaign), campaigns.kept(campaign)
    found = {seat: shown(campaign, seat, turn.record.turn) for seat in turn.record.seats if seat in campaign.seats}
    places = {seat: place for seat, place in found.items() if place}
    files = {_INDEX: _NOTHING.encode()}
    for seat in places:
        files |= _files(campaign, journal, seat, turn, now)
    with writing(folder):
        store.make_folder(folder)
        new = {name: data for name, data in files.items() if not _is_there(folder / name, data)}
        store.put_files(folder, new)
    return places


def _files(campaign: Campaign, journal: Journal, seat: str, turn: store.Kept, now: datetime) -> dict[str, bytes]:
    """A seat's files by their names."""
    files = {}
    page = posting.page_of(campaign, journal, turn, seat, now)
    if page:
        files[published_name(campaign, seat, f"report {turn.record.turn}")] = page.encode()
    if not reporting.over(campaign, turn):
        files[published_name(campaign, seat, "form")] = order_forms.page(campaign, seat).encode()
    return files


def _is_there(file: Path, data: bytes) -> bool:
    return file.is_file() and file.read_bytes() == data
