"""What the core asks of a game, filled in for King's Pouch.

Reports, pictures, bots and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from kingdom.engine.game import Chance, Facts, Forms, Game, Opening, Scoring, Simulation
from kingdom.engine.offer import Offer
from kingdom.engine.step import Orders, Result
from kingdom.games.kings_pouch import BOTS, TITLE, opening, steps
from kingdom.games.kings_pouch import turn as contents
from kingdom.games.kings_pouch.orders import FILES, GM_ORDERS, ORDERS, names
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kings_pouch.steps import rounds
from kingdom.games.kings_pouch.steps.rounds import TURNS, due
from kingdom.games.kings_pouch.visibility import known, sheet
from kingdom.games.shared import rulings
from kingdom.games.shared.declared import could_happen, happened, merged

REFUSALS, CAUSES = merged(contents.MODULES, "REFUSALS"), merged(contents.MODULES, "CAUSES")


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "all rounds are played, and everything is scored" if table.over else ""


def _view(result: Result[Table], seat: str, rules: Rules) -> Facts:
    from kingdom.games.kings_pouch.report.view import view

    return view(result, seat, rules)


def _draw(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.kings_pouch.report.board import draw

    return draw(table, seat, rules)


def _picture(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.kings_pouch.report.board import picture

    return picture(table, seat, rules)


def _text_form(table: Table, seat: str, rules: Rules) -> Iterable[str]:
    from kingdom.games.kings_pouch.offers.forms import form_of

    return form_of(table, seat, rules)


def _page_form(table: Table, seat: str, rules: Rules) -> Facts:
    from kingdom.games.kings_pouch.offers.forms import form_page

    return form_page(table, seat, rules)


def _offers(table: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    from kingdom.games.kings_pouch.offers import offers

    return offers(table, seat, rules, orders)


def _rulebook(tables: Facts, own: Facts) -> Facts:
    from kingdom.games.kings_pouch.report import rulebook

    return rulebook(tables, own)


def _bot(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.kings_pouch.bots import text

    return text(name, known, seat, rules, chance)


def _muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.kings_pouch.bots.random_play import muddled

    return muddled(known, seat, rules, chance)


def _gm_orders(table: Table, rules: Rules, chance: Chance) -> str:
    from kingdom.games.kings_pouch.bots.random_play import gm_orders

    return gm_orders(table, rules, chance)


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
    refusals=REFUSALS,
    causes=CAUSES,
    seats=lambda table: list(table.lords),
    accounts=steps.accounts,
    pieces=rounds.pieces,
    sheet=sheet,
    known=known,
    odds=lambda table, seat, rules: {},
    names=names,
    finished=_finished,
    asked=due,
    foreseen_to=TURNS[-1],
    correction=rulings.correction("prestige", "prestige", lambda table: table.lords, steps.accounts),
    view=_view,
    draw=_draw,
    bots={name: partial(_bot, name) for name in BOTS},
    scoring=Scoring(counts=rounds.COUNTS, fewer=rounds.FEWER, accounts=steps.ACCOUNTS, rows=rounds.standings),
    offers=_offers,
    forms=Forms(text=_text_form, page=_page_form),
    simulation=Simulation(
        muddled=_muddled, gm=_gm_orders, could_happen=could_happen(CAUSES, REFUSALS), happened=happened
    ),
    picture=_picture,
    rulebook=_rulebook,
)
