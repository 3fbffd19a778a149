"""Royal Progress, declared: the table, the orders, the steps of a turn with the reason for each position, the reports."""

from __future__ import annotations

from msgspec.structs import replace

from kingdom.engine.game import Facts, Setup, late_in
from kingdom.engine.step import Phase
from kingdom.games.kit.common_orders import seat
from kingdom.games.kit.declared import merged
from kingdom.games.kit.new_campaign import Players, seated
from kingdom.games.kit.table_game import TableGame, made
from kingdom.games.royal_progress import TITLE, steps
from kingdom.games.royal_progress.orders import GIVE_BACK, PLANS, STANDING
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import OVER, Seat, Table, hidden
from kingdom.games.royal_progress.steps import accounts, actions, cards, moving, rounds
from kingdom.games.royal_progress.words import names
from kingdom.orders.schema import ListOf, Record

late = late_in(__name__)
STEPS = (actions, cards, moving, rounds)
CLOCKWISE = ListOf("the seats as they sit, clockwise", seat("a seat", example="alice"), short="words")
TABLE_FILE = """\
# The seats as they sit, clockwise. The player who begins is drawn by lot in turn 0.
clockwise: [{seats}]
"""
SETTINGS = {
    "dice": "they deal the cards.",
    "rules": """\
# Map, abilities, crowns and the length of the King's track are house data, not the published game's.
#rules:
#  pace: strict                        # one turn of the table a mail, about 65 mails a game; as it stands: lap, about 18
#  abilities: {used: false}            # play without the courtiers' abilities
""",
    "silent": "the standing preferences play for a player who sent nothing; hold: the turn waits",
    "every": "7d",
}
PAIR = "rules:\n  box: {least_players: 2}              # the game is for three and more; that two play it is an experiment\n"


def start(setup: Setup, rules: Rules) -> Table:
    """The table before turn 0 deals. Raises Faults where the seats are too few or too many, or table.yaml does not name them."""
    return rounds.table_for(seated(setup, rules.box.least_players, rules.box.most_players), rules)


DECLARED = TableGame(
    file=__file__,
    title=TITLE,
    State=Table, Rules=Rules, Seat=Seat,
    players=Players(usual=4, least=2, most=5),
    names=("Alice", "Bob", "Carol", "David", "Emma"),
    files={"table.yaml": Record("the table", {"clockwise": CLOCKWISE})},
    table_file=TABLE_FILE,
    settings=SETTINGS,
    start=start,
    opening=(Phase("setup", (rounds.order_castles, rounds.give_king_card, rounds.deal_hands, rounds.deal_gifts)),),
    orders=[GIVE_BACK, PLANS, STANDING],
    sorting=(rounds.sort_orders,),  # before the play, which goes by the preferences that are kept here
    phases=(
        Phase("play", (
            rounds.give_back,  # in the first turn, and nothing else then
            rounds.turns_at_the_table,
        )),
        Phase("gifts", rounds.ending(rounds.single_gifts)),  # before the points, which count them
        Phase("scoring", rounds.ending(
            rounds.score_each_type,
            rounds.score_most_types,
            rounds.score_control,  # last: the seats in first positions discard, which may cost them control
        )),
        Phase("round_end", rounds.ending(
            rounds.courtiers_go_home,
            rounds.new_round,  # last: the report shows what the next orders are for
        )),
    ),
    causes=merged(STEPS, "CAUSES"),
    refusals=merged(STEPS, "REFUSALS"),
    codes={
        "table_below_nothing": "gm_points_below", "table_nothing_to_void": "gm_no_such_order", "table_ended_already": "gm_over_already",
    },
    accounts=accounts,
    grant="points",
    counts=("points", "gifts", "crowns", "influence"),
    open=("points", "gifts", "crowns", "influence"),
    unit="points",
    over=lambda table: "the last round is scored" if table.phase == OVER else "",
    hides=hidden,
    heading=late("report", "heading"),
    lines=late("report", "lines"),
    picture=late("report", "picture"),
    wide=late("report", "wide"),
    sections={"board": "The map", "courtiers": "The courtiers", "players": "The players"},
    first=late("report", "first"),
    figures=late("report", "figures"),
    also=late("report", "also"),
    waits=steps.waits,
    words=names,
    bots={"chamberlain": late("bots", "orders"), "random": late("bots", "at_random")},
    likely=late("bots", "likely"),
)  # fmt: skip
MADE = made(DECLARED, foreseen_to="play", pieces=steps.pieces, rulebook=late("report", "rulebook"))


def new(seats: int | None, options: Facts) -> dict[str, str]:
    """The files of a new campaign. In one for two players campaign.yaml lowers the least number of players, and says why."""
    bots = options.get("bots") or 0
    files = {**MADE.opening.new(max(3, bots + 1) if seats is None and bots else seats, options)}
    if len([name for name in files if name.startswith("kingdoms/")]) == DECLARED.players.least:
        files["campaign.yaml"] = files["campaign.yaml"].replace("#rules:\n", PAIR)
    return files


GAME = replace(MADE, opening=replace(MADE.opening, new=new))
