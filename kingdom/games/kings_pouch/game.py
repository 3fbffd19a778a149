"""What the core asks of a game, filled in for King's Pouch.

Reports, pictures, bots and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterable, Mapping

from kingdom.game import Game, Phase
from kingdom.games.kings_pouch import BOTS, TITLE, council, effects, gm, management, placement, pouch, rest, rounds, setup, steps
from kingdom.games.kings_pouch.known import known, sheet
from kingdom.games.kings_pouch.orders import FILES, GM_ORDERS, ORDERS, names
from kingdom.games.kings_pouch.rules import Rules
from kingdom.games.kings_pouch.state import Table
from kingdom.games.kings_pouch.turns import TURNS

MODULES = (gm, setup, placement, effects, pouch, management, rest, council, steps)

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


def _draw(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.kings_pouch.telling.board import draw

    return draw(table, seat, rules)


def _picture(table: Table, seat: str | None, rules: Rules) -> str:
    from kingdom.games.kings_pouch.telling.picture import picture

    return picture(table, seat, rules)


def _view(*given: Any, **named: Any) -> dict[str, Any]:
    from kingdom.games.kings_pouch.telling.view import view

    return view(*given, **named)


def _form(table: Table, seat: str, rules: Rules) -> list[str]:
    from kingdom.games.kings_pouch.telling.orderform import form_of

    return form_of(table, seat, rules)


def _new(*given: Any) -> Mapping[str, str]:
    from kingdom.games.kings_pouch.newcampaign import new

    return new(*given)


def _rulebook(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.kings_pouch.telling.rulebook import rulebook

    return rulebook(*given)


def _bot(name: str) -> Callable[..., str]:
    def orders(*given: Any) -> str:
        from kingdom.games.kings_pouch.bots import text

        return text(name, *given)

    return orders


def _muddled(*given: Any) -> str:
    from kingdom.games.kings_pouch.bots.muddle import muddled

    return muddled(*given)


def _gm_bot(*given: Any) -> str:
    from kingdom.games.kings_pouch.bots.muddle import gm_orders

    return gm_orders(*given)


def _finished(table: Table) -> str:
    if table.ended:
        return f"the GM ended it: {table.ended}"
    return "all rounds are played, and everything is scored" if table.over else ""


def _could_happen(rules: Rules) -> Mapping[str, Iterable[str]]:
    return {"cause": tuple(GAME.causes), "refusal": tuple(GAME.refusals)}


def _happened(result: Any, rules: Rules) -> Iterable[tuple[str, str]]:
    yield from (("cause", entry.cause) for entry in result.entries)
    yield from (("refusal", notice.facts["code"]) for notice in result.notices if notice.kind == "refusal")


def _merged(name: str) -> dict[str, str]:
    """One table of what the modules say under that name."""
    return {code: said for module in MODULES for code, said in getattr(module, name, {}).items()}


GAME = Game(
    name="kings_pouch",
    title=TITLE,
    State=Table,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=PHASES,
    opening=OPENING,
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    files=FILES,
    refusals=_merged("REFUSALS"),
    causes=_merged("CAUSES"),
    start=setup.start,
    seats=lambda table: list(table.lords),
    accounts=steps.accounts,
    account_names=steps.ACCOUNTS,
    counts=council.COUNTS,
    fewer=council.FEWER,
    standings=council.standings,
    pieces=council.pieces,
    sheet=sheet,
    known=known,
    view=_view,
    odds=lambda table, seat, rules: {},
    names=names,
    draw=_draw,
    picture=_picture,
    form=_form,
    new=_new,
    rulebook=_rulebook,
    finished=_finished,
    foreseen_to=TURNS[-1],
    bots={name: _bot(name) for name in BOTS},
    muddled=_muddled,
    gm_bot=_gm_bot,
    could_happen=_could_happen,
    happened=_happened,
)
