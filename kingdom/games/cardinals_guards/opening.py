"""The start of a campaign: the files of a new one, with comments where a GM would ask, and the table made from them."""

from __future__ import annotations

from kingdom.engine.game import Facts, Setup
from kingdom.games.cardinals_guards import BOTS
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Seat, Table
from kingdom.games.kit.new_campaign import heads
from kingdom.games.kit.settings import Settings, campaign_yaml
from kingdom.orders.schema import Record, Text

SEATS = 2  # where no number is asked for: a contest on one castle
NAMES = (
    "Athos", "Porthos", "Aramis", "Dartagnan", "Treville", "Planchet", "Grimaud", "Mousqueton", "Bazin", "Constance",
    "Buckingham", "Bernajoux", "Jussac", "Cahusac", "Biscarat", "Felton",
)  # fmt: skip


def new(seats: int | None, options: Facts) -> dict[str, str]:
    """File name -> text, for that many seats (None: the usual number, or one more than bots), the last `bots` of them bots.

    Raises ValueError, with a sentence, where that can't be made.
    """
    bots = options.get("bots") or 0
    count = max(SEATS, bots + 1) if seats is None else seats
    if not 1 <= count <= len(NAMES):
        raise ValueError(f"Cardinal's Guards has 1 to {len(NAMES)} seats, not {count}.")
    players = {name.lower(): f"Player {number}" for number, name in enumerate(NAMES[:count], 1)}
    facts = heads(options, players, lambda seat: {"name": f"Bot {seat.title()}", "bot": BOTS[0]})
    return {
        "campaign.yaml": campaign_yaml(_SETTINGS, facts),
        **{f"kingdoms/{name.lower()}.yaml": f"# A seat of the contest.\nname: {name}\n" for name in NAMES[:count]},
    }


_SETTINGS = Settings(
    "cardinals_guards",
    dice="they lay out the castles.",
    rules="""\
#rules:
#  pace: {turns: 1, deals: 8}          # a league: each turn a new castle. As it stands: one castle, at most 60 turns
#  variants: {own_suit_removal: true, no_recruiting: true}
#  search: {pass_through_counts: true}

# Every seat plays the same castle on a board of its own; one seat is a solitaire.
""",
    bots=f"`bot: {BOTS[0]}` lets a bot play.",
    silent="a castle waits for its player; hold: the turn waits",
    every="7d",
    steward="steward_after: 0                      # a silent player's castle waits; 2: after two turns of silence a bot plays on",
)


_NAME = Text("what the player is called", example="Athos", most=60)
FILES = {"kingdoms/*.yaml": Record("a seat of the contest", {"name": _NAME}, required=("name",))}


def start(setup: Setup, rules: Rules) -> Table:
    """The table before the first deal."""
    return Table(0, {seat: Seat(setup.files[f"kingdoms/{seat}.yaml"]["name"]) for seat in sorted(setup.seats)})
