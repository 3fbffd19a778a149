"""The JSON Schema of a campaign's orders, with its names as choices (kingdom/orders/json_schema.py makes it)."""

from __future__ import annotations

import msgspec

from kingdom.campaign import preview
from kingdom.campaign.campaign import Campaign
from kingdom.orders.json_schema import Schema, schema
from kingdom.orders.orders_file import GM


def of_seat(campaign: Campaign, seat: str | None) -> Schema:
    """Return the schema of a player's orders with only the names that the seat knows, so its player may have it. Raises Faults.

    With seat None it is that of any player's orders, with "gm" that of the GM's, both with all names.
    """
    rules, state, names = preview.start_of(campaign)
    game, player = campaign.game, seat if seat != GM else None
    seen = game.known(state, player, rules.rules) if player else state
    return schema(
        game,
        names,
        seat,
        offered=game.forms.names(seen, player, rules.rules) if game.forms and game.forms.names else {},
    )


def text(made: Schema) -> bytes:
    """Return a schema as the bytes of its file."""
    return msgspec.json.encode(made) + b"\n"
