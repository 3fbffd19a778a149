"""The order form of the next turn, line by line: valid orders as it stands, with what can be ordered as comments."""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.games.kings_pouch.report.words import people
from kingdom.games.kings_pouch.rules import Rules, board_for
from kingdom.games.kings_pouch.state import Table, is_over
from kingdom.games.kings_pouch.steps.land import army_for, castles, within_reach
from kingdom.games.kings_pouch.steps.placement import free_places
from kingdom.games.kings_pouch.steps.rounds import SET_UP, due
from kingdom.games.kings_pouch.steps.shared import said
from kingdom.orders.yaml_out import scalar
from kingdom.render.plain_text import left

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
    "tax: if_needed               # never, always, or where a wish lacks just that",
    "#rest: {draw: [cube, prism]}  # the shapes to draw; cubes first without it",
]
_LAST = ["#final: true                 # I am done", "#messages: [{to: all, text: Well met.}]"]


def _place(table: Table, seat: str, rules: Rules) -> list[str]:
    """Where active citizens fit, and the sweep, which is valid as it stands."""
    lord = table.lords[seat]
    fits = [
        f"#  - {{citizen: {citizen}, at: {scalar(rules.buildings[building].name)}}}"
        for building, _, citizen in free_places(lord, "any", rules)
    ]
    return [
        f"# Active: {people(lord.active)}.",
        f"# In the pouch: {people(lord.pouch)}.",
        "place:                       # one after the other; the impossible is skipped",
        *fits,
        "  - {citizen: any, at: any}  # everybody who is left, on any free slot",
    ]


def _manage(table: Table, seat: str, rules: Rules) -> list[str]:
    cards = list(dict.fromkeys(table.display))
    affordable = sorted(cards, key=lambda each: rules.buildings[each].cost)[:_MOST]
    free = [who for who in table.characters if who not in table.claimed]
    homes = castles(table)
    reach = sorted(within_reach(table, seat, rules), key=lambda place: army_for(table, seat, place, rules))[:_MOST]
    places = [f"{{castle: {homes[place]}}}" if place in homes else said(place) for place in reach]
    lines = ["#manage:                     # of each list the first that is possible is done"]
    if affordable:
        lines += _wish("build", affordable, [f"{rules.buildings[each].cost} gold" for each in affordable])
    if free:
        lines += _wish("claim", free[:_MOST])
    if places:
        lines += _wish("occupy", places, [f"{army_for(table, seat, place, rules)} army" for place in reach])
    return lines


def _wish(word: str, alternatives: list[str], costs: Sequence[str] = ()) -> list[str]:
    """A wish behind a #: with what each alternative costs, an alternative a line."""
    if not costs:
        return [f"#  - {word}: [{', '.join(alternatives)}]"]
    return [f"#  - {word}:", *(f"#      - {left(each, 22)} # {cost}" for each, cost in zip(alternatives, costs))]
