"""The JSON Schema of a campaign's orders, with its names as choices (kingdom/orders/json_schema.py makes it)."""

from __future__ import annotations

import msgspec

from kingdom.campaign import preview
from kingdom.campaign.campaign import Campaign
from kingdom.orders.json_schema import Schema, schema
from kingdom.orders.orders_file import GM


def of_seat(campaign: Campaign, seat: str | None) -> Schema:
    """Of a player's orders, with the names that the seat knows, so that its player may have it. Raises Faults.

    None: of any player's, "gm": of the GM's, both with all the names that there are.
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
    """A schema as its file holds it."""
    return msgspec.json.encode(made) + b"\n"
