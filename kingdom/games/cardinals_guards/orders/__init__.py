"""What a player may order, and the order forms: the kit's, with the castle that a script follows and the number of orders before."""

from __future__ import annotations

from typing import Any

from kingdom.engine.offer import Offer
from kingdom.engine.step import Orders
from kingdom.games.cardinals_guards.orders.castle import FROM, CastleOrders, Finish, board_of, closed
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Table
from kingdom.games.cardinals_guards.steps import Now, maximum, points
from kingdom.orders import kit

PRESS = "Press a musketeer and then a lit tile, or move him with the arrow keys, or choose below."
FORMS = "# Forms: move C E, move C N recruit, move A E exit e5 defeat a2, lure A a2"
SCRIPTS = ("castle.js", "castleform.js")
CASTLE, FINISH = CastleOrders(), Finish()


def offers(known: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """Return what more the seat may order behind these orders: any allowed order, and the end of its game."""
    now = Now(known, seat, rules)
    behind = CASTLE.behind(now, orders)
    return [] if behind is None else [*kit.offers(CASTLE, now, orders), *kit.offers(FINISH, behind, orders)]


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """Return what the seat's order form offers."""
    from kingdom.games.cardinals_guards.report.board import followed_picture  # loads what draws

    now = Now(seen, seat, rules)
    if closed(now):
        return kit.page([], seen.seats, seat, notice=over(seen))
    board, page = board_of(now), kit.page([(order, now) for order in (CASTLE, FINISH)], seen.seats, seat)
    page["sections"][0]["about"] += f" {PRESS}"
    last = rules.pace.turns - seen.window == 1
    return {
        **page,
        "notice": "This is the last turn for this castle, which then counts as it stands." if last else "",
        "counters": [
            {"id": "points", "name": "Score", "left": points(board, rules), "unit": f"of {maximum(rules)}"},
            {"id": "orders", "name": "Orders", "left": board.orders, "unit": "used"},
        ],
        "scripts": SCRIPTS,
        "picture": followed_picture(seen.deal),
        "always": {FROM: board.orders},
    }


def form_text(table: Table, seat: str, rules: Rules) -> list[str]:
    """Return the order form as text, below its head."""
    now = Now(table, seat, rules)
    if closed(now):
        return kit.remark(over(table))
    done = f"{FROM}: {board_of(now).orders:<11}# orders carried out so far: keep this line"
    return [done, FORMS, *kit.text_form([(order, now) for order in (CASTLE, FINISH)])]


def over(table: Table) -> str:
    """Return what a seat is told that has nothing to order."""
    if table.over:
        return "The game is over; there is nothing to order."
    return "Your game on this castle is over; wait for the others."
