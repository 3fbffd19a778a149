"""What the core asks of a game, filled in for the realm.

Reports, maps and new campaigns are loaded when they are asked for: most commands need none of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterable, Mapping

from kingdom.game import Game, Setup
from kingdom.games.realm import BOTS, TITLE, turn as contents
from kingdom.games.realm.opening.files import FILES
from kingdom.games.realm.orders import GM_ORDERS, ORDERS, names
from kingdom.games.realm.rules import Rules
from kingdom.games.realm.sheet import ACCOUNTS, accounts, sheet
from kingdom.games.realm.state import Kingdom, World, replace


def _start(setup: Setup, rules: Rules) -> World:
    from kingdom.games.realm.opening.start import start

    return start(setup, rules)


def _warnings(setup: Setup, rules: Rules) -> list:
    from kingdom.games.realm.opening.start import warnings

    return warnings(setup, rules)


def _seats(world: World) -> list[str]:
    """The seats in play; a destroyed kingdom's is no longer."""
    return [seat for seat, kingdom in world.kingdoms.items() if not kingdom.destroyed]


def _accounts(world: World, seat: str, rules: Rules) -> Mapping[str, int]:
    return accounts(world.kingdoms[seat], world.hexes, rules)


def _known(world: World, seat: str, rules: Rules) -> World:
    from kingdom.games.realm.sight.known import known

    return known(world, seat, rules)


def _view(*given: Any, **named: Any) -> dict:
    from kingdom.games.realm.telling.view import view

    return view(*given, **named)


def _odds(world: World, seat: str, rules: Rules) -> Mapping[str, float]:
    from kingdom.games.realm.forecast.odds import odds

    return odds(world, seat, rules)


def _draw(*given: Any, **named: Any) -> str:
    from kingdom.games.realm.telling.mapdraw import draw

    return draw(*given, **named)


def _form_page(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.realm.forming.formpage import form_page

    return form_page(*given)


def _picture(*given: Any) -> str:
    from kingdom.games.realm.telling.mapsvg import picture

    return picture(*given)


def _new(*given: Any, **named: Any) -> Mapping[str, str]:
    from kingdom.games.realm.opening.newcampaign import new

    return new(*given, **named)


def _form(world: World, seat: str, rules: Rules) -> list[str]:
    from kingdom.games.realm.telling.orderform import form_of

    return form_of(world, seat, rules)


def _first_orders(world: World, seat: str, rules: Rules) -> Mapping[str, str]:
    from kingdom.games.realm.opening.firstorders import first_orders

    return first_orders(world, seat, rules)


def _bot(name: str) -> Callable[..., str]:
    def orders(*given: Any) -> str:
        from kingdom.games.realm.bots import TEMPERAMENTS

        return TEMPERAMENTS[name](*given)

    return orders


def _muddled(*given: Any) -> str:
    from kingdom.games.realm.bots.muddle import muddled

    return muddled(*given)


def _gm_bot(*given: Any) -> str:
    from kingdom.games.realm.bots.gamemaster import gm_orders

    return gm_orders(*given)


def _could_happen(rules: Rules) -> Mapping[str, Iterable[str]]:
    from kingdom.games.realm.census import could_happen

    return could_happen(rules)


def _happened(result: Any, rules: Rules) -> Iterable[tuple[str, str]]:
    from kingdom.games.realm.census import happened

    return happened(result, rules)


def _requests(world: World) -> Mapping[str, list[str]]:
    return {seat: [request.text for request in kingdom.requests] for seat, kingdom in world.kingdoms.items() if kingdom.requests}


def _sources(world: World, seat: str, rules: Rules) -> Mapping[str, Any]:
    from kingdom.games.realm.telling.figures import made_of

    return made_of(world.kingdoms[seat], world.hexes, rules)


def _forecast(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.realm.forecast.forecast import forecast

    return forecast(*given)


def _edit(file: str, path: str, was: str, now: str) -> str:
    from kingdom.games.realm.opening.edits import edit

    return edit(file, path, was, now)


def _offered(*given: Any) -> Mapping[str, list[str]]:
    from kingdom.games.realm.telling.offered import offered

    return offered(*given)


def _correction(*given: Any) -> tuple:
    from kingdom.games.realm.correction import correction

    return correction(*given)


def _rulebook(*given: Any) -> Mapping[str, Any]:
    from kingdom.games.realm.telling.rulebook import rulebook

    return rulebook(*given)


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


def merged(tables: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """One table of all; a word that stands in two of them is an error of ours."""
    found: dict[str, str] = {}
    for table in tables:
        twice = sorted(set(found) & set(table))
        assert not twice, f"declared twice: {', '.join(twice)}"
        found.update(table)
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
    refusals=merged(getattr(module, "REFUSALS", {}) for module in contents.MODULES),
    causes=merged(getattr(module, "CAUSES", {}) for module in contents.MODULES),
    start=_start,
    seats=_seats,
    accounts=_accounts,
    sheet=sheet,
    known=_known,
    view=_view,
    odds=_odds,
    names=names,
    draw=_draw,
    picture=_picture,
    form_page=_form_page,
    new=_new,
    finished=_finished,
    account_names=ACCOUNTS,
    counts=("size", "treasury"),
    standings=_standings,
    foreseen_to="edict",
    paid_from="treasury",
    idle={"edicts": {"holiday": "very_long", "promotion": "none", "taxation": "minimalist"}},
    edit=_edit,
    warnings=_warnings,
    form=_form,
    first_orders=_first_orders,
    requests=_requests,
    could_happen=_could_happen,
    happened=_happened,
    muddled=_muddled,
    gm_bot=_gm_bot,
    bots={name: _bot(name) for name in BOTS},
    seated=_seated,
    rulebook=_rulebook,
    offered=_offered,
    correction=_correction,
    sources=_sources,
    forecast=_forecast,
)
