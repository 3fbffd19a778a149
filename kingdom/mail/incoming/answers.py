"""What a message is answered: one mail, that says all that became of it. What it says is only what this seat may know."""

from __future__ import annotations

from datetime import datetime

from kingdom.campaign.campaign import Campaign
from kingdom.mail.incoming import commands
from kingdom.mail.incoming import headers as reading
from kingdom.mail.incoming.handling import Fate, Message
from kingdom.mail.incoming.senders import seats_of
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import answer_view, deadlines
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Content
from kingdom.mail.records import Letter


def letters(campaign: Campaign, journal: Journal, message: Message, fate: Fate, now: datetime) -> list[Letter]:
    """The mails that a message brings about, its answer first."""
    if fate.warned:
        return _warning(campaign, journal, message, fate, now)
    if not fate.answered or not fate.seat:
        return []
    if fate.command:
        return commands.letters(campaign, journal, message, fate, now)
    return [_answer(campaign, message, fate, answer_view.view_of(campaign, journal, fate, now), now)]


def _answer(campaign: Campaign, message: Message, fate: Fate, view: answer_view.AnswerView, now: datetime) -> Letter:
    content = Content(
        making.subject_of(campaign, fate.seat, view["turn"]),
        making.template("answer.txt", view),
        making.template("answer.html", view),
        in_reply_to=fate.headers.message_id,
        references=fate.headers.references,
        answers=True,
    )
    return making.letter(campaign, message.answer, "answer", fate.seat, view["turn"], fate.headers.sender, content, now)


def _warning(campaign: Campaign, journal: Journal, message: Message, fate: Fate, now: datetime) -> list[Letter]:
    """One line to an address on the seat's list: no orders, no sheet. What came from another address is told once."""
    listed = fate.seat in seats_of(fate.headers.sender, campaign.settings)
    to = fate.headers.sender if listed else next(iter(making.addresses(campaign, fate.seat)), "")
    if not to or not listed and ("unlisted", fate.seat, 0, fate.headers.sender) in journal.told:
        return []
    turn = answer_view.upcoming(campaign)
    came = deadlines.said(reading.arrival(fate.headers, message.seen), campaign, fate.seat)
    text, html = making.short(campaign.settings.name, [f"A mail that came on {came} was not taken: {fate.reason}"])
    content = Content(making.subject_of(campaign, fate.seat, turn), text, html, answers=True)
    return [making.letter(campaign, f"warning-{message.digest[:16]}", "warning", fate.seat, 0, to, content, now)]
