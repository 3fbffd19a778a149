"""The GM's rulings, carried out one after the other; the two that every game has: to make an order void, and to finish the campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from kingdom.engine.dice import GM
from kingdom.engine.refusal import Refusal
from kingdom.engine.regex import regex
from kingdom.engine.step import Orders, Turn
from kingdom.games.kit.common_orders import HEAD, listed
from kingdom.games.kit.table import R

REFUSALS = {
    "table_below_nothing": "{whose} has {has} {account}, and can't come below 0 (GM orders); take {has} or fewer.",
    "table_nothing_to_void": "{whose} filed no order {named} (GM orders); name one that it filed: {filed}.",
    "table_ended_already": "The campaign ends with this turn already (GM orders); leave the order out.",
}
S = TypeVar("S")  # a game's State
Ruling: TypeAlias = dict[str, Any]  # a ruling of the GM in the long form, as the game declares it
# (state, turn, ruling) -> state, or why the ruling is refused; Any: each takes its own kind of ruling
Act: TypeAlias = Callable[[S, Turn[S, R], Any], S | Refusal]
AnyTurn: TypeAlias = Turn[Any, Any]  # of whichever game
AnyAct: TypeAlias = Act[Any, Any]  # an act that every game can have among its own
_PATH = regex(r"([a-z_]+)(?:\[(\d{1,4})\])?")


def carried_out(state: S, turn: Turn[S, R], acts: Mapping[str, Act[S, R]]) -> S:
    """The state after the GM's rulings, in the order listed. acts: the word that a ruling has -> what it does."""
    for path, ruling in listed(turn.orders.get(GM, {}).get("gm"), "gm"):
        after = next(act for word, act in acts.items() if word in ruling)(state, turn, ruling)
        if isinstance(after, Refusal):
            turn.refuse_with(GM, path, after)
        else:
            state = after
    return state


def void(code: str) -> AnyAct:
    """Return what makes one order of a seat void; a notice "voided" tells the seat. Its other orders keep their numbers.

    code: that of the refusal if the seat filed no such order; its facts are `whose`, `named`, and `filed`, the keys that the seat filed.
    """

    def act(state: S, turn: Turn[S, R], ruling: Ruling) -> S | Refusal:
        seat, named = ruling["void"]["kingdom"], ruling["void"]["order"]
        orders = turn.orders.get(seat, {})
        filed = {key: order for key, order in orders.items() if key not in HEAD}
        left = without(filed, named)
        if left is None:
            return Refusal(code, {"whose": seat, "named": named, "filed": ", ".join(filed) or "none"})
        kept = {key: left.get(key, order) for key, order in orders.items() if key in left or key in HEAD}
        turn.orders = {**turn.orders, seat: kept}
        turn.tell(seat, "voided", order=named, text=f"The GM voids it: {ruling['reason']}.")
        return state

    return act


def without(orders: Orders, path: str) -> dict[str, Any] | None:
    """The orders without the order at that path, which is a key or an item of its list (`tax`, `build[0]`); None if there is none."""
    match = _PATH.fullmatch(path)
    key, index = match.groups() if match else ("", None)
    if key not in orders:
        return None
    if index is None:
        return {other: order for other, order in orders.items() if other != key}
    inside = orders[key]
    if not isinstance(inside, (list, tuple)) or int(index) >= len(inside) or inside[int(index)] is None:
        return None
    return {**orders, key: [None if place == int(index) else order for place, order in enumerate(inside)]}


def finish(code: str, tell: Callable[[AnyTurn, str, str], None]) -> AnyAct:
    """What ends the campaign with this turn, which is played to its end.

    code: of the refusal if the campaign ends already. tell: (turn, sentence, the GM's reason), which tells all.
    """

    # state: a Struct with the field `ended`; the bound of a type can't ask for a field
    def act(state: Any, turn: AnyTurn, ruling: Ruling) -> Any:
        if state.ended:
            return Refusal(code)
        tell(turn, f"The GM ends the campaign with this turn: {ruling['reason'].rstrip('.')}.", ruling["reason"])
        return replace(state, ended=ruling["reason"])

    return act
