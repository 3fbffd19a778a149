"""What the next turn asks of a seat, what it may do, and the order form as text: an example of each order behind a #."""

from __future__ import annotations

from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.offers import uses
from kingdom.games.royal_progress.orders import PLANS, decided, waits, wanted
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Table, castle, figure, suit
from kingdom.games.royal_progress.steps import at_castle, due, is_over, named
from kingdom.games.royal_progress.steps.actions import two_may_be_taken
from kingdom.games.royal_progress.steps.moving import ways
from kingdom.games.royal_progress.visibility import known
from kingdom.orders import kit


def choices(table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """What is possible now, as the table lies: name and text of each action."""
    if table.phase == DISCARD or seat not in due(table, rules):
        return []
    steps = [
        f"{name} to {' or '.join(named(place, rules) for place in to)}"
        for name in table.courtiers
        if (to := ways(table, name, rules))
    ]
    mine = [name for name, courtier in table.courtiers.items() if seat in courtier.piles]
    offer = ", ".join(table.offer) or "no card"
    two = ", two of them, for none shows a symbol" if two_may_be_taken(table, rules) else ", one of them"
    fresh = [name for name, courtier in table.courtiers.items() if courtier.control == seat and not courtier.used]
    found = [
        {"name": f"A: move, to {at_castle(table, rules)}", "text": "; ".join(steps) or "nobody can move"},
        {"name": "B: lay", "text": ", ".join(table.seats[seat].hand) or "your hand is empty"},
        {"name": "C: take", "text": f"{offer}{two}" if table.offer else offer},
        {"name": "D: discard", "text": ", ".join(mine) or "you have no open card"},
    ]
    if rules.abilities.used:
        told = " ".join(f"{name}: {rules.courtiers[name].text}" for name in fresh)
        found.append({"name": "Ability (house data)", "text": told or "you control nobody whose ability is free"})
    return found


# --- the form


def form_of(table: Table, seat: str, rules: Rules) -> list[str]:
    """The lines behind the head (`kingdom`, `turn`)."""
    seen = known(table, seat, rules)
    if is_over(seen):
        return []
    asked = decided(seen, seat, rules)
    lines = [] if asked else kit.remark(waits(seen, rules))
    for kind, now in asked:
        lines += [*kit.remark(kind.asks(now)), *_plans(seen, seat, rules)] if kind is PLANS else []
    return [*lines, *kit.text_form([each for each in wanted(seen, seat, rules) if each[0] is not PLANS])]


def _plans(table: Table, seat: str, rules: Rules) -> list[str]:
    """Plans to choose from, which are legal as the table lies; the one that is no remark always is while cards are open."""
    hand = table.seats[seat].hand
    lay = f"B {suit(hand[0])} {figure(hand[0])}" if hand else "C"
    first, second = sorted((_nearer(table, rules), lay))
    wish = suit(hand[0]) if hand else next(iter(rules.courtiers))
    lines = [
        "# The first plan that is legal as a whole when your turn comes is carried out.",
        "# A COURTIER to PLACE; B COURTIER SYMBOLS (the first open on a new pile);",
        '# C SUIT-SYMBOLS any (without "any" only if it lies open); D COURTIER.',
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
