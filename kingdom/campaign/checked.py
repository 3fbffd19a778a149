"""The game's verdict on the next turn as it stands: problems in filed orders, coming refusals, open questions and requests,
and whether there is a next turn.

Loading a game and resolving orders takes many times as long as looking at files. So the verdict is kept in the
user's cache folder, under a name made of every byte that it came from, the program's own files included.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from kingdom import __file__ as program
from kingdom import __version__
from kingdom.campaign import asked_of_gm, filings, next_turn, preview, settings, store
from kingdom.campaign import campaign as campaigns
from kingdom.engine import game as games
from kingdom.engine.problems import Faults
from kingdom.engine.step import Orders
from kingdom.orders import cache

if TYPE_CHECKING:
    from kingdom.campaign.campaign import Campaign
    from kingdom.campaign.preview import Start


# The verdict, as JSON. seats: seat -> its part: out (why it is out of play, or ""), asked (whether the turn asks it for orders), final (as
# filed), problems (sentences with their places), refusals, questions that it was asked (key, question, default, answered: whether the
# seat's orders answer it). requests: seat -> the number of each open request -> its words. over: why there is no next turn, "" if there is
# one. amiss: what is broken.
Checked: TypeAlias = dict[str, Any]
Standing: TypeAlias = dict[str, Any]
UNCHECKED: Standing = {"out": "", "asked": True, "final": False, "problems": [], "refusals": [], "questions": []}
NOTHING: Checked = {"seats": {}, "requests": {}, "over": "", "amiss": ""}


def checked(folder: Path, game: str, newest: int, files: Mapping[str, bytes]) -> Checked:
    """Return the verdict; for a broken campaign it holds only `amiss`.

    newest: the newest kept turn, -1 for none. files: seat or `gm` -> its filed orders.
    """
    if newest < 0 and not files:
        return NOTHING
    name = _name(folder, game, newest, files) if newest >= 0 else ""
    known = cache.get(name) if name else None
    if known is not None:
        remembered: Checked = msgspec.json.decode(known)
        return remembered
    verdict = _verdict(folder, files)
    if name and not verdict["amiss"]:
        cache.put(name, msgspec.json.encode(verdict))
    return verdict


def _name(folder: Path, game: str, newest: int, files: Mapping[str, bytes]) -> str:
    """Return the verdict's name in the cache. The turn's record holds the digests of its state and rules, so it stands for both."""
    parts = [__version__.encode(), store.read(folder / settings.FILE), *_program(game)]
    parts.append(store.read(folder / "turns" / store.name_of(newest) / store.RECORD))
    for seat in sorted(files):
        parts += [seat.encode(), files[seat]]
    return f"kingdom-checked-{sha256(b''.join(sha256(part).digest() for part in parts)).hexdigest()[:40]}"


def _program(game: str) -> Iterator[bytes]:
    """Yield name, size and time of each file of the program that matters, so that the verdict of another version is not used."""
    for place in (os.path.dirname(program), *games.folders(game)):
        for folder, folders, names in os.walk(place):
            folders[:] = sorted({*folders} - {"games", "mail", "cli", "report", "__pycache__"})
            for name in sorted(names):
                about = os.stat(os.path.join(folder, name))
                yield f"{name} {about.st_size} {about.st_mtime_ns}".encode()


def _verdict(folder: Path, files: Mapping[str, bytes]) -> Checked:
    try:
        campaign = campaigns.open_campaign(folder)
        if campaigns.newest(campaign) >= 0:
            next_turn.prove_seats(campaign, campaigns.kept(campaign).record)
        start = preview.start_of(campaign)
        seats = {seat: _standing(campaign, start, seat, files.get(seat)) for seat in (*campaign.seats, filings.GM)}
        asked: dict[str, dict[str, str]] = {}
        for request in asked_of_gm.unanswered(campaign):
            asked.setdefault(request.seat, {})[str(request.number)] = request.text
        over = campaigns.over(campaign, start.state.turn + 1, start.state)
    except Faults as faults:
        return {**NOTHING, "amiss": str(faults.problems[0])}
    return {"seats": seats, "requests": asked, "over": over, "amiss": ""}


def _standing(campaign: Campaign, start: Start, seat: str, text: bytes | None) -> Standing:
    live = seat == filings.GM or seat in campaign.game.seats(start.state)
    asked = seat == filings.GM or seat in games.asked(campaign.game, start.state, start.rules.rules)
    standing: Standing = {**UNCHECKED, "out": "" if live else "out of play", "asked": asked}
    sheet = campaign.game.sheet(start.state, seat, start.rules.rules) if seat != filings.GM else {}
    if not live and sheet.get("destroyed"):
        standing["out"] = "destroyed"
    orders: Orders = {}
    if text is not None:
        filing, refused = preview.verdict(campaign, start, seat, text, f"{seat}{filings.ENDING}")
        orders = filing.orders or {}
        problems = [f"{problem.line}:{problem.column}: {problem.message}" for problem in filing.problems]
        standing["final"], standing["problems"], standing["refusals"] = bool(orders.get("final")), problems, refused
    answers = orders.get("answers") or {}
    standing["questions"] = [
        {**{key: question[key] for key in ("key", "question", "default")}, "answered": question["key"] in answers}
        for question in (sheet.get("pending", ()) if live else ())
    ]
    return standing
