"""What the core asks of a game, filled in for the realm.

Reports, maps and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from kingdom.engine.game import Forms, Game, Opening, Row, Scoring, Simulation, late_in
from kingdom.engine.names import words
from kingdom.games.kit.declared import merged
from kingdom.games.realm import BOTS, EDITIONS, FUZZERS, STARTS, TITLE
from kingdom.games.realm import turn as contents
from kingdom.games.realm.files import FILES
from kingdom.games.realm.orders.declaration import DECISIONS, ORDERS, names
from kingdom.games.realm.orders.rulings import GM_ORDERS
from kingdom.games.realm.report.printed_sheet import sheet
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import ACCOUNTS, accounts, final_size
from kingdom.games.realm.state import Kingdom, World, owners, replace
from kingdom.games.realm.turn import FORESEEN_TO, PLAY
from kingdom.orders import kit

late = late_in(__name__)


def _requests(world: World) -> Mapping[str, list[str]]:
    return {
        seat: [request.text for request in kingdom.requests]
        for seat, kingdom in world.kingdoms.items()
        if kingdom.requests
    }


def _seated(world: World, seats: Iterable[str]) -> World:
    new = {
        seat: Kingdom(words(seat).title(), destroyed=True, absent=True) for seat in seats if seat not in world.kingdoms
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


GAME = Game(
    name="realm",
    title=TITLE,
    State=World,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=PLAY.phases,
    opening=Opening(
        files=FILES,
        new=late("opening.new_campaign", "new"),
        start=late("opening.start", "start"),
        phases=contents.OPENING,
        starts=STARTS,
        warnings=late("opening.start", "warnings"),
        seated=_seated,
        edit=late("files", "edit"),
    ),
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    refusals=PLAY.refusals,
    causes=kit.causes(DECISIONS, merged(contents.MODULES, "CAUSES")),
    seats=PLAY.seats,
    accounts=PLAY.accounts,
    sheet=sheet,
    known=late("visibility.known", "known"),
    view=late("report.view", "view"),
    odds=late("forecast.exact", "odds"),
    names=names,
    draw=late("report.maps.text_map", "draw"),
    finished=_finished,
    foreseen_to=FORESEEN_TO,
    paid_from="treasury",
    reviewed=("size", "treasury", "unrest", "consumption"),
    better=("economy", "loyalty", "stability", "stores"),
    editions=EDITIONS,
    worse=("unrest", "consumption", "debauchery"),
    coin="BP",
    idle={"edicts": {"holiday": "very_long", "promotion": "none", "taxation": "minimalist"}},
    bots={name: partial(late("bots", "orders"), name) for name in BOTS},
    bots_write=True,
    scoring=Scoring(counts=("size", "treasury"), accounts=ACCOUNTS, open=("size",), rows=_rows),
    holders=owners,
    offers=late("offers.offers", "offers"),
    forms=Forms(
        text=late("report.text_form", "form_of"),
        page=late("offers.offers", "form_page"),
        names=late("offers.offers", "offered"),
        picture=late("report.maps.svg_map", "pressed"),
    ),
    simulation=Simulation(
        muddled=late("bots.simulation", "muddled"),
        gm=late("bots.simulation", "gm_orders"),
        fuzzers={name: partial(late("bots.fuzzers", "orders"), name) for name in FUZZERS},
        could_happen=late("bots.simulation", "could_happen"),
        happened=late("bots.simulation", "happened"),
    ),
    picture=late("report.maps.svg_map", "picture"),
    rulebook=late("report.rules_page", "rulebook"),
    requests=_requests,
    unsaid=late("report.taken_over", "unsaid"),
    sources=late("report.survey", "made_of"),
    forecast=late("forecast.forecast", "forecast"),
    advice=late("bots.advice", "advice"),
    weighed=late("bots.advice", "weighed"),
    gambles=late("report.gambles", "gambles"),
    threatened=late("report.threatened", "threatened"),
    expected=late("forecast.expected", "expected"),
    correction=late("corrections", "correction"),
    pieces=PLAY.pieces,
    unmoved=PLAY.unmoved,
)
