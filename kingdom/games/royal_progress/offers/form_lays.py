"""Action B in a form: the ways to lay cards of a hand, what is laid on whom, and which can follow which.

First stands what the fields of every action are made of: choices, and the conditions under which each is open. A row is
use -> the first actions beside which a second one is legal; conditions of options are made of it (kingdom/render/order_form.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from kingdom.games.royal_progress.offers import EACH, Lay, Use, lays
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import Table, castle, figure, suit
from kingdom.games.royal_progress.words import DRAWN
from kingdom.orders.kit.pages import Field

# --- fields to choose in, and under which conditions what can be chosen


class Conditions(TypedDict, total=False):
    """Under which conditions something can be chosen: field -> values, one of which must be there, or none."""

    when: dict[str, list[str]]
    unless: dict[str, list[str]]


Row: TypeAlias = tuple[object, str, Conditions]  # a value, its words, and the conditions under which it can be chosen
Beside: TypeAlias = Mapping[str, frozenset[str]]  # use -> the first actions beside which a second one is legal


def choice(name: str, label: str, rows: Iterable[Row], none: str = "", means: Mapping[Any, Any] = {}) -> Field:
    """One of several. none: what it means to choose nothing, "" where something must be chosen. means: value -> what is ordered by it."""
    options = [
        {"value": value, "text": text, **({"means": means[value]} if value in means else {}), **condition}
        for value, text, condition in rows
    ]
    return {"name": name, "label": label, "kind": "choice", "options": options, **({"none": none} if none else {})}


def unless(condition: Conditions, name: str, values: list[str]) -> Conditions:
    """The condition, and that none of these values is in that field."""
    return {**condition, "unless": {**condition.get("unless", {}), name: values}} if values else condition


def when(condition: Conditions, name: str, values: list[str]) -> Conditions:
    """The condition, and that one of these values is in that field."""
    return {**condition, "when": {**condition.get("when", {}), name: values}}


def by_use(legal: Collection[str], all_uses: Collection[str]) -> Conditions:
    """The condition of what is legal behind these uses alone ("" being none), {} where behind all."""
    rest = [use for use in all_uses if use not in legal]
    if not rest:
        return {}
    return (
        {"unless": {"ability": rest}}
        if "" in legal
        else {"when": {"ability": [use for use in all_uses if use in legal]}}
    )


def conditions(row: Beside, firsts: Beside) -> list[Conditions]:
    """The conditions of a second action, one for each group of uses; it is open where one of them holds. firsts: all that there are."""
    groups: dict[tuple[bool, frozenset[str]], list[str]] = {}
    for use, open in row.items():
        shut = firsts[use] - open
        few = len(shut) <= len(open)  # what is shorter goes to the page
        if open:
            groups.setdefault((few, shut if few else open), []).append(use)
    return [
        (unless if few else when)(by_use(uses, firsts), "first", sorted(beside))
        for (few, beside), uses in groups.items()
    ]


def moved(name: str, place: str) -> str:
    """A move in short."""
    return f"A {name} to {place}"


# --- action B


MANY = 20  # ways on one courtier; where there are more he is laid on by one of the two actions


def drawn_lays(cards: Sequence[str], names: Sequence[str]) -> list[Lay]:
    """The ways to lay the card that an ability drew, alone or beside one of the hand."""
    found = [Lay(DRAWN, f"B {DRAWN} {DRAWN}", "on its courtier, whoever that is", Counter())]
    found += [Lay(DRAWN, f"B {name} {DRAWN}", f"on the {name}, if it is his", Counter()) for name in names]
    for card in sorted(set(cards)):
        found.append(Lay(DRAWN, f"B {card} {DRAWN}", f"{card}, and under it the drawn one if it fits", Counter([card])))
        under = f"B {suit(card)} {DRAWN} {figure(card)}"
        found.append(Lay(DRAWN, under, f"the drawn one if it fits, and under it {card}", Counter([card])))
    return found


Legal = list[tuple[Lay, list[str]]]  # each way to lay, with the uses behind which it is possible
_ON = {EACH: "one card on each of two", DRAWN: "the card that is drawn"}


def all_lays(uses: list[Use], seat: str, rules: Rules) -> Legal:
    """All that can be laid; behind a use the hand may be another one."""
    hands = _hands(uses, seat)
    every: Counter[str] = Counter()
    for hand in hands.values():
        every |= hand
    drawing = [use.value for use in uses if use.doing.drawn]
    cards, found = [*every.elements()], []
    for lay in [*lays(cards), *(drawn_lays(cards, [*rules.courtiers]) if drawing else ())]:
        behind = [use.value for use in uses if lay.cards <= hands[use.value] and _reached(use.table, lay, rules)]
        behind = [use for use in behind if lay.on != DRAWN or use in drawing]
        if behind:
            found.append((lay, behind))
    return found


def _hands(uses: list[Use], seat: str) -> dict[str, Counter[str]]:
    return {use.value: Counter(use.table.seats[seat].hand) for use in uses}


def _reached(table: Table, lay: Lay, rules: Rules) -> bool:
    return rules.cards_at_court.allowed or not any(table.courtiers[name].arrived for name in lay.names)


def lay_first(legal: Legal, uses: list[Use]) -> list[Field]:
    """Laid before anything else."""
    every = [use.value for use in uses]
    return _fields("first", "Lay", [(lay, by_use(behind, every)) for lay, behind in legal])


def lay_behind_move(legal: Legal, uses: list[Use], rules: Rules) -> list[Field]:
    """Laid behind a move; where none may be laid at court not on whom it brought there."""
    every, rows = [use.value for use in uses], []
    for lay, behind in legal:
        brought = [] if rules.cards_at_court.allowed else [moved(name, castle(uses[0].table)) for name in lay.names]
        rows.append((lay, unless(by_use(behind, every), "first", brought)))
    return _fields("second", "Then lay", rows)


def lay_again(legal: Legal, uses: list[Use], seat: str) -> list[Field]:
    """Laid behind another lay, which takes its cards out of the hand."""
    ways_on = Counter(lay.on for lay, _ in legal)
    hands = _hands(uses, seat)
    firsts = {use.value: frozenset(lay.value for lay, behind in legal if use.value in behind) for use in uses}
    rows = []
    for lay, behind in legal:
        crowded = sorted(name for name in lay.names if ways_on[name] > MANY)
        beside = [other for other, _ in legal if other.on not in crowded and _clash(lay, other)]
        row = {use: firsts[use] - _shut(lay, beside, hands[use]) if use in behind else frozenset() for use in firsts}
        rows += [(lay, unless(condition, "first_on", crowded)) for condition in conditions(row, firsts)]
    return _fields("second", "Then lay", rows)


def _clash(one: Lay, other: Lay) -> bool:
    return bool(one.cards.keys() & other.cards.keys()) or one.on == other.on == DRAWN


def _shut(lay: Lay, beside: list[Lay], hand: Counter[str]) -> set[str]:
    return {other.value for other in beside if other.on == lay.on == DRAWN or not lay.cards + other.cards <= hand}


def _fields(name: str, label: str, rows: list[tuple[Lay, Conditions]]) -> list[Field]:
    """On whom, then which cards."""
    places: list[Row] = [(on, _ON.get(on, on), {}) for on in dict.fromkeys(lay.on for lay, _ in rows)]
    options = [(lay.value, lay.text, when(condition, f"{name}_on", [lay.on])) for lay, condition in rows]
    return [choice(f"{name}_on", f"{label} on", places), choice(name, "Which, the first open on a new pile", options)]
