"""The start: the seats round the table, the courtiers at home, all cards in their decks."""

from __future__ import annotations

from kingdom.engine.game import Setup
from kingdom.engine.problems import Faults
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Courtier, Seat, Table
from kingdom.games.shared import seating
from kingdom.orders.schema import ListOf, Record, Text, Word

FILES = {
    "table.yaml": Record("the table", {
        "clockwise": ListOf("the seats as they sit, clockwise", Word("a seat", "seats", example="alice"), short="words"),
    }),
    "kingdoms/*.yaml": Record("a player's place", {"name": Text("its name", example="Alice", most=60)}),
}  # fmt: skip
MESSAGES = {
    "progress_seats": "{count} seats: the game is for {least} to {most} (ruling box). Name so many players in campaign.yaml.",
    "progress_clockwise": "`clockwise` names {named}, and the seats are {seats}. Name each seat once, as they sit.",
}


def start(setup: Setup, rules: Rules) -> Table:
    """The table before turn 0 deals. Raises Faults where the seats are too few or too many, or table.yaml does not name them."""
    box = rules.box
    problems = seating.enough(setup, box.least_players, box.most_players, "progress_seats", MESSAGES)
    problems += seating.each_once(setup, "progress_clockwise", MESSAGES)
    if problems:
        raise Faults(problems)
    return table_for(seating.named(setup, seating.clockwise(setup)), rules)


def table_for(names: dict[str, str], rules: Rules) -> Table:
    """The table of these seats and their names, nothing dealt yet."""
    influence = [f"{name} {symbols}" for name in rules.courtiers for symbols in rules.box.influence]
    gifts = [f"{kind} {crowns}" for kind in rules.gifts.types for crowns in rules.gifts.crowns]
    return Table(
        turn=0,
        seats={seat: Seat(name) for seat, name in names.items()},
        courtiers={name: Courtier(of.home) for name, of in rules.courtiers.items()},
        deck=tuple(sorted(influence)),
        gift_deck=tuple(sorted(gifts)),
    )
