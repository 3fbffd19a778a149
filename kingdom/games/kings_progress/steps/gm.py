"""The GM's grant of vetoes, and what is not for this turn: told before anything is decided."""

from __future__ import annotations

from kingdom.engine.dice import GM
from kingdom.games.kings_progress.orders import OF_PHASE
from kingdom.games.kings_progress.rules import Rules
from kingdom.games.kings_progress.state import PLAYED, Now, Table, Turn, replace
from kingdom.games.kings_progress.steps.rounds import due, order, phases_of
from kingdom.games.kit import rulings
from kingdom.games.kit.common_orders import ALL
from kingdom.games.kit.table import booked, tell
from kingdom.render.plain_text import joined

REFUSALS = {
    "chancellor_veto_die": "The die of {whose} shows 0 to {most}, and would show {would} (GM orders); give {least} to {room} vetoes.",
    "chancellor_not_now": "This turn decides {now}, so `{key}` is not carried out (ruling pace); send it in the turn that decides {words}.",
    "chancellor_not_due": "This turn is for {seats} to decide {now}, so `{key}` is not carried out (ruling pace); wait for the turn of {whose}. "
    "The order is {round}.",
    "no_veto_in_last_round": "The last round has no {phase} (ruling last_round); leave `{key}` out.",
}


def grant(table: Table, turn: Turn, path: str, ruling: rulings.Ruling) -> Table:
    """Vetoes given or taken, as far as the die goes."""
    seat, by, most = ruling["grant"], ruling["vetoes"], turn.rules.box.vetoes
    kingdom = table.seats[seat]
    would = kingdom.vetoes + by
    if not 0 <= would <= most:
        facts = {"whose": seat, "most": most, "would": would, "least": -kingdom.vetoes, "room": most - kingdom.vetoes}
        turn.refuse(GM, path, "chancellor_veto_die", **facts)
        return table
    tell(turn, ALL, f"The GM: the veto die of {seat} shows {would} now, {by:+}: {ruling['reason']}.")
    return booked(table, turn, seat, replace(kingdom, vetoes=would), "grant", ruling["reason"])


def sort_orders(table: Table, turn: Turn) -> Table:
    """Refuse what this turn does not decide, so that nobody waits for it."""
    window = due(table, turn.rules)
    now = deciding_now(table, turn.rules)
    for seat in table.seats:
        for phase in PLAYED:
            key = OF_PHASE[phase].key
            if key not in turn.orders.get(seat, {}) or seat in window.get(phase, ()):
                continue
            if phase not in phases_of(table.round, turn.rules):
                turn.refuse(seat, key, "no_veto_in_last_round", phase=f"{phase.replace('_', ' ')} phase", key=key)
            elif phase in window:
                facts = {"seats": joined(window[phase]), "whose": seat, "round": joined(order(table, phase))}
                turn.refuse(seat, key, "chancellor_not_due", now=now, key=key, **facts)
            else:
                turn.refuse(seat, key, "chancellor_not_now", now=now, key=key, words=OF_PHASE[phase].name)
    return table


def deciding_now(table: Table, rules: Rules) -> str:
    """The phases that the next turn decides, for a sentence: "city vetoes and investments"."""
    return joined(OF_PHASE[phase].name for phase in due(table, rules))


def waits(table: Table, rules: Rules) -> str:
    """Who decides what in the next turn, for a seat that decides nothing."""
    deciders = {
        OF_PHASE[phase].name: [seat for seat in seats if OF_PHASE[phase].chooses(Now(table, seat, rules))]
        for phase, seats in due(table, rules).items()
    }
    others = [
        f"{joined(seats)} decide{'s' if len(seats) == 1 else ''} {name}" for name, seats in deciders.items() if seats
    ]
    return f"Nothing of yours is decided in the next turn: {joined(others, none='nobody has a choice')}. You need not send orders."
