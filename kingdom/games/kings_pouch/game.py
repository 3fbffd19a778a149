"""What the core asks of a game, filled in for King's Pouch.

Reports, pictures, bots and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from kingdom.engine.game import Forms, Game, Opening, Scoring, Simulation, late_in
from kingdom.games.kings_pouch import BOTS, TITLE, opening, steps
from kingdom.games.kings_pouch import turn as contents
from kingdom.games.kings_pouch.orders import FILES, GM_ORDERS, ORDERS, names
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kings_pouch.steps import rounds
from kingdom.games.kings_pouch.steps.rounds import TURNS, due
from kingdom.games.kings_pouch.visibility import known, sheet
from kingdom.games.kit import rulings
from kingdom.games.kit.declared import could_happen, happened

late = late_in(__name__)


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
    phases=contents.PHASES,
    opening=Opening(files=FILES, new=opening.new, start=opening.start, phases=contents.OPENING),
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    refusals=contents.REFUSALS,
    causes=contents.CAUSES,
    seats=lambda table: list(table.lords),
    accounts=steps.accounts,
    pieces=rounds.pieces,
    sheet=sheet,
    known=known,
    odds=lambda table, seat, rules: {},
    names=names,
    finished=_finished,
    templates="board/plain",
    asked=due,
    foreseen_to=TURNS[-1],
    correction=rulings.correction("prestige", "prestige", lambda table: table.lords, steps.accounts),
    view=late("report.view", "view"),
    draw=late("report.board", "draw"),
    bots={name: partial(late("bots", "text"), name) for name in BOTS},
    scoring=Scoring(counts=rounds.COUNTS, fewer=rounds.FEWER, accounts=steps.ACCOUNTS, rows=rounds.standings),
    offers=late("offers", "offers"),
    forms=Forms(text=late("offers", "form_text"), page=late("offers", "form_page")),
    simulation=Simulation(
        muddled=late("bots.random_play", "muddled"),
        gm=late("bots.random_play", "gm_orders"),
        could_happen=could_happen(contents.CAUSES, contents.REFUSALS),
        happened=happened,
    ),
    picture=late("report.board", "picture"),
    rulebook=late("report", "rulebook"),
)
