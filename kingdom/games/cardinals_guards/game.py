"""What the core asks of a game, filled in for Cardinal's Guards. What most commands don't need is loaded when it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterable, Mapping

from kingdom.game import Game
from kingdom.games.cardinals_guards import BOTS, TITLE, turn as contents
from kingdom.games.cardinals_guards.known import known, sheet
from kingdom.games.cardinals_guards.orders import GM_ORDERS, ORDERS, names
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.scoring import ACCOUNTS, COUNTS, FEWER, accounts, pieces, rows
from kingdom.games.cardinals_guards.setup import FILES, start
from kingdom.games.cardinals_guards.state import Table


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "every castle is finished" if table.over else ""


def _view(*given: Any, **named: Any) -> dict:
    from kingdom.games.cardinals_guards.view import view

    return view(*given, **named)


def _draw(*given: Any) -> str:
    from kingdom.games.cardinals_guards.drawing import draw

    return draw(*given)


def _picture(*given: Any) -> str:
    from kingdom.games.cardinals_guards.picture import picture

    return picture(*given)


def _new(*given: Any) -> Mapping[str, str]:
    from kingdom.games.cardinals_guards.newcampaign import new

    return new(*given)


def _form(table: Table, seat: str, rules: Rules) -> list[str]:
    from kingdom.games.cardinals_guards.orderform import form_of

    return form_of(table, seat, rules)


def _form_page(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.cardinals_guards.forming import form_page

    return form_page(*given)


def _solve(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.cardinals_guards.solver.solve import solve

    return solve(*given)


def _rulebook(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.cardinals_guards.rulebook import rulebook

    return rulebook(*given)


def _bot(name: str) -> Callable[..., str]:
    def orders(*given: Any) -> str:
        from kingdom.games.cardinals_guards.bots import PLAYERS

        return PLAYERS[name](*given)

    return orders


def _muddled(*given: Any) -> str:
    from kingdom.games.cardinals_guards.bots import muddled

    return muddled(*given)


def _gm_bot(*given: Any) -> str:
    from kingdom.games.cardinals_guards.bots import gm

    return gm(*given)


def _could_happen(rules: Rules) -> Mapping[str, Iterable[str]]:
    return {"cause": tuple(GAME.causes), "refusal": tuple(GAME.refusals)}


def _happened(result: Any, rules: Rules) -> Iterable[tuple[str, str]]:
    yield from (("cause", entry.cause) for entry in result.entries)
    yield from (("refusal", notice.facts["code"]) for notice in result.notices if notice.kind == "refusal")


def _merged(word: str) -> dict[str, str]:
    return {code: text for module in contents.MODULES for code, text in getattr(module, word, {}).items()}


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
    refusals=_merged("REFUSALS"),
    causes=_merged("CAUSES"),
    start=start,
    seats=lambda table: list(table.seats),
    accounts=accounts,
    sheet=sheet,
    known=known,
    view=_view,
    odds=lambda table, seat, rules: {},
    names=names,
    draw=_draw,
    picture=_picture,
    new=_new,
    finished=_finished,
    foreseen_to="castle",
    form=_form,
    form_page=_form_page,
    rulebook=_rulebook,
    bots={name: _bot(name) for name in BOTS},
    muddled=_muddled,
    gm_bot=_gm_bot,
    could_happen=_could_happen,
    happened=_happened,
    account_names=ACCOUNTS,
    counts=COUNTS,
    fewer=FEWER,
    standings=rows,
    pieces=pieces,
    solve=_solve,
)
