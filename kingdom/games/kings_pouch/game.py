"""King's Pouch, declared: the table, the orders, the steps of a turn with the reason for each position, the reports."""

from __future__ import annotations

from kingdom.engine.game import late_in
from kingdom.engine.step import Phase
from kingdom.games.kings_pouch import TITLE, opening, steps
from kingdom.games.kings_pouch.orders import DECISIONS, TABLE_FILE, castle, managing, placing, resting, words
from kingdom.games.kings_pouch.report import board
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Lord, Table
from kingdom.games.kings_pouch.steps import effects, rounds
from kingdom.games.kings_pouch.steps.rounds import TURNS
from kingdom.games.kit.declared import merged
from kingdom.games.kit.new_campaign import Players
from kingdom.games.kit.table_game import TableGame, made

late = late_in(__name__)
DECLARED = TableGame(
    file=__file__,
    title=TITLE,
    State=Table, Rules=Rules, Seat=Lord,
    players=Players(usual=3, least=2, most=4),
    files={"table.yaml": TABLE_FILE},
    table_file=opening.TABLE_FILE,
    settings=opening.SETTINGS,
    start=opening.start,
    opening=(Phase("opening", (
        opening.shuffle_piles,  # each colour, era by era
        opening.draw_characters,  # those that join the standard characters
        opening.draw_stack,  # before castles, which are chosen in its order
        opening.draw_castles,  # only where nobody chooses them
        rounds.begun,  # only where castles were drawn: round 1 can be played
    )),),
    orders=DECISIONS,
    words=words,
    due=rounds.due_in,
    sorting=(rounds.sort_orders,),  # refuses orders for another run before anything is decided
    phases=(  # a phase that the run does not play does nothing
        Phase("castles", (castle.choose_castles,)),  # before round 1, in the order of the stack
        *(
            Phase(word, (
                placing.placement,  # first, as it brings the gold and army that the second phase spends
                managing.management,  # before anything is donated or drawn
                resting.rest,  # last: what is left becomes prestige, and the citizens of the next round are drawn
            ))
            for word in TURNS  # a player's whole turn after the other, in turn order
        ),
        Phase("round_end", (
            rounds.great_council,  # behind all draws, as some characters count who is active
            rounds.final_scoring,  # behind the last council
            rounds.next_turns,  # last, so that the next orders know the cards and the order
        )),
    ),
    causes=merged((effects, resting, rounds, steps), "CAUSES"),
    refusals=rounds.REFUSALS,
    codes={"table_nothing_to_void": "pouch_nothing_to_void", "table_ended_already": "pouch_ended_already"},
    grant="prestige",
    acts={"grant": rounds.grant},
    accounts=steps.accounts,
    counts=("prestige", "corrupt", "citizens"),
    open=("prestige", "corrupt", "citizens"),
    fewer=("corrupt",),
    over=lambda table: "all rounds are played, and everything is scored" if table.over else "",
    hides=board.covered,
    untold=("serial", "stamp"),
    heading=board.heading,
    waits=board.waits,
    lines=board.lines,
    picture=board.picture,
    sections={
        "board": "The island", "mine": "Your board", "display": "Cards on display", "court": "The court", "players": "The players",
    },
    first=late("report.view", "first"),
    also=late("report.view", "also"),
    limits=late("report.view", "limits"),
    page=late("report.view", "page"),
    bots={"steward": late("bots", "steward")},
    likely=late("bots", "likely"),
)  # fmt: skip
GAME = made(DECLARED, pieces=rounds.pieces, foreseen_to=TURNS[-1], rulebook=late("report", "rulebook"))
