"""What the next turn asks of a seat, and what it may do."""

from __future__ import annotations

from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Table
from kingdom.games.royal_progress.steps.actions import two_may_be_taken
from kingdom.games.royal_progress.steps.laps import due
from kingdom.games.royal_progress.steps.shared import at_castle, named
from kingdom.games.royal_progress.steps.ways import ways


def asked(table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """key, name and text of each decision; nothing where the seat decides nothing."""
    seats = due(table, rules)
    if seat not in seats:
        return []
    if table.phase == DISCARD:
        hand = table.seats[seat].hand
        text = f"Give back {rules.box.given_back} of your {len(hand)} cards: {', '.join(hand)}. Without an order the last of those with fewest symbols goes."
        return [{"key": "discard", "name": "A card to give back", "text": text}]
    before = seats[: seats.index(seat)]
    when = (
        f"Before you: {', '.join(before)}; so file alternatives, the first that is legal then counts."
        if before
        else "Nobody comes before you."
    )
    king = " You have the King card, so the King moves first." if table.king_card == seat else ""
    plan = f"One turn at the table: two of the actions A to D, not back in the alphabet, and an ability before them if you like. {when}{king}"
    return [{"key": "plans", "name": "Plans for your turn at the table", "text": plan}]


def waits(table: Table, seat: str, rules: Rules) -> str:
    """Who is next where this seat decides nothing."""
    return f"The next turn at the table is that of {' and '.join(due(table, rules)) or 'nobody'}. You need not send orders."


def choices(table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """What is possible now, as the table lies: name and text of each action."""
    if table.phase == DISCARD or seat not in due(table, rules):
        return []
    steps = [
        f"{name} to {' or '.join(named(place, rules) for place in to)}"
        for name in table.courtiers
        if (to := ways(table, name, rules))
    ]
    mine = [name for name, courtier in table.courtiers.items() if seat in courtier.piles]
    offer = ", ".join(table.offer) or "no card"
    two = ", two of them, for none shows a symbol" if two_may_be_taken(table, rules) else ", one of them"
    fresh = [name for name, courtier in table.courtiers.items() if courtier.control == seat and not courtier.used]
    found = [
        {"name": f"A: move, to {at_castle(table, rules)}", "text": "; ".join(steps) or "nobody can move"},
        {"name": "B: lay", "text": ", ".join(table.seats[seat].hand) or "your hand is empty"},
        {"name": "C: take", "text": f"{offer}{two}" if table.offer else offer},
        {"name": "D: discard", "text": ", ".join(mine) or "you have no open card"},
    ]
    if rules.abilities.used:
        told = " ".join(f"{name}: {rules.courtiers[name].text}" for name in fresh)
        found.append({"name": "Ability (house data)", "text": told or "you control nobody whose ability is free"})
    return found
