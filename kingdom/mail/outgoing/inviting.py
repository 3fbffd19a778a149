"""Giving a seat to a player, or handing it on: a new token, the entry in campaign.yaml, and a welcome mail."""

from __future__ import annotations

import shlex
from contextlib import suppress
from datetime import datetime

import msgspec

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import house, settings, settings_edit, store, undone_turns
from kingdom.campaign.afterwards import Afterwards
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.settings import Player
from kingdom.engine import names
from kingdom.engine.dice import GM
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults
from kingdom.engine.regex import regex
from kingdom.mail import aside
from kingdom.mail import headers as reading
from kingdom.mail.journal import Journal
from kingdom.mail.outgoing import deadlines, order_links, outbox, people, review, undelivered, welcoming
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.outdated import sends
from kingdom.mail.records import Letter
from kingdom.mail.tokens import own_token
from kingdom.orders.scalars import one_line
from kingdom.render.plain_text import clean

GIVEN, AGAIN, CORRECTED, HANDED_ON = "given", "again", "corrected", "handed on"  # what an invitation makes of a seat
_NUMBERED = regex(r"Player \d+")  # the names of a new campaign's seats
LONGEST_NAME = 80  # characters; a longer one is no name of campaign.yaml


def invite(
    campaign: Campaign, journal: Journal, seat: str, address: str, name: str, now: datetime, debug: bool = False
) -> tuple[list[str], Afterwards]:
    """(what to say of the invitation, what is done after the seat was given). The caller holds the campaign. Raises Faults where the entry
    must be written by hand, and where the disk does not take it.

    The former token proves nothing any more. With another name, or where the player resigned, the seat is handed on to another player;
    with only another address it stays with the same player.
    """
    file = campaign.folder / settings.FILE
    made = prepared(campaign, journal, seat, address, name)
    before, became, player = campaign.settings.players[seat], made.became, made.player
    more = _taken_over(campaign, journal, seat, became) | _left(journal, seat, became, before)
    more |= {"known": True} if _is_known(campaign, journal, seat, became) else {}
    turns_aside = set_aside(campaign, journal, seat, now) if is_anothers(campaign, seat, became) else []
    with writing(file):
        partial = store.prepared(file, made.data)
    try:
        journal.add("invited", now, kingdom=seat, mark=making.sign_of(campaign, player.token), **more)
        with writing(file):
            store.move(partial, file)
    except Faults:
        with suppress(OSError):
            partial.unlink()
        raise
    lines = _said(seat, became, before, player, bool(more.get("left")))
    lines += [lies(campaign, seat, turn) for turn in turns_aside]
    rest = Afterwards(lines[0], debug)
    with rest.step("The welcome mail could not be made", "The next `kingdom run` makes it."):
        seated = campaigns.open_campaign(campaign.folder)
        make_welcomes(seated, journal, now)
        lines.append(_what_next(seated, review.until(seated, journal, now)))
    if not name and became in (GIVEN, HANDED_ON) and player.name == player.email[0].partition("@")[0]:
        said = "No name was given (`--name`), so mails call the player {}; `name` in campaign.yaml changes that."
        lines.append(said.format(player.name))
    return lines, rest


def is_anothers(campaign: Campaign, seat: str, became: str) -> bool:
    """Whether the orders that are filed for a seat are another player's than the one who gets it, even if a bot played since."""
    return became == HANDED_ON or bool(campaign.settings.players[seat].bot)


def filed_ahead(campaign: Campaign, seat: str) -> list[int]:
    """The turns ahead for which a seat has filed orders that its player may still change."""
    first = order_links.upcoming(campaign)
    turns = range(first, first + aside.AHEAD + 1)
    return [
        turn
        for turn in turns
        if aside.file_of(campaign, seat, turn).is_file() and not undone_turns.is_closed(campaign.folder, turn)
    ]


def set_aside(campaign: Campaign, journal: Journal, seat: str, now: datetime) -> list[int]:
    """Puts the orders aside that the former player filed for turns ahead, so that they don't count as the new player's; the turns. Raises
    Faults."""
    turns = filed_ahead(campaign, seat)
    for turn in turns:
        journal.add("withdraw", now, kingdom=seat, turn=turn, time=now.isoformat())
        aside.put_aside(campaign, seat, turn, aside.HANDED_ON)
    return turns


