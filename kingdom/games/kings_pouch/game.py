"""What the core asks of a game, filled in for King's Pouch.

Reports, pictures, bots and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from kingdom.games.shared import granting
from kingdom.games.shared.declared import could_happen, happened, merged
from kingdom.games.shared.parts import parts_of
from kingdom.engine.game import Game, Phase
from kingdom.games.kings_pouch import BOTS, TITLE
from kingdom.games.kings_pouch.steps import council, effects, gm, management, placement, pouch, rest, rounds, shared
from kingdom.games.kings_pouch.opening import setup
from kingdom.games.kings_pouch.visibility import known, sheet
from kingdom.games.kings_pouch.orders import FILES, GM_ORDERS, ORDERS, names
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kings_pouch.steps.turns import TURNS, due

MODULES = (gm, setup, placement, effects, pouch, management, rest, council, shared)

OPENING = (
    Phase("opening", (
        setup.shuffle_piles,  # each colour, era by era
        setup.draw_characters,  # who joins the standard ones
        setup.draw_stack,  # before castles, which are chosen in its order
        setup.draw_castles,  # only where nobody chooses them
        rounds.first_round,  # only where castles were drawn: round 1 can be played
    )),
)  # fmt: skip
PHASES = (  # the table of contents of a turn; a phase that the run does not play does nothing
    Phase("gm", (
        gm.gm_orders,  # before all else, so that what it changes counts for everybody
        gm.sort_orders,  # what is for another run is told before anything is decided
    )),
    Phase("castles", (setup.choose_castles,)),  # before round 1, in the order of the stack
    *(
        Phase(word, (
            placement.placement,  # first, as it brings the gold and army that the second phase spends
            management.management,  # before anything is donated or drawn
            rest.rest,  # last: what is left becomes prestige, and the citizens of the next round are drawn
        ))
        for word in TURNS  # a player's whole turn after the other, in turn order
    ),
    Phase("round_end", (
        council.great_council,  # behind all draws, as some characters count who is active
        council.final_scoring,  # behind the last council
        rounds.next_turns,  # last, so that the next orders know the cards and the order
    )),
)  # fmt: skip


part = parts_of(__package__)
REFUSALS, CAUSES = merged(MODULES, "REFUSALS"), merged(MODULES, "CAUSES")


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "all rounds are played, and everything is scored" if table.over else ""


GAME = Game(
    name="kings_pouch",
    title=TITLE,
    State=Table,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=PHASES,
    opening=OPENING,
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    files=FILES,
    refusals=REFUSALS,
    causes=CAUSES,
    start=setup.start,
    seats=lambda table: list(table.lords),
    accounts=shared.accounts,
    account_names=shared.ACCOUNTS,
    counts=council.COUNTS,
    fewer=council.FEWER,
    standings=council.standings,
    pieces=council.pieces,
    sheet=sheet,
    known=known,
    view=part("report.view", "view"),
    odds=lambda table, seat, rules: {},
    names=names,
    draw=part("report.board", "draw"),
    picture=part("report.picture", "picture"),
    form=part("report.text_form", "form_of"),
    form_page=part("offers.order_form", "form_page"),
    new=part("opening.new_campaign", "new"),
    rulebook=part("report.rules_page", "rulebook"),
    finished=_finished,
    asked=due,
    foreseen_to=TURNS[-1],
    bots={name: partial(part("bots", "text"), name) for name in BOTS},
    muddled=part("bots.muddle", "muddled"),
    gm_bot=part("bots.muddle", "gm_orders"),
    could_happen=could_happen(CAUSES, REFUSALS),
    happened=happened,
    correction=granting.correction("prestige", "prestige", lambda table: table.lords, shared.accounts),
)
