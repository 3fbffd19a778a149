"""What the core asks of a game, filled in for Royal Progress. What most commands don't need is loaded when it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterable, Mapping

from kingdom.game import Game
from kingdom.games.royal_progress import BOTS, TITLE, turn as contents
from kingdom.games.royal_progress.known import known, sheet
from kingdom.games.royal_progress.orders import GM_ORDERS, ORDERS, names
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.setup import FILES, start
from kingdom.games.royal_progress.state import OVER, Table
from kingdom.games.royal_progress.steps import ACCOUNTS, accounts, pieces


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "the last round is scored" if table.phase == OVER else ""


def _view(*given: Any, **named: Any) -> dict:
    from kingdom.games.royal_progress.telling.view import view

    return view(*given, **named)


def _draw(*given: Any) -> str:
    from kingdom.games.royal_progress.telling.drawing import draw

    return draw(*given)


def _picture(*given: Any) -> str:
    from kingdom.games.royal_progress.telling.picture import picture

    return picture(*given)


def _new(*given: Any) -> Mapping[str, str]:
    from kingdom.games.royal_progress.newcampaign import new

    return new(*given)


def _form(table: Table, seat: str, rules: Rules) -> list[str]:
    from kingdom.games.royal_progress.telling.orderform import form_of

    return form_of(table, seat, rules)


def _form_page(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.royal_progress.telling.formpage import form_page

    return form_page(*given)


def _rulebook(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.royal_progress.telling.rulebook import rulebook

    return rulebook(*given)


def _bot(name: str) -> Callable[..., str]:
    def orders(*given: Any) -> str:
        from kingdom.games.royal_progress.bots import texts

        return texts.TEXTS[name](*given)

    return orders


def _could_happen(rules: Rules) -> Mapping[str, Iterable[str]]:
    return {"cause": tuple(GAME.causes), "refusal": tuple(GAME.refusals)}


def _happened(result: Any, rules: Rules) -> Iterable[tuple[str, str]]:
    yield from (("cause", entry.cause) for entry in result.entries)
    yield from (("refusal", notice.facts["code"]) for notice in result.notices if notice.kind == "refusal")


def _merged(word: str) -> dict[str, str]:
    return {code: text for module in contents.MODULES for code, text in getattr(module, word, {}).items()}


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
    foreseen_to="play",
    form=_form,
    form_page=_form_page,
    rulebook=_rulebook,
    bots={name: _bot(name) for name in BOTS},
    could_happen=_could_happen,
    happened=_happened,
    account_names=ACCOUNTS,
    counts=("points", "gifts", "crowns", "influence"),
    pieces=pieces,
)
