"""What the GM can do by mail, with links: told by the digest before a deadline and by the first book."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines, gm_news, outbox, outdated, reporting
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Link, addresses
from kingdom.mail.tokens import own_token


def can_do(campaign: Campaign, journal: Journal, turn: int, missing: Sequence[str]) -> gm_news.News:
    """What the GM can do about a turn before its deadline, for the digest. missing: who has filed nothing."""
    held = (
        gm_news.tap(campaign, "release", f"Let turn {turn} go on")
        if journal.held == turn
        else gm_news.tap(campaign, "hold", f"Hold turn {turn}")
    )
    skips = [
        gm_news.tap(campaign, f"skip {seat}", f"Don't wait for {reporting.who(campaign, seat)}")
        for seat in missing[: gm_news.MOST]
    ]
    cure = (gm_news.tap(campaign, "extend 1d", "Give all one day more"), held, *skips, help_link(campaign))
    return gm_news.News(
        gm_news.TURN, "", "", "You can give more time, hold the turn, or say whom it does not wait for.", cure
    )


def _welcome(campaign: Campaign, journal: Journal, seat: str, now: datetime) -> str:
    """What became of a player's welcome mail, a sentence; "" for who plays without one, as campaign.yaml named them from the start."""
    sign = making.sign_of(campaign, own_token(campaign, seat))
    mail = next(iter(outbox.queued(journal, "welcome", kingdom=seat, mark=sign)), None)
    if mail is None:
        return ""
    if mail["fate"] == "sent":
        became = f"to {mail['to']} went out on {deadlines.said(datetime.fromisoformat(mail['fate_at']), campaign, GM)}"
    elif outbox.is_carried(mail):
        became = f"to {mail['to']} was taken out of mail/outbox"
    elif mail["fate"] == "dropped":
        became = f"to {mail['to']} was refused for good: {mail.get('text', '')}"
    elif mail["fate"] == "failed":
        became = f"to {mail['to']} is tried again: {mail.get('text', '')}"
    elif mail in outbox.kept_back(journal, now):
        became = f"to {mail['to']} waits for your release"
    else:
        became = f"to {mail['to']} {'goes out with this one' if outdated.sends(campaign) else 'lies in mail/outbox'}"
    return f"The welcome mail of {reporting.who(campaign, seat)} {became.rstrip('. ')}."


def help_link(campaign: Campaign) -> Link:
    """The list of what the GM can ask by mail."""
    return gm_news.tap(campaign, "help", making.NAMES["help"])


def first_words(campaign: Campaign, journal: Journal, now: datetime) -> gm_news.News:
    """For the GM's first book: who was invited and is welcomed, and how to find out what can be asked by mail."""
    people = [seat for seat in campaign.seats if not campaign.settings.players[seat].bot]
    there = [seat for seat in people if addresses(campaign, seat)]
    empty = [reporting.name_of(campaign, seat) for seat in people if seat not in there]
    invited = [f"These play: {', '.join(reporting.who(campaign, seat) for seat in there)}."] if there else []
    invited += [said for seat in there if (said := _welcome(campaign, journal, seat, now))]
    nobody = f"Nobody plays {', '.join(empty)} yet: `kingdom invite {campaigns.typed(campaign)} KINGDOM EMAIL --name NAME` gives a seat to a player."
    more = "You run the game by replies to these mails: more time, a turn that is held, letters to players. `help` lists all of it."
    return gm_news.News(
        gm_news.TURN, "", "", "\n".join([*invited, *([nobody] if empty else []), more]), (help_link(campaign),)
    )
