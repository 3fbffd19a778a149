"""The table of contents of a turn: the order of its steps, with the reason for each position."""

from __future__ import annotations

from kingdom.engine.step import Phase
from kingdom.games.cardinals_guards.orders import legality, moves
from kingdom.games.cardinals_guards.steps import deal, gm

MODULES = (gm, legality, moves, deal)

DEALING = (
    deal.gather_pieces,  # the old castle goes before the new one comes
    deal.lay_tiles,  # the musketeers stand on tiles, so tiles come first
    deal.draw_guards,
)
PHASES = (
    Phase("gm", (gm.gm_orders,)),  # first: what the GM voids must not happen
    Phase("castle", (deal.carry_out_orders,)),
    Phase("closing", (
        deal.finish_games,  # after the orders: a player may end the game with the orders that end it
        deal.end_deal,  # only now is it known who is done
    )),
    Phase("deal", DEALING),  # last: the report shows the castle that the next orders are for
)  # fmt: skip
OPENING = (Phase("deal", DEALING[1:]),)
