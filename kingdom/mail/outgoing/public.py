"""The public page in the published folder: made anew when the turn, what it shows or its letters changed, and taken away with the last level."""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from kingdom import __version__
from kingdom.books import closing
from kingdom.books.chapters import Beside
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import modes, output, publicity, store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.publicity import PAGE, PICTURE, Publicity
from kingdom.campaign.store import Kept
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults
from kingdom.engine.regex import regex
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines, review
from kingdom.mail.tokens import without_tokens

ToAll: TypeAlias = Callable[
    [Campaign, bool], Beside
]  # finds the letters to all that were not sent with orders, asked with True
_INDEX = "index.html"  # so that the server lists nothing
_HEAD = '<!DOCTYPE html><html lang="en"><meta charset="utf-8">'
_NOTHING = f"{_HEAD}<title>Nothing here</title><p>Nothing to see here.</p></html>\n"
_THERE = f'{_HEAD}<meta http-equiv="refresh" content="0; url={PAGE}"><title>The public page</title><p><a href="{PAGE}">The public page</a></p></html>\n'
_DIGITS = 40  # of the marks of a page
_ADDRESS = regex(r"[^\s<>()@]+@[^\s<>()@]+")


def publish(campaign: Campaign, journal: Journal, now: datetime, folder: Path, to_all: ToAll) -> None:
    """Bring the public page, its picture and an index.html up to date, unless files of somebody else have their names.

    Raises Faults where the disk does not take them, where an older turn was altered, and if somebody else's file stands in the page's place.
    """
    turn, shown = _shown(campaign, journal, now)
    is_public, index, head, mark = (
        shown.shows(publicity.LETTERS),
        folder / _INDEX,
        _head(folder / PAGE),
        _mark(campaign),
    )
    is_other = bool(head) and mark not in head
    files: dict[str, bytes] = {}
    if _head(index) in (_NOTHING, _THERE) or not os.path.lexists(index):
        files[_INDEX] = (_THERE if is_public else _NOTHING).encode()
    if is_public and not is_other:
        try:
            files |= _made(campaign, journal, turn, shown, head, to_all)
        except Faults:
            take_away(campaign, folder)  # it may show what it must not any more
            raise
    if (folder / PICTURE).exists() and not _is_picture(campaign, folder):
        files.pop(PICTURE, None)
    put(folder, files)
    if not is_public:
        take_away(campaign, folder)
    elif is_other:
        raise fault("no_public_page", os.path.normpath(folder / PAGE))
    elif not campaign.settings.publish.url:
        take_away(campaign, folder, page=False)


def _made(
    campaign: Campaign, journal: Journal, turn: Kept, shown: Publicity, head: str, to_all: ToAll
) -> Mapping[str, bytes]:
    """Return the page after the turn and its picture, {} where nothing of them changed. head: the beginning of the page that is there."""
    number, settings = turn.record.turn, campaign.settings
    at = None if closing.why_over(campaign) else deadlines.deadline(campaign, journal, number + 1)
    due = f"Orders for turn {number + 1} are due {deadlines.said(at.at, campaign, GM)}." if at else ""
    passed_on = sum(mail.get("kind") == "message" and mail["fate"] != "withdrawn" for mail in journal.mails.values())
    state = (
        f"{__version__} {turn.digest} {shown} {due} {settings.name} {settings.publish.url} {settings.ends} {passed_on}"
    )
    mark = f"{_mark(campaign)} {sha256(state.encode()).hexdigest()[:_DIGITS]}"
    if mark in head:
        return {}
    from kingdom.books import public_page  # few campaigns have one

    def hide(text: str) -> str:
        return _ADDRESS.sub("[...]", without_tokens(text, settings))

    return public_page.page(campaign, number, shown, mark, due, to_all(campaign, True), hide)


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write those files of the published folder that are others than they were."""
    with writing(folder):
        store.make_folder(folder, modes.PUBLISHED_FOLDER)
        there = {name for name in files if (folder / name).is_file() and (folder / name).read_bytes() == files[name]}
        store.put_files(folder, {name: data for name, data in files.items() if name not in there}, modes.PUBLISHED)


def take_away(campaign: Campaign, folder: Path, page: bool = True) -> None:
    """Remove the public page of this campaign with its picture. page: False leaves the page."""
    with writing(folder):
        if _is_picture(campaign, folder):
            (folder / PICTURE).unlink()
        if page and _mark(campaign) in _head(folder / PAGE):
            (folder / PAGE).unlink()


def _shown(campaign: Campaign, journal: Journal, now: datetime) -> tuple[Kept, Publicity]:
    """Return the turn that the page tells, and what of it. A turn waits here with its reports for the GM's release."""
    seats = [seat for seat in campaigns.kept(campaign).record.seats if seat in campaign.seats]
    is_held = any(review.is_withheld(campaign, journal, seat, now) for seat in seats)
    turn = campaigns.kept(campaign, campaigns.newest(campaign) - is_held)
    return turn, publicity.shown(campaign, turn.record)


def _is_picture(campaign: Campaign, folder: Path) -> bool:
    """Return whether the picture there is that of the page: the page's mark stands behind its end."""
    file = folder / PICTURE
    return file.is_file() and _mark(campaign).encode() in store.read(file)[-100:]


def _mark(campaign: Campaign) -> str:
    """Return what the page says of itself, as that of no other campaign does."""
    return hmac.new(campaign.settings.seed_of(0).encode(), b"public page", sha256).hexdigest()[:_DIGITS]


def _head(file: Path) -> str:
    """Return the beginning of a file, "" if there is none."""
    return output.head_of(file).decode("ascii", "replace") if file.is_file() else ""
