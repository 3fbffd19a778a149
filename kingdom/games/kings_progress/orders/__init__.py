"""What a player and the GM may order, an order a class; and what a seat decides in the next turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kingdom.games.kings_progress.orders.placing import City, Invest
from kingdom.games.kings_progress.orders.progress import Progress
from kingdom.games.kings_progress.orders.vetoes import CityVeto, InvestmentVeto
from kingdom.games.kings_progress.rules import MOST, Rules
from kingdom.games.kings_progress.state import Table
from kingdom.games.kings_progress.steps import joined
from kingdom.games.kings_progress.steps.rounds import deciding, due
from kingdom.games.kings_progress.types import Now, Turn
from kingdom.games.kings_progress.visibility import known
from kingdom.games.kit.common_orders import FOOT, FOOT_ADDS, REASON, gm_orders, messages, seat, turn
from kingdom.orders import kit
from kingdom.orders.schema import ListOf, Number, Record, Text

DECISIONS: tuple[kit.Order[Table, Rules, Any], ...] = (
    City(),
    CityVeto(),
    Invest(),
    InvestmentVeto(),
    Progress(),
)  # in the order of a round
OF_PHASE = {decision.phase: decision for decision in DECISIONS}
ORDERS = Record("the orders of a turn", {
    "kingdom": seat("whose orders these are"),
    "turn": turn(),
    **kit.keys(DECISIONS),
    "messages": messages("Leave my newest city alone?"),
    **FOOT,
}, required=("kingdom", "turn"), adds=("messages", *FOOT_ADDS))  # fmt: skip
GM_ORDERS = gm_orders(Record("vetoes given or taken", {
    "grant": seat("to whom"),
    "vetoes": Number("how many, negative to take them", -MOST, MOST, 1),
    "reason": REASON,
}, required=("grant", "vetoes", "reason")), void="city[0]")  # fmt: skip
FILES = {
    "table.yaml": Record("the table", {
        "clockwise": ListOf("the seats as they sit, clockwise", seat("a seat"), short="words"),
        "first_chancellor": seat("the first chancellor of round 1"),
    }),
    "kingdoms/*.yaml": Record("a player's kingdom", {"name": Text("its name", example="Alice's kingdom", most=60)}),
}  # fmt: skip


def step(name: str, phase: str, doc: str) -> Callable[[Table, Turn], Table]:
    """Return the step of that name, in which the seats decide what the phase is for."""
    return kit.step(name, doc, OF_PHASE[phase], lambda turn, phase: deciding(turn.before, turn.rules, phase))


def choices(table: Table, rules: Rules) -> dict[str, list[str]]:
    """Return phase -> the seats that have a choice in it in the turn after this state; only phases with any."""
    choosing = {
        phase: [seat for seat in seats if OF_PHASE[phase].chooses(Now(table, seat, rules))]
        for phase, seats in due(table, rules).items()
    }
    return {phase: seats for phase, seats in choosing.items() if seats}


def asked(table: Table, rules: Rules) -> set[str]:
    """Return the seats whose orders the turn after this state is for."""
    return {seat for seats in choices(table, rules).values() for seat in seats}


def wanted(table: Table, seat: str, rules: Rules) -> list[kit.Wanted[Table, Rules]]:
    """Return what the seat decides in the next turn."""
    now = Now(known(table, seat, rules), seat, rules)
    return [(OF_PHASE[phase], now) for phase, seats in choices(table, rules).items() if seat in seats]


def waits(table: Table, rules: Rules) -> str:
    """Return who decides what, for a seat that decides nothing."""
    others = [
        f"{joined(seats)} decide{'s' if len(seats) == 1 else ''} {OF_PHASE[phase].name}"
        for phase, seats in choices(table, rules).items()
    ]
    return f"Nothing of yours is decided in the next turn: {joined(others, none='nobody has a choice')}. You need not send orders."


def form_page(seen: Table, seat: str, rules: Rules) -> dict[str, Any]:
    """Return what the seat's order form offers."""
    mine = wanted(seen, seat, rules)
    vetoes = {"vetoes": seen.kingdoms[seat].vetoes}
    return kit.page(mine, seen.kingdoms, seat, vetoes, notice="" if mine else waits(seen, rules))


def form_text(table: Table, seat: str, rules: Rules) -> list[str]:
    """Return the order form as text, below its head."""
    mine = wanted(table, seat, rules)
    return kit.text_form(mine) if mine else kit.remark(waits(table, rules))
