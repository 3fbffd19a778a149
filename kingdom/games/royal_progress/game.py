"""What the core asks of a game, filled in for Royal Progress. What most commands don't need is loaded when it is asked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from kingdom.engine.game import Forms, Game, Opening, Scoring, Simulation, late_in
from kingdom.games.kit import rulings
from kingdom.games.kit.declared import could_happen, happened
from kingdom.games.royal_progress import BOTS, TITLE
from kingdom.games.royal_progress import turn as contents
from kingdom.games.royal_progress.opening import FILES, start
from kingdom.games.royal_progress.orders import GM_ORDERS, ORDERS, form_page, form_text, offers
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import OVER, Table
from kingdom.games.royal_progress.steps import ACCOUNTS, accounts, due, pieces
from kingdom.games.royal_progress.visibility import known, sheet
from kingdom.games.royal_progress.words import names

late = late_in(__name__)


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "the last round is scored" if table.phase == OVER else ""


GAME = Game[Table, Rules](
    name="royal_progress",
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
    seats=lambda table: list(table.seats),
    accounts=accounts,
    sheet=sheet,
    known=known,
    odds=lambda table, seat, rules: {},
    names=names,
    finished=_finished,
    templates="board/plain",
    asked=due,
    foreseen_to="play",
    pieces=pieces,
    correction=rulings.correction("points", "points", lambda table: table.seats, accounts),
    view=late("report.view", "view"),
    draw=late("report.board", "draw"),
    bots={name: partial(late("bots", "text"), name) for name in BOTS},
    scoring=Scoring(counts=("points", "gifts", "crowns", "influence"), accounts=ACCOUNTS),
    offers=offers,
    forms=Forms(text=form_text, page=form_page),
    simulation=Simulation(
        muddled=late("bots", "muddled"),
        gm=late("bots", "gm_orders"),
        could_happen=could_happen(contents.CAUSES, contents.REFUSALS),
        happened=happened,
    ),
    picture=late("report.board", "picture"),
    rulebook=late("report", "rulebook"),
)
