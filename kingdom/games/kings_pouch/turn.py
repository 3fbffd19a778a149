"""The table of contents of a turn: the order of its steps, with the reason for each position."""

from __future__ import annotations

from kingdom.engine.step import Phase
from kingdom.games.kings_pouch import opening, steps
from kingdom.games.kings_pouch.orders import DECISIONS, castle, managing, placing
from kingdom.games.kings_pouch.steps import effects, gm, rest, rounds
from kingdom.games.kings_pouch.steps.rounds import TURNS
from kingdom.games.kit.declared import merged
from kingdom.orders import kit

MODULES = (gm, effects, rest, rounds, steps)
REFUSALS = kit.refusals(DECISIONS, merged(MODULES, "REFUSALS"))
CAUSES = kit.causes(DECISIONS, merged(MODULES, "CAUSES"))

OPENING = (
    Phase("opening", (
        opening.shuffle_piles,  # each colour, era by era
        opening.draw_characters,  # who joins the standard ones
        opening.draw_stack,  # before castles, which are chosen in its order
        opening.draw_castles,  # only where nobody chooses them
        rounds.first_round,  # only where castles were drawn: round 1 can be played
    )),
)  # fmt: skip
PHASES = (  # a phase that the run does not play does nothing
    Phase("gm", (
        gm.gm_orders,  # before all else, so that what it changes counts for everybody
        gm.sort_orders,  # what is for another run is told before anything is decided
    )),
    Phase("castles", (castle.choose_castles,)),  # before round 1, in the order of the stack
    *(
        Phase(word, (
            placing.placement,  # first, as it brings the gold and army that the second phase spends
            managing.management,  # before anything is donated or drawn
            rest.rest,  # last: what is left becomes prestige, and the citizens of the next round are drawn
        ))
        for word in TURNS  # a player's whole turn after the other, in turn order
    ),
    Phase("round_end", (
        rounds.great_council,  # behind all draws, as some characters count who is active
        rounds.final_scoring,  # behind the last council
        rounds.next_turns,  # last, so that the next orders know the cards and the order
    )),
)  # fmt: skip
