"""What the core asks of a game, filled in for the realm.

Reports, maps and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom.engine.game import Chance, Corrections, Facts, Forms, Game, Opening, Row, Scoring, Setup, Simulation, Tried
from kingdom.engine.offer import Offer
from kingdom.engine.problems import Problem
from kingdom.engine.step import Orders, Result
from kingdom.games.realm import BOTS, STARTS, TITLE
from kingdom.games.realm import turn as contents
from kingdom.games.realm.opening.files import FILES
from kingdom.games.realm.orders import GM_ORDERS, ORDERS, names
from kingdom.games.realm.printed_sheet import sheet
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import ACCOUNTS, accounts, final_size
from kingdom.games.realm.state import Kingdom, World, replace
from kingdom.games.realm.turn import FORESEEN_TO, PLAY
from kingdom.games.shared.declared import merged

if TYPE_CHECKING:
    from numpy.random import Generator


def _requests(world: World) -> Mapping[str, list[str]]:
    return {
        seat: [request.text for request in kingdom.requests]
        for seat, kingdom in world.kingdoms.items()
        if kingdom.requests
    }


def _sources(world: World, seat: str, rules: Rules) -> Mapping[str, list[tuple[int, str]]]:
    from kingdom.games.realm.report.survey import made_of

    return made_of(world.kingdoms[seat], world.hexes, rules)


def _seated(world: World, seats: Iterable[str]) -> World:
    new = {
        seat: Kingdom(seat.replace("_", " ").title(), destroyed=True, absent=True)
        for seat in seats
        if seat not in world.kingdoms
    }
    return replace(world, kingdoms=dict(sorted({**world.kingdoms, **new}.items()))) if new else world


def _finished(world: World) -> str:
    if world.ended:
        return f"the GM ended it: {world.ended}"
    return "" if PLAY.seats(world) else "no kingdom is left"


def _rows(world: World, rules: Rules, counts: Sequence[str]) -> list[Row]:
    """(seat, name, what it has of what counts, why it is out of play or "") of each kingdom that ever played."""
    found: list[Row] = []
    for seat, kingdom in world.kingdoms.items():
        balances = {**accounts(kingdom, world.hexes, rules), "size": final_size(kingdom, rules)}
        if not kingdom.absent:
            found.append(
                (
                    seat,
                    kingdom.name,
                    {account: balances[account] for account in counts},
                    "destroyed" if kingdom.destroyed else "",
                )
            )
    return found


def _start(setup: Setup, rules: Rules) -> World:
    from kingdom.games.realm.opening.start import start

    return start(setup, rules)


def _warnings(setup: Setup, rules: Rules) -> list[Problem]:
    from kingdom.games.realm.opening.start import warnings

    return warnings(setup, rules)


def _new(seats: int | None, options: Facts) -> Mapping[str, str]:
    from kingdom.games.realm.opening.new_campaign import new

    return new(seats, options)


def _edit(file: str, path: str, was: str, now: str) -> str:
    from kingdom.games.realm.opening.files import edit

    return edit(file, path, was, now)


def _known(world: World, seat: str, rules: Rules) -> World:
    from kingdom.games.realm.visibility.known import known

    return known(world, seat, rules)


def _view(result: Result[World], seat: str, rules: Rules) -> Facts:
    from kingdom.games.realm.report.view import view

    return view(result, seat, rules)


def _odds(world: World, seat: str, rules: Rules) -> Mapping[str, float]:
    from kingdom.games.realm.forecast.exact import odds

    return odds(world, seat, rules)


def _draw(world: World, seat: str | None, rules: Rules) -> str:
    from kingdom.games.realm.report.maps.text_map import draw

    return draw(world, seat, rules)


def _picture(world: World, seat: str | None, rules: Rules) -> str:
    from kingdom.games.realm.report.maps.svg_map import picture

    return picture(world, seat, rules)


def _text_form(world: World, seat: str, rules: Rules) -> Iterable[str]:
    from kingdom.games.realm.report.text_form import form_of

    return form_of(world, seat, rules)


def _page_form(world: World, seat: str, rules: Rules) -> Facts:
    from kingdom.games.realm.offers.order_form import form_page

    return form_page(world, seat, rules)


def _offers(known: World, seat: str, rules: Rules, orders: Orders) -> Sequence[Offer]:
    from kingdom.games.realm.offers.offers import offers

    return offers(known, seat, rules, orders)


def _first_orders(world: World, seat: str, rules: Rules) -> Mapping[str, str]:
    from kingdom.games.realm.opening.first_orders import first_orders

    return first_orders(world, seat, rules)


def _names_offered(world: World, seat: str | None, rules: Rules) -> Mapping[str, Iterable[str]]:
    from kingdom.games.realm.offers.offers import offered

    return offered(world, seat, rules)


def _rulebook(tables: Facts, own: Facts) -> Facts:
    from kingdom.games.realm.report.rules_page import rulebook

    return rulebook(tables, own)


def _bot(name: str, known: World, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.realm.bots import text

    return text(name, known, seat, rules, chance)


def _muddled(known: World, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.realm.bots.simulation import muddled

    return muddled(known, seat, rules, chance)


def _gm_orders(world: World, rules: Rules, chance: Chance) -> str:
    from kingdom.games.realm.bots.simulation import gm_orders

    return gm_orders(world, rules, chance)


def _could_happen(rules: Rules) -> Mapping[str, Iterable[str]]:
    from kingdom.games.realm.bots.simulation import could_happen

    return could_happen(rules)


def _happened(result: Result[World], rules: Rules) -> Iterable[tuple[str, str]]:
    from kingdom.games.realm.bots.simulation import happened

    return happened(result, rules)


def _correction(today: World, right: World, rules: Rules, reason: str, tried: Tried[World]) -> Corrections:
    from kingdom.games.realm.corrections import correction

    return correction(today, right, rules, reason, tried)


def _forecast(
    known: World, seat: str, rules: Rules, orders: Orders, turns: int, samples: int, chance: Generator
) -> Facts:
    from kingdom.games.realm.forecast.forecast import forecast

    return forecast(known, seat, rules, orders, turns, samples, chance)


GAME = Game(
    name="realm",
    title=TITLE,
    State=World,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=PLAY.phases,
    opening=Opening(
        files=FILES,
        new=_new,
        start=_start,
        phases=contents.OPENING,
        starts=STARTS,
        warnings=_warnings,
        seated=_seated,
        edit=_edit,
    ),
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    refusals=PLAY.refusals,
    causes=merged(contents.MODULES, "CAUSES"),
    seats=PLAY.seats,
    accounts=PLAY.accounts,
    sheet=sheet,
    known=_known,
    view=_view,
    odds=_odds,
    names=names,
    draw=_draw,
    finished=_finished,
    foreseen_to=FORESEEN_TO,
    paid_from="treasury",
    coin="BP",
    idle={"edicts": {"holiday": "very_long", "promotion": "none", "taxation": "minimalist"}},
    bots={name: partial(_bot, name) for name in BOTS},
    scoring=Scoring(counts=("size", "treasury"), accounts=ACCOUNTS, rows=_rows),
    offers=_offers,
    forms=Forms(text=_text_form, page=_page_form, first_orders=_first_orders, names=_names_offered),
    simulation=Simulation(muddled=_muddled, gm=_gm_orders, could_happen=_could_happen, happened=_happened),
    picture=_picture,
    rulebook=_rulebook,
    requests=_requests,
    sources=_sources,
    forecast=_forecast,
    correction=_correction,
    pieces=PLAY.pieces,
)
