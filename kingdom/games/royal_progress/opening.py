"""The start of a campaign: the files of a new one, with comments where a GM would ask, and the table made from them."""

from __future__ import annotations

from kingdom.engine.game import Facts, Setup
from kingdom.engine.problems import Faults
from kingdom.games.kit import new_campaign
from kingdom.games.kit.new_campaign import heads
from kingdom.games.kit.settings import Settings, campaign_yaml
from kingdom.games.royal_progress import BOTS
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Courtier, Seat, Table
from kingdom.orders.schema import ListOf, Record, Text, Word
from kingdom.orders.yaml_out import flow

SEATS = 4  # where no number is asked for
NAMES = ("Alice", "Bob", "Carol", "David", "Emma")
LEAST, MOST = 2, len(NAMES)
PAIR = "rules:\n  box: {least_players: 2}              # the game is for three and more; that two play it is an experiment\n"
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
    rules = _SETTINGS.rules.replace("#rules:\n", PAIR) if count == LEAST else _SETTINGS.rules
    return {
        "campaign.yaml": campaign_yaml(_SETTINGS._replace(rules=rules), facts),
        "table.yaml": f"# The seats as they sit, clockwise. Who begins is drawn by lot in turn 0.\nclockwise: {flow(list(players))}\n",
        **{f"kingdoms/{name.lower()}.yaml": f"# A place at the table.\nname: {name}\n" for name in NAMES[:count]},
    }


_SETTINGS = Settings(
    "royal_progress",
    dice="they deal the cards.",
    rules="""\
# Map, abilities, crowns and the length of the King's track are house data, not the published game's.
#rules:
#  pace: strict                        # one turn of the table a mail, about 65 mails a game; as it stands: lap, about 18
#  abilities: {used: false}            # play without the courtiers' abilities
""",
    bots=f"`bot: {BOTS[0]}` lets a bot play.",
    silent="the standing preferences play for who sent nothing; hold: the turn waits",
    every="7d",
)
