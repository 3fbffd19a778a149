"""What the core asks of a game, filled in for The King's Progress.

Reports, pictures, bots and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Mapping

from kingdom.game import Game, Phase
from kingdom.games.kings_progress import BOTS, TITLE, gm, placing, progress, scoring, setup, vetoes
from kingdom.games.kings_progress.known import known, sheet
from kingdom.games.kings_progress.orders import FILES, GM_ORDERS, ORDERS
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import CITY, CITY_VETO, INVESTMENT, INVESTMENT_VETO, PROGRESS, Table
from kingdom.games.kings_progress.steps import ACCOUNTS, accounts

MODULES = (gm, placing, vetoes, progress, scoring)

PHASES = (  # the table of contents of a turn; a phase that the turn does not decide does nothing
    Phase("gm", (
        gm.gm_orders,  # before all else, so that what it changes counts for everybody
        gm.sort_orders,  # what is for another turn is told before anything is decided
    )),
    Phase(CITY, (placing.place_cities,)),  # first, from the first chancellor on: each kingdom grows by one city
    Phase(CITY_VETO, (vetoes.veto_cities,)),  # before the coins, so that who invests knows the tiles
    Phase(INVESTMENT, (placing.place_investments,)),  # from the left of the first chancellor on
    Phase(INVESTMENT_VETO, (vetoes.veto_investments,)),  # before the Kings move, who protect the city that they are in
    Phase(PROGRESS, (progress.progress_kings,)),  # last of the round, all together
    Phase("scoring", (
        scoring.score_kingdoms,  # behind the last move, which says what is doubled
        scoring.play_on,  # when all is decided and scored: who and what is next
    )),
)  # fmt: skip


def _draw(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.kings_progress.telling.board import draw

    return draw(table, seat, rules)


def _picture(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.kings_progress.telling.picture import picture

    return picture(table, seat, rules)


def _view(*given: Any) -> dict[str, Any]:
    from kingdom.games.kings_progress.telling.view import view

    return view(*given)


def _form(table: Table, seat: str, rules: Rules) -> list[str]:
    from kingdom.games.kings_progress.telling.orderform import form_of

    return form_of(table, seat, rules)


def _form_page(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.kings_progress.telling.formpage import form_page

    return form_page(*given)


def _new(*given: Any) -> Mapping[str, str]:
    from kingdom.games.kings_progress.newcampaign import new

    return new(*given)


def _rulebook(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.kings_progress.telling.rulebook import rulebook

    return rulebook(*given)


def _bot(name: str) -> Callable[..., str]:
    def orders(*given: Any) -> str:
        from kingdom.games.kings_progress.bots import text

        return text(name, *given)

    return orders


def _muddled(*given: Any) -> str:
    from kingdom.games.kings_progress.bots.muddle import muddled

    return muddled(*given)


def _gm_bot(*given: Any) -> str:
    from kingdom.games.kings_progress.bots.muddle import gm_orders

    return gm_orders(*given)


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "" if table.phase else "all rounds are played, and the tax is collected"


def _merged(name: str) -> dict[str, str]:
    """One table of what the modules say under that name."""
    return {code: said for module in MODULES for code, said in getattr(module, name, {}).items()}


GAME = Game(
    name="kings_progress",
    title=TITLE,
    State=Table,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=PHASES,
    opening=(Phase("opening", (setup.draw_first_chancellor,)),),
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    files=FILES,
    refusals=_merged("REFUSALS"),
    causes=_merged("CAUSES"),
    start=setup.start,
    seats=lambda table: list(table.kingdoms),
    accounts=accounts,
    account_names=ACCOUNTS,
    counts=scoring.COUNTS,
    standings=scoring.standings,
    pieces=scoring.pieces,
    sheet=sheet,
    known=known,
    view=_view,
    odds=lambda table, seat, rules: {},
    names=lambda rules: {},
    draw=_draw,
    picture=_picture,
    form=_form,
    form_page=_form_page,
    new=_new,
    rulebook=_rulebook,
    finished=_finished,
    bots={name: _bot(name) for name in BOTS},
    muddled=_muddled,
    gm_bot=_gm_bot,
)
