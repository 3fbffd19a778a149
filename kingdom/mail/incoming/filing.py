"""Which filing counts: the newest by its time, and a file put there by hand over all mail taken before it was seen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import writing
from kingdom.engine.dice import GM
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.step import Orders
from kingdom.mail.aside import AHEAD, OWN_WORDS, file_of, is_of_another, put_aside, receipt_of
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing.letters import Enclosed
from kingdom.mail.records import Standing
from kingdom.orders import orders_file

__all__ = ["AHEAD", "file_of", "put_aside", "receipt_of"]  # of what lies aside


def enclosed(turn: int, data: bytes) -> Enclosed:
    """What was filed, byte for byte, for the answer: its receipt is the digest of what its player has. No text, whose line ends mail
    would change."""
    return Enclosed(f"filed-{turn:04}-{receipt_of(data)}.yaml", "application/yaml", data)


def standing(campaign: Campaign, journal: Journal, seat: str, turn: int, now: datetime) -> Standing:
    """What is filed now. A file that no mail made is put into the journal when it is first seen. Raises Faults."""
    data = filings.content(file_of(campaign, seat, turn))
    if data is None:  # a file that can't be read counts as missing
        withdrawn = journal.withdrawn.get((seat, turn))
        return Standing(time=datetime.fromisoformat(withdrawn)) if withdrawn else Standing()
    receipt = receipt_of(data)
    mailed = journal.filings.get((seat, turn, receipt))
    if mailed:
        of_another = is_of_another(journal, seat, turn, receipt)
        return Standing(receipt, datetime.fromisoformat(mailed), False, data, of_another)
    key = f"{turn}-{seat}-{receipt}"
    if key not in journal.by_hand:
        journal.add("by_hand", now, digest=key, kingdom=seat, turn=turn)
    return Standing(receipt, datetime.fromisoformat(journal.by_hand[key]["at"]), True, data)


def note_by_hand(campaign: Campaign, journal: Journal, first: int, last: int, now: datetime) -> None:
    """Put the files into the journal that somebody put there by hand since the last run, for the turns from first to last: mail that
    comes later is newer than they are. Raises Faults."""
    for turn in range(first, last + 1):
        there = filings.filed(filings.folder_of(campaign.folder, turn))
        for seat in (seat for seat in there if seat in (*campaign.seats, GM)):
            standing(campaign, journal, seat, turn, now)


def counts(there: Standing, time: datetime, taken: datetime) -> bool:
    """Whether a message of that time, taken then, replaces what stands."""
    if there.time is None:
        return True
    return taken > there.time if there.by_hand else time >= there.time


def put(
    campaign: Campaign,
    journal: Journal,
    seat: str,
    turn: int,
    data: bytes,
    time: datetime,
    now: datetime,
    more: Mapping[str, str] | None = None,
) -> None:
    """File it, by one rename, synced to the disk; the journal says so first, so that it is never taken for a file put there
    by hand. Raises Faults where the disk does not take it. more: what else the journal says of it."""
    file = file_of(campaign, seat, turn)
    journal.add("filing", now, kingdom=seat, turn=turn, receipt=receipt_of(data), time=time.isoformat(), **(more or {}))
    if filings.content(file) is None:
        put_aside(campaign, seat, turn)  # one that can't be read may hold what nobody else has
    with writing(file):
        store.make_folder(file.parent)
        store.put_files(file.parent, {file.name: data})


class Merged(NamedTuple):
    """What newer orders make of what stands. amended: what stood is part of it. lost: what stood and no longer does."""

    wanted: Orders
    amended: bool
    lost: Orders


def merged(campaign: Campaign, there: Standing, newer: Orders, seat: str, turn: int, is_beside: bool = False) -> Merged:
    """The orders of a seat after newer ones came: with `amend`, or where they only add, what stands and these; else these alone.
    is_beside: they are another GM's, and take nothing out unless they say `amend`."""
    game, names = campaign.game, campaigns.names_today(campaign)
    read = orders_file.read(there.data, seat, game, names, seat, turn).orders if there.data else None
    # `amend` is a way to file and no order; who takes a seat over adds nothing to another's words, and reads none
    hidden = OWN_WORDS if there.of_another else ("amend",)
    older: Orders = {key: value for key, value in (read or {}).items() if key not in hidden}
    if newer.get("amend"):
        wanted = orders_file.amend(older, newer, game, seat)
        return Merged(wanted, True, orders_file.lost(older, wanted, game, seat))
    if "amend" not in newer and (is_beside or orders_file.only_adds(newer, game, seat)):
        wanted = orders_file.add(older, newer, game, seat)
        data = orders_file.write(wanted).encode()
        if orders_file.read(data, seat, game, names, seat, turn).orders is not None:  # not more than a file may hold
            return Merged(wanted, bool(older), {})
    alone = {key: value for key, value in newer.items() if key != "amend"}
    return Merged(alone, False, orders_file.lost(older, alone, game, seat))
