"""Giving a seat to a player, or handing it on: a new token, the entry in campaign.yaml, and a welcome mail."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import editor_schema, keeping, next_turn, settings, settings_edit, store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.settings import Player
from kingdom.engine.step import AnyState
from kingdom.mail.incoming import headers as reading
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import answer_view, deadlines, outbox, posting, reporting
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.deadlines import deadline_file
from kingdom.mail.outgoing.letters import Content, Enclosed, Link, mailto
from kingdom.mail.records import Letter
from kingdom.mail.tokens import own_token
from kingdom.orders import places
from kingdom.orders.orders_file import SCHEMA_FILE
from kingdom.render.plain_text import clean

LONGEST_NAME = 80  # characters; a longer one is no name of campaign.yaml
WIDTH = 1200  # dots of the map
GUIDE = "guide.txt"  # beside the game's templates


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
    journal.add("invited", now, kingdom=seat, mark=making.sign_of(campaign, player.token))
    _write(campaign, changed)
    make_welcomes(campaigns.open_campaign(campaign.folder), journal, now)
    where = f"The welcome mail waits in {campaign.folder}/mail/outbox; `kingdom mail send` sends it."
    return [f"{seat} is {player.name}'s now ({address}), with a new token; an older one is dead.", where]


def make_welcomes(campaign: Campaign, journal: Journal, now: datetime) -> None:
    """Queue the welcome of each seat that was given to a player, where it is missing: a killed run may not have come to it."""
    for seat, sign in journal.invited.items():
        known = seat in campaign.seats and making.addresses(campaign, seat)
        if not known or making.sign_of(campaign, own_token(campaign, seat)) != sign:
            continue
        begins = f"{posting.WELCOME}{seat}-{sign}-"
        if not any(mail.startswith(begins) and outbox.is_queued(journal, mail) for mail in journal.mails):
            journal.add("seated", now, kingdom=seat)
            outbox.queue(campaign, journal, welcome(campaign, journal, seat, now), now)


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


# --- the welcome mail


def welcome(campaign: Campaign, journal: Journal, seat: str, now: datetime) -> Letter:
    """Report, map, guide, rules, what editors complete orders from, three sets of first orders, and the deadline."""
    turn = answer_view.upcoming(campaign)
    player = campaign.settings.players[seat]
    state, rules, files = _now(campaign, seat)
    first = campaign.game.forms.first_orders if campaign.game.forms else None
    sets = [
        answer_view.link_to(campaign, seat, turn, name, text.splitlines()).view()
        for name, text in (first(state, seat, rules) if first else {}).items()
    ]
    view = {
        "campaign": campaign.settings.name,
        "gm": campaign.settings.gm.name,
        "player": player.name,
        "seat": seat,
        "turn": turn,
        "token": player.token,
        "sets": sets,
        "links": [reporting.form_link(campaign, seat).view(), _help(campaign, seat).view()],
        "guide": bool(guide(campaign)),
        **deadlines.deadline_of(campaign, journal, seat, turn, now),
    }
    enclosed = [
        *files,
        Enclosed("map.txt", "text/plain", campaign.game.draw(state, seat, rules).encode()),
        *_picture(campaign, state, seat, rules),
        *guide(campaign),
        reporting.rules_file(campaign),
        Enclosed(SCHEMA_FILE, "application/schema+json", editor_schema.text(editor_schema.of_seat(campaign, seat))),
        *deadline_file(campaign, journal, turn, now),
    ]
    text, html = making.template("welcome.txt", view), making.template("welcome.html", view)
    content = Content(
        making.titled(campaign, f"Welcome: you play {reporting.name_of(campaign, seat)}"), text, html, enclosed
    )
    return making.letter(campaign, _id(campaign, seat), "welcome", seat, turn - 1, player.email[0], content, now)


def _picture(campaign: Campaign, state: AnyState, seat: str, rules: object) -> list[Enclosed]:
    """The map as a picture; none where the game draws none."""
    if campaign.game.picture is None:
        return []
    from kingdom.render.pictures import png  # loads what draws

    return [Enclosed("map.png", "image/png", png(campaign.game.picture(state, seat, rules), WIDTH))]


def _id(campaign: Campaign, seat: str) -> str:
    """Another for each token, which it does not tell; it names the turn whose report goes with it."""
    return f"{posting.WELCOME}{seat}-{making.sign_of(campaign, own_token(campaign, seat))}-{making.kept_sign(campaign)}"


def _now(campaign: Campaign, seat: str) -> tuple[AnyState, object, Sequence[Enclosed]]:
    """(the state that orders are wanted for, its rules, the newest report); before turn 0 as it would be made now."""
    if campaigns.newest(campaign) >= 0:
        turn = campaigns.kept(campaign)
        report = reporting.enclosed(campaign, seat, turn.record.turn)
        return campaigns.state_of(campaign, turn), campaigns.rules_of(campaign, turn).rules, report
    draft = next_turn.opening_draft(campaign, campaigns.rules_today(campaign))
    files = keeping.files_of(campaign, draft, "")
    return draft.result.after, draft.tables.rules, list(_start_report(files, seat))


def _start_report(files: dict[str, bytes], seat: str) -> Iterator[Enclosed]:
    for ending, kind in reporting.KINDS.items():
        data = files.get(f"reports/{seat}.{ending}")
        if data:
            yield Enclosed(f"{seat}-{store.name_of(0)}.{ending}", kind, data)


def _help(campaign: Campaign, seat: str) -> Link:
    return Link(
        "What else can I ask?", mailto(making.address_of(campaign), making.with_token(campaign, seat, "help"), ""), ()
    )


def guide(campaign: Campaign) -> list[Enclosed]:
    """The game's guide for players; none where it has none."""
    file = places.templates() / campaign.game.name / GUIDE
    return [Enclosed("players-guide.txt", "text/plain", store.read(file))] if file.is_file() else []
