"""The orders `discard`, the dealt cards that go back, and `standing`, what chooses for a seat in the turns of others; all orders of the game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from kingdom.engine.refusal import Refusal
from kingdom.engine.step import Orders
from kingdom.games.kit.table import without
from kingdom.games.royal_progress import words
from kingdom.games.royal_progress.plans import ANY_CARD, Plans, goes_back, wishes
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Now, Table, Turn, figure, suit, with_player
from kingdom.games.royal_progress.steps import booked
from kingdom.games.royal_progress.steps.cards import to_deck
from kingdom.games.royal_progress.words import Card, ForcedDiscard, Gift, Loyalty, NoPlan, Standing
from kingdom.orders import kit
from kingdom.orders.kit import Gap, Pick
from kingdom.orders.schema import ListOf, Record, Shape, Word
from kingdom.orders.short_forms import in_words
from kingdom.orders.yaml_out import flow

UNDER = {"pair": "Gifts", "single": "Gifts", "no_plan": "Without a plan"}
WISHES = 5  # most wishes that can be picked
OPEN_CARDS = "Cards that must go, and loyalty tests"


class Discard(kit.One[Table, Rules, list[Card]]):
    """The cards that a seat gives back: all of them together."""

    key, name, phase = "discard", "a card to give back", "play"
    shape = ListOf("the dealt card to give back, in the first turn", words.CARD, short="commas", most=10)
    causes = {"give_back": "a dealt card given back"}
    refusals = {
        "give_back_count": "{count} cards are to be given back, not {given} (ruling opening_discard); name {count}: of {hand}.",
        "give_back_not_held": "Your hand has no {card} (ruling opening_discard); it has {hand}.",
    }

    def chooses(self, now: Now) -> bool:
        return now.state.phase == DISCARD

    def filed(self, orders: Orders) -> list[tuple[str, list[Card]]]:
        """Return the cards that are named. An empty list is an order too: of too few cards."""
        cards = orders.get(self.key)
        return [] if cards is None else [(self.key, cards)]

    def asks(self, now: Now) -> str:
        hand = now.state.seats[now.seat].hand
        return (
            f"Give back {now.rules.box.given_back} of your {len(hand)} cards: {', '.join(hand)}. "
            "Without an order the card with the fewest symbols goes; of several, the last."
        )

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        hand = sorted(now.state.seats[now.seat].hand)
        for cards in sorted(set(combinations(hand, now.rules.box.given_back))):
            order = [{"suit": suit(card), "card": figure(card)} for card in cards]
            names = ", ".join(cards)
            yield kit.Candidate(f"back {names}", order, f"Give back {names}", uses={"back": 1})

    def objection(self, now: Now, order: list[Card]) -> kit.Objection:
        """Return why the number of cards is wrong. Cards that are not held are refused each by itself, when the others are taken back."""
        count, hand = now.rules.box.given_back, now.state.seats[now.seat].hand
        facts = {"count": count, "given": len(order), "hand": ", ".join(hand)}
        return Refusal("give_back_count", facts) if len(order) != count else None

    def otherwise(self, now: Now, turn: Turn) -> Table:
        """Choose the cards for a seat that named none."""
        return self.carry_out(now, [], turn)

    def carry_out(self, now: Now, order: list[Card], turn: Turn) -> Table:
        """Put the cards that are held into the deck; for each that is missing, the last of the cards with fewest symbols."""
        table, left, chosen = now.state, now.state.seats[now.seat].hand, list[str]()
        facts = {"hand": ", ".join(left)}
        for index, named in enumerate(order):
            # An order that the GM made void counts as an order that names no card.
            card = f"{named['suit']} {named['card']}" if named else ""
            if card in left:
                chosen.append(card)
                left = without(left, card)
            elif card:
                refusal = Refusal("give_back_not_held", {"card": card, **facts})
                turn.refuse_with(now.seat, f"{self.key}[{index}]", refusal)
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


class Preferences(kit.Entries[Table, Rules, Gift | ForcedDiscard | Loyalty | NoPlan]):
    """The standing preferences, an entry for each."""

    key, name, phase, lasts = "standing", "standing preferences", "play", True
    shape = kit.record(Standing, "what holds in every turn, until it is said otherwise")

    def asks(self, now: Now) -> str:
        return "They choose for you in other players' turns, and where you have no plan. They hold until you say otherwise."

    def shows(self, now: Now) -> None:
        """Return None: all candidates are shown."""

    def candidates(self, now: Now) -> Iterator[kit.Candidate]:
        standing = now.state.seats[now.seat].standing
        for word, shape in self.shape.keys.items():
            picks = _picks(word, shape, now)
            more = f"now: {flow(standing[word])}" if standing.get(word) else "nothing is said yet"
            yield kit.Candidate(
                f"standing {word}", (word, {key: Gap(key) for key in picks}), _title(shape), picks, more=more, group=UNDER.get(word, OPEN_CARDS),
                uses={f"standing {word}": 1}, any_of=tuple(picks), checked=True,
            )  # fmt: skip

    def objection(self, now: Now, order: tuple[str, Any]) -> kit.Objection:
        """Return why the actions without a plan can't follow each other."""
        word, said = order
        back = goes_back(said["do"]) if word == "no_plan" and said.get("do") else None
        return back and back._replace(below=".do[1]")

    def carry_out(self, now: Now, order: tuple[str, Any], turn: Turn) -> Table:
        word, said = order
        return with_player(now.state, now.seat, standing={**now.state.seats[now.seat].standing, word: said})

    def say(self, order: tuple[str, Any]) -> str:
        word, said = order
        return f"Standing preference {_word(word)}: {in_words(self.shape.keys[word], said)}"


def _picks(word: str, shape: Shape, now: Now) -> dict[str, Pick]:
    """Return key -> the pick for it, of what is said under that word."""
    if word == "no_plan":
        do = {"take twice": "cc", "take, then discard": "cd", "discard twice": "dd"}
        wish = wishes(now.state.offer, now.rules)._replace(label="Take", kind="row", most=WISHES, none=ANY_CARD)
        return {"do": Pick("Two actions", [*do], means={text: [*kinds] for text, kinds in do.items()}), "prefer": wish}
    assert isinstance(shape, Record)
    return {key: _pick(key, part, now.rules) for key, part in shape.keys.items()}


def _pick(key: str, shape: Shape, rules: Rules) -> Pick:
    """Return a pick of one of the words that the shape names, or of several, the first choice first. If none is picked the first word holds."""
    word, several = (shape.of, True) if isinstance(shape, ListOf) else (shape, False)
    assert isinstance(word, Word)
    values = words.names(rules)[word.of] if isinstance(word.of, str) else word.of
    usual = rules.absent_choice.then if key == "then" else values[0]
    return Pick(
        _title(shape), values, texts={value: _word(value) for value in values},
        none="none" if several else _word(usual), kind="ranked" if several else "choice", most=len(values) if several else 0,
    )  # fmt: skip


def _title(shape: Shape) -> str:
    return shape.meaning[:1].upper() + shape.meaning[1:]


def _word(word: str) -> str:
    return word.replace("_", " ")


GIVE_BACK, PLANS, STANDING = Discard(), Plans(), Preferences()
