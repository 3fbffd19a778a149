"""The start of a campaign: the files of a new one, with comments where a GM would ask, and the table made from them.

In campaign.yaml what is optional stands behind a #, with no blank or two after it: taking the # away switches it on.
"""

from __future__ import annotations

from kingdom.engine.game import Facts, Setup
from kingdom.games.kings_progress import BOTS
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Table
from kingdom.games.kings_progress.steps.scoring import set_up
from kingdom.games.kit import new_campaign
from kingdom.games.kit.new_campaign import NAMES, Players, table_files
from kingdom.games.kit.settings import Settings

PLAYERS = Players(usual=3, least=2, most=4)


def start(setup: Setup, rules: Rules) -> Table:
    """The table before turn 1. Raises Faults where the seats are too few or too many, or table.yaml does not name them."""
    box = rules.box
    named = new_campaign.seated(setup, box.least_players, box.most_players)
    kingdoms = {seat: set_up(name, rules) for seat, name in named.items()}
    return Table(0, kingdoms, setup.files["table.yaml"].get("first_chancellor", ""))


def new(seats: int | None, options: Facts) -> dict[str, str]:
    """File name -> text, for that many players (None: as many as usual). Raises ValueError, with a sentence, where that can't be."""
    files = table_files(_SETTINGS, "The King's Progress", PLAYERS, BOTS[0], seats, options)
    named = NAMES[: len(files) - 1]
    return {**files, "table.yaml": _TABLE.format(seats=", ".join(named), first=named[0])}


_SETTINGS = Settings(
    "kings_progress",
    dice="here it draws the first chancellor and moves the bots.",
    rules="""\
#rules:
#  pace: weekly                        # strict: a turn for each decision; standard: three turns a round; weekly: one, with conditions
#  double_game: {games: 2}             # two games, their totals added; with four players everybody begins three rounds then
""",
    bots="`bot: chancellor` lets a bot play.",
    silent="the lowest piece is placed for who sent nothing; hold: the turn waits",
)

_TABLE = """\
# How the players sit: each one's left neighbour is the next, the last one's is the first.
clockwise: [{seats}]
# Who is first chancellor in round 1; where nobody is named a die of the seed says it in turn 0.
#first_chancellor: {first}
"""
