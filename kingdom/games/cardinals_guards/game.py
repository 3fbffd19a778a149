"""What the core asks of a game, filled in for Cardinal's Guards. What most commands don't need is loaded when it is asked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from kingdom.engine.game import Forms, Game, Opening, Scoring, Simulation, late_in
from kingdom.games.cardinals_guards import BOTS, TITLE
from kingdom.games.cardinals_guards import turn as contents
from kingdom.games.cardinals_guards.opening import FILES, new, start
from kingdom.games.cardinals_guards.orders import GM_ORDERS, ORDERS, form_page, form_text, names, offers
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Table
from kingdom.games.cardinals_guards.steps import ACCOUNTS, COUNTS, FEWER, accounts, pieces, rows
from kingdom.games.cardinals_guards.visibility import known, sheet
from kingdom.games.kit import rulings
from kingdom.games.kit.declared import could_happen, happened

late = late_in(__name__)


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "every castle is finished" if table.over else ""


def _asked(table: Table, rules: Rules) -> list[str]:
    """Who is done with its castle waits for the others."""
    return [seat for seat, of in table.seats.items() if not of.board.finished]


GAME = Game(
    name="cardinals_guards",
    title=TITLE,
    State=Table,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=contents.PHASES,
    opening=Opening(files=FILES, new=new, start=start, phases=contents.OPENING),
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
    asked=_asked,
    foreseen_to="castle",
    pieces=pieces,
    correction=rulings.correction("total", "by", lambda table: table.seats, accounts),
    view=late("report.view", "view"),
    draw=late("report.board", "draw"),
    bots={name: partial(late("bots", "text"), name) for name in BOTS},
    scoring=Scoring(unit="points", counts=COUNTS, fewer=FEWER, accounts=ACCOUNTS, rows=rows),
    offers=offers,
    forms=Forms(text=form_text, page=form_page),
    simulation=Simulation[Table, Rules](
        muddled=late("bots", "muddled"),
        gm=late("bots", "gm"),
        could_happen=could_happen(contents.CAUSES, contents.REFUSALS),
        happened=happened,
    ),
    picture=late("report.board", "picture"),
    rulebook=late("report", "rulebook"),
    solve=late("solver", "solve"),
)
