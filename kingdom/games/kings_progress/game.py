"""What the core asks of a game, filled in for The King's Progress.

Reports, pictures, bots and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from kingdom.engine.game import Chance, Facts, Forms, Game, Opening, Scoring, Simulation
from kingdom.engine.step import Result
from kingdom.games.kings_progress import BOTS, TITLE
from kingdom.games.kings_progress import turn as contents
from kingdom.games.kings_progress.offers import asked, offers
from kingdom.games.kings_progress.opening import start
from kingdom.games.kings_progress.orders import FILES, GM_ORDERS, ORDERS
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import Table
from kingdom.games.kings_progress.steps import ACCOUNTS, accounts, scoring
from kingdom.games.kings_progress.visibility import known, sheet
from kingdom.games.shared import rulings
from kingdom.games.shared.declared import merged


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "" if table.phase else "all rounds are played, and the tax is collected"


def _view(result: Result[Table], seat: str, rules: Rules) -> Facts:
    from kingdom.games.kings_progress.report.view import view

    return view(result, seat, rules)


def _draw(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.kings_progress.report.board import draw

    return draw(table, seat, rules)


def _picture(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.kings_progress.report.board import picture

    return picture(table, seat, rules)


def _text_form(table: Table, seat: str, rules: Rules) -> Iterable[str]:
    from kingdom.games.kings_progress.report.text_form import form_of

    return form_of(table, seat, rules)


def _page_form(table: Table, seat: str, rules: Rules) -> Facts:
    from kingdom.games.kings_progress.offers.forms import form_page

    return form_page(table, seat, rules)


def _rulebook(tables: Facts, own: Facts) -> Facts:
    from kingdom.games.kings_progress.report import rulebook

    return rulebook(tables, own)


def _new(seats: int | None, options: Facts) -> Mapping[str, str]:
    from kingdom.games.kings_progress.opening import new

    return new(seats, options)


def _bot(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.kings_progress.bots import text

    return text(name, known, seat, rules, chance)


def _muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.kings_progress.bots import muddled

    return muddled(known, seat, rules, chance)


def _gm_orders(table: Table, rules: Rules, chance: Chance) -> str:
    from kingdom.games.kings_progress.bots import gm_orders

    return gm_orders(table, rules, chance)


GAME = Game(
    name="kings_progress",
    title=TITLE,
    State=Table,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=contents.PHASES,
    opening=Opening(files=FILES, new=_new, start=start, phases=contents.OPENING),
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    refusals=merged(contents.MODULES, "REFUSALS"),
    causes=merged(contents.MODULES, "CAUSES"),
    seats=lambda table: list(table.kingdoms),
    accounts=accounts,
    pieces=scoring.pieces,
    sheet=sheet,
    known=known,
    odds=lambda table, seat, rules: {},
    names=lambda rules: {},
    finished=_finished,
    asked=asked,
    correction=rulings.correction("vetoes", "vetoes", lambda table: table.kingdoms, accounts),
    view=_view,
    draw=_draw,
    bots={name: partial(_bot, name) for name in BOTS},
    scoring=Scoring(counts=scoring.COUNTS, accounts=ACCOUNTS, rows=scoring.standings),
    offers=offers,
    forms=Forms(text=_text_form, page=_page_form),
    simulation=Simulation(muddled=_muddled, gm=_gm_orders),
    picture=_picture,
    rulebook=_rulebook,
)
