"""What the core asks of a game, filled in for Cardinal's Guards. What most commands don't need is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from kingdom.engine.game import Chance, Facts, Forms, Game, Opening, Scoring, Simulation
from kingdom.engine.offer import Offer
from kingdom.engine.step import Orders, Result
from kingdom.games.cardinals_guards import BOTS, TITLE
from kingdom.games.cardinals_guards import turn as contents
from kingdom.games.cardinals_guards.opening import FILES, new, start
from kingdom.games.cardinals_guards.orders import GM_ORDERS, ORDERS, names
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Table
from kingdom.games.cardinals_guards.steps import ACCOUNTS, COUNTS, FEWER, accounts, pieces, rows
from kingdom.games.cardinals_guards.visibility import known, sheet
from kingdom.games.shared import rulings
from kingdom.games.shared.declared import could_happen, happened, merged

REFUSALS, CAUSES = merged(contents.MODULES, "REFUSALS"), merged(contents.MODULES, "CAUSES")


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "every castle is finished" if table.over else ""


def _asked(table: Table, rules: Rules) -> list[str]:
    """Who is done with its castle waits for the others."""
    return [seat for seat, of in table.seats.items() if not of.board.finished]


def _view(result: Result[Table], seat: str, rules: Rules) -> Facts:
    from kingdom.games.cardinals_guards.report.view import view

    return view(result, seat, rules)


def _draw(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.cardinals_guards.report.board import draw

    return draw(table, seat, rules)


def _picture(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.cardinals_guards.report.board import picture

    return picture(table, seat, rules)


def _text_form(table: Table, seat: str, rules: Rules) -> Iterable[str]:
    from kingdom.games.cardinals_guards.offers.forms import form_of

    return form_of(table, seat, rules)


def _page_form(table: Table, seat: str, rules: Rules) -> Facts:
    from kingdom.games.cardinals_guards.offers.forms import form_page

    return form_page(table, seat, rules)


def _offers(table: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    from kingdom.games.cardinals_guards.offers import offers

    return offers(table, seat, rules, orders)


def _rulebook(tables: Facts, own: Facts) -> Facts:
    from kingdom.games.cardinals_guards.report import rulebook

    return rulebook(tables, own)


def _bot(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.cardinals_guards.bots import text

    return text(name, known, seat, rules, chance)


def _muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.cardinals_guards.bots import muddled

    return muddled(known, seat, rules, chance)


def _gm_orders(table: Table, rules: Rules, chance: Chance) -> str:
    from kingdom.games.cardinals_guards.bots import gm

    return gm(table, rules, chance)


def _solve(table: Table, seat: str | None, rules: Rules, effort: int, chance: Chance) -> Facts:
    from kingdom.games.cardinals_guards.solver import solve

    return solve(table, seat, rules, effort, chance)


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
    refusals=REFUSALS,
    causes=CAUSES,
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
    view=_view,
    draw=_draw,
    bots={name: partial(_bot, name) for name in BOTS},
    scoring=Scoring(counts=COUNTS, fewer=FEWER, accounts=ACCOUNTS, rows=rows),
    offers=_offers,
    forms=Forms(text=_text_form, page=_page_form),
    simulation=Simulation(
        muddled=_muddled, gm=_gm_orders, could_happen=could_happen(CAUSES, REFUSALS), happened=happened
    ),
    picture=_picture,
    rulebook=_rulebook,
    solve=_solve,
)
