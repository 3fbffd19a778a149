"""Action C in a form: which open card, wish by wish."""

from __future__ import annotations

from typing import Any

from kingdom.games.royal_progress.offers.fields import Field, choice, slot
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import figure, known_cards, suit
from kingdom.games.royal_progress.steps.actions import TAKE
from kingdom.games.royal_progress.steps.preferences import ANY, wished
from kingdom.games.royal_progress.steps.scoring import counted

WISHES = ("wish_1", "wish_2", "wish_3")
REST, TWO = "rest", "two"


def take_value(name: str) -> dict[str, Any]:
    """The action of that name, for what is chosen."""
    return {"do": TAKE, "prefer": [slot(f"{name}_{each}") for each in (*WISHES, REST)], TWO: slot(f"{name}_{TWO}")}


def take_fields(
    name: str, label: str, offer: tuple[str, ...], rules: Rules, two: bool, later: bool = False
) -> list[Field]:
    """Wishes in their order, and what if none is open; nothing to choose where no card lies open. two: whether two may be asked for; later: other cards may lie open then."""
    rest, wishes = f"{name}_{REST}", wishes_of(offer, rules)
    if not offer:
        return [choice(name, label, [])]
    known = [
        (value, text, {} if later or wished(offer, (wish,), ()) else {"when": {rest: [ANY]}})
        for value, text, wish in wishes
    ]
    behind = [(value, text, {}) for value, text, _ in wishes]
    fields = [choice(f"{name}_{WISHES[0]}", label, [(ANY, "any card", {}), *known])]
    fields += [choice(f"{name}_{each}", "Otherwise", behind, "no more wishes") for each in WISHES[1:]]
    if not later:
        fields.append(
            choice(rest, "If none of these is open", [(ANY, "any card", {})], "nothing: the plan does not count then")
        )
    number = [(False, "one, whatever lies open", {}), *([(True, "two, or the plan does not count", {})] if two else [])]
    return [*fields, choice(f"{name}_{TWO}", "How many", number, "two if none shows a symbol, else one")]


def wishes_of(offer: tuple[str, ...], rules: Rules) -> list[tuple[str, str, dict[str, Any]]]:
    """(in short, in words, the wish) of what may be wished for: the open cards first."""
    most = max(rules.box.influence, default=0)
    found: list[tuple[str, str, dict[str, Any]]] = [
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
