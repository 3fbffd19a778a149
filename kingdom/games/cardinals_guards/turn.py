"""The table of contents of a turn: the order of its steps, with the reason for each position."""

from __future__ import annotations

from kingdom.game import Phase
from kingdom.games.cardinals_guards import allowing, gm, moving, steps

MODULES = (gm, allowing, moving, steps)

DEALING = (
    steps.gather_pieces,  # the old castle goes before the new one comes
    steps.lay_tiles,  # the musketeers stand on tiles, so tiles come first
    steps.draw_guards,
)
PHASES = (
    Phase("gm", (gm.gm_orders,)),  # first: what the GM voids must not happen
    Phase("castle", (steps.carry_out_orders,)),
    Phase("closing", (
        steps.finish_games,  # after the orders: a player may end the game with the orders that end it
        steps.end_deal,  # only now is it known who is done
    )),
    Phase("deal", DEALING),  # last: the report shows the castle that the next orders are for
)  # fmt: skip
OPENING = (Phase("deal", DEALING[1:]),)
