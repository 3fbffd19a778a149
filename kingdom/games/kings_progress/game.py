"""What the core asks of a game, filled in for The King's Progress.

Reports, pictures, bots and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from kingdom.games.shared import granting
from kingdom.games.shared.declared import merged
from kingdom.games.shared.parts import parts_of
from kingdom.engine.game import Game, Phase
from kingdom.games.kings_progress import BOTS, TITLE
from kingdom.games.kings_progress.steps import choices, gm, placing, progress, scoring, vetoes
from kingdom.games.kings_progress.opening import setup
from kingdom.games.kings_progress.visibility import known, sheet
from kingdom.games.kings_progress.orders import FILES, GM_ORDERS, ORDERS
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS, Table
from kingdom.games.kings_progress.steps.shared import ACCOUNTS, accounts

MODULES = (gm, placing, vetoes, progress, scoring)

PHASES = (  # the table of contents of a turn; a phase that the turn does not decide does nothing
    Phase("gm", (
        gm.gm_orders,  # before all else, so that what it changes counts for everybody
        gm.sort_orders,  # what is for another turn is told before anything is decided
    )),
    Phase(CITY, (placing.place_cities,)),  # first, from the first chancellor on: each kingdom grows by one city
    Phase(CITY_VETO, (vetoes.veto_cities,)),  # before the coins, so that who invests knows the tiles
    Phase(INVESTMENT, (placing.place_investments,)),  # from the left of the first chancellor on
    Phase(INVESTMENT_VETO, (vetoes.veto_investments,)),  # before the Kings move, who protect the city that they are in
    Phase(PROGRESS, (progress.progress_kings,)),  # last of the round, all together
    Phase("scoring", (
        scoring.score_kingdoms,  # behind the last move, which says what is doubled
        scoring.play_on,  # when all is decided and scored: who and what is next
    )),
)  # fmt: skip


part = parts_of(__package__)


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "" if table.phase else "all rounds are played, and the tax is collected"


GAME = Game(
    name="kings_progress",
    title=TITLE,
    State=Table,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=PHASES,
    opening=(Phase("opening", (setup.draw_first_chancellor,)),),
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    files=FILES,
    refusals=merged(MODULES, "REFUSALS"),
    causes=merged(MODULES, "CAUSES"),
    start=setup.start,
    seats=lambda table: list(table.kingdoms),
    accounts=accounts,
    account_names=ACCOUNTS,
    counts=scoring.COUNTS,
    standings=scoring.standings,
    pieces=scoring.pieces,
    sheet=sheet,
    known=known,
    view=part("report.view", "view"),
    odds=lambda table, seat, rules: {},
    names=lambda rules: {},
    draw=part("report.board", "draw"),
    picture=part("report.picture", "picture"),
    form=part("report.text_form", "form_of"),
    form_page=part("offers.order_form", "form_page"),
    new=part("opening.new_campaign", "new"),
    rulebook=part("report.rules_page", "rulebook"),
    finished=_finished,
    asked=choices.asked,
    bots={name: partial(part("bots", "text"), name) for name in BOTS},
    muddled=part("bots.muddle", "muddled"),
    gm_bot=part("bots.muddle", "gm_orders"),
    correction=granting.correction("vetoes", "vetoes", lambda table: table.kingdoms, accounts),
)
