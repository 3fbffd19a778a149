"""The order form of the next turn: valid orders as they stand, and an example of each order behind a #."""

from __future__ import annotations

from kingdom.games.royal_progress.known import known
from kingdom.games.royal_progress.moving import ways
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Table, figure, suit
from kingdom.games.royal_progress.steps import is_over
from kingdom.games.royal_progress.telling.asked import asked, waits
from kingdom.plaintext import wrap

_LAST = ['#messages: {all: "..."}', "#final: true"]


def form_of(table: Table, seat: str, rules: Rules) -> list[str]:
    """The lines behind the head (`kingdom`, `turn`)."""
    seen = known(table, seat, rules)
    if is_over(seen):
        return []
    wanted = asked(seen, seat, rules)
    if not wanted:
        return [*_remark(waits(seen, seat, rules)), *_standing(rules), *_LAST]
    lines = _remark(wanted[0]["text"])
    if seen.phase == DISCARD:
        hand = seen.seats[seat].hand
        return [*lines, *(f"#discard: {card}" for card in hand[:1]), *_standing(rules), *_LAST]
    return [*lines, *_plans(seen, seat, rules), *_standing(rules), *_LAST]


def _remark(text: str) -> list[str]:
    return wrap(text, 2, first="# ").replace("\n ", "\n#").split("\n")


def _plans(table: Table, seat: str, rules: Rules) -> list[str]:
    """Two plans to choose from, and how the actions are written; the last one is always possible while cards are open."""
    hand = table.seats[seat].hand
    lay = f"B {suit(hand[0])} {figure(hand[0])}" if hand else "C"
    wish = suit(hand[0]) if hand else next(iter(rules.courtiers))
    move = next((f"A {name} to {place}" for name in table.courtiers for place in ways(table, name, rules)), "C")
    first, second = sorted((move, lay))
    lines = [
        "# The first plan that is legal as a whole when your turn comes is carried out.",
        "# A COURTIER to PLACE; B COURTIER SYMBOLS (the first open on a new pile);",
        "# C SUIT any; D COURTIER.",
        "plans:",
        f"  #- actions: [{first}, {second}]",
        "  #- actions: [{do: B, each: {knight: 2, lady: 1}}, C]",
        f"  - actions: [{{do: C, prefer: [{{suit: {wish}}}, {{min: 2}}, any]}}, C any]",
    ]
    if rules.abilities.used:
        lines.append("  #- {ability: {use: knight, move: [jester, hertford]}, actions: [C, C]}")
    if not table.offer:
        return ["#" + line if number > 2 else line for number, line in enumerate(lines)]
    return lines


def _standing(rules: Rules) -> list[str]:
    types = ", ".join(rules.gifts.types[:2])
    keep = ", ".join(list(rules.courtiers)[:2])
    return [
        "# What holds from now on, until you say otherwise:",
        "#standing:",
        f"#  pair: {{prefer_types: [{types}], then: most_crowns}}",
        f"#  single: {{prefer_types: [{types}]}}",
        f"#  forced_discard: {{keep: [{keep}], from: lowest_symbols}}",
        "#  loyalty: {discard: lowest_symbols, extra_move: nearest_own}",
        "#  no_plan: {do: [C, C], prefer: [{suit_in_hand: most}, any]}",
    ]