def lies(campaign: Campaign, seat: str, turn: int) -> str:
    """A sentence that says where the former player's orders lie, and how they are taken up. It holds before they are put there, too."""
    name, there = campaign.settings.players[seat].name or seat, aside.file_of(campaign, seat, turn)
    file = None if there.is_file() else aside.handed_on(campaign, seat, turn)
    place = file or aside.place_of(campaign, seat, turn, aside.HANDED_ON)
    has = "has none of it"
    if welcoming.left_lines(campaign, seat, turn, file or there):
        has = "has it, without the letters in it, with a link that files it"
    return (
        f"What {name} filed for turn {turn} counts no longer. The welcome mail {has}; `kingdom mail accept {campaigns.typed(campaign)} "
        f"{shlex.quote(str(place))} --for {seat}` files it whole, with its messages and requests."
    )


class Prepared(NamedTuple):
    """An invitation as it would be written. became: GIVEN, AGAIN, CORRECTED or HANDED_ON; data: campaign.yaml."""

    became: str
    player: Player
    data: bytes


def prepared(campaign: Campaign, journal: Journal, seat: str, address: str, name: str) -> Prepared:
    """The invitation as it would be written; nothing changes. Raises Faults for a wrong address, and for an entry that must be written by
    hand."""
    file = campaign.folder / settings.FILE
    if reading.read(f"From: {address}".encode("utf-8", "surrogateescape")).sender != address.lower():
        raise fault("bad_address", file, word=address[:60])
    before = campaign.settings.players[seat]
    became = _became(journal, seat, before, address, name)
    (token,) = house.new_tokens(campaign.folder, 1)
    player = _seated(before, became, address, name, token)
    data = store.read(file)
    changed = settings_edit.with_player(data, seat, player)
    if changed is None and before.email == player.email and before.token:
        changed, player = data, before  # written by hand, as was asked
    if changed is None:
        raise fault("seat_line", file, seat=seat, entry=settings_edit.line_of(seat, player))
    return Prepared(became, player, changed)


def _became(journal: Journal, seat: str, before: Player, address: str, name: str) -> str:
    """What an invitation makes of a seat: GIVEN, AGAIN, CORRECTED or HANDED_ON."""
    if before.bot or not before.email:
        return GIVEN
    if names.address(address) in map(names.address, before.email):
        return AGAIN
    other = _clean(name) and names.compared(name) != names.compared(before.name)
    return HANDED_ON if other or seat in journal.resigned else CORRECTED


def _said(seat: str, became: str, before: Player, player: Player, told: bool) -> list[str]:
    """A sentence about what became of the seat. told: a mail tells the former player."""
    address = player.email[0]
    if became == CORRECTED:
        return [
            f"The address of {player.name} ({seat}) is {address} now, with a new token; the old one is dead. To hand the seat on to "
            "somebody else, add `--name NAME`."
        ]
    lines = [f"{seat} is {player.name}'s now ({address}), with a new token; an older one is dead."]
    if told:
        lines.append(f"{before.name or before.email[0]} is told by mail that the seat was handed on.")
    return lines


def _what_next(campaign: Campaign, until: datetime | None) -> str:
    """A sentence about how the welcome mail reaches the player. until: when it is sent without the GM's release, None if it need not wait."""
    run, lies = f"`kingdom run {campaigns.typed(campaign)}`", f"lies in {campaign.folder}/mail/outbox"
    if sends(campaign) and until:
        by = deadlines.said(until, campaign, GM)
        return f"The welcome mail holds the newest report, so it waits for your `release` with the others; without it until {by}."
    if sends(campaign):
        return f"The welcome mail goes out with the next {run}."
    later = f"Once the mailbox is set up (`mail` in campaign.yaml; `kingdom help mail` tells how), {run} sends it."
    if making.address_of(campaign) == making.NOWHERE:
        return f"The welcome mail {lies} and has no address yet that the player could answer to. {later}"
    return f"The welcome mail {lies}. No mailbox is set up, so nothing is sent: forward that file yourself. {later}"


def _taken_over(campaign: Campaign, journal: Journal, seat: str, became: str) -> dict[str, object]:
    """Facts about the former player of the seat, for the welcome and the next reports; {} where nobody played it yet."""
    turn, before = campaigns.newest(campaign) + 1, campaign.settings.players[seat]
    # a turn that is closed is played with the former player's orders
    turn += undone_turns.is_closed(campaign.folder, turn)
    known = any(mail.get("kingdom") == seat and mail["fate"] == "sent" for mail in journal.mails.values())
    if seat in journal.took_over and (became == CORRECTED or not known):  # the last invited player got no mail
        return dict(zip(("turn", "before"), journal.took_over[seat], strict=True))
    if became == HANDED_ON and turn > 1:
        return {"turn": turn, "before": before.name or seat}
    # letters to the bot were not meant for the player who comes after it
    return {"turn": turn} if before.bot and turn > 1 else {}


