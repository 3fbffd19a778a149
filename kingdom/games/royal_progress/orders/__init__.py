"""What a player and the GM may order, an order a class; and what a seat decides in the next turn."""

from __future__ import annotations

from typing import Any

from kingdom.engine.offer import Offer
from kingdom.engine.step import Orders
from kingdom.games.kit.common_orders import FOOT, FOOT_ADDS, REASON, gm_orders, messages, seat, turn
from kingdom.games.royal_progress.orders.discard import Discard
from kingdom.games.royal_progress.orders.plans import Plans
from kingdom.games.royal_progress.orders.standing import Preferences
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import Table
from kingdom.games.royal_progress.steps import due, is_over
from kingdom.games.royal_progress.types import Now
from kingdom.games.royal_progress.visibility import known
from kingdom.orders import kit
from kingdom.orders.kit.pages import FINAL
from kingdom.orders.schema import Number, Record

_MOST = 99
GIVE_BACK, PLANS, STANDING = Discard(), Plans(), Preferences()
DECISIONS: tuple[kit.Order[Table, Rules, Any], ...] = (GIVE_BACK, PLANS, STANDING)
ORDERS = Record("the orders of a turn", {
    "kingdom": seat("whose orders these are"),
    "turn": turn(),
    **kit.keys(DECISIONS),
    "messages": messages("Leave me the bishop?"),
    **FOOT,
}, required=("kingdom", "turn"), adds=("messages", *FOOT_ADDS))  # fmt: skip
GM_ORDERS = gm_orders(Record("points given or taken", {
    "grant": seat("to whom"),
    "points": Number("how many, negative to take them", -_MOST, _MOST, 1),
    "reason": REASON,
}, required=("grant", "points", "reason")), void="plans[0]")  # fmt: skip


def decided(seen: Table, seat: str, rules: Rules) -> list[kit.Wanted[Table, Rules]]:
    """Return what the turn after `seen`, which is what the seat knows, asks of it."""
    kind = GIVE_BACK if seen.phase == FIRST_TURN else PLANS
    return [(kind, Now(seen, seat, rules))] if seat in due(seen, rules) else []


def wanted(seen: Table, seat: str, rules: Rules) -> list[kit.Wanted[Table, Rules]]:
    """Return what the seat may order then: what the turn asks, and what holds until it says otherwise."""
    return [] if is_over(seen) else [*decided(seen, seat, rules), (STANDING, Now(seen, seat, rules))]


def offers(known: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """Return what the seat may order in the next turn besides these orders, but for standing preferences, since there is no end of them."""
    return [*(offer for kind, now in decided(known, seat, rules) for offer in kit.offers(kind, now, orders)), FINAL]


def waits(table: Table, rules: Rules) -> str:
    """Return who is next, for a seat that decides nothing."""
    return f"The next turn at the table is that of {' and '.join(due(table, rules)) or 'nobody'}. You need not send orders."


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """Return what the form as a page offers for the turn after `seen`."""
    notice = "" if decided(seen, seat, rules) or is_over(seen) else waits(seen, rules)
    return kit.page(wanted(seen, seat, rules), seen.seats, seat, notice=notice)


def form_text(table: Table, seat: str, rules: Rules) -> list[str]:
    """Return the form as text, below its head."""
    seen = known(table, seat, rules)
    asked = wanted(seen, seat, rules)
    waiting = [] if decided(seen, seat, rules) else kit.remark(waits(seen, rules))
    return [*waiting, *kit.text_form(asked)] if asked else []
