"""The order form of the next turn: valid orders as they stand, and an example of each order behind a #."""

from __future__ import annotations

from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.offers.uses import uses
from kingdom.games.royal_progress.report.asked import asked, waits
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Table, castle, figure, suit
from kingdom.games.royal_progress.steps.shared import is_over
from kingdom.games.royal_progress.steps.ways import ways
from kingdom.games.royal_progress.visibility import known
from kingdom.render.plain_text import wrap

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
    """Plans to choose from, which are legal as the table lies; the one that is no remark always is while cards are open."""
    hand = table.seats[seat].hand
    lay = f"B {suit(hand[0])} {figure(hand[0])}" if hand else "C"
    first, second = sorted((_nearer(table, rules), lay))
    wish = suit(hand[0]) if hand else next(iter(rules.courtiers))
    lines = [
        "# The first plan that is legal as a whole when your turn comes is carried out.",
        "# A COURTIER to PLACE; B COURTIER SYMBOLS (the first open on a new pile);",
        "# C SUIT-SYMBOLS any (without `any` only if it lies open); D COURTIER.",
        "plans:",
        f"  #- actions: [{first}, {second}]",
        *(f'  #- actions: ["B each {", ".join(pair)}", C]' for pair in _pairs(hand)[:1]),
        f"  - actions: [{{do: C, prefer: [{{suit: {wish}}}, {{min: 2}}, any]}}, C any]",
        *(f"  #- {{ability: {use.value}, actions: [C, C]}}" for use in uses(table, seat, rules)[1:2]),
    ]
    if not table.offer:
        return ["#" + line if number > 2 else line for number, line in enumerate(lines)]
    return lines


def _nearer(table: Table, rules: Rules) -> str:
    """A move towards the castle, else another one; C where nobody can move."""
    far = board.distances(castle(table), rules)
    steps = [
        (far[place] - far[courtier.place], name, place)
        for name, courtier in table.courtiers.items()
        for place in ways(table, name, rules)
    ]
    _, name, place = min(steps, default=(0, "", ""))
    return f"A {name} to {place}" if name else "C"


def _pairs(hand: tuple[str, ...]) -> list[tuple[str, str]]:
    """Two cards of the hand, of two suits."""
    return [(one, other) for one in hand[:1] for other in hand if suit(other) != suit(one)]


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