def _left(journal: Journal, seat: str, became: str, before: Player) -> dict[str, object]:
    """Facts for the mail to the former player that the seat was handed on, if mails reached that player or came from there. An invitation
    that was stopped before it told somebody is made up for."""
    earlier, name = journal.left.get(seat, ("", ""))
    told = [mail["to"] for mail in outbox.queued(journal, "farewell", handed_on=seat)]
    if earlier and earlier not in told:
        return {"left": earlier, "name": name}
    if became != HANDED_ON:
        return {}
    address = before.email[0]
    reached = any(mail.get("to") == address and mail["fate"] == "sent" for mail in journal.mails.values())
    return {"left": address, "name": before.name} if reached or journal.times.get(seat) else {}


def _is_known(campaign: Campaign, journal: Journal, seat: str, became: str) -> bool:
    """Whether the same player got mails before, whose links and token are dead now: at least one was sent and did not come back."""
    if became not in (AGAIN, CORRECTED):
        return False
    back = {one.mail.get("mail") for one in undelivered.missed(journal, campaign) if one.came_back}
    theirs = {address.lower() for address in making.addresses(campaign, seat)}
    return seat in journal.known or any(
        mail["fate"] == "sent" and mail.get("to", "").lower() in theirs and id not in back
        for id, mail in journal.mails.items()
    )


def farewell(campaign: Campaign, journal: Journal, seat: str, sign: str, now: datetime) -> Letter:
    """The mail to the former player of a seat that was handed on: nothing more will come. It proves nothing, and tells nothing of the new
    player."""
    address, name = journal.left[seat]
    players = {**campaign.settings.players, seat: Player(name, (address,))}  # without a token
    gone = campaign._replace(settings=msgspec.structs.replace(campaign.settings, players=players))
    title = f"{people.name_of(campaign, seat)} was handed on"
    lines = [
        f"{'Dear ' + name + ', your' if name else 'Your'} seat {people.name_of(campaign, seat)} was handed on. You get no more mails of "
        f"{campaign.settings.name}, and what you send counts no longer. Thank you for playing.",
    ]
    content = making.Content(making.titled(campaign, title), *making.short(campaign.settings.name, lines))
    turn = campaigns.newest(campaign) + 1
    id = f"farewell-{seat}-{sign}"
    letter = making.letter(gone, id, "farewell", seat, turn, address, content, now, handed_on=seat, mark=sign)
    return letter._replace(kingdom="")


def make_welcomes(campaign: Campaign, journal: Journal, now: datetime) -> None:
    """Queues the welcome of each seat that was given to a player, where it is missing: a run may have been killed before it did."""
    for seat, sign in journal.invited.items():
        known = seat in campaign.seats and making.addresses(campaign, seat)
        if not known or making.sign_of(campaign, own_token(campaign, seat)) != sign:
            continue
        if seat in journal.left and not outbox.queued(journal, "farewell", handed_on=seat, mark=sign):
            outbox.queue(campaign, journal, [farewell(campaign, journal, seat, sign, now)], now)
        if not outbox.queued(journal, "welcome", kingdom=seat, mark=sign):
            journal.add("seated", now, kingdom=seat)
            until = review.until(campaign, journal, now)
            outbox.queue(campaign, journal, [welcoming.welcome(campaign, journal, seat, now)], now, until)


def _seated(before: Player, became: str, address: str, name: str, token: str) -> Player:
    """The new entry of a seat. Choices of a former player are dropped. Choices for an empty seat stay, except for the name that a new
    campaign gives it."""
    stays = became != HANDED_ON and not before.bot and not _NUMBERED.fullmatch(before.name)
    given = _clean(name) or (before.name if stays else "") or address.partition("@")[0]
    emails = before.email if became == AGAIN else ()
    emails = (address, *(one for one in emails if one.lower() != address.lower()))
    return Player(given, emails, token, "" if became == HANDED_ON else before.zone)


def _clean(name: str) -> str:
    return one_line(clean(name))[:LONGEST_NAME]
