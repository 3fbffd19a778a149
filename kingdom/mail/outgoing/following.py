"""Lets the outbox follow the campaign: before mails are sent, they are compared with the turns and seats as they are now.

Mails that are no longer true are withdrawn: a report whose turn is no longer kept, a welcome for a token that is dead, news of a deadline
that has passed. Mails that are still true are made again with today's address, token and deadline. All of this is derived from the
campaign and the journal, so that a command that was killed between two steps sends nothing that it took back.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import commitment, undone_turns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.settings import FILE
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import (
    deadlines,
    gm_news,
    inviting,
    notices,
    outbox,
    outdated,
    posting,
    review,
    told_at_end,
    welcoming,
)
from kingdom.mail.outgoing import letters as making
from kingdom.mail.records import Letter, Line

A_DAY = timedelta(days=1)  # so long a mail stays as it was handed to a server


def follow(campaign: Campaign, journal: Journal, now: datetime) -> None:
    """Withdraws mails that are no longer true, makes others again that would say something else today, and queues missing ones.

    The caller holds the campaign. A second call changes nothing. Raises Faults where the disk does not take something. Mails about a turn
    that can't be read are neither withdrawn nor made again, so that the GM still gets the mail that says so.
    """
    told_at_end.note(campaign, journal, now)
    queue_undone(campaign, journal, now)
    _queue_reseeded(campaign, journal, now)
    with suppress(Faults):
        inviting.make_welcomes(campaign, journal, now)
        outbox.queue(campaign, journal, told_at_end.untold(campaign, journal, now), now)
    kept: dict[int, str] = {}
    waiting = [
        entry for entry in outbox.waiting(journal) if entry["about"] in outdated.FOLLOWING or outdated.sends(campaign)
    ]
    due = {entry["mail"] for entry in outbox.due(journal, now)} if waiting else set()
    back = {entry["mail"] for entry in outbox.kept_back(journal, now)} if waiting else set()
    for entry in waiting:
        mail = entry["mail"]
        there, dead = outbox.is_there(journal, mail), outdated.is_dead(campaign, journal, entry, kept, now)
        apart = there and outbox.is_apart(journal, mail)
        if dead and there:
            outbox.withdraw(campaign, journal, mail, now)
        elif dead:  # a person carried the mail, which can't be taken back
            outbox.note_taken_out(journal, mail, now)
        elif mail in back and there and not apart:
            outbox.put_apart(campaign, mail)
        elif apart and mail not in back:
            _renew(campaign, journal, entry, now, anew=True)
            # a welcome with a newer report is another mail, and this one is withdrawn
            if outbox.is_queued(journal, mail):
                outbox.put_out(campaign, journal, mail, now)
        elif there and _is_stale(campaign, journal, entry, now, mail in due):
            _renew(campaign, journal, entry, now)


def withdraw_failures(campaign: Campaign, journal: Journal, now: datetime, failing: Container[str]) -> None:
    """Withdraws mails that tell the GM that the campaign can't go on, where it can. failing: the mails that are still true."""
    for entry in outbox.waiting(journal):
        if entry["about"] == "fails" and entry["mail"] not in failing and outdated.sends(campaign):
            outbox.withdraw(campaign, journal, entry["mail"], now)


def queue_undone(campaign: Campaign, journal: Journal, now: datetime) -> None:
    """Queues the mails that the next turn was taken back, where they are missing: to all where the turn is open for new orders; where it
    is played again with its old orders, to those who have a report of it."""
    number = campaigns.newest(campaign) + 1
    try:
        before = undone_turns.latest(campaign.folder, number)
    except Faults:
        return
    if before is None:
        return
    if not before.reopened:
        attempt = int(before.turn.folder.name.rpartition("-")[2])
        untold = [seat for seat in campaign.seats if _counts_on(campaign, journal, seat, number)]
        outbox.queue(campaign, journal, notices.undone(campaign, journal, number, attempt, untold, now), now)
        return
    attempt = undone_turns.attempt_of(campaign.folder, number)
    ids = {seat: making.reopened_id(number, seat, attempt) for seat in (*campaign.seats, GM)}
    seats = [seat for seat, mail in ids.items() if not outbox.is_queued(journal, mail)]
    if seats:
        outbox.queue(campaign, journal, notices.reopened(campaign, journal, number, attempt, now, seats), now)


