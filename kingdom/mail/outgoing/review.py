"""Tells which reports of the newest turn are still to be queued, and which wait for the GM's release. Before the release nobody is told
anything of the turn."""

from __future__ import annotations

from datetime import datetime, timedelta

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.calendar import span
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.store import Kept
from kingdom.engine.dice import GM
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import outbox
from kingdom.mail.outgoing.letters import addresses
from kingdom.mail.records import Line


def report_id(turn: Kept, seat: str) -> str:
    """The id of a report's mail; after a correction of the turn it is another one."""
    return f"report-{turn.record.turn:04}-{seat}-{turn.digest[:8]}"


def review_of(campaign: Campaign, turn: int) -> timedelta:
    """How long the players' reports of a turn wait for the GM. Reports of the start don't wait, so that welcomes go out."""
    calendar = campaign.settings.calendar
    return span(calendar.review) if calendar and turn > 0 else timedelta()


def is_queued(journal: Journal, turn: Kept, seat: str) -> bool:
    """Whether the mail with a seat's report is or was in the outbox."""
    return outbox.is_queued(journal, report_id(turn, seat))


def awaited(campaign: Campaign, journal: Journal, turn: Kept) -> list[str]:
    """The GM and the seats whose report of a turn is still to be queued."""
    seats = [seat for seat in (GM, *turn.record.seats) if seat in (GM, *campaign.seats) and addresses(campaign, seat)]
    return [
        seat for seat in seats if not (is_queued(journal, turn, seat) or outbox.is_welcomed(journal, seat, turn.digest))
    ]


def has_later(journal: Journal, turn: Kept) -> bool:
    """Whether reports of a later turn, which was taken back since, went out after the reports of this turn. A turn that was itself taken
    back and run again has no reports yet."""
    number, digest = turn.record.turn, turn.digest[:8]
    reports = [mail for mail in journal.mails.values() if mail["about"] == "report"]
    if not any((mail["turn"], mail["digest"]) == (number, digest) for mail in reports):
        return False
    return any(mail["turn"] > number for mail in reports)


def is_withheld(campaign: Campaign, journal: Journal, seat: str, now: datetime) -> bool:
    """Whether the newest turn's report still waits for the GM's release. Then no answer to the seat may show that turn."""
    if seat == GM or not review_of(campaign, campaigns.newest(campaign)):
        return False
    turn = campaigns.kept(campaign)
    if report_id(turn, seat) in {entry["mail"] for entry in outbox.kept_back(journal, now)}:
        return True
    return seat in awaited(campaign, journal, turn) and not has_later(journal, turn)


def waiting(journal: Journal, turn: Kept, now: datetime) -> list[Line]:
    """The reports of a turn that wait for the GM's release."""
    of_turn = ("report", turn.record.turn)
    return [mail for mail in outbox.kept_back(journal, now) if (mail["kind"], mail["turn"]) == of_turn]


def until(campaign: Campaign, journal: Journal, now: datetime) -> datetime | None:
    """Until when the newest turn's reports wait for the GM's release; None if none waits. A mail that holds such a report waits, too."""
    waits = review_of(campaign, campaigns.newest(campaign))
    if not waits:
        return None
    turn = campaigns.kept(campaign)
    reports = waiting(journal, turn, now)
    if reports:
        return max(datetime.fromisoformat(one["until"]) for one in reports)
    awaits = any(seat != GM for seat in awaited(campaign, journal, turn))
    awaits = awaits and not any(is_queued(journal, turn, seat) for seat in turn.record.seats)
    return now + waits if awaits and not has_later(journal, turn) else None
