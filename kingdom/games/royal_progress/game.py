"""What the core asks of a game, filled in for Royal Progress. What most commands don't need is loaded when it is asked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from kingdom.games.shared import granting
from kingdom.games.shared.declared import could_happen, happened, merged
from kingdom.games.shared.parts import parts_of
from kingdom.engine.game import Game
from kingdom.games.royal_progress import BOTS, TITLE, turn as contents
from kingdom.games.royal_progress.visibility import known, sheet
from kingdom.games.royal_progress.steps.laps import due
from kingdom.games.royal_progress.orders import GM_ORDERS, ORDERS, names
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.opening.setup import FILES, start
from kingdom.games.royal_progress.state import OVER, Table
from kingdom.games.royal_progress.steps.shared import ACCOUNTS, accounts, pieces


part = parts_of(__package__)
REFUSALS, CAUSES = merged(contents.MODULES, "REFUSALS"), merged(contents.MODULES, "CAUSES")


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "the last round is scored" if table.phase == OVER else ""


GAME = Game(
    name="royal_progress",
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
    asked=due,
    foreseen_to="play",
    form=part("report.text_form", "form_of"),
    form_page=part("offers.order_form", "form_page"),
    rulebook=part("report.rules_page", "rulebook"),
    bots={name: partial(part("bots.texts", "text"), name) for name in BOTS},
    muddled=part("bots.muddle", "muddled"),
    gm_bot=part("bots.muddle", "gm_orders"),
    could_happen=could_happen(CAUSES, REFUSALS),
    happened=happened,
    account_names=ACCOUNTS,
    counts=("points", "gifts", "crowns", "influence"),
    pieces=pieces,
    correction=granting.correction("points", "points", lambda table: table.seats, accounts),
)
