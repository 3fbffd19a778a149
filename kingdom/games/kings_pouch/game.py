"""What the core asks of a game, filled in for King's Pouch.

Reports, pictures, bots and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from kingdom.engine.game import Chance, Facts, Forms, Game, Opening, Scoring, Simulation
from kingdom.engine.step import Phase, Result
from kingdom.games.kings_pouch import BOTS, TITLE
from kingdom.games.kings_pouch.opening import setup
from kingdom.games.kings_pouch.orders import FILES, GM_ORDERS, ORDERS, names
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kings_pouch.steps import council, effects, gm, management, placement, pouch, rest, rounds, shared
from kingdom.games.kings_pouch.steps.turns import TURNS, due
from kingdom.games.kings_pouch.visibility import known, sheet
from kingdom.games.shared import granting
from kingdom.games.shared.declared import could_happen, happened, merged

MODULES = (gm, setup, placement, effects, pouch, management, rest, council, shared)

OPENING = (
    Phase("opening", (
        setup.shuffle_piles,  # each colour, era by era
        setup.draw_characters,  # who joins the standard ones
        setup.draw_stack,  # before castles, which are chosen in its order
        setup.draw_castles,  # only where nobody chooses them
        rounds.first_round,  # only where castles were drawn: round 1 can be played
    )),
)  # fmt: skip
PHASES = (  # the table of contents of a turn; a phase that the run does not play does nothing
    Phase("gm", (
        gm.gm_orders,  # before all else, so that what it changes counts for everybody
        gm.sort_orders,  # what is for another run is told before anything is decided
    )),
    Phase("castles", (setup.choose_castles,)),  # before round 1, in the order of the stack
    *(
        Phase(word, (
            placement.placement,  # first, as it brings the gold and army that the second phase spends
            management.management,  # before anything is donated or drawn
            rest.rest,  # last: what is left becomes prestige, and the citizens of the next round are drawn
        ))
        for word in TURNS  # a player's whole turn after the other, in turn order
    ),
    Phase("round_end", (
        council.great_council,  # behind all draws, as some characters count who is active
        council.final_scoring,  # behind the last council
        rounds.next_turns,  # last, so that the next orders know the cards and the order
    )),
)  # fmt: skip


REFUSALS, CAUSES = merged(MODULES, "REFUSALS"), merged(MODULES, "CAUSES")


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "all rounds are played, and everything is scored" if table.over else ""


def _view(result: Result[Table], seat: str, rules: Rules) -> dict[str, Any]:
    from kingdom.games.kings_pouch.report.view import view

    return view(result, seat, rules)


def _draw(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.kings_pouch.report.board import draw

    return draw(table, seat, rules)


def _picture(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.kings_pouch.report.picture import picture

    return picture(table, seat, rules)


def _text_form(table: Table, seat: str, rules: Rules) -> Iterable[str]:
    from kingdom.games.kings_pouch.report.text_form import form_of

    return form_of(table, seat, rules)


def _page_form(table: Table, seat: str, rules: Rules) -> Facts:
    from kingdom.games.kings_pouch.offers.order_form import form_page

    return form_page(table, seat, rules)


def _rulebook(tables: Facts, own: Facts) -> Facts:
    from kingdom.games.kings_pouch.report.rules_page import rulebook

    return rulebook(tables, own)


def _new(seats: int | None, options: Facts) -> Mapping[str, str]:
    from kingdom.games.kings_pouch.opening.new_campaign import new

    return new(seats, options)


def _bot(name: str, known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.kings_pouch.bots import text

    return text(name, known, seat, rules, chance)


def _muddled(known: Table, seat: str, rules: Rules, chance: Chance) -> str:
    from kingdom.games.kings_pouch.bots.muddle import muddled

    return muddled(known, seat, rules, chance)


def _gm_orders(table: Table, rules: Rules, chance: Chance) -> str:
    from kingdom.games.kings_pouch.bots.muddle import gm_orders

    return gm_orders(table, rules, chance)


GAME = Game(
    name="kings_pouch",
    title=TITLE,
    State=Table,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=PHASES,
    opening=Opening(files=FILES, new=_new, start=setup.start, phases=OPENING),
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    refusals=REFUSALS,
    causes=CAUSES,
    seats=lambda table: list(table.lords),
    accounts=shared.accounts,
    pieces=council.pieces,
    sheet=sheet,
    known=known,
    odds=lambda table, seat, rules: {},
    names=names,
    finished=_finished,
    asked=due,
    foreseen_to=TURNS[-1],
    correction=granting.correction("prestige", "prestige", lambda table: table.lords, shared.accounts),
    view=_view,
    draw=_draw,
    bots={name: partial(_bot, name) for name in BOTS},
    scoring=Scoring(counts=council.COUNTS, fewer=council.FEWER, accounts=shared.ACCOUNTS, rows=council.standings),
    forms=Forms(text=_text_form, page=_page_form),
    simulation=Simulation(
        muddled=_muddled, gm=_gm_orders, could_happen=could_happen(CAUSES, REFUSALS), happened=happened
    ),
    picture=_picture,
    rulebook=_rulebook,
)
