"""What standing preferences choose: cards, gifts, discards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from kingdom.games.royal_progress import words
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import UNKNOWN, Table, figure, suit, value
from kingdom.games.royal_progress.words import ForcedDiscard, Gift, Loyalty, Standing, Wish


def standing(table: Table, seat: str) -> Standing:
    """What the seat said of all this, nothing where it said nothing; state.json has it as it was filed."""
    return cast(Standing, table.seats[seat].standing)


# --- gifts


def pair_for(table: Table, seat: str, rules: Rules) -> int:
    """Which pair the seat picks: its index."""
    return _pick(table.pairs, standing(table, seat).get("pair") or {}, rules)


def single_for(table: Table, seat: str, rules: Rules) -> int:
    """Which single gift the seat picks: its index."""
    return _pick([(card,) for card in table.singles], standing(table, seat).get("single") or {}, rules)


def _pick(groups: Sequence[Sequence[str]], said: Gift, rules: Rules) -> int:
    types, then = said.get("prefer_types", ()), said.get("then") or rules.absent_choice.then

    def key(index: int) -> list[int]:
        held = [suit(card) for card in groups[index]]
        crowns = sum(figure(card) for card in groups[index])
        by = {words.MOST_CROWNS: -crowns, words.FEWEST_CROWNS: crowns, words.LEFTMOST: 0}[then]
        return [*(-held.count(each) for each in types), by, index]

    return min(range(len(groups)), key=key)


# --- open cards


def forced_discard(table: Table, seat: str) -> str:
    """The courtier whose open card the seat discards where it must; "" where it has none."""
    said: ForcedDiscard = standing(table, seat).get("forced_discard") or {}
    return _open_card(table, seat, said.get("keep", ()), said.get("from") or words.LOWEST)


def loyalty_discard(table: Table, seat: str) -> str:
    """The courtier whose open card the seat discards in a loyalty test; "" where it has none."""
    said: Loyalty = standing(table, seat).get("loyalty") or {}
    return _open_card(table, seat, said.get("keep", ()), said.get("discard") or words.LOWEST)


def _open_card(table: Table, seat: str, keep: Iterable[str], by: str) -> str:
    piles = {name: courtier.piles[seat] for name, courtier in table.courtiers.items() if seat in courtier.piles}

    def key(name: str) -> tuple[bool, int, int, str]:
        symbols, worth = piles[name][0], value(piles[name])
        first = {words.LOWEST: symbols, words.HIGHEST: -symbols, words.SMALLEST: worth, words.LARGEST: -worth}[by]
        return name in keep, first, worth, name

    return min(piles, key=key, default="")


# --- cards of the offer


def wished(offer: Sequence[str], wishes: Iterable[Wish], hand: Sequence[str]) -> str:
    """The card of the offer that the first wish with one fits; "" where no wish has one (ruling preferred_card)."""
    there = sorted((card for card in offer if card != UNKNOWN), key=lambda card: -figure(card))
    for wish in wishes:
        for card in _by_hand(there, wish, hand):
            if _fits(card, wish):
                return card
    return ""


def _by_hand(cards: list[str], wish: Wish, hand: Sequence[str]) -> list[str]:
    """The cards in the order in which a wish for a suit of the hand looks at them."""
    if isinstance(wish, str) or "suit_in_hand" not in wish:
        return cards
    suits = [suit(card) for card in hand]
    sign = -1 if wish["suit_in_hand"] == "most" else 1
    return sorted(cards, key=lambda card: sign * suits.count(suit(card)))


def _fits(card: str, wish: Wish) -> bool:
    if isinstance(wish, str):
        return True
    symbols = figure(card)
    just = wish.get("suit", suit(card)) == suit(card) and wish.get("card", symbols) == symbols
    return just and wish.get("min", symbols) <= symbols <= wish.get("max", symbols)
