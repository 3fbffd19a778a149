"""Tells which waiting mails are no longer true: about a turn that was taken back, with a dead token, about a time that has passed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings, the_end, undone_turns
from kingdom.campaign.campaign import Campaign, Place
from kingdom.campaign.store import Kept
from kingdom.engine.dice import GM
from kingdom.engine.problems import Faults
from kingdom.mail.journal import FORMING, Journal, journal_of
from kingdom.mail.outgoing import deadlines, outbox
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.outbox import sends as sends
from kingdom.mail.records import Line
from kingdom.mail.tokens import own_token

if TYPE_CHECKING:
    from kingdom.campaign.next_turn import Draft  # what plays a turn is loaded where one is played

# mails about the next turn that nobody needs once it is played
OF_NEXT_TURN = frozenset(("reminder", "reopened", "seed", "deadline", "hold", FORMING))
CANNOT_RUN = frozenset(("waits", "fails"))  # mails that a turn can't be run
# mails that follow the campaign; any other is an answer, which stays as it was given
FOLLOWING = OF_NEXT_TURN | CANNOT_RUN | {"report", "welcome", "farewell", "undone", "digest", "news", "message"}
NO_ADDRESS = (
    "Nothing is sent: the campaign has no address that answers could go to. Write one into campaign.yaml, "
    "as `mail: {address: ...}`, or as the GM's `email`. Then the mails in mail/outbox are made anew."
)
BROKEN = "broken"  # instead of the digest of a turn that can't be read


def dead(campaign: Place, journal: Journal, now: datetime) -> set[str]:
    """The waiting mails that the next run withdraws. Raises Faults."""
    kept: dict[int, str] = {}
    return {entry["mail"] for entry in outbox.waiting(journal) if is_dead(campaign, journal, entry, kept, now)}


def is_dead(campaign: Place, journal: Journal, entry: Line, kept: dict[int, str], now: datetime) -> bool:
    """Whether a waiting mail is no longer true. kept: the digests of turns that were looked up.

    In a campaign that sends no mail, a person may have forwarded the mail already. Then only mails about a turn that was taken back count.
    """
    about, seat, turn, newest = entry["about"], entry["kingdom"], entry["turn"], campaigns.newest(campaign)
    if about == "report":
        welcomed = sends(campaign) and outbox.is_welcomed(journal, seat, entry["digest"])
        return welcomed or _is_dead_report(campaign, entry, kept)
    if about == "welcome":
        return seat not in campaign.seats or making.sign_of(campaign, own_token(campaign, seat)) != entry["mark"]
    if about == "reopened" and turn <= newest + 1:
        return turn <= newest or undone_turns.attempt_of(campaign.folder, turn) != entry["attempt"]
    if about == "seed" and turn == newest + 1:
        return entry["mail"] != making.reseeded_id(campaign, turn, seat) or newest not in campaign.settings.old_seeds
    if about == "undone":
        return turn != newest + 1 or not undone_turns.is_closed(campaign.folder, turn)
    if not sends(campaign):
        return False
    if about == "hold" and journal.held != turn:
        return True
    if about == "letters":
        return entry["letters"] != the_end.word_for_what_is_written(campaign) or not is_theirs(campaign, entry)
    if about in OF_NEXT_TURN or about in CANNOT_RUN:
        past = about in OF_NEXT_TURN and (
            not is_theirs(campaign, entry) or _is_of_the_past(campaign, journal, entry, now)
        )
        return turn <= newest or past
    if about == "digest":
        return turn <= newest or entry["mark"] != mark_of(campaign, journal, newest + 1)
    return about == "message" and not addresses(campaign, seat)


def _is_of_the_past(campaign: Place, journal: Journal, entry: Line, now: datetime) -> bool:
    """Whether a mail names a deadline that its turn no longer has, or asks a seat for orders that are filed, not wanted or not taken."""
    about, seat, turn = entry["about"], entry["kingdom"], entry["turn"]
    if about == FORMING:
        return not journal.forming
    if about not in ("reminder", "deadline"):
        return False
    mark = mark_of(campaign, journal, turn)
    if not mark or f"-{mark}-" not in f"{entry['mail']}-":
        return True
    if about == "deadline":
        return False
    filed = seat in filings.filed(filings.folder_of(campaign.folder, turn))
    return filed or journal.is_away(seat, turn) or not deadlines.is_open(campaign, journal, seat, turn, now)


def _is_dead_report(campaign: Place, entry: Line, kept: dict[int, str]) -> bool:
    number = entry["turn"]
    if number not in kept:
        kept[number] = digest_of(campaign, number)
    if kept[number] not in (entry["digest"], BROKEN):
        return True
    return sends(campaign) and number < campaigns.newest(campaign) and not is_theirs(campaign, entry)


def mark_of(campaign: Place, journal: Journal, turn: int) -> str:
    """The mark in the id of a turn's digest, which tells digests before different deadlines apart; "" without a deadline."""
    due = deadlines.deadline(campaign, journal, turn)
    return f"{due.at:%Y%m%d%H%M}" if due else ""


