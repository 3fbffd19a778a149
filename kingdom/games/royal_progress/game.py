"""What the core asks of a game, filled in for Royal Progress. What most commands don't need is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from kingdom.engine.game import Chance, Facts, Forms, Game, Opening, Scoring, Simulation
from kingdom.engine.step import Result
from kingdom.games.royal_progress import BOTS, TITLE
from kingdom.games.royal_progress import turn as contents
from kingdom.games.royal_progress.offers import offers
from kingdom.games.royal_progress.opening import FILES, start
from kingdom.games.royal_progress.orders import GM_ORDERS, ORDERS, names
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import OVER, Table
from kingdom.games.royal_progress.steps import ACCOUNTS, accounts, pieces
from kingdom.games.royal_progress.steps.play import due
from kingdom.games.royal_progress.visibility import known, sheet
from kingdom.games.shared import rulings
from kingdom.games.shared.declared import could_happen, happened, merged

REFUSALS, CAUSES = merged(contents.MODULES, "REFUSALS"), merged(contents.MODULES, "CAUSES")


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "the last round is scored" if table.phase == OVER else ""


def _view(result: Result[Table], seat: str, rules: Rules) -> Facts:
    from kingdom.games.royal_progress.report.view import view

    return view(result, seat, rules)


def _draw(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.royal_progress.report.board import draw

    return draw(table, seat, rules)


def _picture(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.royal_progress.report.board import picture

    return picture(table, seat, rules)


def _text_form(table: Table, seat: str, rules: Rules) -> Iterable[str]:
    from kingdom.games.royal_progress.report.text_form import form_of

    return form_of(table, seat, rules)


def _page_form(table: Table, seat: str, rules: Rules) -> Facts:
    from kingdom.games.royal_progress.offers.forms import form_page

    return form_page(table, seat, rules)


def _rulebook(tables: Facts, own: Facts) -> Facts:
    from kingdom.games.royal_progress.report import rulebook

    return rulebook(tables, own)


def _new(seats: int | None, options: Facts) -> Mapping[str, str]:
    from kingdom.games.royal_progress.opening import new

    return new(seats, options)


def _bot(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.royal_progress.bots import text

    return text(name, known, seat, rules, chance)


def _muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.royal_progress.bots.random_play import muddled

    return muddled(known, seat, rules, chance)


def _gm_orders(table: Table, rules: Rules, chance: Chance) -> str:
    from kingdom.games.royal_progress.bots.random_play import gm_orders

    return gm_orders(table, rules, chance)


GAME = Game(
    name="royal_progress",
    title=TITLE,
    State=Table,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=contents.PHASES,
    opening=Opening(files=FILES, new=_new, start=start, phases=contents.OPENING),
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    refusals=REFUSALS,
    causes=CAUSES,
    seats=lambda table: list(table.seats),
    accounts=accounts,
    sheet=sheet,
    known=known,
    odds=lambda table, seat, rules: {},
    names=names,
    finished=_finished,
    asked=due,
    foreseen_to="play",
    pieces=pieces,
    correction=rulings.correction("points", "points", lambda table: table.seats, accounts),
    view=_view,
    draw=_draw,
    bots={name: partial(_bot, name) for name in BOTS},
    scoring=Scoring(counts=("points", "gifts", "crowns", "influence"), accounts=ACCOUNTS),
    offers=offers,
    forms=Forms(text=_text_form, page=_page_form),
    simulation=Simulation(
        muddled=_muddled, gm=_gm_orders, could_happen=could_happen(CAUSES, REFUSALS), happened=happened
    ),
    picture=_picture,
    rulebook=_rulebook,
)
