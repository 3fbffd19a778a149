"""The GM's own orders, before everything else, in the order listed; and what the GM tells."""

from __future__ import annotations

from kingdom.engine.dice import GM
from kingdom.games.kings_progress.orders import OF_PHASE
from kingdom.games.kings_progress.state import PLAYED, Table, replace
from kingdom.games.kings_progress.steps import ALL, booked, joined, tell
from kingdom.games.kings_progress.steps.rounds import due, order, phases_of
from kingdom.games.kings_progress.types import Turn
from kingdom.games.kit import rulings

CAUSES = {"grant": "vetoes given or taken by the GM"}
REFUSALS = {
    "chancellor_veto_die": "The die of {whose} shows 0 to {most}, and would show {would} (GM orders); give {least} to {room} vetoes.",
    "chancellor_void_nothing": "{whose} filed no order {named} (GM orders); name one that it filed: {filed}.",
    "chancellor_ended_already": "The campaign ends with this turn already (GM orders); leave the order out.",
    "chancellor_not_now": "This turn decides {now}, so `{key}` is not carried out (ruling pace); send it in the turn that decides {words}.",
    "chancellor_not_due": "This turn is for {seats} to decide {now}, so `{key}` is not carried out (ruling pace); wait for the turn of {whose}. "
    "The order is {round}.",
    "no_veto_in_last_round": "The last round has no {phase} (ruling last_round); leave `{key}` out.",
}


def _grant(table: Table, turn: Turn, path: str, ruling: rulings.Ruling) -> Table:
    seat, by, most = ruling["grant"], ruling["vetoes"], turn.rules.box.vetoes
    kingdom = table.kingdoms[seat]
    would = kingdom.vetoes + by
    if not 0 <= would <= most:
        facts = {"whose": seat, "most": most, "would": would, "least": -kingdom.vetoes, "room": most - kingdom.vetoes}
        turn.refuse(GM, path, "chancellor_veto_die", **facts)
        return table
    tell(turn, ALL, f"The GM: the veto die of {seat} shows {would} now, {by:+}: {ruling['reason']}.")
    return booked(turn, table, seat, replace(kingdom, vetoes=would), "grant", ruling["reason"])


_ACTS = {
    "grant": _grant,
    "void": rulings.void("chancellor_void_nothing", "passed"),
    "finish": rulings.finish("chancellor_ended_already", lambda turn, text, reason: tell(turn, ALL, text)),
}
gm_orders = rulings.step(_ACTS, lambda table: ())  # reports take messages from the orders themselves


def sort_orders(table: Table, turn: Turn) -> Table:
    """Refuse what this turn does not decide, so that nobody waits for it."""
    window = due(table, turn.rules)
    for seat in table.kingdoms:
        orders = turn.orders.get(seat, {})
        for phase in PLAYED:
            if OF_PHASE[phase].key in orders and seat not in window.get(phase, ()):
                _refuse(table, turn, seat, phase, window)
    return table


def _refuse(table: Table, turn: Turn, seat: str, phase: str, window: dict[str, list[str]]) -> None:
    key, now = OF_PHASE[phase].key, deciding_now(window)
    if phase not in phases_of(table.round, turn.rules):
        turn.refuse(seat, key, "no_veto_in_last_round", phase=f"{phase.replace('_', ' ')} phase", key=key)
    elif phase in window:
        turn.refuse(
            seat,
            key,
            "chancellor_not_due",
            seats=joined(window[phase]),
            now=now,
            key=key,
            whose=seat,
            round=joined(order(table, phase)),
        )
    else:
        turn.refuse(seat, key, "chancellor_not_now", now=now, key=key, words=OF_PHASE[phase].name)


def deciding_now(window: dict[str, list[str]]) -> str:
    """The phases of a window for a sentence: "city vetoes and investments"."""
    return joined(OF_PHASE[phase].name for phase in window)
