"""What the core asks of a game, filled in for The King's Progress.

Reports, pictures, bots and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from kingdom.engine.game import Forms, Game, Opening, Scoring, Simulation, late_in
from kingdom.games.kings_progress import BOTS, TITLE
from kingdom.games.kings_progress import turn as contents
from kingdom.games.kings_progress.offers import offers
from kingdom.games.kings_progress.opening import start
from kingdom.games.kings_progress.orders import FILES, GM_ORDERS, ORDERS, asked, form_page, form_text
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Table
from kingdom.games.kings_progress.steps import ACCOUNTS, accounts, scoring
from kingdom.games.kings_progress.visibility import known, sheet
from kingdom.games.kit import rulings

late = late_in(__name__)


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
    phases=contents.PHASES,
    opening=Opening(files=FILES, new=late("opening", "new"), start=start, phases=contents.OPENING),
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    refusals=contents.REFUSALS,
    causes=contents.CAUSES,
    seats=lambda table: list(table.kingdoms),
    accounts=accounts,
    pieces=scoring.pieces,
    sheet=sheet,
    known=known,
    odds=lambda table, seat, rules: {},
    names=lambda rules: {},
    finished=_finished,
    templates="board/plain",
    asked=asked,
    correction=rulings.correction("vetoes", "vetoes", lambda table: table.kingdoms, accounts),
    view=late("report.view", "view"),
    draw=late("report.board", "draw"),
    bots={name: partial(late("bots", "text"), name) for name in BOTS},
    scoring=Scoring(unit="points", counts=scoring.COUNTS, accounts=ACCOUNTS, rows=scoring.standings),
    offers=offers,
    forms=Forms(text=form_text, page=form_page),
    simulation=Simulation(muddled=late("bots", "muddled"), gm=late("bots", "gm_orders")),
    picture=late("report.board", "picture"),
    rulebook=late("report", "rulebook"),
)