def digest_of(campaign: Place, number: int) -> str:
    """The first digits of the digest of a kept turn, "" where the turn is not kept."""
    try:
        return campaigns.kept(campaign, number).digest[:8] if number <= campaigns.newest(campaign) else ""
    except Faults:
        return BROKEN


def corrects(campaign: Campaign, journal: Journal, turn: Kept, seat: str) -> bool:
    """Whether the seat may have an earlier report of the turn. A report that was withdrawn while it waited for the GM's release reached
    nobody."""
    if not turn.record.corrects:
        return False
    had = reports_had(campaign, journal, seat, turn.record.turn)
    return any(mail["digest"] != turn.digest[:8] for mail in had)


def reports_had(campaign: Campaign, journal: Journal, seat: str, turn: int) -> list[Line]:
    """The mails with a report of the turn that the seat may have, the oldest first, also reports that were taken back. A welcome brings the
    newest report, too."""
    return [one for one in _reports(journal, seat, turn) if outbox.went_out(campaign, journal, one)]


def _reports(journal: Journal, seat: str, turn: int) -> list[Line]:
    mails = [one for one in journal.mails.values() if one.get("kind") in ("report", "welcome")]
    return [one for one in mails if (one.get("kingdom"), one.get("turn")) == (seat, turn)]


def with_unseen(campaign: Campaign, draft: Draft) -> Draft:
    """A turn to be kept, with the seats that got no report of the turn that it replaces. If no mail ever held that report, a person may
    have carried it from the turn's folder."""
    if not draft.corrects:
        return draft
    journal = journal_of(campaign)
    mailed = [seat for seat in campaign.seats if sends(campaign) or _reports(journal, seat, draft.number)]
    unseen = [seat for seat in mailed if not reports_had(campaign, journal, seat, draft.number)]
    return replace(draft, unseen=unseen)


def unseen_of(campaign: Campaign, turn: Kept) -> list[str]:
    """The seats whose report of a kept turn nobody can have seen; none in a campaign without mail."""
    journal, number = journal_of(campaign), turn.record.turn
    if not journal.file.is_file():
        return []
    had = {seat: reports_had(campaign, journal, seat, number) for seat in campaign.seats}
    return [seat for seat, mails in had.items() if not any(mail["digest"] == turn.digest[:8] for mail in mails)]


def is_theirs(campaign: Place, entry: Line) -> bool:
    """Whether a mail's address is one of its seat's addresses today."""
    return entry["to"] in addresses(campaign, entry["kingdom"])


def addresses(campaign: Place, seat: str) -> Sequence[str]:
    """The addresses of a seat or the GM today; () for a seat that is no longer in the campaign."""
    return making.addresses(campaign, seat) if seat in (GM, *campaign.seats) else ()


def is_nowhere(campaign: Place) -> bool:
    """Whether the campaign has no address to which replies could go, so that nothing is sent."""
    return making.address_of(campaign).endswith(making.NOWHERE.rpartition("@")[2])


def why_unsent(campaign: Place) -> str:
    """A sentence why mails stay in the outbox; "" if the campaign sends its mail."""
    if is_nowhere(campaign):
        return NO_ADDRESS
    return "" if sends(campaign) else "No mailbox is set up, so forward them yourself and take out what you forwarded."
