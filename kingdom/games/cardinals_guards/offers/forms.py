"""The order forms of a seat: as plain data for a page, and as text.

Orders are carried out one after the other, so what may be ordered next hangs on those before: the page's script follows the
castle by what stands here (templates/cardinals_guards/form/castle.js). kingdom/render/order_form.py says how a page is read."""

from __future__ import annotations

from typing import Any, TypeAlias

from kingdom.games.cardinals_guards.offers import FINISH, legal
from kingdom.games.cardinals_guards.orders import moves
from kingdom.games.cardinals_guards.report.board import followed_picture
from kingdom.games.cardinals_guards.rules import Rules
from kingdom.games.cardinals_guards.state import (
    CELLS,
    CHAMBERS,
    CORNERS,
    HOLE,
    SIDE_NAMES,
    SUIT_NAMES,
    Board,
    Deal,
    Table,
    cells_from,
)  # fmt: skip
from kingdom.games.cardinals_guards.steps import maximum, points
from kingdom.orders.kit.pages import letters

Data: TypeAlias = dict[str, Any]  # plain data as the page's script reads it (kingdom/render/order_form.py)
ALL = "all"
SCRIPTS = ("castle.js", "castleform.js")
ABOUT = (
    "Order by order, as many as you like; each is offered as the castle stands behind those before it. Press a musketeer and then a lit "
    "tile, or move him with the arrow keys, or choose below."
)


def form_page(seen: Table, seat: str, rules: Rules) -> Data:
    """What the seat's order form offers for the turn after `seen`, which is what it knows."""
    of = seen.seats[seat]
    page: Data = {
        "notice": _notice(seen, seat, rules),
        "counters": [],
        "coin": "",
        "facts": [],
        "places": {},
        "sections": [letters(seen.seats, seat, 2)],
    }
    if seen.over or of.board.finished:
        return page
    orders = {"kind": "sequence", "key": "orders", "offers": [], "data": castle(of.board, seen.deal, rules)}
    finish = {
        "id": FINISH.id,
        "rank": 1,
        "key": FINISH.key,
        "how": FINISH.how,
        "value": FINISH.order,
        "takes": [*FINISH.uses],
        "text": FINISH.text,
    }
    sections = [
        _section("castle", "The castle", orders, ABOUT),
        _section("end", "The end", {"offers": [finish]}),
        *page["sections"],
    ]
    return {**page, "counters": _counters(of.board, rules), "sections": sections, "scripts": SCRIPTS,
            "picture": followed_picture(seen.deal), "always": {"continue_from": of.board.orders}}  # fmt: skip


def _section(id: str, title: str, part: Data, about: str = "") -> Data:
    return {"id": id, "title": title, "about": about, "parts": [{"title": "", **part}]}


def _notice(seen: Table, seat: str, rules: Rules) -> str:
    if seen.over:
        return "The game is over; there is nothing to order."
    if seen.seats[seat].board.finished:
        return "Your game on this castle is over; wait for the others."
    last = rules.pace.turns - seen.window == 1
    return "This is the last turn for this castle, which then counts as it stands." if last else ""


def _counters(board: Board, rules: Rules) -> list[Data]:
    """What the page counts as orders are chosen."""
    score = {"id": "points", "name": "Score", "left": points(board, rules), "unit": f"of {maximum(rules)}"}
    return [score, {"id": "orders", "name": "Orders", "left": board.orders, "unit": "used"}]


def castle(board: Board, deal: Deal, rules: Rules) -> Data:
    """All that the script follows the castle by. ways: cell -> side -> the cells there, the nearest first. worth: in points."""
    return {
        "suits": SUIT_NAMES,
        "sides": SIDE_NAMES,
        "hole": HOLE,
        "corners": CORNERS,
        "ways": {cell: {side: list(cells_from(cell, side)) for side in SIDE_NAMES} for cell in CELLS},
        "chambers": CHAMBERS,
        "worth": {"chamber": rules.scoring.chamber, "escaped": rules.scoring.escaped, "guard": rules.scoring.guard},
        "rules": {
            "pass_through_counts": rules.search.pass_through_counts,
            "zero_length": rules.zero_length.stop,
            "before_choosing": rules.tunnel_removal.when == "before_choosing",
            "own_suit_removal": rules.variants.own_suit_removal,
            "no_recruiting": rules.variants.no_recruiting,
        },
        "tiles": deal.tiles,
        "board": standing(board, rules),
    }


def standing(board: Board, rules: Rules) -> Data:
    """A board as the script knows it."""
    return {
        "pawns": board.pawns,
        "searched": board.searched,
        "perimeter": board.perimeter,
        "castle": board.castle,
        "supply": board.supply,
        "points": points(board, rules),
        "orders": board.orders,
    }


_MOST = 8  # examples of orders


def form_of(table: Table, seat: str, rules: Rules) -> list[str]:
    """The form behind its head (`kingdom`, `turn`)."""
    of = table.seats[seat]
    if table.over or of.board.finished:
        return ["# This game is over; there is nothing to order."]
    orders = [moves.short(order) for order in legal(of.board, table.deal, rules)]
    step = max(1, len(orders) // _MOST)
    return [
        f"continue_from: {of.board.orders:<11}# orders carried out so far: keep this line",
        "# As many orders as you like, from the top until one is not allowed.",
        "#orders:                   # allowed right now are, for example:",
        *(f"#  - {order}" for order in orders[::step][:_MOST]),
        "# Forms: move C E, move C N recruit, move A E exit e5 defeat a2, lure A a2",
        "#finish: true              # the game is over behind these orders",
        "#final: true               # I am done",
        "#messages: [{to: all, text: Well met.}]",
    ]
