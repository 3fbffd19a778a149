"""What a player and the GM may order; and what a seat decides in the next turn, as offers and as forms."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from kingdom.engine.offer import Offer
from kingdom.engine.step import Orders
from kingdom.games.cardinals_guards.orders.castle import FROM, CastleOrders, Finish, board_of, closed
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import Table
from kingdom.games.cardinals_guards.steps import maximum, points
from kingdom.games.cardinals_guards.types import Now
from kingdom.games.kit.common_orders import ALL, FOOT, FOOT_ADDS, GM_FOOT, finish, seat, turn
from kingdom.orders import kit
from kingdom.orders.schema import ListOf, Number, OneOf, Record, Text, Word

LONG = 4000  # characters of a text to other people
PRESS = "Press a musketeer and then a lit tile, or move him with the arrow keys, or choose below."
FORMS = "# Forms: move C E, move C N recruit, move A E exit e5 defeat a2, lure A a2"
SCRIPTS = ("castle.js", "castleform.js")
CASTLE, FINISH = CastleOrders(), Finish()
DECISIONS: tuple[kit.Order[Table, Rules, Any], ...] = (CASTLE, FINISH)
ORDERS = Record("the orders of a turn", {
    "kingdom": seat("whose orders these are", example="athos"),
    "turn": turn(1),
    FROM: Number("how many orders were carried out on this deal before", 0, 9999, 12),
    **kit.keys(DECISIONS),
    "messages": ListOf("messages", Record("a message", {
        "to": seat("to whom", ALL, example="athos"),
        "text": Text("the message", example="Well met.", most=LONG, lines=True),
    }, required=("to", "text")), pairs=("to", "text"), most=100),
    **FOOT,
}, required=("kingdom", "turn"), adds=("messages", *FOOT_ADDS))  # fmt: skip

_REASON = Text("the reason, for the books", example="a ruling of turn 2 corrected", most=LONG)
_RULINGS = {
    "grant": Record("points granted or taken", {
        "grant": seat("the seat", example="athos"),
        "by": Number("how many", -999, 999, 2),
        "reason": _REASON,
    }, required=("grant", "by", "reason")),
    "void": Record("an order made void", {
        "void": Record("the order", {
            "kingdom": seat("whose it is", example="athos"),
            "order": Text("its path", example="orders[0]", most=80, pattern=r"[a-z_]+(?:\[\d{1,3}\])?"),
        }, required=("kingdom", "order")),
        "reason": _REASON,
    }, required=("void", "reason")),
    "finish": finish(_REASON),
}  # fmt: skip
GM_ORDERS = Record("the GM's orders of a turn", {
    "kingdom": Word("whose orders these are", ("gm",)),
    "turn": turn(1),
    "gm": ListOf("the GM's rulings", OneOf("a ruling", _RULINGS)),
    "tell": ListOf("what the GM tells", Record("a text for the reports", {
        "to": seat("to whom", ALL, example="athos"),
        "text": Text("the text", example="The next castle is a hard one.", most=LONG, lines=True),
    }, required=("to", "text")), pairs=("to", "text")),
    **GM_FOOT,
}, required=("turn",), adds=("tell",))  # fmt: skip


def names(rules: object) -> Mapping[str, Container[str]]:
    """Orders name no list of the rules."""
    return {}


def offers(known: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """Return what more the seat may order behind these orders: any allowed order, and the end of its game."""
    now = Now(known, seat, rules)
    behind = CASTLE.behind(now, orders)
    if behind is None:
        return []
    return [*kit.offers(CASTLE, now, orders), *([] if orders.get(FINISH.key) else kit.offers(FINISH, behind))]


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """Return what the seat's order form offers."""
    from kingdom.games.cardinals_guards.report.board import followed_picture  # loads what draws

    now = Now(seen, seat, rules)
    if closed(now):
        return kit.page([], seen.seats, seat, notice=over(now))
    board, page = board_of(now), kit.page([(order, now) for order in DECISIONS], seen.seats, seat)
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
        return kit.remark(over(now))
    done = f"{FROM}: {board_of(now).orders:<11}# orders carried out so far: keep this line"
    return [done, FORMS, *kit.text_form([(order, now) for order in DECISIONS])]


def over(now: Now) -> str:
    """Return what a seat is told that has nothing to order."""
    if now.state.over:
        return "The game is over; there is nothing to order."
    return "Your game on this castle is over; wait for the others."
