"""What a seat may know: all but hands, which of the cards are in the decks, and others' standing preferences."""

from __future__ import annotations

from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import UNKNOWN, Seat, Table, castle, replace
from kingdom.games.royal_progress.steps import accounts, is_over


def known(table: Table, seat: str, rules: Rules) -> Table:
    """The table as that seat knows it; when the game is over nothing is hidden."""
    if is_over(table):
        return table
    return replace(
        table,
        seats={other: of if other == seat else _hidden(of) for other, of in table.seats.items()},
        deck=(UNKNOWN,) * len(table.deck),
        gift_deck=(UNKNOWN,) * len(table.gift_deck),
    )


def _hidden(of: Seat) -> Seat:
    """Of a hand there are known the cards that everybody saw come, and how many it has."""
    return replace(of, hand=(*of.seen, *(UNKNOWN,) * (len(of.hand) - len(of.seen))), standing={})


def sheet(table: Table, seat: str, rules: Rules) -> dict[str, object]:
    """What `kingdom show --json` prints of a seat."""
    of = table.seats[seat]
    return {
        "kingdom": seat,
        "turn": table.turn,
        "name": of.name,
        "round": table.round,
        "phase": table.phase,
        "castle": castle(table),
        "king": table.king,
        **accounts(table, seat, rules),
        "cards": list(of.hand),
        "presents": list(of.gifts),
        "standing": of.standing,
        "offer": list(table.offer),
        "pairs": [list(pair) for pair in table.pairs],
        "singles": list(table.singles),
        "courtiers": {
            name: {
                "place": courtier.place,
                "arrived": courtier.arrived,
                "control": courtier.control,
                "minor_control": courtier.minor,
                "used": courtier.used,
                "piles": {other: list(pile) for other, pile in courtier.piles.items()},
            }
            for name, courtier in table.courtiers.items()
        },
    }
