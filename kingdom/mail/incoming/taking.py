"""Taking mail in. The order is the promise: the bytes are safe on disk, then recorded, then handled inside a guard of their
own, then done away with where they lay. Killed between any two, the next run goes on; nothing is lost, nothing taken twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Protocol

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign, Place
from kingdom.campaign.errors import lasts, refused, writing
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults, Problem
from kingdom.mail.incoming import filing
from kingdom.mail.incoming.outcome import ACCEPTED, DUPLICATE, REFUSED, Case, Decided, Fate, Message
from kingdom.mail.journal import Journal, folder_of, message_file
from kingdom.mail.outgoing import outbox
from kingdom.mail.records import Headers, Line
from kingdom.mail.tokens import without_tokens

AT_ONCE = 50  # messages taken together


class Incoming(NamedTuple):
    """A message where it lies. place: what the source knows it by. seen: when it was first seen there, if the source knows."""

    place: str
    data: bytes
    seen: datetime | None = None


class Source(Protocol):
    """Where mail comes from: a mailbox on a server, a Maildir, a folder."""

    def batches(self, size: int) -> Iterator[list[Incoming]]:
        """What lies there, some at a time. Raises Unreachable, Denied."""

    def done(self, places: Sequence[str], refused: Sequence[str]) -> None:
        """These were handled; move them to where such mail goes."""


class Taken(NamedTuple):
    """A message and its fate, for the list that a fetch prints."""

    message: str
    fate: Fate


def said(taken: Iterable[Taken]) -> list[str]:
    """A line for each message: who wrote it, and what became of it."""
    return [f"{one.fate.headers.sender or 'nobody'}: {one.fate.became}. {one.fate.reason}".rstrip() for one in taken]


def take(
    campaign: Campaign,
    journal: Journal,
    source: Source,
    now: datetime,
    taken: list[Taken] | None = None,
    stuck: list[Problem] | None = None,
) -> list[Taken]:
    """Take in all mail of a source; only for who holds the campaign.

    taken: filled with what was taken, also where a server or the disk breaks off. stuck: gets why messages could not be handled that stop
    no others: the next run tries them again. Raises Faults for them at the end if it is not given, Faults where the disk does not take
    anything, and what the source raises.
    """
    taken, waits = [] if taken is None else taken, [] if stuck is None else stuck
    _handle_all(campaign, journal, list(_left(campaign, journal)), now, taken, waits)
    inbox = folder_of(campaign) / "inbox"
    for name in os.listdir(inbox) if inbox.is_dir() else ():  # what a killed run refused and wrote down
        digest = name.removesuffix(".eml")
        if journal.handled.get(digest, {}).get("outcome") == REFUSED:
            _put_with_the_refused(campaign, digest)
    upcoming = campaigns.newest(campaign) + 1
    filing.note_by_hand(campaign, journal, upcoming, upcoming + filing.AHEAD, now)
    for batch in source.batches(AT_ONCE):
        keep(campaign, journal, batch, now)
        _handle_all(campaign, journal, _news(journal, batch, now), now, taken, waits)
        handled = {one.place: journal.handled.get(store.digest_of(one.data)) for one in batch}
        refused = {place for place, entry in handled.items() if entry and entry["outcome"] == REFUSED}
        source.done([one.place for one in batch if one.place not in refused], sorted(refused))
    if waits and stuck is None:
        raise Faults(waits)
    return taken


def keep(campaign: Place, journal: Journal, batch: Sequence[Incoming], now: datetime) -> None:
    """The bytes to the disk, all of them, then their lines into the journal. Raises Faults where the disk does not take it."""
    fresh = {store.digest_of(one.data): one for one in reversed(batch)}  # of copies the first
    fresh = {digest: one for digest, one in reversed(fresh.items()) if digest not in journal.taken}
    if not fresh:
        return
    inbox = folder_of(campaign) / "inbox"
    with writing(inbox):
        store.make_folder(inbox)
        store.put_files(inbox, {f"{digest}.eml": one.data for digest, one in fresh.items()})
    lines = [{"message": digest, "source": _named(one), "seen": _seen(one, now)} for digest, one in fresh.items()]
    journal.add_all("taken", now, lines)


def _named(one: Incoming) -> str:
    """The place as the journal has it: a file's name need not be UTF-8."""
    return os.fsencode(one.place).decode("utf-8", "backslashreplace")