def _counts_on(campaign: Campaign, journal: Journal, seat: str, turn: int) -> bool:
    """Whether the seat may have a report of a turn that was taken back, and no later mail tells the seat so."""
    had = outdated.reports_had(campaign, journal, seat, turn)
    told = [mail for about in ("undone", "reopened") for mail in outbox.queued(journal, about, kingdom=seat, turn=turn)]
    newest = next((mail for mail in reversed(journal.mails.values()) if mail in had or mail in told), None)
    return newest in had


def _queue_reseeded(campaign: Campaign, journal: Journal, now: datetime) -> None:
    """Queues the mails with the commitments to the next turn, where the seed was changed before it."""
    number = campaigns.newest(campaign) + 1
    if not commitment.is_reseeded(campaign):
        return
    ids = {seat: making.reseeded_id(campaign, number, seat) for seat in (*campaign.seats, GM)}
    seats = [seat for seat, mail in ids.items() if not outbox.is_queued(journal, mail)]
    outbox.queue(campaign, journal, notices.reseeded(campaign, journal, number, now, seats), now)


# --- mails that are made again


def _is_stale(campaign: Campaign, journal: Journal, entry: Line, now: datetime, due: bool) -> bool:
    """Whether a mail may say something else today than when it was made. due: the mail is to be sent now."""
    mail, about, newest = entry["mail"], entry["about"], campaigns.newest(campaign)
    today = outdated.digest_of(campaign, newest) if newest >= 0 else "start"
    has_older_report = about == "welcome" and entry["digest"] != today
    if not outdated.sends(campaign):  # a person carries the mails: letters, news and older turns may be read already
        read = about in ("message", "news") or has_older_report and newest > 0
        older = outbox.is_older(campaign, mail, campaign.folder / FILE)
        return not read and (has_older_report or older or _has_other_deadline(campaign, journal, entry))
    if has_older_report:
        return True
    if about == "message" and not outdated.is_theirs(campaign, entry):
        return True
    # an answer stays as it was given, unless the campaign's address changed
    if about == "message" or about not in outdated.FOLLOWING:
        return _is_moved(campaign, entry)
    if entry["at"] == now.isoformat(timespec="seconds"):
        return False
    made = datetime.fromisoformat(entry["made"]) if entry.get("made") else now
    if entry.get("made") and now - made < A_DAY and outdated.is_theirs(campaign, entry):
        return False  # a server may have taken the mail, and its reply was lost: for a day the mail stays the same to the byte
    return due  # a mail that waits for the GM's release is made again when it is released


def _has_other_deadline(campaign: Campaign, journal: Journal, entry: Line) -> bool:
    """Whether the calendar file of a report or welcome is outdated, since the GM has moved the deadline by mail."""
    turn, about = entry["turn"], entry["about"]
    if not journal.put_off or about not in ("report", "welcome") or turn != campaigns.newest(campaign):
        return False
    at = datetime.fromisoformat(entry["at"])
    due = deadlines.moment(campaign, journal, turn + 1, at, at if about == "report" else None)
    data = outbox.read(campaign, entry["mail"]) or b""
    return due is not None and b"DTEND:" in data and f"DTEND:{deadlines.utc(due.at)}".encode() not in data


def _renew(campaign: Campaign, journal: Journal, entry: Line, now: datetime, anew: bool = False) -> None:
    """Makes a mail again as it would be made today. anew: the mail goes out only now, even if a person carries it."""
    anew = anew or outdated.sends(campaign)
    try:
        letter = _again(campaign, journal, entry, now if anew else datetime.fromisoformat(entry["at"]))
    except Faults:  # the campaign is broken: the GM hears of that, and the mail goes out as it was made
        return
    if letter is None:
        if entry["about"] == "news":  # none of the news is still true
            outbox.withdraw(campaign, journal, entry["mail"], now)
        return
    if letter.id != entry["mail"]:  # a welcome with a newer report
        outbox.withdraw(campaign, journal, entry["mail"], now)
        outbox.queue(campaign, journal, [letter], now, review.until(campaign, journal, now))
    else:
        outbox.replace(campaign, journal, letter, now)


