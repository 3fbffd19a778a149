"""campaign.yaml of a new campaign, one text for all games. What is optional stands behind a #, which a GM takes away to switch it on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Settings(NamedTuple):
    """What the settings of one game say. Its texts are lines of campaign.yaml, or the end of a comment."""

    game: str
    dice: str  # what the secret of the dice decides: "the secret of all dice ... it deals the cards."
    rules: str  # what a campaign may change in the rules, an example a line
    bots: str  # how a bot holds a seat
    silent: str  # what is done for a player who sent nothing, where `missing_orders` is `standing`
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
