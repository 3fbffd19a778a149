"""The GM's rulings, carried out one after the other; the two that every game has: to make an order void, and to finish the campaign.

The last function writes the grants that put a mistake right, in a game whose GM grants one thing that it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from kingdom.engine.dice import GM
from kingdom.engine.game import Corrections, Tried
from kingdom.engine.refusal import Refusal
from kingdom.engine.regex import regex
from kingdom.engine.step import Orders, Turn
from kingdom.games.kit.common_orders import HEAD, listed
from kingdom.games.kit.table import R, T

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


def step(acts: Mapping[str, Act[T, R]]) -> Callable[[T, Turn[T, R]], T]:
    """The step of the GM's rulings, of what the GM tells, and of what players write each other."""

    def gm_orders(table: T, turn: Turn[T, R]) -> T:
        """The GM's rulings in the order listed, what the GM tells, and the messages of players."""
        table = carried_out(table, turn, acts)
        for _, told in listed(turn.orders.get(GM, {}).get("tell"), "tell"):
            turn.tell(told["to"], "tell", text=told["text"])
        for whose in table.seats:
            for _, message in listed((turn.orders.get(whose) or {}).get("messages"), "messages"):
                turn.tell(message["to"], "message", sender=whose, text=message["text"])
        return table

    return gm_orders


def correction(
    account: str, key: str, accounts: Callable[[T, str, R], Mapping[str, int]]
) -> Callable[[T, T, R, str, Tried[T]], Corrections]:
    """`Game.correction`: a grant for each seat whose account the correct turn would leave at another number. key: under which the GM's grant has how much."""

    def granted(today: T, right: T, rules: R, reason: str, tried: Tried[T]) -> Corrections:
        due = {
            seat: accounts(right, seat, rules)[account] - accounts(today, seat, rules)[account] for seat in right.seats
        }
        orders: list[Ruling] = [{"grant": seat, key: by, "reason": reason} for seat, by in due.items() if by]
        _, refused = tried(orders)
        return [order for number, order in enumerate(orders) if number not in refused], {}

    return granted
