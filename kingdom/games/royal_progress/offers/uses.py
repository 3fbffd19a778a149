"""The uses of abilities that are legal as the table lies, each in short and in words, and the table behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from kingdom.games.royal_progress.rules import Ability, Rules
from kingdom.games.royal_progress.state import Table, figure, suit
from kingdom.games.royal_progress.steps.abilities import use
from kingdom.games.royal_progress.steps.actions import Doing
from kingdom.games.royal_progress.steps.shared import Refused, Trial, named
from kingdom.games.royal_progress.steps.ways import ways

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
