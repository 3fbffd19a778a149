"""Giving a seat to a player, or handing it on: a new token, the entry in campaign.yaml, and a welcome mail."""

from __future__ import annotations

import os
from datetime import datetime

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import settings, settings_edit, store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.settings import Player
from kingdom.engine.dice import GM
from kingdom.mail.incoming import headers as reading
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines, outbox, review, welcoming
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.outdated import sends
from kingdom.mail.tokens import own_token
from kingdom.render.plain_text import clean

LONGEST_NAME = 80  # characters; a longer one is no name of campaign.yaml


def invite(campaign: Campaign, journal: Journal, seat: str, address: str, name: str, now: datetime) -> list[str]:
    """What to say of it. Only for who holds the campaign. Raises Faults where the entry has to be written by hand.

    Whoever held the seat before is out: the old token proves nothing any more.
    """
    file = campaign.folder / settings.FILE
    if reading.read(f"From: {address}".encode("utf-8", "surrogateescape")).sender != address.lower():
        raise fault("bad_address", file, word=address[:60])
    player = _seated(campaign.settings.players[seat], address, name)
    data = store.read(file)
    changed = settings_edit.with_player(data, seat, player)
    if (
        changed is None
        and campaign.settings.players[seat].email == player.email
        and campaign.settings.players[seat].token
    ):
        changed, player = data, campaign.settings.players[seat]  # written by hand, as was asked
    if changed is None:
        raise fault("seat_line", file, seat=seat, entry=settings_edit.line_of(seat, player))
    more = _taken_over(campaign, journal, seat, player)
    journal.add("invited", now, kingdom=seat, mark=making.sign_of(campaign, player.token), **more)
    _write(campaign, changed)
    seated = campaigns.open_campaign(campaign.folder)
    make_welcomes(seated, journal, now)
    return [
        f"{seat} is {player.name}'s now ({address}), with a new token; an older one is dead.",
        _what_next(seated, review.until(seated, journal, now)),
    ]


def _what_next(campaign: Campaign, until: datetime | None) -> str:
    """How the welcome mail reaches the player. until: when it is sent without the GM's release, None if it need not wait for that."""
    run, lies = f"`kingdom run {campaign.folder}`", f"lies in {campaign.folder}/mail/outbox"
    if sends(campaign) and until:
        by = deadlines.said(until, campaign, GM)
        return f"The welcome mail holds the newest report, so it waits for your `release` with the others; without it until {by}."
    if sends(campaign):
        return f"The welcome mail goes out with the next {run}."
    later = f"Once the mailbox is set up (`mail` in campaign.yaml, docs/mail.md), {run} sends it."
    if making.address_of(campaign) == making.NOWHERE:
        return f"The welcome mail {lies} and has no address yet that the player could answer to. {later}"
    return f"The welcome mail {lies}. No mailbox is set up, so nothing is sent: forward that file yourself. {later}"


def _taken_over(campaign: Campaign, journal: Journal, seat: str, player: Player) -> dict[str, object]:
    """From whom the player takes the seat over, for the welcome and the next reports; nothing where nobody played it yet."""
    turn, before = campaigns.newest(campaign) + 1, campaign.settings.players[seat]
    known = any(mail.get("kingdom") == seat and mail["fate"] == "sent" for mail in journal.mails.values())
    if not known and seat in journal.took_over:  # the one before never heard of it
        return dict(zip(("turn", "before"), journal.took_over[seat], strict=True))
    same = not before.email or before.email[0].lower() in (one.lower() for one in player.email)
    return {} if same or before.bot or turn < 2 else {"turn": turn, "before": before.name or seat}


def make_welcomes(campaign: Campaign, journal: Journal, now: datetime) -> None:
    """Queue the welcome of each seat that was given to a player, where it is missing: a killed run may not have come to it."""
    for seat, sign in journal.invited.items():
        known = seat in campaign.seats and making.addresses(campaign, seat)
        if not known or making.sign_of(campaign, own_token(campaign, seat)) != sign:
            continue
        begins = f"{outbox.WELCOME}{seat}-{sign}-"
        if not any(mail.startswith(begins) and outbox.is_queued(journal, mail) for mail in journal.mails):
            journal.add("seated", now, kingdom=seat)
            until = review.until(campaign, journal, now)
            outbox.queue(campaign, journal, welcoming.welcome(campaign, journal, seat, now), now, until)


def _seated(before: Player, address: str, name: str) -> Player:
    """The entry of a seat. What the player before had chosen goes with that player; what was prepared for an empty seat stays."""
    same = not before.email or address.lower() in (one.lower() for one in before.email)
    given = (
        " ".join(clean(name).split())[:LONGEST_NAME]
        or (before.name if same and before.name and not before.bot else "")
        or address.partition("@")[0]
    )
    emails = before.email if same and before.email else (address,)
    emails = (address, *(one for one in emails if one.lower() != address.lower()))
    zone = before.zone if same else ""
    return Player(given, emails, settings.new_token(), zone)


def _write(campaign: Campaign, data: bytes) -> None:
    file = campaign.folder / settings.FILE
    with writing(file):
        mode = os.stat(file).st_mode & 0o777
        partial = file.with_name(f".{file.name}.partial")
        store.write_file(partial, data)
        os.chmod(partial, mode)  # it holds secrets: nobody may read it who could not before
        store.move(partial, file)
