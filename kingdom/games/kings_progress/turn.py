"""The table of contents of a turn: the order of its steps, with the reason for each position.

A phase that the turn does not decide does nothing.
"""

from __future__ import annotations

from kingdom.engine.step import Phase
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS
from kingdom.games.kings_progress.steps import gm, placing, rounds, scoring, vetoes

MODULES = (gm, placing, vetoes, scoring)

PHASES = (
    Phase("gm", (
        gm.gm_orders,  # before all else, so that what it changes counts for everybody
        gm.sort_orders,  # what is for another turn is told before anything is decided
    )),
    Phase(CITY, (placing.place_cities,)),  # first, from the first chancellor on: each kingdom grows by one city
    Phase(CITY_VETO, (vetoes.veto_cities,)),  # before the coins, so that who invests knows the tiles
    Phase(INVESTMENT, (placing.place_investments,)),  # from the left of the first chancellor on
    Phase(INVESTMENT_VETO, (vetoes.veto_investments,)),  # before the Kings move, who protect the city that they are in
    Phase(PROGRESS, (vetoes.progress_kings,)),  # last of the round, all together
    Phase("scoring", (
        scoring.score_kingdoms,  # behind the last move, which says what is doubled
        scoring.play_on,  # when all is decided and scored: who and what is next
    )),
)  # fmt: skip
OPENING = (Phase("opening", (rounds.draw_first_chancellor,)),)  # of turn 0: before anything is decided
