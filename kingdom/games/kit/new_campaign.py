"""How a campaign of every game starts: the text of a new campaign.yaml; the seats, their order and names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from kingdom.engine.game import Facts, Setup
from kingdom.engine.named_tuple import NamedTuple
from kingdom.engine.problems import Faults, Problem
from kingdom.orders.yaml_out import flow, scalar

# --- campaign.yaml of a new campaign: its name and seed, the GM, and who holds which seat


# The names of seats, as they sit, clockwise, in a game that gives them no better ones.
NAMES = ("alice", "bob", "cara", "dan", "emma", "finn", "gus", "hal")


class Players(NamedTuple):
    """How many can play, and how many do where no number is asked for."""

    usual: int
    least: int
    most: int


def heads(options: Facts, players: Mapping[str, str], bot: Callable[[str], Mapping[str, str]]) -> dict[str, str]:
    """`name`, `seed`, `gm` and `players`, a line a seat, as they stand in campaign.yaml.

    options: `name` of the campaign; `seed`, the secret of the dice; `tokens`, the GM's and then the players', the more the
    better; `bots`, how many of the seats, the last ones, bots hold. players: seat -> what a person who holds it is called.
    bot: what is said of a bot that holds a seat. Raises ValueError, with a sentence, if there are more bots than seats.
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


# --- its text, one for all games. What is optional stands behind a #, which a GM takes away to switch it on


class Settings(NamedTuple):
    """What the settings of one game say. Its texts are lines of campaign.yaml, or the end of a comment."""

    game: str
    # what the secret of the dice decides: "the secret of all dice ... it deals the cards."
    dice: str = "they decide what the rules leave to chance."
    rules: str = ""  # what a campaign may change in the rules, an example a line
    bots: str = ""  # how a bot holds a seat
    # what is done for a player who sent nothing, where `missing_orders` is `standing`
    silent: str = "nothing is done for a player who sent nothing; hold: the turn waits"
    every: str = "2d"
    remind: str = "[12h]"
    early: str = "true                         # run as soon as all orders are final"
    steward: str = "#steward_after: 2                     # turns of silence after which a bot stands in; 0: never"
    edition: str = ""
    more: str = ""  # settings that the game alone has


def campaign_yaml(settings: Settings, heads: Mapping[str, str]) -> str:
    """The text of campaign.yaml. heads: `name`, `seed`, `gm` and `players`, as `new_campaign.heads` gives them."""
    return _CAMPAIGN.format(**settings._asdict(), **heads)


_CAMPAIGN = """\
# What is optional stands behind a #: take the # away to switch a line on, and those indented below it too.
name: {name}
game: {game}
# The secret of all dice: {dice} Show this file to no player.
seed: {seed}
{edition}
# What this campaign changes in the rules, by the names of their tables and rulings. `kingdom rules` prints them all.
{rules}
# A token is the word that proves who sent orders by mail; without one that seat can send none.
# An address goes in as `email: ada@example.org`, or several as `email: [ada@example.org, ada@work.example.org]`:
# reports go to the first one. `zone: Europe/Berlin` tells a player the deadlines in that zone.
# {bots}
gm: {gm}
players:
{players}

# Without a calendar there is no deadline: `kingdom turn` resolves the next turn whenever you run it.
#calendar:
#  deadline: 2026-12-04T18:00          # of turn 1, by the wall clock of the zone
#  zone: Europe/Berlin
#  every: {every}
#  grace: 0h                           # how late orders may still be
#  remind: {remind}
#  extend: {{3: 2d}}                     # turn 3 and all later ones come 2 days later
#  early: {early}
#  review: 0h                          # how long reports wait for you to release them

#ends: {{turn: 52}}
#missing_orders: standing             # standing: {silent}
{steward}
#missing_limit: 0.5                   # more than this share of the players silent: the turn waits and you are told
#messages: on                         # between players
#absences: on                         # all are told who is away and who gave up a seat
#newcomers: closed                    # in a house: `ask`, you decide about who asks by mail for a free seat; `open`, anybody gets one
{more}#publish: null                        # a folder that a web server shows: reports and forms go there too, under secret names
#                                     # {{folder: /srv/www/mine, url: https://example.org/mine, public: letters, delay: 8}}: links, and a page for
#                                     # the whole world; public: nothing, letters (to all), size or map (who holds what, `delay` turns late)
#alert: null                          # a command that gets a line on standard input when mail itself fails

# Without a mailbox the folders under mail/ serve. Passwords stay out of this file: they come from the environment.
#mail:
#  address: orders@example.org
#  imap: {{host: imap.example.org, port: 993, tls: implicit, username: orders, password_env: KINGDOM_IMAP_PASSWORD, folder: INBOX, processed: Processed, refused: Refused}}
#  smtp: {{host: smtp.example.org, port: 587, tls: starttls, username: orders, password_env: KINGDOM_SMTP_PASSWORD}}
#  authenticate: [sender, token]       # of sender, token, authentication_results; all that are listed must hold
#  authserv_id: mx.example.org         # the receiving server whose Authentication-Results are believed
#  tags: off                           # on: answers go to orders+xyz@example.org; `kingdom mail check` tries whether such mail arrives
"""


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
