"""The start of a campaign: the files of a new one, with comments where a GM would ask, and the table made from them.

In campaign.yaml what is optional stands behind a #, with no blank or two after it: taking the # away switches it on.
"""

from __future__ import annotations

from kingdom.engine.game import Facts, Setup
from kingdom.engine.problems import Faults
from kingdom.games.kings_progress import BOTS
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Table
from kingdom.games.kings_progress.steps.scoring import set_up
from kingdom.games.kit import new_campaign
from kingdom.games.kit.new_campaign import heads, seated

USUAL = 3  # players, where no number is asked for
LEAST = 2
MESSAGES = {
    "table_seats": "{count} seats: the game is for {least} to {most} (ruling box). Name that many players in campaign.yaml.",
    "table_clockwise": "`clockwise` names {named}, and the seats are {seats}. Name each seat once, as they sit.",
}


def start(setup: Setup, rules: Rules) -> Table:
    """The table before turn 1. Raises Faults where the seats are too few or too many, or table.yaml does not name them."""
    box = rules.box
    problems = new_campaign.enough(setup, box.least_players, box.most_players, "table_seats", MESSAGES)
    problems += new_campaign.each_once(setup, "table_clockwise", MESSAGES)
    if problems:
        raise Faults(problems)
    named = new_campaign.named(setup, new_campaign.clockwise(setup))
    kingdoms = {seat: set_up(name, rules) for seat, name in named.items()}
    return Table(0, kingdoms, setup.files["table.yaml"].get("first_chancellor", ""))


def new(seats: int | None, options: Facts) -> dict[str, str]:
    """File name -> text, for that many players (None: as many as usual). Raises ValueError, with a sentence, where that can't be."""
    named = seated(seats, USUAL, LEAST, "The King's Progress")
    facts = heads(
        options, {seat: seat.title() for seat in named}, lambda seat: {"name": f"{seat.title()} (bot)", "bot": BOTS[0]}
    )
    return {
        "campaign.yaml": _CAMPAIGN.format(**facts),
        "table.yaml": _TABLE.format(seats=", ".join(named), first=named[0]),
        **{
            f"kingdoms/{seat}.yaml": f"name: {seat.title()}      # as reports and final standings say it\n"
            for seat in named
        },
    }


_CAMPAIGN = """\
# What is optional stands behind a #: take the # away to switch a line on, and those indented below it too.
name: {name}
game: kings_progress
# The secret of all dice: here it draws the first chancellor and moves the bots. Show this file to no player.
seed: {seed}

# What this campaign changes in the rules, by the names of their tables and rulings. `kingdom rules` prints them all.
#rules:
#  pace: weekly                        # strict: a turn for each decision; standard: three turns a round; weekly: one, with conditions
#  double_game: {{games: 2}}             # two games, their totals added; with four players everybody begins three rounds then

# A token is the word that proves who sent orders by mail; without one that seat can send none.
# An address goes in as `email: ada@example.org`, or several as `email: [ada@example.org, ada@work.example.org]`:
# reports go to the first one. `zone: Europe/Berlin` tells a player the deadlines in that zone. `bot: chancellor` lets a bot play.
gm: {gm}
players:
{players}

# Without a calendar there is no deadline: `kingdom turn` resolves the next turn whenever you run it.
#calendar:
#  deadline: 2026-12-04T18:00          # of turn 1, by the wall clock of the zone
#  zone: Europe/Berlin
#  every: 2d
#  grace: 0h                           # how late orders may still be
#  remind: [12h]
#  early: true                         # run as soon as all orders are final
#  review: 0h                          # how long reports wait for you to release them

#missing_orders: standing             # standing: the lowest piece is placed for who sent nothing; hold: the turn waits
#steward_after: 2                     # turns of silence after which a bot stands in; 0: never
#missing_limit: 0.5                   # more than this share of the players silent: the turn waits and you are told
#messages: on                         # between players
#absences: on                         # all are told who is away and who gave up a seat
#newcomers: closed                    # in a house: `ask`, you decide about who asks by mail for a free seat; `open`, anybody gets one
#publish: null                        # a folder that a web server shows: reports and forms go there too, under secret names
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

_TABLE = """\
# How the players sit: each one's left neighbour is the next, the last one's is the first.
clockwise: [{seats}]
# Who is first chancellor in round 1; where nobody is named a die of the seed says it in turn 0.
#first_chancellor: {first}
"""
