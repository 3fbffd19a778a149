"""The table of contents of a turn: the order of its steps, with the reason for each position."""

from __future__ import annotations

from kingdom.engine.step import Phase
from kingdom.games.cardinals_guards.orders import CASTLE, DECISIONS
from kingdom.games.cardinals_guards.steps import deal, gm
from kingdom.orders import kit

CAUSES = kit.causes(DECISIONS, gm.CAUSES, deal.CAUSES)
REFUSALS = kit.refusals(DECISIONS, gm.REFUSALS)

DEALING = (
    deal.gather_pieces,  # the old castle goes before the new one comes
    deal.lay_tiles,  # the musketeers stand on tiles, so tiles come first
    deal.draw_guards,
)
PHASES = (
    Phase("gm", (gm.gm_orders,)),  # first: what the GM voids must not happen
    Phase("castle", (
        # each seat's orders on its own board, one after the other; the first that is not allowed stops them
        kit.step("carry_out_orders", "Each seat plays on its own board.", CASTLE, lambda turn, phase: turn.before.seats),
    )),
    Phase("closing", (
        deal.finish_games,  # after the orders: a player may end the game with the orders that end it
        deal.end_deal,  # only now is it known who is done
    )),
    Phase("deal", DEALING),  # last: the report shows the castle that the next orders are for
)  # fmt: skip
OPENING = (Phase("deal", DEALING[1:]),)
