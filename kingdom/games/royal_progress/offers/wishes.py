"""What is wished for of the open cards, as fields of a form; and how the fields of a form are made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypedDict

from kingdom.games.royal_progress.orders import ANY, TAKE, Wish
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import figure, known_cards, suit
from kingdom.games.royal_progress.steps.preferences import wished
from kingdom.games.royal_progress.steps.scoring import counted
from kingdom.orders.kit.pages import Field, slot


class Conditions(TypedDict, total=False):
    """Under which conditions something can be chosen: field -> values, one of which must be there, or none."""

    when: dict[str, list[str]]
    unless: dict[str, list[str]]


Row: TypeAlias = tuple[object, str, Conditions]  # a value, its words, and the conditions under which it can be chosen


def choice(name: str, label: str, rows: Iterable[Row], none: str = "") -> Field:
    """One of several. none: what it means to choose nothing, "" where something must be chosen."""
    options = [{"value": value, "text": text, **condition} for value, text, condition in rows]
    return {"name": name, "label": label, "kind": "choice", "options": options, **({"none": none} if none else {})}


def many(name: str, label: str, rows: Iterable[Row]) -> Field:
    """Any number of several."""
    return {**choice(name, label, rows), "kind": "many"}


def unless(condition: Conditions, name: str, values: list[str]) -> Conditions:
    """The condition, and that none of these values is in that field."""
    return {**condition, "unless": {**condition.get("unless", {}), name: values}} if values else condition


# --- takes


WISHES = ("wish_1", "wish_2", "wish_3")
REST, TWO = "rest", "two"


def take_value(name: str) -> dict[str, object]:
    """The action of that name, for what is chosen."""
    return {"do": TAKE, "prefer": [slot(f"{name}_{each}") for each in (*WISHES, REST)], TWO: slot(f"{name}_{TWO}")}


def take_fields(
    name: str, label: str, offer: tuple[str, ...], rules: Rules, two: bool, later: bool = False
) -> list[Field]:
    """Wishes in their order, and what if none is open; nothing to choose where no card lies open. two: whether two may be asked for; later: other cards may lie open then."""
    rest, wishes = f"{name}_{REST}", wishes_of(offer, rules)
    if not offer:
        return [choice(name, label, [])]
    known: list[Row] = [
        (value, text, {} if later or wished(offer, (wish,), ()) else {"when": {rest: [ANY]}})
        for value, text, wish in wishes
    ]
    behind: list[Row] = [(value, text, {}) for value, text, _ in wishes]
    fields = [choice(f"{name}_{WISHES[0]}", label, [(ANY, "any card", {}), *known])]
    fields += [choice(f"{name}_{each}", "Otherwise", behind, "no more wishes") for each in WISHES[1:]]
    if not later:
        fields.append(
            choice(rest, "If none of these is open", [(ANY, "any card", {})], "nothing: the plan does not count then")
        )
    number: list[Row] = [(False, "one, whatever lies open", {})]
    if two:
        number.append((True, "two, or the plan does not count", {}))
    return [*fields, choice(f"{name}_{TWO}", "How many", number, "two if none shows a symbol, else one")]


def wishes_of(offer: tuple[str, ...], rules: Rules) -> list[tuple[str, str, Wish]]:
    """(in short, in words, the wish) of what may be wished for: the open cards first."""
    most = max(rules.box.influence, default=0)
    found: list[tuple[str, str, Wish]] = [
        (f"{suit(card)}-{figure(card)}", card, {"suit": suit(card), "card": figure(card)})
        for card in sorted(set(known_cards(offer)))
    ]
    found += [(name, f"any of the {name}", {"suit": name}) for name in rules.courtiers]
    found += [
        (f"at least {symbols}", f"at least {counted(symbols, 'symbol')}", {"min": symbols})
        for symbols in range(most, 0, -1)
    ]
    found += [
        (f"at most {symbols}", f"at most {counted(symbols, 'symbol')}", {"max": symbols}) for symbols in range(most)
    ]
    return found + [
        (f"{much} in hand", f"of the suit that I have {much} of", {"suit_in_hand": much}) for much in ("most", "least")
    ]
