"""The table of contents of a turn: the order of its steps, with the reason for each position.

A phase that the turn does not decide does nothing.
"""

from __future__ import annotations

from kingdom.engine.step import Phase, Play
from kingdom.games.kings_progress.orders import DECISIONS, step
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS
from kingdom.games.kings_progress.steps import accounts, gm, rounds, scoring
from kingdom.orders import kit

CAUSES = kit.causes(DECISIONS, gm.CAUSES, scoring.CAUSES)
REFUSALS = kit.refusals(DECISIONS, gm.REFUSALS)

PHASES = (
    Phase("gm", (
        gm.gm_orders,  # before all else, so that what it changes counts for everybody
        gm.sort_orders,  # what is for another turn is told before anything is decided
    )),
    Phase(CITY, (
        # first, from the first chancellor on: each kingdom grows by one city
        step("place_cities", CITY, "Phase 1: each seat places a tile as the newest city of a kingdom."),
    )),
    Phase(CITY_VETO, (
        # before the coins, so that who invests knows the tiles
        step("veto_cities", CITY_VETO, "Phase 2: each seat may replace one tile of its kingdom; the coin on it stays, unseen."),
    )),
    Phase(INVESTMENT, (
        # from the left of the first chancellor on
        step("place_investments", INVESTMENT, "Phase 3: each seat places a coin, face down, on a city that has none."),
    )),
    Phase(INVESTMENT_VETO, (
        # before the Kings move, who protect the city that they are in
        step("veto_investments", INVESTMENT_VETO, "Phase 4: each seat may look at one coin of its kingdom, and replaces it then."),
    )),
    Phase(PROGRESS, (
        step("progress_kings", PROGRESS, "Phase 5: all Kings at once."),  # last of the round, all together
    )),
    Phase("scoring", (
        scoring.score_kingdoms,  # behind the last move, which says what is doubled
        scoring.play_on,  # when all is decided and scored: who and what is next
    )),
)  # fmt: skip
OPENING = (Phase("opening", (rounds.draw_first_chancellor,)),)  # of turn 0: before anything is decided
PLAY = Play(PHASES, REFUSALS, lambda table: table.kingdoms, accounts)
