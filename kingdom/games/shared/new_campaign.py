"""What campaign.yaml of a new campaign says alike in every game: its name and seed, the GM, and who holds which seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from kingdom.engine.game import Facts
from kingdom.orders.yaml_out import flow, scalar

NAMES = ("alice", "bob", "cara", "dan")  # of seats, as they sit, clockwise, in a game that gives them no better ones


def seated(seats: int | None, usual: int, least: int, title: str) -> tuple[str, ...]:
    """The names of so many seats; None: of the usual number. Raises ValueError, with a sentence, where that is too few or too many."""
    count = usual if seats is None else seats
    if not least <= count <= len(NAMES):
        raise ValueError(f"{title} is for {least} to {len(NAMES)} players, not {count}.")
    return NAMES[:count]


def heads(options: Facts, players: Mapping[str, str], bot: Callable[[str], Mapping[str, str]]) -> dict[str, str]:
    """`name`, `seed`, `gm` and `players`, a line a seat, as they stand in campaign.yaml.

    options: `name` of the campaign; `seed`, the secret of the dice; `tokens`, the GM's and then the players', the more the
    better; `bots`, how many of the seats, the last ones, bots hold. players: seat -> what a person who holds it is called.
    bot: what is said of a bot that holds a seat. Raises ValueError, with a sentence, where there are more bots than seats.
    """
    bots, tokens = options.get("bots") or 0, iter(options.get("tokens", ()))
    if bots > len(players):
        raise ValueError(f"{bots} bots need {bots} seats; there are {len(players)}.")
    gm = flow({"name": "Gm", **_token(tokens)})
    people = len(players) - bots
    held = [
        {"name": name, **_token(tokens)} if index < people else bot(seat)
        for index, (seat, name) in enumerate(players.items())
    ]
    lines = [f"  {seat}: {flow(holder)}" for seat, holder in zip(players, held, strict=True)]
    return {
        "name": scalar(options.get("name") or "A new campaign"),
        "seed": scalar(options["seed"]),
        "gm": gm,
        "players": "\n".join(lines),
    }


def _token(tokens: Iterator[str]) -> dict[str, str]:
    token = next(tokens, "")
    return {"token": token} if token else {}
