"""The King's Progress, declared: the table, the orders, the steps of a turn with the reason for each position, the reports."""

from __future__ import annotations

from kingdom.engine.game import Setup, late_in
from kingdom.engine.step import Phase
from kingdom.games.kings_progress import TITLE, board, rounds, steps
from kingdom.games.kings_progress.placing import CITIES, INVESTMENTS
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import OVER, Kingdom, Table, covered
from kingdom.games.kings_progress.vetoes import CITY_VETOES, INVESTMENT_VETOES, KINGS
from kingdom.games.kit.common_orders import seat
from kingdom.games.kit.new_campaign import Players, seated
from kingdom.games.kit.table_game import TableGame, deciding, made
from kingdom.orders.schema import ListOf, Record

late = late_in(__name__)
TABLE = Record("the table", {
    "clockwise": ListOf("the seats as they sit, clockwise", seat("a seat"), short="words"),
    "first_chancellor": seat("the first chancellor of round 1"),
})  # fmt: skip
TABLE_FILE = """\
# How the players sit: each one's left neighbour is the next, the last one's is the first.
clockwise: [{seats}]
# Who is first chancellor in round 1; where nobody is named a die of the seed says it in turn 0.
#first_chancellor: {first}
"""
SETTINGS = {
    "dice": "here it draws the first chancellor and moves the bots.",
    "rules": """\
#rules:
#  pace: weekly                        # strict: a turn for each decision; standard: three turns a round; weekly: one, with conditions
#  double_game: {games: 2}             # two games, their totals added; with four players everybody begins three rounds then
""",
    "silent": "the lowest piece is placed for a player who sent nothing; hold: the turn waits",
}


def start(setup: Setup, rules: Rules) -> Table:
    """The table before turn 1. Raises Faults where the seats are too few or too many, or table.yaml does not name them."""
    names = seated(setup, rules.box.least_players, rules.box.most_players)
    kingdoms = {seat: steps.set_up(name, rules) for seat, name in names.items()}
    return Table(seats=kingdoms, first=setup.files["table.yaml"].get("first_chancellor", ""))


DECLARED = TableGame(
    file=__file__,
    title=TITLE,
    State=Table, Rules=Rules, Seat=Kingdom,
    players=Players(usual=3, least=2, most=4),
    files={"table.yaml": TABLE},
    table_file=TABLE_FILE,
    settings=SETTINGS,
    start=start,
    opening=(Phase("opening", (rounds.draw_first_chancellor,)),),  # before anything is decided
    orders=steps.ORDERS,
    due=rounds.due,
    sorting=(steps.sort_orders,),  # what is for another turn is told before anything is decided
    phases=(  # a phase that the turn does not decide does nothing
        # first, from the first chancellor on: each kingdom grows by one city
        Phase(CITIES.phase, (deciding(CITIES, "place_cities", rounds.due),)),
        # before the coins, so that investors know the tiles
        Phase(CITY_VETOES.phase, (deciding(CITY_VETOES, "veto_cities", rounds.due),)),
        # from the left of the first chancellor on
        Phase(INVESTMENTS.phase, (deciding(INVESTMENTS, "place_investments", rounds.due),)),
        # before the Kings move: each protects the city that he is in
        Phase(INVESTMENT_VETOES.phase, (deciding(INVESTMENT_VETOES, "veto_investments", rounds.due),)),
        Phase(KINGS.phase, (deciding(KINGS, "progress_kings", rounds.due),)),  # last of the round, all together
        Phase("scoring", (
            steps.score_kingdoms,  # behind the last move of the Kings, which says what is doubled
            steps.play_on,  # when all is decided and scored: the next phase, and the seats that decide in it
        )),
    ),
    causes=steps.CAUSES,
    refusals=steps.REFUSALS,
    codes={"table_nothing_to_void": "chancellor_void_nothing", "table_ended_already": "chancellor_ended_already"},
    grant="vetoes",
    acts={"grant": steps.grant},
    counts=("total", "best_city", "king_city", "vetoes"),
    open=("total", "best_city", "king_city", "vetoes"),
    unit="points",
    over=lambda table: "" if table.phase != OVER else "all rounds are played, and the tax is collected",
    hides=covered,
    heading=board.heading,
    lines=board.lines,
    picture=board.picture,
    wide=board.width,
    figures=board.figures,
    first=board.first,
    sections={"board": "The table", "players": "The kingdoms"},
    waits=steps.waits,
    bots={"chancellor": late("bots", "orders")},
    likely=late("bots", "likely"),
)  # fmt: skip
GAME = made(DECLARED, foreseen_to="scoring", pieces=steps.pieces, rulebook=board.rulebook)