def _seen(one: Incoming, now: datetime) -> str:
    return min(one.seen or now, now).isoformat(timespec="seconds")  # a file's time may lie ahead


def _news(journal: Journal, batch: Sequence[Incoming], now: datetime) -> Iterator[Message]:
    """All but what a killed run handled and did not move away; a copy that lies elsewhere is news."""
    for one in batch:
        digest = store.digest_of(one.data)
        if digest not in journal.handled or journal.taken[digest]["source"] != _named(one):
            yield Message(digest, one.data, datetime.fromisoformat(_seen(one, now)))


def _left(campaign: Campaign, journal: Journal) -> Iterator[Message]:
    """What a killed run took and did not handle."""
    for digest, entry in journal.taken.items():
        if digest not in journal.handled:
            try:
                data = store.read(message_file(campaign, digest))
            except Faults:  # told by status and to the GM; it stops no other
                continue
            yield Message(digest, data, datetime.fromisoformat(entry["seen"]))


def _handle_all(
    campaign: Campaign,
    journal: Journal,
    messages: Iterable[Message],
    now: datetime,
    taken: list[Taken],
    stuck: list[Problem],
) -> None:
    """Handle them one by one; `taken` gets each at once, so that it is told also if a later one breaks off. stuck: gets why some could
    not be handled, such as a folder of orders that is another user's."""
    for message in messages:
        try:
            fate = _handle(campaign, journal, message, now)
        except (Faults, OSError) as error:
            if not lasts(error):  # a full disk takes no other either
                raise
            why = error.problems if isinstance(error, Faults) else [refused(error, campaign.folder)]
            stuck += [problem for problem in why if problem not in stuck]
            continue
        if fate.outcome == REFUSED:
            _put_with_the_refused(campaign, message.digest)
        taken.append(Taken(message.digest, fate))


def _put_with_the_refused(campaign: Campaign, digest: str) -> None:
    refused = folder_of(campaign) / "refused"
    with writing(refused):
        refused.mkdir(exist_ok=True)
        old = folder_of(campaign) / "inbox" / f"{digest}.eml"
        if old.is_file():
            os.rename(old, refused / old.name)  # not synced: if a power cut undoes it, the next run does it again


# --- a message is handled


def _handle(campaign: Campaign, journal: Journal, message: Message, now: datetime) -> Fate:
    """Do what is decided of a message: queue its mails, file, write it down. Done again after a kill, each part comes to the same.

    Raises Faults where the campaign itself is broken, or the disk does not take it: then nothing is done with it now.
    """
    from kingdom.mail.incoming import stages  # it reads mail, most of what a run could load; most runs find none

    case = Case(campaign, journal, message, Headers(), now)
    decided = stages.decided(case)
    if decided.fate.outcome != DUPLICATE or message.digest not in journal.handled:
        for letter in decided.letters:
            outbox.queue(campaign, journal, letter, now)
        try:
            decided.done()
        except (Faults, OSError):
            _unsay(campaign, journal, decided, now)
            raise
        journal.add_all(
            "handled",
            now,
            [{"message": message.digest, **_entry(case._replace(headers=decided.fate.headers), decided)}],
        )
    return decided.fate


def _unsay(campaign: Campaign, journal: Journal, decided: Decided, now: datetime) -> None:
    """Take back letters that say what could not be done; they are made again when it is. A full disk sends none of them anyway."""
    for letter in decided.letters:
        if journal.mails.get(letter.id, {}).get("fate") == "waits":
            with suppress(Faults):
                outbox.withdraw(campaign, journal, letter.id, now)


def _entry(case: Case, decided: Decided) -> Line:
    fate = decided.fate
    entry: Line = {
        "outcome": fate.outcome,
        "became": fate.became,
        "code": fate.code,
        "reason": fate.reason,
        "message_id": fate.headers.message_id,
        "from": fate.headers.sender,
        "subject": without_tokens(fate.headers.subject, case.campaign.settings),
        "kingdom": fate.seat,
        "turn": fate.turn,
        "arrived": case.came.isoformat(),
        "time": (case.message.seen if fate.error else case.time).isoformat(),
        "receipt": filing.receipt_of(fate.filed) if fate.filed is not None and fate.outcome == ACCEPTED else "",
        "answer": decided.letters[0].id if decided.letters else "",
    }
    if fate.outcome == REFUSED:
        entry["orders"] = fate.holds_orders
    if fate.error:
        entry["error"] = fate.error
    return entry
