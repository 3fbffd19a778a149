"""Messages between players, forwarded at once. No address is shown: whoever answers writes to the campaign."""

from __future__ import annotations

from datetime import datetime

from kingdom.campaign.campaign import Campaign
from kingdom.engine.dice import GM
from kingdom.mail.incoming.handling import Fate, Message
from kingdom.mail.incoming.senders import without_tokens
from kingdom.mail.outgoing import answer_view
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Content
from kingdom.mail.records import Letter

LONGEST = 5000  # characters


def seats_for(campaign: Campaign, sender: str, word: str) -> list[str]:
    """The seats, and `gm`, that a message `to WORD` is for."""
    return [seat for seat in campaign.seats if seat != sender] if word == "all" else [word]


def forwarded_text(text: str, campaign: Campaign) -> str:
    """What of a message goes to its readers."""
    return without_tokens(text, campaign.settings)[:LONGEST]


def letters(campaign: Campaign, message: Message, fate: Fate, now: datetime) -> list[Letter]:
    """The message, a mail to each that it is for and that has an address."""
    word = fate.argument.lower()
    lines = forwarded_text(fate.text, campaign).splitlines()
    made = []
    for seat in seats_for(campaign, fate.seat, word):
        to = next(iter(making.addresses(campaign, seat)), "")
        if not to:
            continue
        answer = making.mailto(making.address_of(campaign), making.with_token(campaign, seat, f"to {fate.seat}"), "")
        view = {
            "campaign": campaign.settings.name,
            "sender": _name(campaign, fate.seat),
            "seat": fate.seat,
            "all": word == "all",
            "lines": lines,
            "links": [{"name": f"Answer {fate.seat}", "to": answer}],
        }
        turn = answer_view.upcoming(campaign)
        text, html = making.template("message.txt", view), making.template("message.html", view)
        content = Content(making.subject_of(campaign, seat, turn), text, html)
        made.append(making.letter(campaign, f"{id_of(message.digest)}{seat}", "message", seat, turn, to, content, now))
    return made


def id_of(digest: str) -> str:
    """How the ids of the mails begin by which a message is forwarded; they end with the seat."""
    return f"message-{digest[:16]}-"


def _name(campaign: Campaign, seat: str) -> str:
    name = campaign.settings.gm.name if seat == GM else campaign.settings.players[seat].name
    return f"{name} ({seat})" if name and seat != GM else name or seat
