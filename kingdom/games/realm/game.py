"""What the core asks of a game, filled in for the realm.

Reports, maps and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Iterable, Mapping

from kingdom.games.shared.declared import merged
from kingdom.games.shared.parts import parts_of
from kingdom.engine.game import Game
from kingdom.games.realm import BOTS, TITLE, turn as contents
from kingdom.games.realm.opening.files import FILES
from kingdom.games.realm.orders import GM_ORDERS, ORDERS, names
from kingdom.games.realm.pieces import pieces
from kingdom.games.realm.rules.rules import Rules
from kingdom.games.realm.sheet import ACCOUNTS, accounts, sheet
from kingdom.games.realm.state import Kingdom, World, replace


part = parts_of(__package__)


def _seats(world: World) -> list[str]:
    """The seats in play; a destroyed kingdom's is no longer."""
    return [seat for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed]


def _accounts(world: World, seat: str, rules: Rules) -> Mapping[str, int]:
    return accounts(world.kingdoms[seat], world.hexes, rules)


def _requests(world: World) -> Mapping[str, list[str]]:
    return {seat: [request.text for request in kingdom.requests] for seat, kingdom in world.kingdoms.items() if kingdom.requests}


def _sources(world: World, seat: str, rules: Rules) -> Mapping[str, Any]:
    from kingdom.games.realm.report.figures import made_of

    return made_of(world.kingdoms[seat], world.hexes, rules)


def _seated(world: World, seats: Iterable[str]) -> World:
    new = {seat: Kingdom(seat.replace("_", " ").title(), destroyed=True, absent=True) for seat in seats if seat not in world.kingdoms}
    return replace(world, kingdoms=dict(sorted({**world.kingdoms, **new}.items()))) if new else world


def _finished(world: World) -> str:
    if world.ended:
        return f"the GM ended it: {world.ended}"
    return "" if _seats(world) else "no kingdom is left"


def _standings(world: World, rules: Rules, counts: Iterable[str]) -> list[tuple[str, str, dict[str, int], str]]:
    """(seat, name, what it has of what counts, why it is out of play or "") of each kingdom that ever played."""
    found = []
    for seat, kingdom in world.kingdoms.items():
        balances = accounts(kingdom, world.hexes, rules)
        if not kingdom.absent:
            found.append((seat, kingdom.name, {account: balances[account] for account in counts}, "destroyed" if kingdom.destroyed else ""))
    return found


GAME = Game(
    name="realm",
    title=TITLE,
    State=World,
    Rules=Rules,
    data=Path(__file__).parent / "data",
    phases=contents.PHASES,
    opening=contents.OPENING,
    orders=ORDERS,
    gm_orders=GM_ORDERS,
    files=FILES,
    refusals=merged(contents.MODULES, "REFUSALS"),
    causes=merged(contents.MODULES, "CAUSES"),
    start=part("opening.start", "start"),
    seats=_seats,
    accounts=_accounts,
    sheet=sheet,
    known=part("visibility.known", "known"),
    view=part("report.view", "view"),
    odds=part("forecast.odds", "odds"),
    names=names,
    draw=part("report.maps.text_map", "draw"),
    picture=part("report.maps.svg_map", "picture"),
    form_page=part("offers.order_form", "form_page"),
    new=part("opening.new_campaign", "new"),
    finished=_finished,
    account_names=ACCOUNTS,
    counts=("size", "treasury"),
    standings=_standings,
    pieces=pieces,
    foreseen_to="edict",
    paid_from="treasury",
    idle={"edicts": {"holiday": "very_long", "promotion": "none", "taxation": "minimalist"}},
    edit=part("opening.edits", "edit"),
    warnings=part("opening.start", "warnings"),
    form=part("report.text_form", "form_of"),
    first_orders=part("opening.first_orders", "first_orders"),
    requests=_requests,
    could_happen=part("occurrences", "could_happen"),
    happened=part("occurrences", "happened"),
    muddled=part("bots.muddle", "muddled"),
    gm_bot=part("bots.game_master", "gm_orders"),
    bots={name: partial(part("bots", "text"), name) for name in BOTS},
    seated=_seated,
    rulebook=part("report.rules_page", "rulebook"),
    offered=part("offers.names", "offered"),
    correction=part("corrections", "correction"),
    sources=_sources,
    forecast=part("forecast.forecast", "forecast"),
)
