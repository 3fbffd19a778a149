"""Which filing counts: the newest by its time. A file that was put there by hand is newer than all mail taken before the file was seen."""

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

__all__ = ["AHEAD", "file_of", "put_aside", "receipt_of"]  # from aside.py


def enclosed(turn: int, data: bytes) -> Enclosed:
    """The filed orders as a file for the answer, byte for byte, so that the receipt is the digest of the player's file. The file is not
    sent as text, since mail would change the ends of its lines."""
    return Enclosed(f"filed-{turn:04}-{receipt_of(data)}.yaml", "application/yaml", data)


def standing(campaign: Campaign, journal: Journal, seat: str, turn: int, now: datetime) -> Standing:
    """What is filed now. A file that no mail made is noted in the journal when it is first seen. Raises Faults."""
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
    """Notes the files in the journal that somebody put there by hand since the last run, for the turns from first to last. Mail that
    comes later is newer than they are. Raises Faults."""
    for turn in range(first, last + 1):
        there = filings.filed(filings.folder_of(campaign.folder, turn))
        for seat in (seat for seat in there if seat in (*campaign.seats, GM)):
            standing(campaign, journal, seat, turn, now)


def counts(there: Standing, time: datetime, taken: datetime) -> bool:
    """Whether a message replaces what is filed. time: when the message counts as written; taken: when it was first seen."""
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
    """Files the orders by one rename, synced to the disk. The journal notes the filing first, so that the file is never taken for one
    put there by hand. Raises Faults where the disk does not take the file. more: further facts for the journal."""
    file = file_of(campaign, seat, turn)
    journal.add("filing", now, kingdom=seat, turn=turn, receipt=receipt_of(data), time=time.isoformat(), **(more or {}))
    if filings.content(file) is None:
        put_aside(campaign, seat, turn)  # a file that can't be read may hold what nobody else has
    with writing(file):
        store.make_folder(file.parent)
        store.put_files(file.parent, {file.name: data})


class Merged(NamedTuple):
    """The orders of a seat after newer ones came. wanted: all that is ordered now; amended: the older orders are part of it; lost: the
    older orders that are no longer ordered."""

    wanted: Orders
    amended: bool
    lost: Orders


def merged(campaign: Campaign, there: Standing, newer: Orders, seat: str, turn: int, is_beside: bool = False) -> Merged:
    """The orders of a seat after newer ones came: with `amend`, or where the newer ones only add, both; else the newer ones alone.
    is_beside: the newer ones are another GM's, and take nothing out unless they say `amend`."""
    game, names = campaign.game, campaigns.names_today(campaign)
    read = orders_file.read(there.data, seat, game, names, seat, turn).orders if there.data else None
    # `amend` is a way to file and no order; a player who takes a seat over neither reads the former player's words nor adds to them
    hidden = OWN_WORDS if there.of_another else ("amend",)
    older: Orders = {key: value for key, value in (read or {}).items() if key not in hidden}
    if newer.get("amend"):
        wanted = orders_file.amend(older, newer, game, seat)
        return Merged(wanted, True, orders_file.lost(older, wanted, game, seat))
    if "amend" not in newer and (is_beside or orders_file.only_adds(newer, game, seat)):
        wanted = orders_file.add(older, newer, game, seat)
        data = orders_file.write(wanted).encode()
        if orders_file.read(data, seat, game, names, seat, turn).orders is not None:  # a file may hold so much
            return Merged(wanted, bool(older), {})
    alone = {key: value for key, value in newer.items() if key != "amend"}
    return Merged(alone, False, orders_file.lost(older, alone, game, seat))
