"""What may be wished for of the open cards, in short and in words."""

from __future__ import annotations

from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import figure, known_cards, suit
from kingdom.games.royal_progress.steps.scoring import counted
from kingdom.games.royal_progress.words import Wish
from kingdom.orders.kit import Pick

NEXT = "no more wishes"


def wishes(offer: tuple[str, ...], rules: Rules) -> Pick:
    """Return a pick of a wish, the open cards first."""
    most = max(rules.box.influence, default=0)
    ways: list[tuple[str, str, Wish]] = [
        (f"{suit(card)}-{figure(card)}", card, {"suit": suit(card), "card": figure(card)})
        for card in sorted(set(known_cards(offer)))
    ]
    ways += [(name, f"any of the {name}", {"suit": name}) for name in rules.courtiers]
    ways += [
        (f"at least {least}", f"at least {counted(least, 'symbol')}", {"min": least}) for least in range(most, 0, -1)
    ]
    ways += [(f"at most {limit}", f"at most {counted(limit, 'symbol')}", {"max": limit}) for limit in range(most)]
    ways += [("most in hand", "of the suit that I have most of", {"suit_in_hand": "most"})]
    ways += [("least in hand", "of the suit that I have least of", {"suit_in_hand": "least"})]
    return Pick("Otherwise", [short for short, _, _ in ways], texts={short: text for short, text, _ in ways},
                means={short: wish for short, _, wish in ways}, none=NEXT)  # fmt: skip
