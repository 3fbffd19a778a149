"""What a seat may order next: the cards that may be given back, the plans for its turn at the table, and that it is done.

A plan is listed as the table lies, with each action in one way of writing it: cards behind the open one from the highest down,
a card taken as `C`. Not listed, since there is no end of them or far too many: wishes for a card, plans with an ability before
them (`uses` has the abilities), standing preferences, and messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from kingdom.engine.offer import LIST, ONE, Offer
from kingdom.engine.step import Orders
from kingdom.games.royal_progress.rules import Ability, Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import Table, figure, suit
from kingdom.games.royal_progress.steps import Refused, Trial, ended, named
from kingdom.games.royal_progress.steps.abilities import use
from kingdom.games.royal_progress.steps.actions import DISCARD, LAY, MOVE, TAKE, Doing, act
from kingdom.games.royal_progress.steps.moving import onward, ways
from kingdom.games.royal_progress.steps.play import due, kings_step

PLANS = "plans"  # the limit of how many go into one file
FINAL = Offer("final", "final", ONE, True, "yes", "I am done", uses={"final": 1})
BACK = {"back": 1}  # the cards that are given back are named once


class Action(NamedTuple):
    """An action that may be ordered: its long form, its short form, and in words."""

    order: Mapping[str, Any]
    short: str
    text: str


class Tried(NamedTuple):
    """A legal action and the table behind it. through: it leads into a full place, so that the next must lead out of it."""

    action: Action
    table: Table
    through: bool


def offers(known: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """What the seat may order in the next turn besides these orders; plans are alternatives, and each stands for itself."""
    if seat not in due(known, rules):
        return [FINAL]
    if known.phase == FIRST_TURN:
        return [*given_back(known, seat, rules), FINAL]
    return [*plans(known, seat, rules), FINAL]


def given_back(table: Table, seat: str, rules: Rules) -> list[Offer]:
    """Each way to give back so many of the dealt cards."""
    found = []
    for cards in sorted(set(combinations(sorted(table.seats[seat].hand), rules.box.given_back))):
        names = ", ".join(cards)
        order = [{"suit": suit(card), "card": figure(card)} for card in cards]
        found.append(Offer(f"back {names}", "discard", ONE, order, names, f"Give back {names}", uses=BACK))
    return found


def plans(table: Table, seat: str, rules: Rules) -> Iterator[Offer]:
    """Every two actions that are legal as the table lies when the seat's turn at it comes."""
    table = kings_step(table, Trial(rules), seat)
    if ended(table, rules):
        return
    for first in _tried(table, seat, rules, Doing()):
        if ended(first.table, rules):  # what follows is not carried out (ruling round_ends)
            yield from (
                _plan(first.action, second) for second in _actions(first.table, seat, rules) if _rises(first, second)
            )
            continue
        for second in _tried(first.table, seat, rules, _behind(first)):
            if not second.through and _follows(first, second):
                yield _plan(first.action, second.action)


def _plan(first: Action, second: Action) -> Offer:
    order = {"actions": [first.order, second.order]}
    shorts = f"{first.short}, {second.short}"
    return Offer(f"plan {shorts}", PLANS, LIST, order, "", f"{first.text}, then {second.text}", uses={PLANS: 1})


def _follows(first: Tried, second: Tried) -> bool:
    """Whether the actions are in the order of the alphabet, and who passes through a full place goes on."""
    if not first.through:
        return _rises(first, second.action)
    step, onward = first.action.order, second.action.order
    return bool(onward["do"] == MOVE and onward["courtier"] == step["courtier"])


def _rises(first: Tried, second: Action) -> bool:
    """Whether the actions do not go back in the alphabet (ruling two_actions)."""
    return bool(first.action.order["do"] <= second.order["do"])


def _behind(first: Tried) -> Doing:
    """What the second action knows of the first."""
    doing = Doing()
    doing.later = first.action.order["do"] == TAKE
    return doing


def _tried(table: Table, seat: str, rules: Rules, doing: Doing) -> Iterator[Tried]:
    """Each action that the engine allows, with the table behind it."""
    turn, later = Trial(rules), doing.later
    for action in _actions(table, seat, rules):
        for passes in (False, True) if action.order["do"] == MOVE else (False,):
            doing.passes, doing.later = passes, later
            try:
                yield Tried(action, act(table, turn, seat, action.order, doing), passes)
                break
            except Refused:
                continue


