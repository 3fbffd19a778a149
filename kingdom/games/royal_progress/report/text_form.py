"""What the next turn asks of a seat, what it may do, and the order form as text: an example of each order behind a #."""

from __future__ import annotations

from kingdom.games.royal_progress import board
from kingdom.games.royal_progress.offers import given_back, uses
from kingdom.games.royal_progress.rules import Rules
from kingdom.games.royal_progress.state import DISCARD, Table, castle, figure, suit
from kingdom.games.royal_progress.steps import at_castle, is_over, named
from kingdom.games.royal_progress.steps.actions import two_may_be_taken
from kingdom.games.royal_progress.steps.moving import ways
from kingdom.games.royal_progress.steps.play import due
from kingdom.games.royal_progress.visibility import known
from kingdom.render.plain_text import wrap


def asked(table: Table, seat: str, rules: Rules) -> list[dict[str, str]]:
    """key, name and text of each decision; nothing where the seat decides nothing."""
    seats = due(table, rules)
    if seat not in seats:
        return []
    if table.phase == DISCARD:
        hand = table.seats[seat].hand
        text = f"Give back {rules.box.given_back} of your {len(hand)} cards: {', '.join(hand)}. Without an order the last of those with fewest symbols goes."
        return [{"key": "discard", "name": "A card to give back", "text": text}]
    before = seats[: seats.index(seat)]
    when = (
        f"Before you: {', '.join(before)}; so file alternatives, the first that is legal then counts."
        if before
        else "Nobody comes before you."
    )
    king = " You have the King card, so the King moves first." if table.king_card == seat else ""
    plan = f"One turn at the table: two of the actions A to D, not back in the alphabet, and an ability before them if you like. {when}{king}"
    return [{"key": "plans", "name": "Plans for your turn at the table", "text": plan}]


def waits(table: Table, seat: str, rules: Rules) -> str:
    """Who is next where this seat decides nothing."""
    return f"The next turn at the table is that of {' and '.join(due(table, rules)) or 'nobody'}. You need not send orders."


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
        example = [f"#discard: {offer.short}" for offer in given_back(seen, seat, rules)[:1]]
        return [*lines, *example, *_standing(rules), *_LAST]
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
