"""The start of a campaign: the files of a new one, with comments where a GM would ask, and the table made from them."""

from __future__ import annotations

from kingdom.engine.game import Facts, Setup
from kingdom.engine.problems import Faults
from kingdom.games.kit import new_campaign
from kingdom.games.kit.new_campaign import heads
from kingdom.games.royal_progress import BOTS
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Courtier, Seat, Table
from kingdom.orders.schema import ListOf, Record, Text, Word
from kingdom.orders.yaml_out import flow

SEATS = 4  # where no number is asked for
NAMES = ("Alice", "Bob", "Carol", "David", "Emma")
LEAST, MOST = 2, len(NAMES)
PAIR = "# The game is for three and more; that two play it is an experiment.\nrules:\n  box: {least_players: 2}\n"
FILES = {
    "table.yaml": Record("the table", {
        "clockwise": ListOf("the seats as they sit, clockwise", Word("a seat", "seats", example="alice"), short="words"),
    }),
    "kingdoms/*.yaml": Record("a player's place", {"name": Text("its name", example="Alice", most=60)}),
}  # fmt: skip
MESSAGES = {
    "progress_seats": "{count} seats: the game is for {least} to {most} (ruling box). Name that many players in campaign.yaml.",
    "progress_clockwise": "`clockwise` names {named}, and the seats are {seats}. Name each seat once, as they sit.",
}


def start(setup: Setup, rules: Rules) -> Table:
    """The table before turn 0 deals. Raises Faults where the seats are too few or too many, or table.yaml does not name them."""
    box = rules.box
    problems = new_campaign.enough(setup, box.least_players, box.most_players, "progress_seats", MESSAGES)
    problems += new_campaign.each_once(setup, "progress_clockwise", MESSAGES)
    if problems:
        raise Faults(problems)
    return table_for(new_campaign.named(setup, new_campaign.clockwise(setup)), rules)


def table_for(names: dict[str, str], rules: Rules) -> Table:
    """The table of these seats and their names, nothing dealt yet."""
    influence = [f"{name} {symbols}" for name in rules.courtiers for symbols in rules.box.influence]
    gifts = [f"{kind} {crowns}" for kind in rules.gifts.types for crowns in rules.gifts.crowns]
    return Table(
        turn=0,
        seats={seat: Seat(name) for seat, name in names.items()},
        courtiers={name: Courtier(of.home) for name, of in rules.courtiers.items()},
        deck=tuple(sorted(influence)),
        gift_deck=tuple(sorted(gifts)),
    )


def new(seats: int | None, options: Facts) -> dict[str, str]:
    """File name -> text, for that many seats (None: the usual number, or one more than bots), the last `bots` of them bots.

    Raises ValueError, with a sentence, where that can't be made.
    """
    bots = options.get("bots") or 0
    count = (max(LEAST + 1, bots + 1) if bots else SEATS) if seats is None else seats
    if not LEAST <= count <= MOST:
        raise ValueError(
            f"Royal Progress is for {LEAST + 1} to {MOST} players, as an experiment for {LEAST}; not for {count}."
        )
    players = {name.lower(): f"Player {number}" for number, name in enumerate(NAMES[:count], 1)}
    facts = heads(options, players, lambda seat: {"name": f"Bot {seat.title()}", "bot": BOTS[0]})
    return {
        "campaign.yaml": _CAMPAIGN.format(**facts, pair=PAIR if count == LEAST else ""),
        "table.yaml": f"# The seats as they sit, clockwise. Who begins is drawn by lot in turn 0.\nclockwise: {flow(list(players))}\n",
        **{f"kingdoms/{name.lower()}.yaml": f"# A place at the table.\nname: {name}\n" for name in NAMES[:count]},
    }


_CAMPAIGN = """\
# What is optional stands behind a #: take the # away to switch a line on, and those indented below it too.
name: {name}
game: royal_progress
# The secret of all dice, which deal the cards: show this file to no player.
seed: {seed}

# What this campaign changes in the rules, by the names of their rulings. `kingdom rules` prints them all.
# Map, abilities, crowns and the length of the King's track are house data, not the published game's.
#rules:
#  pace: strict                        # one turn of the table a mail, about 65 mails a game; as it stands: lap, about 18
#  abilities: {{used: false}}            # play without the courtiers' abilities
{pair}
# A token is the word that proves who sent orders by mail; without one that seat can send none.
# An address goes in as `email: ada@example.org`.
gm: {gm}
players:
{players}

#steward_after: 2                     # turns of silence after which a bot stands in; 0: never

# Without a calendar there is no deadline: `kingdom turn` resolves the next turn whenever you run it.
#calendar:
#  deadline: 2026-12-04T18:00          # of turn 1, by the wall clock of the zone
#  zone: Europe/Berlin
#  every: 7d
#  early: true                         # run as soon as all orders are final

# Without a mailbox the folders under mail/ serve. Passwords stay out of this file: they come from the environment.
#mail:
#  address: orders@example.org
#  imap: {{host: imap.example.org, port: 993, tls: implicit, username: orders, password_env: KINGDOM_IMAP_PASSWORD}}
#  smtp: {{host: smtp.example.org, port: 587, tls: starttls, username: orders, password_env: KINGDOM_SMTP_PASSWORD}}
"""
