"""Orders that can be sent: in the short form, as a link that files them, and out of quoted text."""

from __future__ import annotations

from collections.abc import Iterable

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.campaign import Campaign
from kingdom.engine.step import Orders
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing.letters import Link
from kingdom.mail.records import FILE
from kingdom.orders import orders_file

HEAD = ("kingdom", "turn")  # keys that the subject of a reply says
CORRECTED = "Send them corrected"  # the name of a link


def upcoming(campaign: Campaign) -> int:
    """The turn for which orders are now wanted."""
    return max(1, campaigns.newest(campaign) + 1)


def short(campaign: Campaign, wanted: Orders | None, but: Iterable[str] = HEAD) -> list[str]:
    """Orders in the short form, which can be sent again. but: keys that are left out, such as the kingdom and the turn."""
    rest = {key: value for key, value in (wanted or {}).items() if key not in but}
    return orders_file.write_short(rest, campaign.game).splitlines() if rest else []


def link_to(campaign: Campaign, seat: str, turn: int, name: str, lines: Iterable[str]) -> Link:
    """A link that files lines as orders."""
    return making.link(name, making.address_of(campaign), making.orders_subject(campaign, seat, turn), lines)


def in_quote(campaign: Campaign, quoted: str, seat: str, turn: int) -> list[str]:
    """Orders that stood in quoted text, in the short form, for whichever turn they were; none where they can't be read."""
    from kingdom.mail.reading.reply import key_of  # a run that finds no mail reads none

    lines = [line for line in quoted.splitlines() if key_of(line) not in (*HEAD, "token")]
    return short(campaign, readable(campaign, "\n".join(lines), seat, turn))


def readable(campaign: Campaign, text: str, seat: str, turn: int) -> Orders | None:
    """The orders in a text that a seat might send for a turn; None where the text could not be filed."""
    names = campaigns.names_today(campaign)
    return orders_file.read(text.encode(), FILE, campaign.game, names, seat, turn, subject=True).orders
