"""Short mails that the campaign sends of its own accord: reminders, news of a deadline, what the GM has to know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.mail.incoming import dates
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import answer_view, pages, reporting
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.icalendar import deadline_file
from kingdom.mail.outgoing.letters import Content, Enclosed, addresses
from kingdom.mail.outgoing.links import Link
from kingdom.mail.records import Letter


def notice(
    campaign: Campaign, id: str, kind: str, seat: str, turn: int, lines: Sequence[str], now: datetime,
    typed: Iterable[str] = (), links: Iterable[Link] = (), enclosed: Sequence[Enclosed] = (),
) -> list[Letter]:  # fmt: skip
    """A short mail to a seat, or to the GM; none where it has no address. turn: the one that a reply is for."""
    to = addresses(campaign, seat)
    if not to:
        return []
    text, html = pages.short(campaign.settings.name, lines, typed, links)
    content = Content(making.subject_of(campaign, seat, turn), text, html, enclosed)
    return [making.letter(campaign, id, kind, seat, turn, to[0], content, now)]


def reminder(campaign: Campaign, journal: Journal, seat: str, turn: int, mark: str, now: datetime) -> list[Letter]:
    """To a seat that has nothing filed. mark: such as 48h; there is one for each mark of each deadline, none again."""
    due = dates.deadline(campaign, journal, turn)
    if due is None:
        return []
    id = f"reminder-{turn:04}-{seat}-{mark.replace(' ', '')}-{due.at:%Y%m%d%H%M}"
    if id in journal.mails:
        return []
    said = answer_view.deadline_of(campaign, journal, seat, turn, now)["due"]
    last = campaigns.kept(campaign)
    links = [*reporting.again(campaign, last, seat), reporting.form_link(campaign, seat)]
    questions = [
        one["question"] + f" Without an answer: {one['default']}." for one in reporting.asked(campaign, last, seat)
    ]
    lines = [
        f"Nothing is filed for {seat} yet. {said}",
        *questions,
        "Reply with your orders above the quote, or with the form:",
    ]
    return notice(campaign, id, "reminder", seat, turn, lines, now, reporting.form(campaign, seat), links)


def moved(campaign: Campaign, journal: Journal, turn: int, now: datetime) -> list[Letter]:
    """To all, where the deadline of the next turn is no longer the one that they were told."""
    due = dates.deadline(campaign, journal, turn)
    if due is None:
        return []
    made = []
    for seat in (*campaign.seats, GM):
        said = answer_view.deadline_of(campaign, journal, seat, turn, now)["due"]
        lines = [f"The deadline of turn {turn} was moved. {said}", "Orders that are filed already stay filed."]
        id = f"deadline-{turn:04}-{seat}-{due.at:%Y%m%d%H%M}"
        made += notice(
            campaign, id, "deadline", seat, turn, lines, now, enclosed=deadline_file(campaign, journal, turn, now)
        )
    return made


def reopened(campaign: Campaign, journal: Journal, turn: int, attempt: int, now: datetime) -> list[Letter]:
    """To all: a turn was taken back for new orders; it gets new dice, and here is what is promised for them."""
    promised = campaigns.commitments(campaign, turn)
    made = []
    for seat in (*campaign.seats, GM):
        said = answer_view.deadline_of(campaign, journal, seat, turn, now)["due"]
        open_again = (
            f"Turn {turn} was taken back and is open for new orders: attempt {attempt}, with new dice. {said}".strip()
        )
        lines = [open_again, "The commitments to them:"]
        typed = [f"{name}: {promised[name]}" for name in dict.fromkeys((seat, GM))]
        made += notice(campaign, f"reopened-{turn:04}-{seat}-{attempt}", "deadline", seat, turn, lines, now, typed)
    return made


def to_gm(campaign: Campaign, id: str, turn: int, lines: Sequence[str], now: datetime) -> list[Letter]:
    """What the GM has to know at once: a turn that waits, a campaign that fails, a mail that was refused for good."""
    return notice(campaign, id, "digest", GM, turn, lines, now)
