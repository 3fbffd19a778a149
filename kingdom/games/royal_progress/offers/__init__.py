"""What a seat may order next: the cards that may be given back, the plans for its turn at the table, and that it is done.

A plan is listed as the table lies, with each ability that may come before it, and with each action in one way of writing it:
cards behind the open one from the highest down, a card taken as `C`. Not listed, since there is no end of them: wishes for a
card, a card laid together with one that an ability has yet to draw, standing preferences, and messages.

The order form and the bots draw on what plans are made of: `uses` of abilities, `steps` of courtiers, lays of cards (`laid`), `actions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, product
from typing import NamedTuple, TypeAlias

from kingdom.engine.offer import LIST, ONE, Offer
from kingdom.engine.step import Orders
from kingdom.games.kit.memo import Memo
from kingdom.games.royal_progress.orders import (
    DISCARD,
    DRAWN,
    LAY,
    MOVE,
    TAKE,
    AbilityForm,
    ActionForm,
    OneCard,
    PlanForm,
    WishedCard,
)
from kingdom.games.royal_progress.rules import Ability, Rules
from kingdom.games.royal_progress.state import DISCARD as FIRST_TURN
from kingdom.games.royal_progress.state import Table, figure, known_cards, suit
from kingdom.games.royal_progress.steps import Refused, Trial, ended, named
from kingdom.games.royal_progress.steps.abilities import use
from kingdom.games.royal_progress.steps.actions import Doing, act, check
from kingdom.games.royal_progress.steps.moving import onward, ways
from kingdom.games.royal_progress.steps.play import due, kings_step
from kingdom.orders.kit.pages import FINAL

PLANS = "plans"  # the limit of how many go into one file
BACK = {"back": 1}  # the cards that are given back are named once


def offers(known: Table, seat: str, rules: Rules, orders: Orders) -> list[Offer]:
    """What the seat may order in the next turn besides these orders; plans are alternatives, and each stands for itself."""
    if seat not in due(known, rules):
        return [FINAL]
    if known.phase == FIRST_TURN:
        return [*given_back(known, seat, rules), FINAL]
    return [*_listed(known, seat, rules), FINAL]


_LISTED: Memo[list[Offer]] = Memo(1)  # of the last tables: the same is looked at again for each order that is added


def _listed(table: Table, seat: str, rules: Rules) -> list[Offer]:
    key = (id(table), seat, id(rules))
    known = _LISTED.get(key)
    return known if known is not None else _LISTED.put(key, (table, rules), list(plans(table, seat, rules)))


def given_back(table: Table, seat: str, rules: Rules) -> list[Offer]:
    """Each way to give back that many of the dealt cards."""
    found = []
    for cards in sorted(set(combinations(sorted(table.seats[seat].hand), rules.box.given_back))):
        names = ", ".join(cards)
        order = [{"suit": suit(card), "card": figure(card)} for card in cards]
        found.append(Offer(f"back {names}", "discard", ONE, order, names, f"Give back {names}", uses=BACK))
    return found


# --- plans


class Tried(NamedTuple):
    """A legal action and the table behind it. through: it leads into a full place, so that the next must lead out of it."""

    action: Action
    table: Table
    through: bool


def plans(table: Table, seat: str, rules: Rules) -> Iterator[Offer]:
    """Every two actions, and an ability before them, that are legal as the table lies when the seat's turn at it comes."""
    for pairs in by_kinds(kings_step(table, Trial(rules), seat), seat, rules).values():
        yield from (_plan(ability, first, second) for ability, first, second in pairs)


def by_kinds(table: Table, seat: str, rules: Rules) -> dict[tuple[str, str], list[tuple[Use, Action, Action]]]:
    """The kinds of two actions -> every use of an ability, or none, with two actions behind it, that are legal on this table."""
    found: dict[tuple[str, str], list[tuple[Use, Action, Action]]] = {}
    for ability in () if ended(table, rules) else uses(table, seat, rules):
        for first, second in _pairs(ability, seat, rules):
            found.setdefault((first.order["do"], second.order["do"]), []).append((ability, first, second))
    return found


