"""The order form of the next turn, line by line: valid orders as it stands, with what can be ordered as comments."""

from __future__ import annotations

from kingdom.games.kings_pouch.land import army_for, castles, within_reach
from kingdom.games.kings_pouch.placement import free_places
from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Table, is_over
from kingdom.games.kings_pouch.steps import said
from kingdom.games.kings_pouch.telling.words import people
from kingdom.games.kings_pouch.turns import SET_UP, due
from kingdom.yamlout import scalar

_MOST = 6  # examples of a kind


def form_of(table: Table, seat: str, rules: Rules) -> list[str]:
    """The form behind its head (`kingdom`, `turn`)."""
    if is_over(table):
        return ["# The game is over; there is nothing to order."]
    if seat not in due(table, rules):
        return ["# It is not your turn; there is nothing to order.", *_LAST]
    if table.round == SET_UP:
        board = board_for(rules, len(table.lords))
        places = ", ".join(map(said, board.castles if board else ()))
        return [f"castle: [{places}]", "# Put the best place first: who chooses before you may take it.", *_LAST]
    return [*_place(table, seat, rules), *_manage(table, seat, rules), *_REST, *_LAST]


_REST = [
    "tax: if_needed               # never, always, or if_needed: only where a wish lacks just that gold",
    "#rest: {draw: [cube, cube, prism]}   # the shape of each citizen drawn; cubes first without it",
]
_LAST = ["#final: true                 # I am done", "#messages: [{to: all, text: Well met.}]"]


def _place(table: Table, seat: str, rules: Rules) -> list[str]:
    """Where active citizens fit, and the sweep, which is valid as it stands."""
    lord = table.lords[seat]
    fits = [f"#  - {{citizen: {citizen}, at: {scalar(rules.buildings[building].name)}}}" for building, _, citizen in free_places(lord, "any", rules)]
    return [
        f"# Active: {people(lord.active)}. In the pouch: {people(lord.pouch)}.",
        "place:                       # one after the other; what is not possible is skipped",
        *fits,
        "  - {citizen: any, at: any}  # everybody who is left, the buildings as they stand",
    ]


def _manage(table: Table, seat: str, rules: Rules) -> list[str]:
    cards = list(dict.fromkeys(table.display))
    affordable = sorted(cards, key=lambda each: rules.buildings[each].cost)[:_MOST]
    free = [who for who in table.characters if who not in table.claimed]
    homes = castles(table)
    reach = sorted(within_reach(table, seat, rules), key=lambda place: army_for(table, seat, place, rules))[:_MOST]
    places = [f"castle {homes[place]}" if place in homes else said(place) for place in reach]
    lines = ["#manage:                      # one wish after the other; of each list the first that is possible"]
    if affordable:
        costs = ", ".join(f"{each} {rules.buildings[each].cost}" for each in affordable)
        lines += [f"#  - build: [{', '.join(affordable)}]", f"#    # gold: {costs}"]
    if free:
        lines.append(f"#  - claim: [{', '.join(free[:_MOST])}]")
    if places:
        costs = ", ".join(f"{said(place)} {army_for(table, seat, place, rules)}" for place in reach)
        lines += [f"#  - occupy: [{', '.join(places)}]", f"#    # army: {costs}"]
    return lines