def _actions(table: Table, seat: str, rules: Rules) -> Iterator[Action]:
    """Every action that might be legal, each kind in one way of writing it."""
    for name, courtier in table.courtiers.items():
        for place in () if courtier.arrived else onward(table, courtier.place, rules):
            yield Action(
                {"do": MOVE, "courtier": name, "to": place},
                f"A {name} to {place}",
                f"move the {name} to {named(place, rules)}",
            )
    hand = table.seats[seat].hand
    of: dict[str, list[int]] = {}
    for card in sorted(hand, key=lambda card: (suit(card), -figure(card))):
        of.setdefault(suit(card), []).append(figure(card))
    for name, symbols in of.items():
        for cards in _in_order(symbols):
            words = " ".join(map(str, cards))
            yield Action(
                {"do": LAY, "courtier": name, "cards": list(cards)}, f"B {name} {words}", f"lay {name} {words}"
            )
    for one, other in combinations(sorted(set(hand)), 2):
        if suit(one) != suit(other):
            both = [{"courtier": suit(card), "card": figure(card)} for card in (one, other)]
            yield Action({"do": LAY, "each": both}, f"B each {one}, {other}", f"lay {one} and {other}")
    yield Action({"do": TAKE}, "C", "take a card")
    for name, courtier in table.courtiers.items():
        if seat in courtier.piles:
            yield Action({"do": DISCARD, "courtier": name}, f"D {name}", f"discard on the {name}")


def _in_order(symbols: list[int]) -> Iterator[tuple[int, ...]]:
    """The ways to lay some of these cards of one suit: any of them open, the others from the highest down."""
    for count in range(1, len(symbols) + 1):
        for chosen in sorted(set(combinations(symbols, count)), reverse=True):
            for first in sorted(set(chosen), reverse=True):
                rest = Counter(chosen)
                rest[first] -= 1
                yield (first, *sorted(rest.elements(), reverse=True))


# --- the uses of abilities that are legal as the table lies, each in short and in words, and the table behind it


NONE = ""  # the use of no ability
Said = Iterator[tuple[dict[str, Any], str, str]]  # what a use needs besides its courtier; how that is written; in words


class Use(NamedTuple):
    """A use. value: in short, "" for none. table: as it lies behind it. doing: what it means for the actions."""

    value: str
    text: str
    table: Table
    doing: Doing


def uses(table: Table, seat: str, rules: Rules) -> list[Use]:
    """None, then each use that is legal."""
    found = [Use(NONE, "no ability", table, Doing())]
    for name, courtier in table.courtiers.items() if rules.abilities.used else ():
        if courtier.control != seat or courtier.used:
            continue
        for needs, short, text in _SAID[rules.courtiers[name].ability](table, seat, rules):
            doing = Doing()
            try:
                after = use(table, Trial(rules), seat, {"use": name, **needs}, doing)
            except Refused:
                continue
            found.append(Use(f"{name} {short}".strip(), f"{name}: {text}", after, doing))
    return found


def _steps(farther: int) -> Callable[..., Said]:
    def said(table: Table, seat: str, rules: Rules) -> Said:
        for name in table.courtiers:
            for place in ways(table, name, rules, farther):
                yield {"move": [name, place]}, f"moves {name} {place}", f"{name} to {named(place, rules)}"

    return said


def _inns(table: Table, seat: str, rules: Rules) -> Said:
    yield {}, "", "full places stop nobody"


def _drawn(table: Table, seat: str, rules: Rules) -> Said:
    yield {}, "", "draw a card"


def _taken(table: Table, seat: str, rules: Rules) -> Said:
    for card in sorted(set(table.offer)):
        wish, short = {"suit": suit(card), "card": figure(card)}, f"takes {suit(card)}-{figure(card)}"
        yield {"prefer": [wish, "any"]}, f"{short} any", f"take {card}, or any"
        yield {"prefer": [wish]}, short, f"take {card} and no other"


def _laid(table: Table, seat: str, rules: Rules) -> Said:
    for card in sorted(set(table.seats[seat].hand)):
        yield {"courtier": suit(card), "card": figure(card)}, card, f"lay {card}"


def _opened(table: Table, seat: str, rules: Rules) -> Said:
    for name, courtier in table.courtiers.items():
        for symbols in sorted(set(courtier.piles.get(seat, ()))):
            yield {"courtier": name, "card": symbols}, f"{name} {symbols}", f"open {name} {symbols}"


def _sent_back(table: Table, seat: str, rules: Rules) -> Said:
    for name, courtier in table.courtiers.items():
        for rival, pile in courtier.piles.items():
            yield {"courtier": name, "of": rival}, f"{name} of {rival}", f"send {name} {pile[0]} back to {rival}"


_SAID: Mapping[Ability, Callable[..., Said]] = {
    "ride": _steps(0), "clear_inns": _inns, "blessing": _drawn, "purse": _taken, "seal": _laid, "patronage": _opened,
    "whisper": _sent_back, "mischief": _steps(1),
}  # fmt: skip
