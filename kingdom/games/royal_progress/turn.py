"""The table of contents of a turn: the order of its steps, with the reason for each position."""

from __future__ import annotations

from kingdom.engine.step import Phase
from kingdom.games.kit.declared import merged
from kingdom.games.royal_progress.orders import DECISIONS
from kingdom.games.royal_progress.steps import abilities, actions, cards, gm, moving, play, rounds, scoring
from kingdom.orders import kit

MODULES = (abilities, actions, cards, gm, play, moving, rounds, scoring)
CAUSES = kit.causes(DECISIONS, merged(MODULES, "CAUSES"))
REFUSALS = kit.refusals(DECISIONS, merged(MODULES, "REFUSALS"))

PHASES = (
    Phase("gm", (
        gm.gm_orders,  # first: what the GM voids must not happen
        gm.sort_orders,  # before the play, which goes by the preferences that are kept here
    )),
    Phase("play", (
        rounds.give_back,  # in the first turn, and nothing else then
        play.turns_at_the_table,
    )),
    Phase("gifts", (scoring.single_gifts,)),  # before the points, which count them
    Phase("scoring", (
        scoring.score_each_type,
        scoring.score_most_types,
        scoring.score_control,  # last: the first positions discard, and that may cost control
    )),
    Phase("round_end", (
        rounds.courtiers_go_home,
        rounds.new_round,  # last: the report shows what the next orders are for
    )),
)  # fmt: skip
OPENING = (
    Phase("setup", (
        rounds.order_castles,
        rounds.give_king_card,
        rounds.deal_hands,
        rounds.deal_gifts,
    )),
)  # fmt: skip
