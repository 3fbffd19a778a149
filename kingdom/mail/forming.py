"""A campaign of a house that waits for players: no deadline counts until every seat has one, then its first deadline is set. Of one
without a calendar the GM hears that it is full.

That it waits stands in its journal, so a run that was killed between any two lines is finished by the next.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from kingdom.campaign import calendar
from kingdom.campaign import campaign as campaigns
from kingdom.campaign.calendar import span
from kingdom.campaign.campaign import Campaign, Place
from kingdom.campaign.settings import Settings
from kingdom.engine.dice import GM
from kingdom.mail.journal import FORMED, FORMING, Journal
from kingdom.mail.vacancies import CLOSED

TO_BEGIN = timedelta(days=2)  # that a campaign which was full just now leaves at least before its first deadline


def form(campaign: Campaign, journal: Journal, number: int, now: datetime, dry: bool) -> list[str]:
    """Note that the campaign waits for players, or that it has them. number: the next turn. dry: only tell. Returns lines that say so.

    `tell_moved_deadline` of the weekly job tells all when it starts, since the deadline is then another than the one noted here.
    """
    settings = campaign.settings
    free = _free(settings, journal, number)
    lines = []
    if free:
        seats = len(settings.players)
        lines.append(f"It waits for players: {seats - len(free)} of {seats} seats have one.")
    if dry or bool(free) == journal.forming:
        return lines
    if free:
        journal.add("told", now, what="deadline", kingdom=GM, turn=1, mark=FORMING)
        journal.add("told", now, what=FORMING, kingdom=GM, turn=0, mark=now.isoformat())
        return lines
    if settings.calendar is not None and number <= 1:  # else its turns are played by hand
        at = now + min(span(settings.calendar.every), TO_BEGIN)
        if delay := calendar.delay_to(settings.calendar, journal.put_off, at):
            journal.add("put_off", now, turn=1, by=delay, message=FORMED)
    journal.add("told", now, what=FORMED, kingdom=GM, turn=0, mark=now.isoformat())
    if number > 1:
        return []
    starts = "the campaign starts" if settings.calendar else "its GM starts it, for it has no calendar"
    return [
        f"{'It waits for players no longer' if settings.free_seats(journal.resigned) else 'Every seat has a player'}: {starts}."
    ]


def is_forming(campaign: Place, journal: Journal) -> bool:
    """Whether no deadline counts: it waits for players, also where no run has noted that yet."""
    return journal.forming or bool(_free(campaign.settings, journal, campaigns.newest(campaign) + 1))


def is_full_without_calendar(campaign: Campaign, journal: Journal) -> bool:
    """Whether a campaign that waited for players has them, and no calendar by which it would start."""
    settings = campaign.settings
    waited = any(what == FORMED for what, *_ in journal.told)
    return (
        waited
        and settings.calendar is None
        and campaigns.newest(campaign) < 1
        and not settings.free_seats(journal.resigned)
    )


def _free(settings: Settings, journal: Journal, number: int) -> list[str]:
    """The seats for which it waits; none once its first turn is played, or where it takes nobody by mail."""
    if not settings.house or settings.newcomers == CLOSED or number > 1:
        return []
    return settings.free_seats(journal.resigned)
