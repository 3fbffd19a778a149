"""kingdom schema: the JSON Schema of an orders file."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from kingdom.campaign import editor_schema
from kingdom.campaign.campaign import open_campaign
from kingdom.campaign.errors import fault, writing
from kingdom.cli.commands import Said, seat_of
from kingdom.engine import game as games
from kingdom.engine.problems import cure
from kingdom.orders import tables
from kingdom.orders.json_schema import Schema, any_seats, schema
from kingdom.orders.orders_file import GM


class Args(Protocol):
    """What is typed behind `kingdom schema`."""

    campaign: str | None
    seat: str | None
    game: str
    to: str | None


def run(args: Args) -> Said:
    """Of a game's orders, or with the names of a campaign; of a seat with those that it knows."""
    data = editor_schema.text(
        _of_campaign(args.campaign, args.seat) if args.campaign else _of_game(args.game, args.seat)
    )
    if args.to is None:
        return Said(raw=data)
    with writing(args.to):
        Path(args.to).write_bytes(data)
    return Said([f"The schema is in {args.to}."])


def _of_game(name: str, seat: str | None) -> Schema:
    """Without a campaign: any player's orders, or the GM's."""
    if name not in games.names():
        raise fault("no_game", Path("."), word=name, cure=cure(name, games.names())[0])
    game = games.load(name)
    return schema(game, any_seats(game.names(tables.load(game).rules)), GM if seat == GM else None)


def _of_campaign(folder: str, seat: str | None) -> Schema:
    campaign = open_campaign(Path(folder))
    return editor_schema.of_seat(campaign, seat_of(campaign, seat) if seat and seat != GM else seat)
