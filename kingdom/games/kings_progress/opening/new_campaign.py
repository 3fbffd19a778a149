"""The files of a new campaign: campaign.yaml, the table, and a file for each player; with comments where a GM would ask.

In campaign.yaml what is optional stands behind a #, with no blank or two after it: taking the # away switches it on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kingdom.games.kings_progress import BOTS
from kingdom.games.shared.new_campaign import heads, seated

USUAL = 3  # players, where no number is asked for
LEAST = 2


def new(seats: int | None, options: Mapping[str, Any]) -> dict[str, str]:
    """File name -> text, for so many players (None: as many as usual). Raises ValueError, with a sentence, where that can't be."""
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
#publish: null                        # a folder that a web server shows: reports and forms go there too, under secret names
#alert: null                          # a command that gets a line on standard input when mail itself fails

# Without a mailbox the folders under mail/ serve. Passwords stay out of this file: they come from the environment.
#mail:
#  address: orders@example.org
#  imap: {{host: imap.example.org, port: 993, tls: implicit, username: orders, password_env: KINGDOM_IMAP_PASSWORD, folder: INBOX, processed: Processed, refused: Refused}}
#  smtp: {{host: smtp.example.org, port: 587, tls: starttls, username: orders, password_env: KINGDOM_SMTP_PASSWORD}}
#  authenticate: [sender, token]       # of sender, token, authentication_results; all that are listed must hold
#  authserv_id: mx.example.org         # the receiving server whose Authentication-Results are believed
"""

_TABLE = """\
# How the players sit: each one's left neighbour is the next, the last one's is the first.
clockwise: [{seats}]
# Who is first chancellor in round 1; where nobody is named a die of the seed says it in turn 0.
#first_chancellor: {first}
"""
