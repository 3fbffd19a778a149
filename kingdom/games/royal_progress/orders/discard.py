"""The order `discard`: which of the dealt cards go back into the deck, in the first turn (ruling opening_discard)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.kit.table import without
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import Now, Table, Turn, figure, suit, with_player
from kingdom.games.royal_progress.steps import booked
from kingdom.games.royal_progress.steps.cards import to_deck
from kingdom.games.royal_progress.words import Card
from kingdom.orders import kit
from kingdom.orders.schema import ListOf


class Discard(kit.One[Table, Rules, list[Card]]):
    """The cards that a seat gives back: all of them together."""

    key, name, phase = "discard", "a card to give back", "play"
    shape = ListOf(
        "the dealt card to give back, in the first turn",
        kit.record(Card, "a card", short=("{suit} {card}",)),
        short="commas",
        most=10,
    )
    causes = {"give_back": "a dealt card given back"}
    refusals = {
        "give_back_count": "{count} cards are to be given back, not {given} (ruling opening_discard); name {count}: of {hand}.",
        "give_back_not_held": "Your hand has no {card} (ruling opening_discard); it has {hand}.",
    }

    def chooses(self, now: Now) -> bool:
        return now.state.phase == FIRST_TURN

    def filed(self, orders: Orders) -> list[tuple[str, list[Card]]]:
        """Return the cards that are named; none named is too few."""
        cards = orders.get(self.key)
        return [] if cards is None else [(self.key, cards)]

    def asks(self, now: Now) -> str:
        hand = now.state.seats[now.seat].hand
        return (
            f"Give back {now.rules.box.given_back} of your {len(hand)} cards: {', '.join(hand)}. "
            "Without an order the last of those with fewest symbols goes."
        )

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        hand = sorted(now.state.seats[now.seat].hand)
        for cards in sorted(set(combinations(hand, now.rules.box.given_back))):
            order = [{"suit": suit(card), "card": figure(card)} for card in cards]
            names = ", ".join(cards)
            yield kit.Candidate(f"back {names}", order, f"Give back {names}", uses={"back": 1})

    def objection(self, now: Now, order: list[Card]) -> kit.Objection:
        """Return whether it is the wrong number. Of the right one, cards that are not held are refused by themselves."""
        count, hand = now.rules.box.given_back, now.state.seats[now.seat].hand
        facts = {"count": count, "given": len(order), "hand": ", ".join(hand)}
        return Refusal("give_back_count", facts) if len(order) != count else None

    def otherwise(self, now: Now, turn: Turn) -> Table:
        """Take back cards that nobody named."""
        return self.carry_out(now, [], turn)

    def carry_out(self, now: Now, order: list[Card], turn: Turn) -> Table:
        """Take back what is held of these cards; for what is missing then, the last of those with fewest symbols."""
        (chosen, wrong), table = _sorted_out(now, order), now.state
        for refusal in wrong:
            turn.refuse_with(now.seat, self.key + refusal.below, refusal)
        left = table.seats[now.seat].hand
        for card in chosen:
            left = without(left, card)
        while len(chosen) < now.rules.box.given_back and left:
            chosen.append(min(reversed(left), key=figure))
            left = without(left, chosen[-1])
        for card in chosen:
            turn.tell(now.seat, "happened", text=f"You gave back {card}.")
        table = with_player(table, now.seat, hand=left)
        table = booked(table, turn, "give_back", f"{now.rules.box.given_back} of the cards dealt", now.seat)
        return to_deck(table, tuple(chosen))

    def say(self, order: list[Card]) -> str:
        return "Give back " + ", ".join(f"{card['suit']} {card['card']}" for card in order if card)


def _sorted_out(now: Now, order: list[Card]) -> tuple[list[str], list[Refusal]]:
    """Return the cards that are held, and what is wrong with the others. One that the GM made void is left out, but counted."""
    hand, chosen, wrong = now.state.seats[now.seat].hand, list[str](), list[Refusal]()
    for index, named in enumerate(order):
        card = f"{named['suit']} {named['card']}" if named else ""
        if [*chosen, card].count(card) <= hand.count(card):
            chosen.append(card)
        elif card:
            wrong.append(Refusal("give_back_not_held", {"card": card, "hand": ", ".join(hand)}, f"[{index}]"))
    return chosen, wrong
