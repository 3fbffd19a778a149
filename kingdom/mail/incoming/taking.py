"""Takes mail in, in an order that loses nothing: a message is written to the disk, then noted in the journal, then handled inside a
guard of its own, then moved away where it lay. If a run is killed between two of these steps, the next run goes on; no message is lost or
taken twice.
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
    """A message where it lies. place: the source's name for it. seen: when it was first seen there, if the source knows."""

    place: str
    data: bytes
    seen: datetime | None = None


class Source(Protocol):
    """Where mail comes from: a mailbox on a server, a Maildir, a folder."""

    def batches(self, size: int) -> Iterator[list[Incoming]]:
        """The messages that lie there, some at a time. Raises Unreachable, Denied."""

    def done(self, places: Sequence[str], refused: Sequence[str]) -> None:
        """Moves messages that were handled to where such mail goes."""


class Taken(NamedTuple):
    """A message, by its digest, and what became of it, for the list that a fetch prints."""

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
    """Takes in all mail of a source. The caller holds the campaign.

    taken: gets each message at once, so that it is complete also where a server or the disk breaks off. stuck: gets the reasons why some
    messages could not be handled; these stop no other message, and the next run tries them again. Without `stuck` these reasons are raised
    as Faults at the end. Raises Faults where the disk takes nothing, and what the source raises.
    """
    taken, waits = [] if taken is None else taken, [] if stuck is None else stuck
    _handle_all(campaign, journal, list(_left(campaign, journal)), now, taken, waits)
    inbox = folder_of(campaign) / "inbox"
    for name in os.listdir(inbox) if inbox.is_dir() else ():  # messages that a killed run refused but did not move
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
    """Writes the messages to the disk, all of them, then notes them in the journal. Raises Faults where the disk does not take them."""
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
    """The place as the journal writes it: the name of a file need not be UTF-8."""
    return os.fsencode(one.place).decode("utf-8", "backslashreplace")


def _seen(one: Incoming, now: datetime) -> str:
    return min(one.seen or now, now).isoformat(timespec="seconds")  # a file's time may lie ahead


def _news(journal: Journal, batch: Sequence[Incoming], now: datetime) -> Iterator[Message]:
    """The messages that are new: all but those that a killed run handled and did not move away. A copy in another place is new."""
    for one in batch:
        digest = store.digest_of(one.data)
        if digest not in journal.handled or journal.taken[digest]["source"] != _named(one):
            yield Message(digest, one.data, datetime.fromisoformat(_seen(one, now)))


def _left(campaign: Campaign, journal: Journal) -> Iterator[Message]:
    """The messages that a killed run took and did not handle."""
    for digest, entry in journal.taken.items():
        if digest not in journal.handled:
            try:
                data = store.read(message_file(campaign, digest))
            except Faults:  # `status` and the GM are told of it; it stops no other message
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
    """Handles messages one by one. taken: gets each at once, so that it is told also if a later one breaks off. stuck: gets the reasons why
    some could not be handled, such as a folder of orders that belongs to another user."""
    for message in messages:
        try:
            fate = _handle(campaign, journal, message, now)
        except (Faults, OSError) as error:
            if not lasts(error):  # a full disk takes no other message either
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
            os.rename(old, refused / old.name)  # not synced: if a power cut undoes the rename, the next run repeats it


# --- a message is handled


def _handle(campaign: Campaign, journal: Journal, message: Message, now: datetime) -> Fate:
    """Does what is decided about a message: queues its mails, files its orders, notes it in the journal. If a killed run repeats this, the
    result is the same.

    Raises Faults where the campaign itself is broken or the disk does not take something: then the message waits for the next run.
    """
    # most of the program reads mail, and most runs find none: so it is loaded only here
    from kingdom.mail.incoming import stages

    case = Case(campaign, journal, message, Headers(), now)
    decided = stages.decided(case)
    if decided.fate.outcome != DUPLICATE or message.digest not in journal.handled:
        outbox.queue(campaign, journal, decided.letters, now)
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
    """Takes letters back that tell of a thing that could not be done; they are made again when it is done. On a full disk nothing can be
    taken back, but none of the letters is sent either."""
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
