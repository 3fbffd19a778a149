"""The ways to lay cards of a hand, each in short and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import NamedTuple

from kingdom.games.royal_progress.state import figure, suit
from kingdom.games.royal_progress.steps.actions import DRAWN

EACH = "each"  # on two courtiers, a card on each
ORDERED = 4  # so many cards are offered in every order; of more any may be the open one
MANY = 20  # ways on one courtier; where there are more he is laid on by one of the two actions


class Lay(NamedTuple):
    """A way to lay. on: the courtier, EACH or DRAWN. value: in short. cards: what it needs of the hand."""

    on: str
    value: str
    text: str
    cards: Counter[str]

    @property
    def names(self) -> list[str]:
        """The courtiers on whom it lays for certain."""
        return sorted({suit(card) for card in self.cards})


def lays(cards: Sequence[str]) -> list[Lay]:
    """All ways to lay some of these cards."""
    of: dict[str, list[int]] = {}
    for card in sorted(cards):
        of.setdefault(suit(card), []).append(figure(card))
    found = [_on(name, symbols) for name in of for symbols in sequences(of[name])]
    for one, other in combinations(of, 2):
        for first, second in product(sorted(set(of[one])), sorted(set(of[other]))):
            pair = (f"{one} {first}", f"{other} {second}")
            found.append(Lay(EACH, f"B each {', '.join(pair)}", " and ".join(pair), Counter(pair)))
    return found


def drawn_lays(cards: Sequence[str], names: Sequence[str]) -> list[Lay]:
    """The ways to lay the card that an ability drew, alone or beside one of the hand."""
    found = [Lay(DRAWN, f"B {DRAWN} {DRAWN}", "on its courtier, whoever that is", Counter())]
    found += [Lay(DRAWN, f"B {name} {DRAWN}", f"on the {name}, if it is his", Counter()) for name in names]
    for card in sorted(set(cards)):
        found.append(Lay(DRAWN, f"B {card} {DRAWN}", f"{card}, and under it the drawn one if it fits", Counter([card])))
        under = f"B {suit(card)} {DRAWN} {figure(card)}"
        found.append(Lay(DRAWN, under, f"the drawn one if it fits, and under it {card}", Counter([card])))
    return found


def _on(name: str, symbols: Sequence[int]) -> Lay:
    figures = [str(each) for each in symbols]
    return Lay(name, f"B {name} {' '.join(figures)}", ", ".join(figures), Counter(f"{name} {each}" for each in symbols))


def sequences(symbols: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The orders in which some of the cards of one suit can be laid, the open one first."""
    highest = sorted(symbols, reverse=True)
    for count in range(1, len(highest) + 1):
        if count <= ORDERED:
            yield from sorted(set(permutations(highest, count)), reverse=True)
            continue
        for chosen in sorted(set(combinations(highest, count)), reverse=True):
            for first in sorted(set(chosen), reverse=True):
                rest = list(chosen)
                rest.remove(first)
                yield from dict.fromkeys(((first, *rest), (first, *reversed(rest))))
