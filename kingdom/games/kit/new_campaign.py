"""How a campaign starts, alike in every game: what campaign.yaml of a new one says, and who sits where, in which order, by which names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from kingdom.engine.game import Facts, Setup
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults, Problem
from kingdom.games.kit.settings import Settings, campaign_yaml
from kingdom.orders.yaml_out import flow, scalar

# --- campaign.yaml of a new campaign: its name and seed, the GM, and who holds which seat


# The names of seats, as they sit, clockwise, in a game that gives them no better ones.
NAMES = ("alice", "bob", "cara", "dan", "emma", "finn", "gus", "hal")


class Players(NamedTuple):
    """How many can play, and how many do where no number is asked for."""

    usual: int
    least: int
    most: int


def table_files(
    settings: Settings,
    title: str,
    players: Players,
    bot: str,
    seats: int | None,
    options: Facts,
    seat_names: Sequence[str] = NAMES,
) -> dict[str, str]:
    """The files of a new campaign of a game at one table: campaign.yaml, and a name for each seat. bot: the one that holds seats.

    seats: None for the usual number, or one more than bots. seat_names: of the first seats. Raises ValueError, with a sentence, where that is too few or too many.
    """
    usual = min(players.most, max(players.usual, (options.get("bots") or 0) + 1))
    count = usual if seats is None else seats
    if not players.least <= count <= players.most:
        raise ValueError(f"{title} is for {players.least} to {players.most} players, not {count}.")
    names = {name.lower(): name.title() for name in seat_names[:count]}
    facts = heads(options, names, lambda seat: {"name": f"{names[seat]} (bot)", "bot": bot})
    own = {
        f"kingdoms/{seat}.yaml": f"name: {name}      # as reports and final standings say it\n"
        for seat, name in names.items()
    }
    return {"campaign.yaml": campaign_yaml(settings, facts), **own}


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


# --- who sits at the table when a campaign starts: how many, in which order, by which names


TABLE = "table.yaml"
MESSAGES = {
    "table_seats": "{count} seats: the game is for {least} to {most}. Name that many players in campaign.yaml.",
    "table_clockwise": "`clockwise` names {named}, and the seats are {seats}. Name each seat once, as they sit.",
}


def seated(setup: Setup, least: int, most: int) -> dict[str, str]:
    """Seat -> its name: in the order in which they sit, as kingdoms/SEAT.yaml says or else the seat's own with capitals.

    `clockwise` of table.yaml has that order, or else campaign.yaml. Raises Faults if they are too few or too many, or it names others.
    """
    problems, count = list[Problem](), len(setup.seats)
    seats: list[str] = (setup.files.get(TABLE) or {}).get("clockwise") or list(setup.seats)
    if not least <= count <= most:
        problems.append(problem(setup, "", "table_seats", MESSAGES, count=count, least=least, most=most))
    if sorted(seats) != sorted(setup.seats):
        facts = {"named": ", ".join(seats), "seats": ", ".join(setup.seats)}
        problems.append(problem(setup, "clockwise", "table_clockwise", MESSAGES, **facts))
    if problems:
        raise Faults(problems)
    return {seat: setup.files[f"kingdoms/{seat}.yaml"].get("name") or seat.replace("_", " ").title() for seat in seats}


def problem(setup: Setup, path: str, code: str, messages: Mapping[str, str], **facts: object) -> Problem:
    """A problem at that path of table.yaml; in a game without one at the first file that the start is made from."""
    file, line, column = setup.where(TABLE if TABLE in setup.files else min(setup.files), path).rsplit(":", 2)
    return Problem(file, int(line), int(column), path, code, messages[code].format(**facts))
