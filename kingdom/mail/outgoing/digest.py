"""The GM's digest, with each turn and a day before the deadline: who is missing, what strangers wrote, what is open."""

from __future__ import annotations

from datetime import datetime

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import filings
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.store import Kept
from kingdom.engine.dice import GM
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import answer_view, notices, overview
from kingdom.mail.records import Letter


def of_turn(campaign: Campaign, journal: Journal, turn: Kept, now: datetime) -> list[str]:
    """What the mail with the GM's book says, a paragraph each."""
    record = turn.record
    unasked = campaigns.unasked(campaign, record.turn)
    silent = [seat for seat in _people(campaign) if f"orders/{seat}.yaml" not in record.files or seat in record.bots]
    silent = [seat for seat in silent if seat not in unasked]
    missing = [f"No orders came from {', '.join(silent)}."] if silent and record.turn else []
    missing += [f"A bot gave those of {seat}, as steward." for seat in silent if seat in record.bots]
    return [*missing, *_left(campaign, journal, now, overview.since(journal, record.turn - 1)), *_asked(campaign)]


def before_deadline(campaign: Campaign, journal: Journal, turn: int, now: datetime) -> list[Letter]:
    """The digest a day before the deadline; none where it was queued, where there is no deadline or no GM's address."""
    from kingdom.mail.incoming import dates

    due = dates.deadline(campaign, journal, turn)
    id = f"digest-{turn:04}-{due.at:%Y%m%d%H%M}" if due else ""
    if due is None or id in journal.mails:
        return []
    there = filings.filed(filings.folder_of(campaign.folder, turn))
    unasked = campaigns.unasked(campaign, turn)
    missing = [seat for seat in _people(campaign) if seat not in there and seat not in unasked]
    said = answer_view.deadline_of(campaign, journal, GM, turn, now)["due"]
    everybody = "All who are asked for orders have filed." if unasked else "All players have filed."
    who = f"Nothing is filed yet for {', '.join(missing)}." if missing else everybody
    lines = [said, who, *_left(campaign, journal, now, overview.since(journal, turn - 1)), *_asked(campaign)]
    return notices.to_gm(campaign, id, turn, lines, now)


def _people(campaign: Campaign) -> list[str]:
    """The live seats that people hold."""
    state = campaigns.state_of(campaign, campaigns.kept(campaign))
    return [seat for seat in campaign.game.seats(state) if not campaign.settings.players[seat].bot]


def _left(campaign: Campaign, journal: Journal, now: datetime, since: str) -> list[str]:
    """What the mail left to the GM; who is away, whether the others are told or not."""
    found = overview.overview(journal, now, since)
    turn = answer_view.upcoming(campaign)
    absent = [f"{seat} is away until turn {last}." for seat, (_, last) in journal.away.items() if last >= turn]
    absent += [f"The player of {seat} gave up the seat; `kingdom invite` hands it on." for seat in journal.resigned]
    return [*absent, *overview.said(found._replace(waiting=0, kept_back=0))]


def _asked(campaign: Campaign) -> list[str]:
    open_now = overview.requests(campaign)
    return ["Open requests; a GM order with `tell` answers them:", *open_now] if open_now else []
