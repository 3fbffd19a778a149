"""What a player and the GM may order, declared once: reader, nearest words, short forms, schema and form derive from this."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import partial

from kingdom.games.cardinals_guards.state import SIDE_NAMES, SUIT_NAMES
from kingdom.games.kit.common_orders import ALL, FOOT, FOOT_ADDS, GM_FOOT, finish, seat, turn
from kingdom.orders.schema import Flag, ListOf, Number, OneOf, Record, Text, Word

_seat = partial(seat, example="athos")
_LONG = 4000  # characters of a text to other people
_SUITS = tuple(letter.lower() for letter in SUIT_NAMES)
_SIDES = tuple(letter.lower() for letter in SIDE_NAMES)


def names(rules: object) -> Mapping[str, Container[str]]:
    """Orders name no list of the rules."""
    return {}


def _suit(meaning: str) -> Word:
    return Word(meaning, _SUITS, tuple(SUIT_NAMES.values()), example="C")


def _cell(meaning: str, example: str = "e5") -> Text:
    return Text(meaning, example=example, most=2, pattern=r"[a-eA-E][1-5]", case="lower")


_GAME = {
    "move": Record("a move", {
        "move": _suit("the musketeer: s, m, c or a"),
        "dir": Word("where he goes: n, e, s or w", _SIDES, tuple(SIDE_NAMES.values()), example="E"),
        "exit": _cell("the corner where he comes out of the tunnels"),
        "defeat": _cell("the castle guard that he defeats from the tunnels", "a2"),
        "recruit": Word("whether the guard of his own suit that stops him is recruited", ("recruit", "leave"), ("true", "false", "yes", "no")),
    }, required=("move", "dir"), short=(
        "move {move} {dir}[ exit {exit}][ defeat {defeat}][ {recruit}]", "move {move} {dir} defeat {defeat} exit {exit}",
    )),
    "lure": Record("a guard to lure", {
        "lure": _suit("the suit of the guard: s, m, c or a"),
        "cell": _cell("the empty tile of that suit", "a2"),
    }, required=("lure", "cell"), short=("lure {lure}[ to] {cell}",)),
}  # fmt: skip

ORDERS = Record("the orders of a turn", {
    "kingdom": _seat("whose orders these are"),
    "turn": turn(1),
    "continue_from": Number("how many orders were carried out on this deal before", 0, 9999, 12),
    "orders": ListOf("the orders to musketeers and guards", OneOf("an order", _GAME), short="commas", most=500),
    "finish": Flag("whether the game is over behind these orders"),
    "messages": ListOf("messages", Record("a message", {
        "to": _seat("to whom", ALL),
        "text": Text("the message", example="Well met.", most=_LONG, lines=True),
    }, required=("to", "text")), pairs=("to", "text"), most=100),
    **FOOT,
}, required=("kingdom", "turn"), adds=("messages", *FOOT_ADDS))  # fmt: skip

_REASON = Text("the reason, for the books", example="a ruling of turn 2 corrected", most=_LONG)
_RULINGS = {
    "grant": Record("points granted or taken", {
        "grant": _seat("the seat"),
        "by": Number("how many", -999, 999, 2),
        "reason": _REASON,
    }, required=("grant", "by", "reason")),
    "void": Record("an order made void", {
        "void": Record("the order", {
            "kingdom": _seat("whose it is"),
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
        "to": _seat("to whom", ALL),
        "text": Text("the text", example="The next castle is a hard one.", most=_LONG, lines=True),
    }, required=("to", "text")), pairs=("to", "text")),
    **GM_FOOT,
}, required=("turn",), adds=("tell",))  # fmt: skip
