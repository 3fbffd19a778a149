"""What a silent player is told of the steward that acted for them: in the mail around the report, before everything else."""

from __future__ import annotations

from kingdom.campaign import store
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.store import Kept
from kingdom.mail.outgoing import order_links, reporting


def steward_lines(campaign: Campaign, turn: Kept, seat: str) -> list[str]:
    """That a bot acted for a silent player in a kept turn, what it ordered, and how to take over; nothing where none did."""
    record = turn.record
    if seat not in record.bots or seat not in record.silent:  # a seat that a bot holds is never silent
        return []
    ordered = _ordered(campaign, turn, seat)
    several = f" for {record.silent[seat]} turns" if record.silent[seat] > 1 else ""
    return [
        f"No orders came from you{several}, so a bot acted as steward in turn {record.turn}.",
        f"It ordered: {'; '.join(ordered)}." if ordered else "It ordered nothing.",
        *(
            []
            if reporting.over(campaign, turn)
            else ["To take over, reply to this mail with your orders. Then the bot stops."]
        ),
    ]


def _ordered(campaign: Campaign, turn: Kept, seat: str) -> list[str]:
    """The steward's orders in the short form, a line for each key."""
    name = f"orders/{seat}.yaml"
    if name not in turn.record.files:
        return []
    text = store.file_of(turn, name).decode("utf-8", "replace")
    return order_links.short(campaign, order_links.readable(campaign, text, seat, turn.record.turn))
