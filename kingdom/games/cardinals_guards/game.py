"""What the core asks of a game, filled in for Cardinal's Guards. What most commands don't need is loaded when it is asked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from kingdom.games.shared import granting
from kingdom.games.shared.declared import could_happen, happened, merged
from kingdom.games.shared.parts import parts_of
from kingdom.engine.game import Game
from kingdom.games.cardinals_guards import BOTS, TITLE, turn as contents
from kingdom.games.cardinals_guards.visibility import known, sheet
from kingdom.games.cardinals_guards.orders import GM_ORDERS, ORDERS, names
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.steps.scoring import ACCOUNTS, COUNTS, FEWER, accounts, pieces, rows
from kingdom.games.cardinals_guards.opening.setup import FILES, start
from kingdom.games.cardinals_guards.state import Table


part = parts_of(__package__)
REFUSALS, CAUSES = merged(contents.MODULES, "REFUSALS"), merged(contents.MODULES, "CAUSES")


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
    opening=contents.OPENING,
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    files=FILES,
    refusals=REFUSALS,
    causes=CAUSES,
    start=start,
    seats=lambda table: list(table.seats),
    accounts=accounts,
    sheet=sheet,
    known=known,
    view=part("report.view", "view"),
    odds=lambda table, seat, rules: {},
    names=names,
    draw=part("report.drawing", "draw"),
    picture=part("report.picture", "picture"),
    new=part("opening.new_campaign", "new"),
    finished=_finished,
    asked=_asked,
    foreseen_to="castle",
    form=part("report.text_form", "form_of"),
    form_page=part("offers.order_form", "form_page"),
    rulebook=part("report.rules_page", "rulebook"),
    bots={name: partial(part("bots", "text"), name) for name in BOTS},
    muddled=part("bots", "muddled"),
    gm_bot=part("bots", "gm"),
    could_happen=could_happen(CAUSES, REFUSALS),
    happened=happened,
    account_names=ACCOUNTS,
    counts=COUNTS,
    fewer=FEWER,
    standings=rows,
    pieces=pieces,
    solve=part("solver.solve", "solve"),
    correction=granting.correction("total", "by", lambda table: table.seats, accounts),
)