def _again(campaign: Campaign, journal: Journal, entry: Line, now: datetime) -> Letter | None:
    """The same mail made now; None for a mail that stays as it is, and for news of which nothing is still true."""
    mail, about, seat, newest = entry["mail"], entry["about"], entry["kingdom"], campaigns.newest(campaign)
    if about == "farewell":
        gone = entry["handed_on"]
        return inviting.farewell(campaign, journal, gone, entry["mark"], now) if gone in journal.left else None
    if not outdated.addresses(campaign, seat):
        return None
    if about == "report":
        return posting.report(campaign, journal, campaigns.kept(campaign, entry["turn"]), seat, now)
    if about == "welcome":
        return welcoming.welcome(campaign, journal, seat, now)
    if about == "news":
        news = gm_news.still(campaign, journal, entry.get("tells", {}))
        return gm_news.letter(campaign, mail, newest + 1, news, now) if news else None
    if about == "message" or about not in outdated.FOLLOWING:
        return _readdressed(campaign, entry, now)
    return next((letter for letter in _notices(campaign, journal, entry, now) if letter.id == mail), None)


def _notices(campaign: Campaign, journal: Journal, entry: Line, now: datetime) -> Iterable[Letter]:
    """A short mail as it would be made today; [] where it would not be made."""
    turn, seat = entry["turn"], entry["kingdom"]
    match entry["about"]:
        case "reopened":
            return notices.reopened(campaign, journal, turn, entry["attempt"], now, [seat])
        case "seed":
            return notices.reseeded(campaign, journal, turn, now, [seat])
        case "undone":
            return notices.undone(campaign, journal, turn, entry["attempt"], [seat], now)
        case "deadline":
            return notices.moved(campaign, journal, turn, now, [seat])
        case "hold":
            return notices.held(campaign, journal, turn, now, [seat])
        case "reminder":
            return notices.reminder(campaign, journal, seat, turn, entry["mark"], now, anew=True)
        case "digest":
            return notices.before_deadline(campaign, journal, turn, now, anew=True)
        case _:
            return []


def _is_moved(campaign: Campaign, entry: Line) -> bool:
    """Whether a mail comes from an address that the campaign had before it had its mailbox."""
    try:
        data = outbox.read(campaign, entry["mail"]) or b""
    except Faults:  # sending tells of a file that can't be read
        return False
    head = data.partition(b"\r\n\r\n")[0].lower()
    sender = re.search(rb"(?im)^From:.*(?:\r\n[ \t].*)*", head)
    return sender is not None and making.address_of(campaign).lower().encode() not in sender[0]


def _readdressed(campaign: Campaign, entry: Line, now: datetime) -> Letter | None:
    """A letter between players, or an answer, with the campaign's address of today; the text stays. A letter goes to the player who holds
    the seat today, an answer to the address that it was made for."""
    from email import message_from_bytes
    from email.headerregistry import Address
    from email.utils import format_datetime

    data, seat = outbox.read(campaign, entry["mail"]), entry["kingdom"]
    if data is None:
        return None
    mail = message_from_bytes(data, policy=making.policy().clone(refold_source="none"))
    to = outdated.addresses(campaign, seat)[0] if entry["about"] == "message" else entry["to"]
    fields: dict[str, str | Address] = {"To": to}
    if _is_moved(campaign, entry):
        local, _, domain = making.address_of(campaign).rpartition("@")
        fields["From"] = Address(mail["From"].addresses[0].display_name, local, domain)
        fields["Reply-To"] = making.reply_to(campaign, seat, entry["turn"])
        fields["Date"] = format_datetime(now)
    for field, value in fields.items():
        mail.replace_header(field, value)
    return Letter(entry["mail"], entry["kind"], seat, entry["turn"], to, mail.as_bytes())
