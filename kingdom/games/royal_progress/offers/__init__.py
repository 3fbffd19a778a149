"""What a seat may order next: the cards that may be given back, the plans for its turn at the table, and that it is done.

A plan is listed as the table lies, with each ability that may come before it, and with each action in one way of writing it:
cards behind the open one from the highest down, a card taken as `C`. Not listed, since there is no end of them: wishes for a
card, what is laid of a card that an ability has yet to draw, standing preferences, and messages.

The order form and the bots draw on what plans are made of: `uses` of abilities, `steps` of courtiers, `lays` of cards, `actions`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import NamedTuple, TypeAlias

from kingdom.games.royal_progress.rules import Ability, Rules
from kingdom.games.royal_progress.state import Table, figure, known_cards, suit
from kingdom.games.royal_progress.steps import Refused, Trial, ended, named
from kingdom.games.royal_progress.steps.abilities import use
from kingdom.games.royal_progress.steps.actions import Doing, act, check
from kingdom.games.royal_progress.steps.moving import kings_step, onward, ways
from kingdom.games.royal_progress.types import Turn
from kingdom.games.royal_progress.words import DISCARD, LAY, MOVE, TAKE, AbilityForm, ActionForm, PlanForm, WishedCard
from kingdom.orders import kit

# --- plans


class Tried(NamedTuple):
    """A legal action and the table behind it. through: it leads into a full place, so that the next must lead out of it."""

    action: Action
    table: Table
    through: bool


def plans(table: Table, seat: str, rules: Rules) -> Iterator[kit.Candidate]:
    """Every two actions, and an ability before them, that are legal as the table lies when the seat's turn at it comes."""
    table = kings_step(table, Trial(rules), seat)
    if ended(table, rules):
        return
    for ability in uses(table, seat, rules):
        for first, second in _pairs(ability, seat, rules):
            yield _plan(ability, first, second)


def _pairs(ability: Use, seat: str, rules: Rules) -> Iterator[tuple[Action, Action]]:
    """Every two actions that are legal behind the use of an ability. What the round's end cuts off may be any (ruling round_ends)."""
    if ended(ability.table, rules):
        every = list(actions(ability.table, seat, rules))
        yield from ((first, second) for first in every for second in every if _rises(first, second))
        return
    turn = Trial[Table, Rules](rules)
    for first in _tried(ability, seat, rules):
        over, doing = ended(first.table, rules), _behind(ability, first)
        for second in actions(first.table, seat, rules):
            follows = _goes_on(first, second) if first.through and not over else _rises(first.action, second)
            if follows and (over or allowed(first.table, turn, seat, second.order, doing)):
                yield first.action, second


def _plan(ability: Use, first: Action, second: Action) -> kit.Candidate:
    order: PlanForm = {"actions": [first.order, second.order]}
    shorts, text = f"{first.short}, {second.short}", f"{first.text}, then {second.text}"
    if ability.order:
        order = {"ability": ability.order, **order}
        shorts, text = f"{ability.value}, {shorts}", f"use the {ability.text}; {text}"
    return kit.Candidate(f"plan {shorts}", order, text, limits={"plans": 1}, checked=True)


def _rises(first: Action, second: Action) -> bool:
    """Whether the actions do not go back in the alphabet (ruling two_actions)."""
    return first.order["do"] <= second.order["do"]


def _goes_on(first: Tried, second: Action) -> bool:
    """Whether who was moved through a full place goes on (ruling passing)."""
    step, onward = first.action.order, second.order
    return step["do"] == onward["do"] == MOVE and step["courtier"] == onward["courtier"]


def _behind(ability: Use, first: Tried) -> Doing:
    """What the second action knows of what came before it."""
    doing = Doing(ability.doing.unblocked, ability.doing.drawn)
    doing.later = ability.doing.later or first.action.order["do"] == TAKE
    return doing


def _tried(ability: Use, seat: str, rules: Rules) -> Iterator[Tried]:
    """Each first action that the engine allows, with the table behind it."""
    turn, before = Trial[Table, Rules](rules), ability.doing
    for action in actions(ability.table, seat, rules):
        for passes in (False, True) if action.order["do"] == MOVE else (False,):
            doing = Doing(before.unblocked, before.drawn)
            doing.later, doing.passes = before.later, passes
            try:
                yield Tried(action, act(ability.table, turn, seat, action.order, doing), passes)
                break
            except Refused:
                continue


def allowed(table: Table, turn: Turn, seat: str, action: ActionForm, doing: Doing) -> bool:
    """Whether the engine allows the action."""
    try:
        check(table, turn, seat, action, doing)
    except Refused:
        return False
    return True


# --- actions


class Action(NamedTuple):
    """An action that may be ordered: its long form, its short form, and in words."""

    order: ActionForm
    short: str
    text: str


def actions(table: Table, seat: str, rules: Rules) -> Iterator[Action]:
    """Every action that might be legal, each kind in one way of writing it."""
    for name, place in steps(table, rules):
        order: ActionForm = {"do": MOVE, "courtier": name, "to": place}
        yield Action(order, f"A {name} to {place}", f"move the {name} to {named(place, rules)}")
    yield from laid(table.seats[seat].hand)
    yield Action({"do": TAKE}, "C", "take a card")
    for name in discards(table, seat):
        yield Action({"do": DISCARD, "courtier": name}, f"D {name}", f"discard on the {name}")


def discards(table: Table, seat: str) -> list[str]:
    """The courtiers on whom the seat has an open card."""
    return [name for name, courtier in table.courtiers.items() if seat in courtier.piles]


def steps(table: Table, rules: Rules) -> Iterator[tuple[str, str]]:
    """(courtier, place): each step of one who is on the road, into a full place too."""
    for name, courtier in table.courtiers.items():
        for place in () if courtier.arrived else onward(table, courtier.place, rules):
            yield name, place