def _pairs(ability: Use, seat: str, rules: Rules) -> Iterator[tuple[Action, Action]]:
    """Every two actions that are legal behind the use of an ability. What the round's end cuts off may be any (ruling round_ends)."""
    if ended(ability.table, rules):
        every = list(actions(ability.table, seat, rules))
        yield from ((first, second) for first in every for second in every if _rises(first, second))
        return
    turn = Trial(rules)
    for first in _tried(ability, seat, rules):
        over, doing = ended(first.table, rules), _behind(ability, first)
        drawn = bool(ability.doing.drawn) and first.action != _LAY_DRAWN
        for second in actions(first.table, seat, rules, drawn):
            follows = _goes_on(first, second) if first.through and not over else _rises(first.action, second)
            if follows and (over or allowed(first.table, turn, seat, second.order, doing)):
                yield first.action, second


def _plan(ability: Use, first: Action, second: Action) -> Offer:
    order: PlanForm = {"actions": [first.order, second.order]}
    shorts, text = f"{first.short}, {second.short}", f"{first.text}, then {second.text}"
    if ability.order:
        order = {"ability": ability.order, **order}
        shorts, text = f"{ability.value}, {shorts}", f"use the {ability.text}; {text}"
    return Offer(f"plan {shorts}", PLANS, LIST, order, "", text, uses={PLANS: 1})


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
    turn, before = Trial(rules), ability.doing
    for action in actions(ability.table, seat, rules, bool(before.drawn)):
        for passes in (False, True) if action.order["do"] == MOVE else (False,):
            doing = Doing(before.unblocked, before.drawn)
            doing.later, doing.passes = before.later, passes
            try:
                yield Tried(action, act(ability.table, turn, seat, action.order, doing), passes)
                break
            except Refused:
                continue


def allowed(table: Table, turn: Trial, seat: str, action: ActionForm, doing: Doing) -> bool:
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


_LAY_DRAWN = Action(
    {"do": LAY, "courtier": DRAWN, "cards": [DRAWN]}, f"B {DRAWN} {DRAWN}", "lay the card that was drawn"
)


def actions(table: Table, seat: str, rules: Rules, drawn: bool = False) -> Iterator[Action]:
    """Every action that might be legal, each kind in one way of writing it. drawn: an ability draws a card before it."""
    for name, place in steps(table, rules):
        order: ActionForm = {"do": MOVE, "courtier": name, "to": place}
        yield Action(order, f"A {name} to {place}", f"move the {name} to {named(place, rules)}")
    yield from laid(table.seats[seat].hand)
    if drawn:
        yield _LAY_DRAWN
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
    """Every way to lay cards of a hand: some of one suit, any of them open and those behind it from the highest down; one of each of two."""
    of: dict[str, list[int]] = {}
    for card in sorted(known_cards(hand)):
        of.setdefault(suit(card), []).append(figure(card))
    return (*chain.from_iterable(_on_one(name, of[name]) for name in of), *_on_two(of))


def _on_one(name: str, symbols: Sequence[int]) -> Iterator[Action]:
    highest = sorted(symbols, reverse=True)
    for count in range(1, len(highest) + 1):
        ways = set[tuple[int, ...]]()
        for chosen in combinations(highest, count):
            ways |= {(first, *chosen[:place], *chosen[place + 1 :]) for place, first in enumerate(chosen)}
        for way in sorted(ways, reverse=True):
            words = f"{name} {' '.join(map(str, way))}"
            yield Action({"do": LAY, "courtier": name, "cards": list(way)}, f"B {words}", f"lay {words}")


def _on_two(of: Mapping[str, Sequence[int]]) -> Iterator[Action]:
    for one, other in combinations(of, 2):
        for first, second in product(sorted(set(of[one])), sorted(set(of[other]))):
            each: list[OneCard] = [{"courtier": one, "card": first}, {"courtier": other, "card": second}]
            words = f"{one} {first}, {other} {second}"
            yield Action({"do": LAY, "each": each}, f"B each {words}", f"lay {words.replace(', ', ' and ')}")


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