@lru_cache(maxsize=500)  # most tables that are looked at have the same hands
def laid(hand: tuple[str, ...]) -> tuple[Action, ...]:
    """The lays of a hand, with the cards behind the open one from the highest down."""
    return tuple(
        Action(
            lay.order(), lay.value, f"lay {lay.value.removeprefix('B ').removeprefix('each ').replace(', ', ' and ')}"
        )
        for lay in lays(known_cards(hand))
        if lay.on == EACH or list(lay.laid[1:]) == sorted(lay.laid[1:], reverse=True)
    )


EACH = "each"  # on two courtiers, a card on each
ORDERED = 4  # up to 4 cards are offered in every order; of more any may be the open one


class Lay(NamedTuple):
    """A way to lay. on: the courtier, or EACH or DRAWN. value: in short. cards: what it needs of the hand. laid: those, in order."""

    on: str
    value: str
    text: str
    cards: Counter[str]
    laid: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The courtiers on whom it lays for certain."""
        return sorted({suit(card) for card in self.cards})

    def order(self) -> ActionForm:
        """Its long form, of cards of the hand."""
        if self.on == EACH:
            return {"do": LAY, "each": [{"courtier": suit(card), "card": figure(card)} for card in self.laid]}
        return {"do": LAY, "courtier": self.on, "cards": [figure(card) for card in self.laid]}


def lays(cards: Sequence[str]) -> list[Lay]:
    """All ways to lay some of these cards."""
    of: dict[str, list[int]] = {}
    for card in sorted(cards):
        of.setdefault(suit(card), []).append(figure(card))
    found = [_on(name, symbols) for name in of for symbols in sequences(of[name])]
    for one, other in combinations(of, 2):
        for first, second in product(sorted(set(of[one])), sorted(set(of[other]))):
            pair = (f"{one} {first}", f"{other} {second}")
            found.append(Lay(EACH, f"B each {', '.join(pair)}", " and ".join(pair), Counter(pair), pair))
    return found


def _on(name: str, symbols: Sequence[int]) -> Lay:
    figures, laid = [str(each) for each in symbols], tuple(f"{name} {each}" for each in symbols)
    return Lay(name, f"B {name} {' '.join(figures)}", ", ".join(figures), Counter(laid), laid)


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


# --- the uses of abilities that are legal as the table lies, each in short and in words, and the table behind it


NONE = ""  # the use of no ability
Said: TypeAlias = Iterator[tuple[AbilityForm, str, str]]  # the order; how what it needs is written; in words


class Use(NamedTuple):
    """A use. value: in short, "" for none. table: as it lies behind it. doing: what it means for the actions. order: its long form."""

    value: str
    text: str
    table: Table
    doing: Doing
    order: AbilityForm | None = None


def uses(table: Table, seat: str, rules: Rules) -> list[Use]:
    """None, then each use that is legal."""
    found = [Use(NONE, "no ability", table, Doing())]
    for name, courtier in table.courtiers.items() if rules.abilities.used else ():
        if courtier.control != seat or courtier.used:
            continue
        for order, short, text in _SAID[rules.courtiers[name].ability](table, seat, rules, name):
            doing = Doing()
            try:
                after = use(table, Trial(rules), seat, order, doing)
            except Refused:
                continue
            found.append(Use(f"{name} {short}".strip(), f"{name}: {text}", after, doing, order))
    return found


def _steps(farther: int) -> Callable[[Table, str, Rules, str], Said]:
    def said(table: Table, seat: str, rules: Rules, user: str) -> Said:
        for name in table.courtiers:
            for place in ways(table, name, rules, farther):
                yield {"use": user, "move": [name, place]}, f"moves {name} {place}", f"{name} to {named(place, rules)}"

    return said


def _inns(table: Table, seat: str, rules: Rules, user: str) -> Said:
    yield {"use": user}, "", "full places stop nobody"


def _drawn(table: Table, seat: str, rules: Rules, user: str) -> Said:
    yield {"use": user}, "", "draw a card"


def _taken(table: Table, seat: str, rules: Rules, user: str) -> Said:
    for card in sorted(set(table.offer)):
        wish: WishedCard = {"suit": suit(card), "card": figure(card)}
        short = f"takes {suit(card)}-{figure(card)}"
        yield {"use": user, "prefer": [wish, "any"]}, f"{short} any", f"take {card}, or any"
        yield {"use": user, "prefer": [wish]}, short, f"take {card} and no other"


def _sealed(table: Table, seat: str, rules: Rules, user: str) -> Said:
    for card in sorted(set(table.seats[seat].hand)):
        yield {"use": user, "courtier": suit(card), "card": figure(card)}, card, f"lay {card}"


def _opened(table: Table, seat: str, rules: Rules, user: str) -> Said:
    for name, courtier in table.courtiers.items():
        for symbols in sorted(set(courtier.piles.get(seat, ()))):
            yield {"use": user, "courtier": name, "card": symbols}, f"{name} {symbols}", f"open {name} {symbols}"


def _sent_back(table: Table, seat: str, rules: Rules, user: str) -> Said:
    for name, courtier in table.courtiers.items():
        for rival, pile in courtier.piles.items():
            order: AbilityForm = {"use": user, "courtier": name, "of": rival}
            yield order, f"{name} of {rival}", f"send {name} {pile[0]} back to {rival}"


_SAID: Mapping[Ability, Callable[[Table, str, Rules, str], Said]] = {
    "ride": _steps(0), "clear_inns": _inns, "blessing": _drawn, "purse": _taken, "seal": _sealed, "patronage": _opened,
    "whisper": _sent_back, "mischief": _steps(1),
}  # fmt: skip
